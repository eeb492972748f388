// Where benches print: to the terminal, and with --docs also into their section of
// docs/benchmarks.md or of the page named, between the markers that name the command. The page's
// other words are written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** More processes want to run than there are cores: wall clocks measure those too. */
export const busy = loadavg()[0]! > cpus().length;

/**
 * Milliseconds of a call on a number of threads: processor time for one, wall clock for more, and
 * on a busy machine the processor time of each.
 */
export function clocked(threads: number, { wall, cpu }: { wall: number; cpu: number }): number {
  return threads === 1 || busy ? cpu / threads : wall;
}

export function clockName(threads: number): string {
  if (threads === 1) return '1 thread, processor time';
  return `${threads} threads, ${busy ? `processor time / ${threads} (the machine is busy: as if the cores were free)` : 'wall clock'}`;
}

const docs = join(fileURLToPath(import.meta.url), '../../docs');
const said: string[] = [];

export function say(line: string): void {
  said.push(line);
  console.log(line);
}

export const median = (list: readonly number[]): number => {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** By nearest rank: the smallest value that at least the share p of the values do not exceed. */
export function quantile(list: readonly number[], p: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!;
}

/** Times of each case, which take turns within every round; a first round only warms up. */
export async function inTurns<Case>(
  cases: readonly Case[],
  rounds: number,
  time: (each: Case) => Promise<number>,
): Promise<number[][]> {
  const taken = cases.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1)
    for (let turn = 0; turn < cases.length; turn += 1) {
      const at = (turn + Math.max(0, round)) % cases.length;
      const each = await time(cases[at]!);
      if (round >= 0) taken[at]!.push(each);
    }
  return taken;
}

/** Milliseconds of a call, as `clocked`: the mean over as many as take `leastMs`. */
export async function callTime(
  threads: number,
  call: (at: number) => unknown,
  leastMs = 40,
  leastCalls = 1,
): Promise<number> {
  let calls = 0;
  const used = process.cpuUsage();
  const started = performance.now();
  do {
    await call(calls);
    calls += 1;
  } while (performance.now() - started < leastMs || calls < leastCalls);
  const { user, system } = process.cpuUsage(used);
  const wall = (performance.now() - started) / calls;
  return clocked(threads, { wall, cpu: (user + system) / 1000 / calls });
}

/** The median ratio of a round with the least and the most. */
export function ratioOf(times: readonly number[], base: readonly number[]): string {
  const ratios = times.map((each, round) => each / base[round]!);
  return `${short(median(ratios))} (${short(Math.min(...ratios))} to ${short(Math.max(...ratios))})`;
}

export const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

export function row(cells: readonly string[]): void {
  say(`| ${cells.join(' | ')} |`);
}

/**
 * Replaces what stands between `<!-- name -->` and `<!-- end -->` on the page with what was said
 * since the last time, its headings below the one above it.
 */
export function publish(name: string, document = 'benchmarks.md'): void {
  const page = join(docs, document);
  const before = readFileSync(page, 'utf8');
  const from = before.indexOf(`<!-- ${name} -->`);
  const to = before.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0)
    throw new Error(
      `Expected docs/${document} to have "<!-- ${name} -->" and then "<!-- end -->", found neither or one.`,
    );
  const above =
    before
      .slice(0, from)
      .match(/^#+(?= )/gm)
      ?.at(-1) ?? '#';
  const body = said
    .join('\n')
    .split('\n')
    .map((line) => (line.startsWith('#') ? `${above.slice(1)}${line}` : line));
  writeFileSync(
    page,
    `${before.slice(0, from)}<!-- ${name} -->\n\n${body.join('\n')}\n\n${before.slice(to)}`,
  );
  said.length = 0;
}
