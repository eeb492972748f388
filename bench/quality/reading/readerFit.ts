// Listwise logistic model over the candidates of each example, by Adam on the negative logarithm
// of the probability that a right candidate is chosen.
import type { Example } from './readerExamples.js';

export function scoreOfRow({ at, values }: Example['rows'][number], weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < at.length; i += 1) sum += weights[at[i]!]! * values[i]!;
  return sum;
}

/** Candidates that are not right, of a question, that the fit looks at: enough, and much faster. */
const mostWrong = 40;

/** The example with every right candidate and a spread of the others. */
export function thinned<E extends Example>(example: E): Pick<E, keyof Example> {
  const step = Math.ceil(example.rows.length / mostWrong);
  const kept = [...example.rows.keys()].filter((at) => example.good[at]! > 0 || at % step === 0);
  return {
    weight: example.weight,
    rows: kept.map((at) => example.rows[at]!),
    good: kept.map((at) => example.good[at]!),
  };
}

/** @param penalty on the squares of the weights */
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
  for (let step = 1; step <= steps; step += 1) {
    for (let at = 0; at < size; at += 1) gradient[at] = penalty * weights[at]!;
    for (const { rows, good, weight } of kept) {
      const scores = rows.map((row) => scoreOfRow(row, weights));
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
