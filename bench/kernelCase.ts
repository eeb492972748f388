// Benchmark cases of kernels and their timing: medians with their spread, the error as well as the
// speed, and a plain TypeScript loop that does the same work in the same process. It draws no
// conclusions.
import { addon } from '../test/addon.js';

export interface KernelCase {
  /** Family and shape: "inner_product 64 x 2000 x 384". */
  name: string;
  /** What one call works through, in `unit`s: floating-point operations, rows, values. */
  amount: number;
  unit: string;
  /** One call. Its time includes copying the arguments and the promise, as for any caller. */
  run: () => Promise<ArrayLike<number>>;
  /**
   * Whether it has its own code at extension levels, which are omitted otherwise.
   */
  extended?: true;
  /**
   * The same work as one would write it in TypeScript; doubles inside. Into a new array, or where
   * it can, into `out`.
   */
  plain: (out?: Float32Array) => ArrayLike<number>;
  /** The exact values, from the oracle. */
  exact: () => ArrayLike<number>;
  /** How far a value may be wrong is measured in: the value itself, or a magnitude per value. */
  scale?: (at: number) => number;
}

export interface Timing {
  /** Microseconds of one call. */
  median: number;
  low: number;
  high: number;
}

export interface Measurement {
  name: string;
  level: string;
  timing: Timing;
  /** `unit`s a second. */
  rate: number;
  unit: string;
  /** Times faster than the plain loop, medians of the same process. */
  ratio: number;
  /** Largest error, in units of 2^-24 of the value or of its scale. */
  error: number;
}

const rounds = 15;
// below it a round repeats the call, or the clock would be what is measured
const leastMicroseconds = 2000;

function timingOf(samples: number[]): Timing {
  const sorted = samples.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, low: sorted[0]!, high: sorted.at(-1)! };
}

async function time(work: () => unknown, samples: number): Promise<Timing> {
  const microseconds = async (calls: number) => {
    const started = process.hrtime.bigint();
    for (let call = 0; call < calls; call += 1) await work();
    return Number(process.hrtime.bigint() - started) / 1000 / calls;
  };
  await microseconds(2); // warm-up, apart
  const calls = Math.max(1, Math.ceil(leastMicroseconds / (await microseconds(2))));
  const taken: number[] = [];
  for (let round = 0; round < samples; round += 1) taken.push(await microseconds(calls));
  return timingOf(taken);
}

function largestError(
  found: ArrayLike<number>,
  exact: ArrayLike<number>,
  scale: (at: number) => number,
): number {
  let largest = 0;
  for (let at = 0; at < exact.length; at += 1) {
    if (
      Object.is(found[at], exact[at]) ||
      found[at] === exact[at] ||
      (Number.isNaN(found[at]) && Number.isNaN(exact[at]))
    )
      continue;
    largest = Math.max(largest, Math.abs(found[at]! - exact[at]!) / (2 ** -24 * scale(at)));
  }
  return largest;
}

/**
 * Every level of this machine and the plain loop, on one thread, so that ratios compare like with
 * like.
 */
export async function measure(given: KernelCase): Promise<Measurement[]> {
  addon.setThreadCount(1);
  const exact = given.exact();
  const scale = given.scale ?? ((at: number) => Math.max(Math.abs(exact[at]!), 2 ** -126));
  const plain = await time(given.plain, 5);
  const line = (level: string, timing: Timing, found: ArrayLike<number>): Measurement => ({
    name: given.name,
    level,
    timing,
    rate: (given.amount / timing.median) * 1e6,
    unit: given.unit,
    ratio: plain.median / timing.median,
    error: largestError(found, exact, scale),
  });
  const lines = [line('TypeScript', plain, given.plain())];
  for (const level of addon.isaLevels().filter((each) => given.extended || !each.includes('+'))) {
    addon.setIsa(level);
    lines.push(line(level, await time(given.run, rounds), await given.run()));
  }
  return lines;
}

/** Floats between -1 and 1 that repeat for a seed. */
export function floats(count: number, seed: number): Float32Array {
  const values = new Float32Array(count);
  let state = seed;
  for (let i = 0; i < count; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    values[i] = state / 2 ** 31;
  }
  return values;
}
