// Probability that a passage answers: native/facts/cascade.hpp says how it is made.
import type { CascadeResult, CascadeShares } from '../../../binding.js';
import { binding } from '../../binding.js';
import type { MemberColumns } from '../members/members.js';

export type { CascadeResult };

export interface CascadeWeights {
  /** Log-odds of membership by feature, in the order of `featureNames`. */
  features: Float64Array;
  clock: Float64Array;
  /** Log-odds that the order of a series counts, in the order of `seriesGate`. */
  series: Float64Array;
  /** Relevance alone: of a passage's likeliest statement, its similarity and its coverage. */
  relevance: { logOdds: number; similarity: number; coverage: number };
  /**
   * Log-odds that count in the order: z + shift - share * greatest z. What the question's wording
   * costs all statements alike says nothing about their order.
   */
  relative: { share: number; shift: number };
  /** Log-odds that no passage answers, in the order of `noneInputNames`. */
  none: Float64Array;
}

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));
/** Log-probability, and log-odds, of a candidate without a member. */
export const noMember = -50;

export interface CascadeOptions {
  /** By member: the probability that its statement is right. Default 1. */
  credibility?: Float64Array | undefined;
  /** By candidate: log-odds that count for its members, and for its relevance alone. Default 0. */
  judged?: Float64Array | undefined;
}

export const cascade = (
  table: MemberColumns,
  weights: CascadeWeights,
  options: CascadeOptions = {},
): CascadeResult =>
  binding.cascade({
    ...table,
    ...options,
    featureWeights: weights.features,
    clockWeights: weights.clock,
    seriesWeights: weights.series,
    relevanceLogOdds: weights.relevance.logOdds,
    relevanceSimilarity: weights.relevance.similarity,
    relevanceCoverage: weights.relevance.coverage,
    relativeShare: weights.relative.share,
    relativeShift: weights.relative.shift,
  });

/** By candidate: log-probability that it answers if the order counts with a probability. */
export const mixed = (shares: CascadeShares, series: number): Float64Array =>
  binding.mixCascade(shares, series);

/** The first place of the greatest value; -1 of none. */
export function placeOfGreatest(values: ArrayLike<number>): number {
  let best = values.length === 0 ? -1 : 0;
  for (let at = 1; at < values.length; at += 1) if (values[at]! > values[best]!) best = at;
  return best;
}
