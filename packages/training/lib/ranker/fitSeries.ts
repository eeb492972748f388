// Weights of the log-odds that the order of a series counts, for what a user sees: right passages
// first and among five, and no outdated one among these. By likelihood they would hedge: few
// questions decide, and their losses are unequal.
import { rankerForm } from 'asof/kit';
import type { RankingExample } from './examples.js';
import type { RankerWeights } from './gradient.js';

/** Log-odds at which a question's ranking is judged. */
const grid = Float64Array.from({ length: 21 }, (_, place) => place / 2 - 5);
const spacing = grid[1]! - grid[0]!;
/** Weights of neighbours in the grid, by distance: what is near is as good. */
const kernel = [0.399, 0.242, 0.054, 0.004];
/** Twice the weight of the squared weights in the mean value, the bias aside. */
const smoothing = 4e-4;
const steps = 400;
const rate = 0.1;
/** Where the ascent starts: at the weights given, and at these biases alone. */
const starts = [-2, 0, 2];

interface Row {
  inputs: Float64Array;
  weight: number;
  /** Value by place of the grid. */
  values: Float64Array;
}

/** The weights of the gate, the others given; those given where no question tells. */
export function fitSeries(
  examples: readonly RankingExample[],
  weights: RankerWeights,
): Float64Array {
  const rows = examples.flatMap((example): Row[] => {
    const values = example.unanswerable ? undefined : smoothed(valuesOf(example, weights));
    const isTelling = values?.some((value) => Math.abs(value - values[0]!) > 1e-9);
    if (!values || !isTelling) return [];
    return [{ inputs: example.table.seriesInputs, weight: example.weight, values }];
  });
  if (rows.length === 0) return weights.series;
  const biased = starts.map((bias) => weights.series.map((_, i) => (i === 0 ? bias : 0)));
  const ascents = [weights.series, ...biased].map((start) => ascent(rows, start));
  return ascents.reduce((best, each) => (each.value > best.value ? each : best)).weights;
}

/** 1 each for a right passage first, among five, and there without an outdated one. */
function valuesOf({ table, labels, ids }: RankingExample, weights: RankerWeights): Float64Array {
  const result = rankerForm.evaluate(table, weights);
  const hasOutdated = labels.includes(2);
  return grid.map((logOdds) => {
    const scores = rankerForm.mixed(result, 1 / (1 + Math.exp(-logOdds)));
    const five = [...scores.keys()]
      .sort((a, b) => scores[b]! - scores[a]! || (ids[a]! < ids[b]! ? -1 : 1))
      .slice(0, 5)
      .map((candidate) => labels[candidate]);
    const isAmongFive = five.includes(1);
    const isClean = hasOutdated && isAmongFive && !five.includes(2);
    return Number(five[0] === 1) + Number(isAmongFive) + Number(isClean);
  });
}

const smoothed = (values: Float64Array): Float64Array =>
  values.map((_, place) => {
    const at = (other: number): number => values[Math.min(Math.max(other, 0), values.length - 1)]!;
    return kernel.reduce(
      (sum, share, by) => sum + share * (by === 0 ? at(place) : at(place - by) + at(place + by)),
      0,
    );
  });

/** The greatest mean value on the way; between places of the grid it is linear. */
function ascent(
  rows: readonly Row[],
  start: Float64Array,
): { weights: Float64Array; value: number } {
  const weights = start.slice();
  const squares = new Float64Array(weights.length).fill(1e-12);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  let best = { weights: weights.slice(), value: -Infinity };
  for (let step = 0; step < steps; step += 1) {
    let value = 0;
    const slopes = weights.map((weight, i) => (i === 0 ? 0 : -smoothing * weight));
    weights.forEach((weight, i) => (value -= i === 0 ? 0 : (smoothing / 2) * weight * weight));
    for (const { inputs, weight, values } of rows) {
      const logOdds = weights.reduce((sum, each, i) => sum + each * inputs[i]!, 0);
      const place = (logOdds - grid[0]!) / spacing;
      const low = Math.min(Math.max(Math.floor(place), 0), grid.length - 2);
      const within = Math.min(Math.max(place - low, 0), 1);
      const [from, to] = [values[low]!, values[low + 1]!];
      value += (weight / total) * (from + within * (to - from));
      if (within !== place - low) continue;
      const slope = ((weight / total) * (to - from)) / spacing;
      for (let i = 0; i < slopes.length; i += 1) slopes[i]! += slope * inputs[i]!;
    }
    if (value > best.value) best = { weights: weights.slice(), value };
    slopes.forEach((slope, i) => {
      squares[i] = 0.95 * squares[i]! + 0.05 * slope * slope;
      weights[i]! += (rate * (1 - step / steps) * slope) / Math.sqrt(squares[i]);
    });
  }
  return best;
}
