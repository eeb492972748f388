// Listwise logistic model over the candidates of each question, by Adam on the negative logarithm
// of the probability that a right candidate is chosen.
import { featureNames, priors, type Example } from './readerExamples.js';

function dot({ at, values }: Example['rows'][number], weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < at.length; i += 1) sum += weights[at[i]!]! * values[i]!;
  return sum;
}

/** The index of the candidate with the highest score. */
export function best({ rows }: Example, weights: Float64Array): number {
  const scores = rows.map((row) => dot(row, weights));
  return scores.indexOf(scores.reduce((most, score) => Math.max(most, score), -Infinity));
}

/** `penalty` pulls each weight to its prior, five times as much where that is set by hand. */
export function fit(
  examples: readonly Example[],
  size: number,
  penalty: number,
  steps = 120,
  rate = 0.1,
): Float64Array {
  const kept = examples.filter(({ good }) => good.some((value) => value > 0));
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  const [weights, mean, square, gradient] = [0, 0, 0, 0].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const prior = Float64Array.from(weights, (_, at) => priors[featureNames[at]!] ?? 0);
  const pull = Float64Array.from(weights, (_, at) =>
    featureNames[at]! in priors ? 5 * penalty : penalty,
  );
  for (let step = 1; step <= steps; step += 1) {
    weights.forEach((weight, at) => (gradient[at] = pull[at]! * (weight - prior[at]!)));
    for (const { rows, good, weight } of kept) {
      const scores = rows.map((row) => dot(row, weights));
      const most = scores.reduce((top, score) => Math.max(top, score), -Infinity);
      const powers = scores.map((score) => Math.exp(score - most));
      const sum = powers.reduce((all, power) => all + power, 0);
      const right = powers.reduce((all, power, at) => all + power * good[at]!, 0);
      if (right === 0) continue;
      rows.forEach(({ at, values }, candidate) => {
        const power = powers[candidate]!;
        const error = ((power / sum - (power * good[candidate]!) / right) * weight) / total;
        for (let i = 0; i < at.length; i += 1) gradient[at[i]!]! += error * values[i]!;
      });
    }
    for (let at = 0; at < size; at += 1) {
      mean[at] = 0.9 * mean[at]! + 0.1 * gradient[at]!;
      square[at] = 0.999 * square[at]! + 0.001 * gradient[at]! ** 2;
      weights[at]! -=
        (rate * (mean[at]! / (1 - 0.9 ** step))) /
        (Math.sqrt(square[at]! / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights;
}
