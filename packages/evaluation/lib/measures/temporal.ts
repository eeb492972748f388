// TEMPO's temporal measures (section 4, appendix C.1) over a judged ranking, each as the paper
// defines it and as the published code computes it.
import { invalidArgument } from 'asof/kit';

/** Definition of the measures: the paper's, or that of its published code. */
export const tempoDefinitions = ['paper', 'code'] as const;
export type TempoDefinition = (typeof tempoDefinitions)[number];

/** One query's ranking with its temporal judgements. */
export interface TemporalRanking {
  /**
   * v(i): whether the document at each rank is temporally relevant, best first. An unjudged
   * document is not.
   */
  verdicts: readonly boolean[];
  /** The periods that the document at each rank covers, independent of its verdict. */
  covered: readonly (readonly string[])[];
  /** P: the required periods of a cross-period query. */
  required?: readonly string[] | undefined;
}

/**
 * tp@k = (1/|R|) * sum over r in R of |{j in R: j <= r}| / r, R the ranks up to k with v = 1
 * (equation 1). The paper's formula is undefined for an empty R, so the query is excluded; the code
 * returns 0, and rounds to five decimals.
 */
export function temporalPrecision(
  verdicts: readonly boolean[],
  k: number,
  definition: TempoDefinition = 'paper',
): number | undefined {
  let found = 0;
  let sum = 0;
  for (let at = 0; at < Math.min(k, verdicts.length); at += 1)
    if (verdicts[at]) sum += (found += 1) / (at + 1);
  if (found === 0) return definition === 'code' ? 0 : undefined;
  return definition === 'code' ? roundToFiveDecimals(sum / found) : sum / found;
}

/**
 * tr@k = (1/k) * sum over i <= k of v(i) (equation 2). The code divides by the number of retrieved
 * documents if that is below k, and rounds.
 */
export function temporalRelevance(
  verdicts: readonly boolean[],
  k: number,
  definition: TempoDefinition = 'paper',
): number {
  const shown = Math.min(k, verdicts.length);
  let found = 0;
  for (let at = 0; at < shown; at += 1) if (verdicts[at]) found += 1;
  if (definition === 'paper') return found / k;
  return shown === 0 ? 0 : roundToFiveDecimals(found / shown);
}

/**
 * tc@k = (1/M) * sum over the M required periods of whether any document up to k covers it
 * (equations 3 and 4). Undefined for a query without required periods. The code uses the first two
 * periods and always divides by 2.
 */
export function temporalCoverage(
  covered: readonly (readonly string[])[],
  required: readonly string[] | undefined,
  k: number,
  definition: TempoDefinition = 'paper',
): number | undefined {
  if (required === undefined) return undefined;
  if (required.length === 0) return undefined;
  const periods = definition === 'code' ? required.slice(0, 2) : [...new Set(required)];
  const seen = new Set(covered.slice(0, k).flat());
  const reached = periods.filter((period) => seen.has(period)).length;
  return definition === 'code' ? roundToFiveDecimals(reached / 2) : reached / periods.length;
}

/** ndcg_fc@k = ndcg@k if tc@k = 1; other queries are excluded (section 4). */
export function ndcgAtFullCoverage(
  gain: number | undefined,
  coverage: number | undefined,
): number | undefined {
  return coverage === 1 ? gain : undefined;
}

/**
 * The code's own ndcg@k: binary, sum over relevant ranks i <= k of 1 / log2(i + 1) over that of the
 * ideal ranking, rounded; 0 for k = 0, undefined without relevant documents. Repeated documents
 * count repeatedly, so the value can exceed 1.
 */
export function tempoNdcg(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
  k: number,
): number | undefined {
  if (k <= 0) return 0;
  if (relevant.size === 0) return undefined;
  const discount = (rank: number): number => 1 / Math.log2(rank + 1);
  let gain = 0;
  for (let at = 0; at < Math.min(k, ranked.length); at += 1)
    if (relevant.has(ranked[at]!)) gain += discount(at + 1);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(k, relevant.size); rank += 1) ideal += discount(rank);
  return roundToFiveDecimals(gain / ideal);
}

/**
 * temporal_recall@k = |relevant documents of the first k| / |relevant|, undefined without relevant
 * documents. Defined in the code only, which rounds it; with the paper's definition it is recall@k
 * over queries with relevant documents.
 */
export function temporalRecall(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
  k: number,
  definition: TempoDefinition = 'paper',
): number | undefined {
  if (!(relevant instanceof Set))
    throw invalidArgument('relevant', 'a Set of ids', relevant, 'Pass new Set(ids).');
  if (relevant.size === 0) return undefined;
  const found =
    new Set(ranked.slice(0, Math.max(0, k)).filter((id) => relevant.has(id))).size / relevant.size;
  return definition === 'code' ? roundToFiveDecimals(found) : found;
}

/**
 * Five decimals as Python rounds: the exact binary value to nearest, ties to even.
 */
export function roundToFiveDecimals(value: number): number {
  // Only odd multiples of 1/64 are exact ties between two numbers of five decimals.
  const tie = value * 64;
  if (!Number.isInteger(tie) || tie % 2 === 0) return Number(value.toFixed(5));
  const below = Math.floor(value * 1e5);
  return (below % 2 === 0 ? below : below + 1) / 1e5;
}
