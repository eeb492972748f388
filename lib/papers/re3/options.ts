// The options of `re3`: each part can be left out, which is the ablation of its paper (figure 2,
// table 10).
import { invalidArgument } from '../../errors.js';
import type { Relevance } from '../../retrieval/search.js';
import type { VersionOptions } from '../../facts/versions/dropOutdated.js';
import type { Corpus } from '../../store/corpus.js';
import {
  timeEncoder,
  type TimeEncoder,
  type TimeEncoderWeights,
} from '../../vectors/timeEncoder.js';
import {
  checkKinds,
  onOrOff,
  oneOf,
  relevanceKind,
  versionsKind,
} from '../../systems/optionKinds.js';
import type { Settings } from '../../systems/settings.js';
import type { CommonOptions, Uses } from '../../systems/system.js';

export interface Re3Options extends CommonOptions {
  /**
   * The time encoder: a file of `asof train re3`, or weights in memory. Default: those of the
   * package, which fit the embedded encoder; false compares vectors without time (the filter
   * alone).
   */
  weights?: string | TimeEncoderWeights | false;
  /**
   * What finds candidates. Ours: cosine of fused vectors and BM25 (default 0.8 and 0.2); {
   * semantic: 1, lexical: 0 } is the paper, and { semantic: 0, lexical: 1 } BM25 alone, which has
   * no time in it.
   */
  relevance?: Relevance;
  /**
   * Rows that tell of none of the times which are fused into the question score 0.8 of what they
   * would (ours, not the paper's). Default true where vectors are fused and words count beside
   * them, false in the paper's pure form.
   */
  namedTime?: boolean;
  /**
   * The newest first of a series, where a question asks for the latest: hundreds of statements of
   * one subject that differ by their day (ours, not the paper's). Default true where words count,
   * false in the paper's pure form.
   */
  newest?: boolean;
  /**
   * What is fused and found: whole passages, each with its first and most specific time, or every
   * row, so that a passage counts by its best sentence too, each with the time of its own. Default
   * passages.
   */
  units?: 'passages' | 'all';
  /** Hide what was published after the question was asked. Default true. */
  mask?: boolean;
  /**
   * The conflict-aware recency filter (section 3.4); false leaves it out (the encoder alone).
   * Default: by rules.
   */
  versions?: VersionOptions | false;
}

const kinds = {
  weights: {
    expected: "the path of a time encoder's weights, the weights, or false",
    takes: (value: unknown) =>
      value === false ||
      typeof value === 'string' ||
      (typeof value === 'object' && value !== null && 'parameters' in value),
  },
  relevance: relevanceKind,
  namedTime: onOrOff,
  newest: onOrOff,
  units: oneOf(['passages', 'all']),
  mask: onOrOff,
  versions: versionsKind,
};

export const mixed: Relevance = { semantic: 0.8, lexical: 0.2 };

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind, and for weights beside BM25
 * alone, which would not be used.
 */
export function checkRe3Options(options: Re3Options): Re3Options {
  const { relevance = mixed, weights } = checkKinds('re3', options, kinds);
  if (relevance.semantic === 0 && weights)
    throw invalidArgument('weights', 'none or false where relevance.semantic is 0', weights);
  return options;
}

/**
 * Opens the time encoder at the first question, and once; one that could not be opened is tried
 * again by the next.
 */
export function openTimes(
  corpus: Corpus,
  weights: Re3Options['weights'],
): () => Promise<TimeEncoder> {
  let opened: Promise<TimeEncoder> | undefined;
  return () => {
    opened ??= timeEncoder(corpus.encoder, weights || undefined);
    opened.catch(() => void (opened = undefined));
    return opened;
  };
}

/**
 * As tables and settings files have them: a path, false, or that they are the package's or in
 * memory.
 */
export const shownWeights = (weights: Re3Options['weights']): string | false =>
  weights === false || typeof weights === 'string' ? weights : weights ? 'in memory' : 'default';

/**
 * As many candidates are found beyond those wanted as the filter looks at, so that survivors fill
 * their places.
 */
export const versionsDepth = (versions: VersionOptions | false): number =>
  versions === false ? 0 : (versions.depth ?? 50);

/** What `re3` would use: a model only where it is to read versions. */
export const re3Uses = ({ versions }: Settings = {}): Uses => {
  return { reranker: false, prompts: (versions as VersionOptions | undefined)?.by === 'model' };
};
