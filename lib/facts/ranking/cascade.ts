// Probability that a passage answers: one of its statements is a member of the series that is asked
// for, and none that the operator prefers to it is one. Sure members are so ordered by time, unsure
// ones by relevance, without a threshold.
import { width } from '../features/features.js';
import type { MemberColumns } from '../members/members.js';

export interface CascadeWeights {
  /** Log-odds of membership by feature, in the order of `featureNames`. */
  features: Float64Array;
  clock: Float64Array;
  state: Float64Array;
  /**
   * Log-odds that count in the order: z + shift - share * greatest z. What the question's wording
   * costs all statements alike says nothing about their order.
   */
  relative: { share: number; shift: number };
  /** Log-odds that no passage answers, in the order of `noneInputNames`. */
  none: Float64Array;
}

export interface CascadeResult {
  /** Log-odds of membership, by member. */
  logOdds: Float64Array;
  /** The same relative to the best of the question. */
  relative: Float64Array;
  /** The most likely of the members that are preferred to each; -1 without one. */
  preferred: Int32Array;
  /** The member that a restatement has its log-odds from; itself otherwise. */
  source: Int32Array;
  /** The member with the greatest log-odds; -1 without members. */
  best: number;
  /** By interpretation and candidate: its most likely member, -1 without one. */
  winners: readonly Int32Array[];
  /** By interpretation and candidate: log-probability, prior included. */
  parts: readonly Float64Array[];
  /** By candidate: log-probability over all interpretations. */
  scores: Float64Array;
  /** Log-probability that there is no member. */
  none: number;
  /** Probabilities of the content clock and of the state. */
  clock: number;
  state: number;
}

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));
/** log sigmoid(z) */
const logSigmoid = (z: number): number =>
  z >= 0 ? -Math.log1p(Math.exp(-z)) : z - Math.log1p(Math.exp(z));
/** Probability of a member that is not believed. */
const least = 1e-12;
/** Log-probability of a candidate without a member. */
const noMember = -50;

const dot = (weights: Float64Array, inputs: Float64Array): number =>
  weights.reduce((sum, weight, i) => sum + weight * inputs[i]!, 0);

/** @param credibility by member: the probability that its statement is right. Default 1. */
export function cascade(
  table: MemberColumns,
  weights: CascadeWeights,
  credibility?: Float64Array,
): CascadeResult {
  const count = table.match.length;
  const { logOdds, source } = membership(table, weights.features);
  let best = -1;
  for (let at = 0; at < count; at += 1) if (best < 0 || logOdds[at]! > logOdds[best]!) best = at;
  const { share, shift } = weights.relative;
  const offset = best < 0 ? 0 : shift - share * logOdds[best]!;
  const none = best < 0 ? 0 : logSigmoid(-logOdds[best]!);
  credibility?.forEach((right, at) => {
    if (right === 1) return;
    const member = Math.max(sigmoid(logOdds[at]! + offset) * right, least);
    logOdds[at] = Math.log(member) - Math.log1p(-member) - offset;
  });
  const relative = logOdds.map((z) => z + offset);
  const preferred = preferredMembers(table, logOdds);
  const interpretations = table.hasState ? 4 : 2;
  const winners = Array.from({ length: interpretations }, () =>
    new Int32Array(table.candidates).fill(-1),
  );
  const likelihood =
    table.place > 1
      ? likelihoodOfPlace(table, relative)
      : Float64Array.from(
          relative,
          (y, at) =>
            logSigmoid(y) + (preferred[at]! < 0 ? 0 : logSigmoid(-relative[preferred[at]!]!)),
        );
  for (let at = 0; at < count; at += 1) {
    const own = winners[table.interpretation[at]!]!;
    const candidate = table.candidate[at]!;
    if (own[candidate]! < 0 || likelihood[at]! > likelihood[own[candidate]!]!) own[candidate] = at;
  }
  const clock = sigmoid(dot(weights.clock, table.clockInputs));
  const state = table.hasState ? sigmoid(dot(weights.state, table.stateInputs)) : 0;
  const parts = winners.map((own, interpretation) => {
    const prior =
      (interpretation % 2 === 0 ? clock : 1 - clock) * (interpretation < 2 ? 1 - state : state);
    return Float64Array.from(
      own,
      (at) => Math.log(prior + 1e-12) + (at < 0 ? noMember : likelihood[at]!),
    );
  });
  return {
    logOdds,
    relative,
    preferred,
    source,
    best,
    winners,
    parts,
    scores: Float64Array.from({ length: table.candidates }, (_, candidate) =>
      logSum(parts.map((part) => part[candidate]!)),
    ),
    none,
    clock,
    state,
  };
}

/**
 * By member: log-probability that it is one and that just so many times before it in the operator's
 * order have one. Times count whose likeliest member is rather one than not.
 */
function likelihoodOfPlace(
  { rank, ranked, place }: MemberColumns,
  relative: Float64Array,
): Float64Array {
  const likelihood = new Float64Array(rank.length);
  for (const members of ranked) {
    // Probabilities that 0, 1, ... times before have a member.
    let counts = new Float64Array(place);
    counts[0] = 1;
    for (let at = 0; at < members.length; ) {
      const from = at;
      let best = -Infinity;
      for (; at < members.length && rank[members[at]!] === rank[members[from]!]; at += 1) {
        const y = relative[members[at]!]!;
        likelihood[members[at]!] = logSigmoid(y) + Math.log(counts[place - 1]! + least);
        best = Math.max(best, y);
      }
      if (best <= 0) continue;
      const has = sigmoid(best);
      counts = counts.map((count, n) => count * (1 - has) + (counts[n - 1] ?? 0) * has);
    }
  }
  return likelihood;
}

/** log of the sum of exponentials */
export function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

/** Linear log-odds; a restatement of one series is as relevant as what it restates. */
function membership(
  { features, match, restatements }: MemberColumns,
  weights: Float64Array,
): Pick<CascadeResult, 'logOdds' | 'source'> {
  const logOdds = new Float64Array(match.length);
  for (let at = 0; at < match.length; at += 1) {
    let z = 0;
    for (let f = 0, from = at * width; f < width; f += 1) z += weights[f]! * features[from + f]!;
    logOdds[at] = z;
  }
  const source = Int32Array.from(match, (_, at) => at);
  restatements.forEach((list, at) => {
    for (const { member, isSameSeries } of list) {
      if (!isSameSeries || logOdds[at]! <= logOdds[member]!) continue;
      logOdds[member] = logOdds[at]!;
      source[member] = source[at]!;
    }
  });
  return { logOdds, source };
}

/** The most likely member before each in the operator's order, or that restates it. */
function preferredMembers(
  { rank, ranked, restatements }: MemberColumns,
  logOdds: Float64Array,
): Int32Array {
  const preferred = new Int32Array(rank.length).fill(-1);
  const better = (one: number, other: number): number =>
    one < 0 || (other >= 0 && logOdds[other]! > logOdds[one]!) ? other : one;
  for (const members of ranked) {
    let [before, equal, last] = [-1, -1, -1];
    for (const at of members) {
      if (rank[at] !== last) {
        before = better(before, equal);
        [equal, last] = [-1, rank[at]!];
      }
      preferred[at] = before;
      equal = better(equal, at);
    }
  }
  restatements.forEach((list, at) => {
    for (const { member } of list) preferred[at] = better(preferred[at]!, member);
  });
  return preferred;
}
