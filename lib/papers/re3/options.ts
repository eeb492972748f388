// Options of `re3` and their resolution: each part can be switched off, which gives the ablations
// of the paper (figure 2, table 10).
import { invalidArgument } from '../../errors.js';
import { constrainedPublicationMask } from '../../retrieval/mask.js';
import { semanticOnly, type Ranking } from '../../retrieval/search.js';
import { lazily } from '../../runtime/cacheRegistry.js';
import { checkKinds, count, onOrOff, oneOf, orFalse, partsOf } from '../../systems/optionKinds.js';
import type { Settings } from '../../systems/settings.js';
import type { CommonOptions, Uses } from '../../systems/system.js';
import { isTimeExtractor, type TimeExtractor } from '../../time/timeExtractor.js';
import {
  timeEncoder,
  type TimeEncoder,
  type TimeEncoderWeights,
} from '../../vectors/timeEncoder.js';
import type { VersionOptions } from './dropSuperseded.js';
import { fusedQuestions } from './fusionTimes.js';

export interface Re3Options extends CommonOptions {
  /**
   * The time encoder: a file written by `asof train re3`, or weights in memory; false compares
   * vectors without time (the recency filter alone). Default: those of the package, trained with
   * the embedded encoder.
   */
  weights?: string | TimeEncoderWeights | false | undefined;
  /**
   * Times of questions and rows to fuse, each text's one time; vectors of rows are kept by its id.
   * Weights fit the extractor that they were trained with. Default: of questions those of their
   * constraints, of rows their stored content times.
   */
  extractor?: TimeExtractor | undefined;
  /**
   * Questions whose times are fused: all that have one (the paper), or those whose answer is at the
   * time itself, the others compared without time. Default 'all'.
   */
  fuse?: (typeof fusedQuestions)[number] | undefined;
  /**
   * What is retrieved: whole passages, each with its first and most specific time, or all rows,
   * each with its own time, where a passage counts by its best row. Default 'passages'.
   */
  units?: 'passages' | 'all' | undefined;
  /** Hide what was published after the question was asked. Default true. */
  mask?: boolean | undefined;
  /**
   * The conflict-aware recency filter (section 3.4), by the model, or by series without one; false
   * is the encoder alone.
   */
  versions?: VersionOptions | false | undefined;
}

interface ResolvedRe3Options extends CommonOptions {
  /** Undefined without time fusion. */
  timeEncoder: (() => Promise<TimeEncoder>) | undefined;
  extractor: TimeExtractor | undefined;
  fuse: (typeof fusedQuestions)[number];
  retrieval: { name: string; ranking: Ranking };
  versions: VersionOptions | false;
  /** Options as tables print them. */
  shown: Record<string, unknown>;
}

const kinds = {
  weights: {
    expected: "the path of a time encoder's weights, the weights, or false",
    takes: (value: unknown) =>
      value === false ||
      typeof value === 'string' ||
      (typeof value === 'object' && value !== null && 'parameters' in value),
  },
  extractor: {
    expected: 'a TimeExtractor { id, extract }, whose id names it and its weights',
    takes: isTimeExtractor,
  },
  fuse: oneOf(fusedQuestions),
  units: oneOf(['passages', 'all']),
  mask: onOrOff,
  versions: orFalse(partsOf({ depth: count, by: oneOf(['series', 'model']) })),
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind. */
export function resolveRe3Options(options: Re3Options): ResolvedRe3Options {
  checkKinds('re3', options, kinds);
  const { weights, mask = true, extractor, fuse = 'all' } = options;
  const { units = 'passages', versions = {} } = options;
  const fused = weights !== false;
  if (extractor && !fused)
    throw invalidArgument('extractor', 'none where no vectors are fused', extractor.id);
  const ranking: Ranking = {
    n: 'k',
    spare: filterDepth(versions),
    scope: units,
    pool: units !== 'passages',
    relevance: semanticOnly,
    ...(mask ? { mask: constrainedPublicationMask } : {}),
  };
  const shown = {
    weights: weightsLabel(weights),
    ...(extractor ? { extractor: extractor.id } : {}),
    fuse,
    units,
    mask,
    versions,
  };
  const { corpus, model, read } = options;
  return {
    corpus,
    model,
    read,
    timeEncoder: weights === false ? undefined : lazily(() => timeEncoder(corpus.encoder, weights)),
    extractor,
    fuse,
    retrieval: { name: fused ? 'dense(fused by FiLM)' : 'dense', ranking },
    versions,
    shown,
  };
}

const weightsLabel = (weights: Re3Options['weights']): string | false =>
  weights === false || typeof weights === 'string' ? weights : weights ? 'in memory' : 'default';

/** Passages retrieved beyond k, since the filter may drop that many. */
const filterDepth = (versions: VersionOptions | false): number =>
  versions === false ? 0 : (versions.depth ?? 0);

/** What `re3` would use: a model unless series arbitrate versions. */
export const re3Uses = ({ versions }: Settings = {}): Uses => ({
  reranker: false,
  prompts: versions !== false && (versions as VersionOptions | undefined)?.by !== 'series',
});
