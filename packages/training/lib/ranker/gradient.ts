// Loss of one question and its gradient: minus the log-probability of its relevant candidates, or
// of "none" in the order of the series, through the form of the ranker.
import { rankerForm } from 'asof/kit';
import type { RankingExample } from './examples.js';

export type RankerWeights = ReturnType<typeof rankerForm.zeros>;

export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

/** Adds the gradient, times `scale`, to `into`; returns the loss, 0 if nothing can be learned. */
export function addGradient(
  { table, labels, unanswerable }: RankingExample,
  weights: RankerWeights,
  into: RankerWeights,
  scale: number,
): number {
  const result = rankerForm.evaluate(table, weights);
  const { best, relative, logOdds, preferred, source, winners, parts, series } = result;
  const judged = [...labels.keys()].filter((candidate) => labels[candidate]! >= 0);
  const isRight = (candidate: number): boolean => labels[candidate] === 1;
  // The slopes are of first places.
  if (best < 0 || table.place > 1 || (!unanswerable && !judged.some(isRight))) return 0;
  const { ordered, nothing, relevance, relevant, evidence } = result;
  // Probabilities among the judged, by the order of the series and by relevance.
  const none = Math.exp(nothing);
  const inOrder = shares(
    judged.map((candidate) => Math.exp(ordered[candidate]!)),
    none,
  );
  const byRelevance = shares(
    judged.map((candidate) => Math.exp(relevance[candidate]!)),
    0,
  );
  const sumOfRight = (list: readonly number[]): number =>
    list.reduce((sum, each, nth) => sum + (isRight(judged[nth]!) ? each : 0), 0);
  const [rightInOrder, rightByRelevance] = [sumOfRight(inOrder.of), sumOfRight(byRelevance.of)];
  const right = series * rightInOrder + (1 - series) * rightByRelevance + least;

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
  const addClock = (slope: number, content: number): void =>
    addScaled(into.clock, table.clockInputs, scale * slope * (content - result.clock));

  judged.forEach((candidate, nth) => {
    const [ofOrder, ofRelevance] = [inOrder.of[nth]!, byRelevance.of[nth]!];
    const slope = unanswerable
      ? ofOrder
      : (-series / right) * ofOrder * (Number(isRight(candidate)) - rightInOrder);
    if (Math.abs(slope) > leastSlope) {
      const content = sigmoid(parts[0]![candidate]! - parts[1]![candidate]!);
      [content, 1 - content].forEach((part, interpretation) => {
        const member = winners[interpretation]![candidate]!;
        if (member >= 0) addMember(member, slope * part);
      });
      addClock(slope, content);
    }
    if (unanswerable) return;
    const away =
      ((series - 1) / right) * ofRelevance * (Number(isRight(candidate)) - rightByRelevance);
    const member = relevant[candidate]!;
    into.relevance.similarity += scale * away * table.similarity[candidate]!;
    into.relevance.coverage += scale * away * table.coverage[candidate]!;
    into.relevance.logOdds += scale * away * (member < 0 ? rankerForm.noMember : evidence[member]!);
    if (member < 0 || Math.abs(away) <= leastSlope) return;
    const ofEvidence = weights.relevance.logOdds * away;
    if (table.hasOperator) {
      add(member, ofEvidence);
      addClock(ofEvidence, 1 - table.interpretation[member]!);
    } else addFeatures(into, table, member, scale * ofEvidence, rankerForm.firstTimed);
  });
  if (!unanswerable) {
    const ofSeries = (-(rightInOrder - rightByRelevance) / right) * series * (1 - series);
    addScaled(into.series, table.seriesInputs, scale * ofSeries);
  }
  const ofNone = unanswerable ? inOrder.rest - 1 : (series / right) * inOrder.rest * rightInOrder;
  add(best, -ofNone * sigmoid(logOdds[best]!));
  into.relative.shift += scale * shift;
  into.relative.share -= scale * shift * logOdds[best]!;
  add(best, -weights.relative.share * shift);
  for (const [member, slope] of ofMember) addFeatures(into, table, member, scale * slope, width);
  return unanswerable ? -Math.log(inOrder.rest) : -Math.log(right);
}

const width = rankerForm.featureNames.length;

/** Candidates whose probability is off by less are skipped. */
const leastSlope = 1e-6;
/** Added to the probability of the relevant candidates. */
const least = 1e-12;

/** Shares of values and of the rest in their sum. */
function shares(values: readonly number[], rest: number): { of: number[]; rest: number } {
  const sum = values.reduce((all, each) => all + each, rest) || 1;
  return { of: values.map((each) => each / sum), rest: rest / sum };
}

function addScaled(into: Float64Array, inputs: Float64Array, scale: number): void {
  for (let i = 0; i < into.length; i += 1) into[i]! += scale * inputs[i]!;
}

function addFeatures(
  { features: into }: RankerWeights,
  { features }: RankingExample['table'],
  member: number,
  scale: number,
  count: number,
): void {
  for (let f = 0, from = member * width; f < count; f += 1) into[f]! += scale * features[from + f]!;
}
