// Options of `re3` and their resolution: each part can be switched off, which gives the ablations
// of the paper (figure 2, table 10).
import { invalidArgument } from '../../errors.js';
import { constrainedPublicationMask } from '../../ranking/mask.js';
import type { Ranking, Relevance } from '../../retrieval/search.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { SearchableCorpus } from '../../store/joinedCorpora.js';
import {
  checkKinds,
  count,
  onOrOff,
  oneOf,
  orFalse,
  partsOf,
  relevanceKind,
} from '../../systems/optionKinds.js';
import type { Settings } from '../../systems/settings.js';
import type { CommonOptions, Uses } from '../../systems/system.js';
import { fusionIntervals } from '../../time/question/fusionTimes.js';
import { isTimeExtractor, type TimeExtractor } from '../../time/timeExtractor.js';
import {
  timeEncoder,
  type TimeEncoder,
  type TimeEncoderWeights,
} from '../../vectors/timeEncoder.js';
import type { VersionOptions } from './dropSuperseded.js';
import { fusedTimeForm } from './exactTime.js';

export interface Re3Options extends CommonOptions {
  /**
   * The time encoder: a file written by `asof train re3`, or weights in memory; false compares
   * vectors without time (the recency filter alone). Default: those of the package, trained with
   * the embedded encoder.
   */
  weights?: string | TimeEncoderWeights | false;
  /**
   * Times of questions and rows to fuse, each text's one time as the paper has it; vectors of rows
   * are kept by its id. Weights fit the extractor that they were trained with. Default: of
   * questions those at which the answer lies, of rows their stored content times.
   */
  extractor?: TimeExtractor;
  /**
   * Weights of cosine and BM25. Default { semantic: 0.8, lexical: 0.2 } (ours); { semantic: 1,
   * lexical: 0 } is the paper, { semantic: 0, lexical: 1 } BM25 alone, without time.
   */
  relevance?: Relevance;
  /**
   * Ours: rows with none of the times that are fused into the question score 0.8 of their
   * relevance, by the stored content times. Default true with fused vectors and BM25, false in the
   * paper's form and with an extractor.
   */
  exactTime?: boolean;
  /**
   * What is retrieved: whole passages, each with its first and most specific time, or all rows,
   * each with its own time, where a passage counts by its best row. Default 'passages'.
   */
  units?: 'passages' | 'all';
  /** Hide what was published after the question was asked. Default true. */
  mask?: boolean;
  /**
   * The conflict-aware recency filter (section 3.4), by default by series; false is the encoder
   * alone.
   */
  versions?: VersionOptions | false;
}

interface ResolvedRe3Options extends CommonOptions {
  /** Undefined without time fusion. */
  timeEncoder: (() => Promise<TimeEncoder>) | undefined;
  extractor: TimeExtractor | undefined;
  /** Of which questions entities are repeated in the BM25 query. */
  boost: ((query: QueryContext) => boolean) | false;
  retrieval: { name: string; ranking: Ranking };
  relevance: Relevance;
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
  relevance: relevanceKind,
  exactTime: onOrOff,
  units: oneOf(['passages', 'all']),
  mask: onOrOff,
  versions: orFalse(partsOf({ depth: count, by: oneOf(['series', 'model']) })),
};

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind, and for weights that
 * `relevance` leaves unused.
 */
export function resolveRe3Options(options: Re3Options): ResolvedRe3Options {
  checkKinds('re3', options, kinds);
  const { relevance = { semantic: 0.8, lexical: 0.2 }, weights, mask = true } = options;
  const { units = 'passages', versions = {} } = options;
  const [dense, lexical] = [relevance.semantic > 0, relevance.lexical > 0];
  if (relevance.semantic === 0 && weights)
    throw invalidArgument('weights', 'none or false where relevance.semantic is 0', weights);
  const fused = dense && weights !== false;
  const { extractor } = options;
  if (extractor && !fused)
    throw invalidArgument('extractor', 'none where no vectors are fused', extractor.id);
  const { exactTime = fused && lexical && !extractor } = options;
  const name = relevance.semantic === 0 ? 'bm25' : lexical ? 'retrieve' : 'dense';
  const timed = [...(fused ? ['fused by FiLM'] : []), ...(exactTime ? ['exact time'] : [])];
  const ranking: Ranking = {
    n: 'k',
    spare: filterDepth(versions),
    scope: units,
    pool: units !== 'passages',
    relevance,
    ...(mask ? { mask: constrainedPublicationMask } : {}),
    ...(exactTime ? { form: fusedTimeForm } : {}),
  };
  const shown = {
    weights: weightsLabel(weights),
    ...(extractor ? { extractor: extractor.id } : {}),
    relevance,
    exactTime,
    units,
    mask,
    versions,
  };
  const { corpus, model, read } = options;
  return {
    corpus,
    ...(model ? { model } : {}),
    ...(read ? { read } : {}),
    timeEncoder: fused ? lazyTimeEncoder(corpus, weights) : undefined,
    extractor,
    boost: (fused || exactTime) && lexical && (extractor ? hasFusedRows : hasFusionTimes),
    retrieval: { name: timed.length > 0 ? `${name}(${timed.join(' x ')})` : name, ranking },
    relevance,
    versions,
    shown,
  };
}

const hasFusedRows = ({ rowVectors }: QueryContext): boolean => rowVectors !== undefined;
const hasFusionTimes = ({ parsed }: QueryContext): boolean => fusionIntervals(parsed).length > 0;

/** Opens the time encoder with the first question and keeps it; failures are retried. */
function lazyTimeEncoder(
  corpus: SearchableCorpus,
  weights: Re3Options['weights'],
): () => Promise<TimeEncoder> {
  let opened: Promise<TimeEncoder> | undefined;
  return () => {
    opened ??= timeEncoder(corpus.encoder, weights || undefined);
    opened.catch(() => void (opened = undefined));
    return opened;
  };
}

const weightsLabel = (weights: Re3Options['weights']): string | false =>
  weights === false || typeof weights === 'string' ? weights : weights ? 'in memory' : 'default';

/** Passages retrieved beyond k, since the filter may drop that many. */
const filterDepth = (versions: VersionOptions | false): number =>
  versions === false ? 0 : (versions.depth ?? 50);

/** What `re3` would use: a model only if it arbitrates versions. */
export const re3Uses = ({ versions }: Settings = {}): Uses => ({
  reranker: false,
  prompts: (versions as VersionOptions | undefined)?.by === 'model',
});
