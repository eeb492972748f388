// Loss of one question and its gradient: minus the log-probability of its relevant candidates among
// all and "none", through the form of the ranker.
import { rankerForm } from 'asof/kit';
import type { RankingExample } from './examples.js';

export type RankerWeights = ReturnType<typeof rankerForm.zeros>;

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

/** The logarithm of the sum of exponentials. */
function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, each) => sum + Math.exp(each - most), 0));
}

/** Adds the gradient, times `scale`, to `into`; returns the loss, 0 if nothing can be learned. */
export function addGradient(
  { table, labels, unanswerable }: RankingExample,
  weights: RankerWeights,
  into: RankerWeights,
  scale: number,
): number {
  const result = rankerForm.evaluate(table, weights);
  const { scores, none, best, relative, logOdds, preferred, source, winners, parts } = result;
  const judged = [...scores.keys()].filter((candidate) => labels[candidate]! >= 0);
  const right = unanswerable ? [] : judged.filter((candidate) => labels[candidate] === 1);
  // The slopes are of first places.
  if (best < 0 || table.place > 1 || (!unanswerable && right.length === 0)) return 0;
  const all = logSum([...judged.map((candidate) => scores[candidate]!), none]);
  const good = unanswerable ? none : logSum(right.map((candidate) => scores[candidate]!));
  const ofMember = new Map<number, number>();
  const add = (member: number, slope: number): void => {
    const at = source[member]!;
    ofMember.set(at, (ofMember.get(at) ?? 0) + slope);
  };
  let shift = 0;
  /** Slope of the loss by the log-probability of a member. */
  const addMember = (member: number, slope: number): void => {
    const own = slope * (1 - sigmoid(relative[member]!));
    add(member, own);
    shift += own;
    const newer = preferred[member]!;
    if (newer < 0) return;
    const other = -slope * sigmoid(relative[newer]!);
    add(newer, other);
    shift += other;
  };
  const rightSet = new Set(right);
  for (const candidate of judged) {
    const share = Math.exp(scores[candidate]! - all);
    const slope = share - (rightSet.has(candidate) ? Math.exp(scores[candidate]! - good) : 0);
    if (Math.abs(slope) < leastSlope) continue;
    const ofPart = parts.map((part) => Math.exp(part[candidate]! - scores[candidate]!));
    ofPart.forEach((part, interpretation) => {
      const member = winners[interpretation]![candidate]!;
      if (member >= 0) addMember(member, slope * part);
    });
    const content = ofPart[0]! + (ofPart[2] ?? 0);
    addScaled(into.clock, table.clockInputs, scale * slope * (content - result.clock));
    if (table.hasState) {
      const state = ofPart[2]! + ofPart[3]!;
      addScaled(into.state, table.stateInputs, scale * slope * (state - result.state));
    }
  }
  const share = Math.exp(none - all) - (unanswerable ? 1 : 0);
  add(best, -share * sigmoid(logOdds[best]!));
  into.relative.shift += scale * shift;
  into.relative.share -= scale * shift * logOdds[best]!;
  add(best, -weights.relative.share * shift);
  for (const [member, slope] of ofMember)
    for (let f = 0, from = member * width; f < width; f += 1)
      into.features[f]! += scale * slope * table.features[from + f]!;
  return all - good;
}

const width = rankerForm.featureNames.length;

/** Candidates whose probability is off by less are skipped. */
const leastSlope = 1e-6;

function addScaled(into: Float64Array, inputs: Float64Array, scale: number): void {
  for (let i = 0; i < into.length; i += 1) into[i]! += scale * inputs[i]!;
}
