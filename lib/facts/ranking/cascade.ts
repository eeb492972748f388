// Probability that a passage answers. Where the order of a series counts: one of its statements is
// a member of the series that is asked for, and none that the operator prefers to it is one; sure
// members are so ordered by time, unsure ones by relevance, without a threshold. Where it does not:
// by relevance alone. Both are mixed by the probability that a series is asked for; where the
// latest of all is, older members of the first's series stand behind other series.
import { firstTimed, width } from '../features/features.js';
import type { MemberColumns } from '../members/members.js';

export interface CascadeWeights {
  /** Log-odds of membership by feature, in the order of `featureNames`. */
  features: Float64Array;
  clock: Float64Array;
  /** Log-odds that the order of a series counts, in the order of `seriesGate`. */
  series: Float64Array;
  /** Relevance alone: of the log-odds of a passage's likeliest statement, and of its similarity. */
  relevance: { logOdds: number; similarity: number };
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
  /** By interpretation and candidate: log-probability in the series, prior included. */
  parts: readonly Float64Array[];
  /** By candidate: log-probability in the order of the series, of which `nothing` is the rest. */
  ordered: Float64Array;
  /** Log-probability that the series has no member. */
  nothing: number;
  /** By member: log-odds that count for relevance alone, times aside where none is asked for. */
  evidence: Float64Array;
  /** By candidate: its most relevant member, -1 without one. */
  relevant: Int32Array;
  /** By candidate: log-probability by relevance alone. */
  relevance: Float64Array;
  /** Probabilities of the content clock, and that the order of the series counts. */
  clock: number;
  series: number;
  /**
   * By candidate: the probability that its member began and ended before that of the first and is
   * of the same series, where the latest of all is asked for; else 0.
   */
  outdated: Float64Array;
  /** By candidate: log-probability that it answers. */
  scores: Float64Array;
  /** By candidate: the member that gives it most of that, and whether as one of the series. */
  members: Int32Array;
  isOrdered: readonly boolean[];
}

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));
/** log sigmoid(z) */
const logSigmoid = (z: number): number =>
  z >= 0 ? -Math.log1p(Math.exp(-z)) : z - Math.log1p(Math.exp(z));
/** What an older member of the first's series loses, in log-probability. */
const outdatedLoss = 12;
/** Log-odds by which a member is far likelier than another of its candidate. */
const weaker = 1;
/** Log-odds below those of the first from which a statement is rather of another series. */
const sameSeries = 4;
/** Probability of a member that is not believed. */
const least = 1e-12;
/** Log-probability, and log-odds, of a candidate without a member. */
export const noMember = -50;

const dot = (weights: Float64Array, inputs: Float64Array): number =>
  weights.reduce((sum, weight, i) => sum + weight * inputs[i]!, 0);

export interface CascadeOptions {
  /** By member: the probability that its statement is right. Default 1. */
  credibility?: Float64Array | undefined;
  /** By candidate: log-odds that count for its members, and for its relevance alone. Default 0. */
  judged?: Float64Array | undefined;
}

export function cascade(
  table: MemberColumns,
  weights: CascadeWeights,
  { credibility, judged }: CascadeOptions = {},
): CascadeResult {
  const { logOdds, source, untimed } = membership(table, weights.features, judged);
  const best = placeOfGreatest(logOdds);
  const { share, shift } = weights.relative;
  const offset = best < 0 ? 0 : shift - share * logOdds[best]!;
  const none = best < 0 ? 0 : logSigmoid(-logOdds[best]!);
  const clock = sigmoid(dot(weights.clock, table.clockInputs));
  const priors = [clock, 1 - clock].map((prior) => Math.log(prior + least));
  const judgedOf = (at: number): number => judged?.[table.candidate[at]!] ?? 0;
  // A window is asked for whether or not an order is.
  const evidence = table.hasOperator
    ? logOdds.map((z, at) => z - judgedOf(at) + priors[table.interpretation[at]!]!)
    : untimed;
  credibility?.forEach((right, at) => {
    if (right === 1) return;
    const member = Math.max(sigmoid(logOdds[at]! + offset) * right, least);
    logOdds[at] = Math.log(member) - Math.log1p(-member) - offset;
  });
  const relative = logOdds.map((z) => z + offset);
  const preferred = preferredMembers(table, logOdds);
  const likelihood =
    table.place > 1
      ? likelihoodOfPlace(table, relative)
      : Float64Array.from(
          relative,
          (y, at) =>
            logSigmoid(y) + (preferred[at]! < 0 ? 0 : logSigmoid(-relative[preferred[at]!]!)),
        );
  const winners = priors.map((_, interpretation) =>
    likeliest(table, likelihood, (at) => table.interpretation[at] === interpretation),
  );
  const parts = winners.map((own, interpretation) =>
    Float64Array.from(own, (at) => priors[interpretation]! + (at < 0 ? noMember : likelihood[at]!)),
  );
  const sums = Float64Array.from(parts[0]!, (part, each) => logSum([part, parts[1]![each]!]));
  const total = logSum([...sums, none]);
  const ordered = sums.map((score) => score - total);
  const relevant = likeliest(table, evidence);
  const relevance = relevanceOf(table, weights.relevance, {
    evidence,
    relevant,
    credibility,
    judged,
  });
  const series = sigmoid(dot(weights.series, table.seriesInputs));
  const isOrdered = Array.from(
    ordered,
    (score, each) => series * Math.exp(score) >= (1 - series) * Math.exp(relevance[each]!),
  );
  const members = relevant.map((own, each) =>
    isOrdered[each] ? winners[parts[1]![each]! > parts[0]![each]! ? 1 : 0]![each]! : own,
  );
  const outdated = outdatedShares(table, relative, members, placeOfGreatest(ordered));
  const each = { ordered, relevance, outdated };
  return {
    logOdds,
    relative,
    preferred,
    source,
    best,
    winners,
    parts,
    ...each,
    nothing: none - total,
    evidence,
    relevant,
    clock,
    series,
    scores: mixed(each, series),
    members,
    isOrdered,
  };
}

/** By candidate: log-probability that it answers if the order counts with a probability. */
export function mixed(
  { ordered, relevance, outdated }: Pick<CascadeResult, 'ordered' | 'relevance' | 'outdated'>,
  series: number,
): Float64Array {
  const [order, rest] = [Math.log(series + least), Math.log(1 - series + least)];
  const loss = series > 0.5 ? outdatedLoss : 0;
  return ordered.map(
    (score, each) => logSum([order + score, rest + relevance[each]!]) - loss * outdated[each]!,
  );
}

function outdatedShares(
  { isLatest, starts, ends }: MemberColumns,
  relative: Float64Array,
  members: Int32Array,
  likeliest: number,
): Float64Array {
  const first = isLatest && likeliest >= 0 ? members[likeliest]! : -1;
  return Float64Array.from(members, (member) => {
    if (first < 0 || member < 0) return 0;
    const isOlder = starts[member]! < starts[first]! && ends[member]! < ends[first]!;
    return isOlder ? sigmoid(relative[member]! - relative[first]! + sameSeries) : 0;
  });
}

/** By candidate: the member of the greatest value; -1 without one. */
function likeliest(
  { candidate, candidates }: MemberColumns,
  values: Float64Array,
  counts: (member: number) => boolean = () => true,
): Int32Array {
  const own = new Int32Array(candidates).fill(-1);
  for (let at = 0; at < candidate.length; at += 1) {
    const before = own[candidate[at]!]!;
    if (counts(at) && (before < 0 || values[at]! > values[before]!)) own[candidate[at]!] = at;
  }
  return own;
}

/** Log-probability by candidate: the log-odds of its most relevant member, and its similarity. */
function relevanceOf(
  { similarity }: MemberColumns,
  weights: CascadeWeights['relevance'],
  {
    evidence,
    relevant,
    credibility,
    judged,
  }: Pick<CascadeResult, 'evidence' | 'relevant'> & CascadeOptions,
): Float64Array {
  const values = Float64Array.from(relevant, (at, each) => {
    const ofStatement = weights.logOdds * (at < 0 ? noMember : evidence[at]!);
    const right = at < 0 ? 1 : (credibility?.[at] ?? 1);
    const ofPassage = weights.similarity * similarity[each]! + (judged?.[each] ?? 0);
    return ofStatement + ofPassage + Math.log(right + least);
  });
  const total = logSum([...values]);
  return values.map((value) => value - total);
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

/** The first place of the greatest value; -1 of none. */
export function placeOfGreatest(values: ArrayLike<number>): number {
  let best = values.length === 0 ? -1 : 0;
  for (let at = 1; at < values.length; at += 1) if (values[at]! > values[best]!) best = at;
  return best;
}

/** log of the sum of exponentials */
export function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

/**
 * Linear log-odds, and those of the statements without their times; a restatement of one series is
 * as relevant as what it restates.
 */
function membership(
  { features, match, candidate, restatements }: MemberColumns,
  weights: Float64Array,
  judged?: Float64Array,
): Pick<CascadeResult, 'logOdds' | 'source'> & { untimed: Float64Array } {
  const logOdds = new Float64Array(match.length);
  const untimed = new Float64Array(match.length);
  for (let at = 0; at < match.length; at += 1) {
    let z = 0;
    const from = at * width;
    for (let f = 0; f < firstTimed; f += 1) z += weights[f]! * features[from + f]!;
    untimed[at] = z;
    for (let f = firstTimed; f < width; f += 1) z += weights[f]! * features[from + f]!;
    logOdds[at] = z + (judged?.[candidate[at]!] ?? 0);
  }
  const source = Int32Array.from(match, (_, at) => at);
  restatements.forEach((list, at) => {
    for (const { member, isSameSeries } of list) {
      if (!isSameSeries || logOdds[at]! <= logOdds[member]!) continue;
      logOdds[member] = logOdds[at]!;
      source[member] = source[at]!;
    }
  });
  return { logOdds, source, untimed };
}

/**
 * The most likely member before each in the operator's order, or that restates it, or that restates
 * a far likelier one by content of its candidate: what supersedes what a passage says best
 * supersedes what else it says.
 */
function preferredMembers(table: MemberColumns, logOdds: Float64Array): Int32Array {
  const { rank, ranked, restatements, candidate, interpretation } = table;
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
  const best = likeliest(table, logOdds, (at) => interpretation[at] === 0);
  const prefer = (at: number, restating: MemberColumns['restatements'][number]): void => {
    for (const { member } of restating)
      if (member !== at) preferred[at] = better(preferred[at]!, member);
  };
  candidate.forEach((own, at) => {
    prefer(at, restatements[at]!);
    const isWeaker = interpretation[at] === 0 && logOdds[best[own]!]! > logOdds[at]! + weaker;
    if (isWeaker) prefer(at, restatements[best[own]!]!);
  });
  return preferred;
}
