// TEMPO's temporal measures (section 4, appendix C.1) over a judged ranking, each as the paper
// defines it and as the published code computes it.
import { invalidArgument, mustBe } from '../../errors.js';

/** Whose definition counts: the paper's, or what its published code computes. */
export const tempoDefinitions = ['paper', 'code'] as const;
export type TempoDefinition = (typeof tempoDefinitions)[number];

/** One query's ranking as a judge of time saw it. */
export interface TemporalRanking {
  /**
   * v(i): whether the document at each rank helps with the query's time, best first. An unjudged
   * document does not.
   */
  verdicts: readonly boolean[];
  /** The periods that the document at each rank covers, independent of its verdict. */
  covered: readonly (readonly string[])[];
  /** P: the required periods of a cross-period query. */
  required?: readonly string[];
}

/**
 * tp@k = (1/|R|) * sum over r in R of |{j in R: j <= r}| / r, R the ranks up to k with v = 1
 * (equation 1). Where R is empty the paper's formula has no value, so the query is not counted; the
 * code says 0, and rounds to five decimals.
 */
export function temporalPrecision(
  verdicts: readonly boolean[],
  k: number,
  definition: TempoDefinition = 'paper',
): number | undefined {
  mustBe('an array', { verdicts });
  let found = 0;
  let sum = 0;
  for (let at = 0; at < Math.min(k, verdicts.length); at += 1)
    if (verdicts[at]) sum += (found += 1) / (at + 1);
  if (found === 0) return definition === 'code' ? 0 : undefined;
  return definition === 'code' ? roundToFiveDecimals(sum / found) : sum / found;
}

/**
 * tr@k = (1/k) * sum over i <= k of v(i) (equation 2). The code divides by how many were retrieved,
 * where those are fewer than k, and rounds.
 */
export function temporalRelevance(
  verdicts: readonly boolean[],
  k: number,
  definition: TempoDefinition = 'paper',
): number {
  mustBe('an array', { verdicts });
  const shown = Math.min(k, verdicts.length);
  let found = 0;
  for (let at = 0; at < shown; at += 1) if (verdicts[at]) found += 1;
  if (definition === 'paper') return found / k;
  return shown === 0 ? 0 : roundToFiveDecimals(found / shown);
}

/**
 * tc@k = (1/M) * sum over the M periods asked for of whether any document up to k covers it
 * (equations 3 and 4). Undefined for a query that asks for no several periods. The code knows two
 * periods: the first two, and always divides by 2.
 */
export function temporalCoverage(
  covered: readonly (readonly string[])[],
  required: readonly string[] | undefined,
  k: number,
  definition: TempoDefinition = 'paper',
): number | undefined {
  if (required === undefined) return undefined;
  mustBe('an array', { covered, required });
  if (required.length === 0) return undefined;
  const periods = definition === 'code' ? required.slice(0, 2) : [...new Set(required)];
  const seen = new Set(covered.slice(0, k).flat());
  const reached = periods.filter((period) => seen.has(period)).length;
  return definition === 'code' ? roundToFiveDecimals(reached / 2) : reached / periods.length;
}

/** ndcg_fc@k = ndcg@k where tc@k = 1; every other query is not counted (section 4). */
export function ndcgAtFullCoverage(
  gain: number | undefined,
  coverage: number | undefined,
): number | undefined {
  return coverage === 1 ? gain : undefined;
}

/**
 * The code's own ndcg@k: binary, sum over relevant ranks i <= k of 1 / log2(i + 1) over that of the
 * ideal ranking, rounded; 0 for k = 0, undefined where nothing is relevant. A document that a
 * ranking repeats counts again, so it can exceed 1.
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
 * temporal_recall@k = |the first k documents that are relevant| / |relevant|, undefined where none
 * is. It is in the code only, which rounds it; by the paper's definition it is recall@k of the
 * queries that have something relevant.
 */
export function temporalRecall(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
  k: number,
  definition: TempoDefinition = 'paper',
): number | undefined {
  mustBe('an array', { ranked });
  if (!(relevant instanceof Set))
    throw invalidArgument('relevant', 'a Set of ids', relevant, 'Pass new Set(ids).');
  if (relevant.size === 0) return undefined;
  const found =
    new Set(ranked.slice(0, Math.max(0, k)).filter((id) => relevant.has(id))).size / relevant.size;
  return definition === 'code' ? roundToFiveDecimals(found) : found;
}

/**
 * Five decimals as Python rounds: to the nearest of the binary number itself, and to the even one
 * where two are as near.
 */
export function roundToFiveDecimals(value: number): number {
  // only odd multiples of 1/64 lie exactly between two numbers of five decimals
  const tie = value * 64;
  if (!Number.isInteger(tie) || tie % 2 === 0) return Number(value.toFixed(5));
  const below = Math.floor(value * 1e5);
  return (below % 2 === 0 ? below : below + 1) / 1e5;
}
