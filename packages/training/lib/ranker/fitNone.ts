// Weights of the log-odds that no passage answers: logistic regression over all examples, shifted
// so that a set share of the answerable ones is left unanswered.
import { rankerForm } from 'asof/kit';
import { sigmoid, type RankerWeights } from './gradient.js';
import type { RankingExample } from './examples.js';

/** The share of answerable questions that may be left unanswered. */
const mostLost = 0.05;
const steps = 300;
const rate = 0.5;
/** What keeps the question at the threshold answered. */
const rounding = 1e-9;
/** Twice the weight of the squared weights in the mean loss. */
const smoothing = 1e-3;

/** The weights after those of membership; without unanswerable examples they leave none out. */
export function fitNone(examples: readonly RankingExample[], weights: RankerWeights): Float64Array {
  const rows = examples.flatMap(({ table, unanswerable, weight }) => {
    const result = rankerForm.evaluate(table, weights);
    return result.best < 0
      ? []
      : [{ inputs: rankerForm.noneInputs(table, result), unanswerable, weight }];
  });
  const fitted = rankerForm.zeros().none;
  const sumOf = (list: readonly { weight: number }[]): number =>
    list.reduce((sum, { weight }) => sum + weight, 0);
  const without = sumOf(rows.filter(({ unanswerable }) => unanswerable));
  const total = sumOf(rows);
  if (without === 0) {
    fitted[0] = -20;
    return fitted;
  }
  const logOdds = (inputs: Float64Array): number =>
    fitted.reduce((sum, weight, i) => sum + weight * inputs[i]!, 0);
  // Both kinds count alike, however few are unanswerable; squares of slopes scale the steps.
  const squares = new Float64Array(fitted.length).fill(1e-8);
  for (let step = 0; step < steps; step += 1) {
    const slopes = fitted.map((weight) => smoothing * weight);
    for (const { inputs, unanswerable, weight } of rows) {
      const share = weight / 2 / (unanswerable ? without : total - without);
      const error = share * (sigmoid(logOdds(inputs)) - Number(unanswerable));
      for (let i = 0; i < fitted.length; i += 1) slopes[i]! += error * inputs[i]!;
    }
    slopes.forEach((slope, i) => {
      squares[i]! += slope * slope;
      fitted[i]! -= (rate * slope) / Math.sqrt(squares[i]!);
    });
  }
  fitted[0]! -=
    rounding +
    thresholdOf(
      rows
        .filter(({ unanswerable }) => !unanswerable)
        .map(({ inputs, weight }) => ({ z: logOdds(inputs), weight })),
    );
  return fitted;
}

/** The log-odds above which `mostLost` of the weight lies. */
function thresholdOf(rows: readonly { z: number; weight: number }[]): number {
  const sorted = [...rows].sort((a, b) => b.z - a.z);
  const most = mostLost * sorted.reduce((sum, { weight }) => sum + weight, 0);
  let lost = 0;
  for (const { z, weight } of sorted) {
    lost += weight;
    if (lost > most) return z;
  }
  return sorted.at(-1)?.z ?? 0;
}
