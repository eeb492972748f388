// Score plans over an engine that keeps the rows, in rounds. Statistics first, since all parts of
// the storage weigh by those of the whole; then the greatest BM25 and the moments of a recency;
// then the passages with the rows from the k-th score on, and a band below it for what the engine
// computes otherwise in the last bits.
import type { PreparedPassage } from '../passages/passages.js';
import type {
  Bm25Parameters,
  CollectionStatistics,
  PlanQuery,
  QueryStatistics,
  ScorePlan,
} from '../scorePlan.js';
import type { RankedPlan } from './remoteSource.js';

/** Results beyond k that are asked for at once: most bands end within them. */
const spare = 64;
/** Most results of a plan that are asked for with a limit. */
const unlimited = 0xffffffff;
/** Of a product, for scores of either sign. */
const greatestFactor = 2;

/** A passage by the score of its best row, as the engine has it; itself if it was read. */
export interface RankedPassage {
  id: string;
  score: number;
  passage?: PreparedPassage | undefined;
}

/** Passages of a query: the first `limit`, all from a score on, or all. */
export type RankBound = { limit: number } | { from: number } | { all: true };

/** One query of a plan, as an engine ranks it. */
export interface QueryRanking {
  /** What its scores are normalised by. */
  statistics(): Promise<QueryStatistics>;
  /** Of each part of the storage the best passages; none of a part that is not `isWanted`. */
  best(
    statistics: QueryStatistics,
    bound: RankBound,
    isWanted: (part: number) => boolean,
  ): Promise<readonly (readonly RankedPassage[])[]>;
  /** Whether it ranks all rows; of one that does not yet know, once `best` has resolved. */
  readonly exact: boolean;
  /** How far its scores may be from those of 64 bits, beyond products of vectors. Default 0. */
  readonly rounding?: number | undefined;
}

/** An engine's view of a plan. */
export interface PlanRanking {
  /** Of the terms of all queries; undefined without any. */
  collection: CollectionStatistics | undefined;
  /** One a query of the plan. */
  queries: readonly QueryRanking[];
}

/** Runs a plan: passages, and what the native scan is to score them with. */
export async function rankPlan(
  plan: ScorePlan,
  open: (terms: readonly string[]) => Promise<PlanRanking>,
): Promise<RankedPlan> {
  const terms = new Set(plan.queries.flatMap(({ terms: own = [] }) => own));
  const { collection, queries } = await open([...terms]);
  const found = await Promise.all(
    plan.queries.map(async (query, q) => {
      const ranking = queries[q]!;
      const statistics = await ranking.statistics();
      const ranked = await rankQuery(query, plan.k, ranking, statistics);
      return { ranked, statistics };
    }),
  );
  const ranked = new Map(found.flatMap((each) => each.ranked.map((one) => [one.id, one])));
  return {
    ids: [...ranked.keys()],
    passages: [...ranked.values()].flatMap(({ passage }) => passage ?? []),
    statistics: {
      ...(collection && { collection }),
      queries: found.map(({ statistics }) => statistics),
    },
    exact: queries.every(({ exact }) => exact),
  };
}

/** The passages with the rows that can be among the best k of a query. */
async function rankQuery(
  query: PlanQuery,
  k: number,
  ranking: QueryRanking,
  statistics: QueryStatistics,
): Promise<RankedPassage[]> {
  if (k === 0) return [];
  const isLimited = k < unlimited;
  const limit = k + spare;
  const bound = isLimited ? { limit } : { all: true as const };
  const first = await ranking.best(statistics, bound, () => true);
  const scores = first
    .flat()
    .map(({ score }) => score)
    .sort((a, b) => b - a);
  const kth = scores[k - 1];
  if (!isLimited || kth === undefined) return first.flat();
  const from = kth - band(query, statistics, ranking.rounding);
  // A part whose last row is within the band may have more of them.
  const isCut = first.map(
    (rows) => rows.length === limit && Math.min(...rows.map(({ score }) => score)) >= from,
  );
  const cut = isCut.includes(true)
    ? await ranking.best(statistics, { from }, (part) => isCut[part]!)
    : [];
  return first.flatMap((rows, part) =>
    isCut[part] ? cut[part]! : rows.filter(({ score }) => score >= from),
  );
}

/**
 * How far below the k-th score, as the engine has it, one of the best k may be: twice the bound of
 * the errors of both sums of products, of vectors of length 1, times the greatest factor, and those
 * of its rounding.
 */
function band(
  { vector, semanticWeight = 1, form = { combine: 'none' }, lexicalWeight = 1 }: PlanQuery,
  { moments }: QueryStatistics,
  rounding = 0,
): number {
  if (!vector && rounding === 0 && !moments) return 0;
  const d = vector?.length ?? 0;
  const products = Math.abs(semanticWeight) * (2 * Math.ceil(d / 4) + 4 + d) * 2 ** -24;
  const weight = form.combine === 'sum' ? Math.abs(form.weight) : 0;
  const doubles = 1e-9 * (1 + weight + Math.abs(semanticWeight) + Math.abs(lexicalWeight));
  return 2 * (greatestFactor * products + rounding) + doubles;
}

/** BM25 of a query's terms over a collection, in the parts of which an engine computes it. */
export interface Bm25Weights {
  /** Those that some row has, each once, and their weights. */
  terms: string[];
  weights: number[];
  /**
   * A row of n tokens that has a term f times gains w - w / (1 + f / (k1 (base + slope n))) by it;
   * w where k1 is 0.
   */
  k1: number;
  base: number;
  slope: number;
}

export function bm25Weights(
  { terms = [] }: Pick<PlanQuery, 'terms'>,
  { k1 = 0.9, b = 0.4 }: Bm25Parameters,
  { rows, tokens, frequencies }: CollectionStatistics,
): Bm25Weights {
  const repetitions = new Map<string, number>();
  for (const term of terms) repetitions.set(term, (repetitions.get(term) ?? 0) + 1);
  const known = [...repetitions].filter(([term]) => (frequencies.get(term) ?? 0) > 0);
  const weights = known.map(([term, repetition]) => {
    const frequency = Math.min(frequencies.get(term)!, rows);
    return repetition * Math.log1p((rows - frequency + 0.5) / (frequency + 0.5));
  });
  const mean = tokens === 0 ? 1 : tokens / rows;
  return { terms: known.map(([term]) => term), weights, k1, base: 1 - b, slope: b / mean };
}
