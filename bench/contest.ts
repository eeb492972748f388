// Contenders of the same work in one run, timed by tinybench: a table with the median time of a
// call, its spread, the rate and the ratio to the last contender. Times are processor time of the
// whole process, which other work on the machine lengthens less than the clock.
import { Bench, type BenchOptions, type Fn, type Statistics } from 'tinybench';
import { row } from './report.js';

export interface Contender {
  name: string;
  /** How much of `unit` one call works through. */
  amount: number;
  run: Fn;
  /** Called before its first call. */
  prepare?: () => void;
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** Milliseconds of the calls of each. */
export async function timesOf(
  contenders: readonly Omit<Contender, 'amount'>[],
  options: BenchOptions,
): Promise<Statistics[]> {
  const bench = new Bench({ now: processorMs, throws: true, ...options });
  for (const { name, run, prepare } of contenders)
    bench.add(name, run, prepare ? { beforeAll: prepare } : {});
  return (await bench.run()).map(({ result }) => {
    if (result.state !== 'completed') throw new Error(`Expected a time, received ${result.state}.`);
    return result.latency;
  });
}

/** Prints the table and returns the median milliseconds of each. */
export async function contest(
  title: string,
  unit: string,
  contenders: readonly Contender[],
  /** Milliseconds that each is called for, five times at least. */
  time = 300,
): Promise<number[]> {
  const warmth = { warmupTime: time / 4, warmupIterations: 2 };
  const times = await timesOf(contenders, { time, iterations: 5, ...warmth });
  const medians = times.map(({ p50 }) => p50);
  const spreads = times.map(
    ({ p50, min, max }) => `${figure(p50)} (${figure(min)} to ${figure(max)})`,
  );
  const paces = contenders.map(({ amount }, at) => (1000 * amount) / medians[at]!);
  row([title, 'ms a call (least to most)', `${unit} a second`, `x ${contenders.at(-1)!.name}`]);
  row(['---', '---:', '---:', '---:']);
  for (const [at, { name }] of contenders.entries())
    row([
      ...[name, spreads[at]!],
      Number(paces[at]!.toPrecision(3)).toLocaleString('en', { notation: 'compact' }),
      figure(paces[at]! / paces.at(-1)!),
    ]);
  return medians;
}

/** Floats between -1 and 1 that repeat for a seed. */
export function floats(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}
