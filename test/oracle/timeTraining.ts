// Re3's objective (equations 10 to 13) in float64, over the algebra of timeEncoder.ts: with numbers
// it is what finite differences are taken of, with a tape it gives the gradient by the chain rule,
// which nobody wrote out.
import {
  dot,
  fused,
  numbers,
  parameterCount,
  Tape,
  type Algebra,
  type Network,
  type Time,
} from './timeEncoder.js';

export interface TimeRun {
  network: Network;
  rows: readonly (readonly number[])[];
  times: readonly Time[];
  question: readonly number[];
  positive: readonly number[];
  /** Undefined where an example has none. */
  negative: readonly (number | undefined)[];
  temperature: number;
  margin: number;
  hard: number;
  time: number;
}

function lossOver<T>(
  algebra: Algebra<T>,
  run: TimeRun,
  parameters: readonly T[],
  examples: readonly number[],
): T {
  const { of, add, multiply, apply, value } = algebra;
  const scaled = (a: T, by: number): T => multiply(a, of(by));
  const minus = (a: T, b: T): T => add(a, scaled(b, -1));
  const row = (number: number): T[] =>
    fused(algebra, run.network, parameters, run.times[number]!, run.rows[number]!);
  const [questions, positives] = [run.question, run.positive].map((column) =>
    examples.map((example) => row(column[example]!)),
  ) as [T[][], T[][]];
  const products = questions.map((q) => positives.map((p) => dot(algebra, q, p)));
  const n = examples.length;
  const apart = (i: number, j: number): boolean =>
    run.question[examples[i]!] !== run.question[examples[j]!] &&
    run.positive[examples[i]!] !== run.positive[examples[j]!];
  const hinge = (wrong: T, right: T): T => {
    const lost = add(of(run.margin), minus(wrong, right));
    return value(lost) > 0 ? lost : of(0);
  };
  let total = of(0);
  for (let i = 0; i < n; i += 1) {
    const others = examples.map((_, j) => j).filter((j) => apart(i, j));
    for (const pick of [(j: number) => products[i]![j]!, (j: number) => products[j]![i]!]) {
      const logits = [i, ...others].map((j) => scaled(pick(j), 1 / run.temperature));
      const most = Math.max(...logits.map(value));
      const sum = logits
        .map((logit) => apply(add(logit, of(-most)), Math.exp, Math.exp))
        .reduce(add);
      const entropy = minus(
        add(
          apply(sum, Math.log, (v) => 1 / v),
          of(most),
        ),
        logits[0]!,
      );
      total = add(total, scaled(entropy, 0.5));
    }
    const hardest = others
      .map((j) => products[i]![j]!)
      .reduce<T | undefined>(
        (best, each) => (best === undefined || value(each) > value(best) ? each : best),
        undefined,
      );
    if (hardest !== undefined)
      total = add(total, scaled(hinge(hardest, products[i]![i]!), run.hard));
    const negative = run.negative[examples[i]!];
    if (negative !== undefined)
      total = add(
        total,
        scaled(hinge(dot(algebra, questions[i]!, row(negative)), products[i]![i]!), run.time),
      );
  }
  return scaled(total, 1 / n);
}

export const loss = (
  run: TimeRun,
  parameters: readonly number[],
  examples: readonly number[],
): number => lossOver(numbers, run, parameters, examples);

export function gradient(
  run: TimeRun,
  parameters: readonly number[],
  examples: readonly number[],
): { loss: number; gradient: number[] } {
  const tape = new Tape();
  const leaves = parameters.map(tape.of);
  const end = lossOver(tape, run, leaves, examples);
  tape.back(end);
  return { loss: end.value, gradient: leaves.map((leaf) => leaf.gradient) };
}

export { parameterCount };
