// Benchmarks of the kernel families: every case in a fresh process, several times, in an order
// shuffled by a seed; medians with least and most over the processes, the ratio to a plain
// TypeScript loop of the same process, and the error. Benchmarks that compare whole
// searches with other libraries are programs of their own (npm run bench:search); others are named
// at the end.
//
// npm run bench -- [family...] [--trials 3] [--seed 1] [--json FILE]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from './options.js';
import { measure, type KernelCase, type Measurement } from './kernelCase.js';
import { describeMachine, machine } from './machine.js';

const folder = join(fileURLToPath(import.meta.url), '../kernels');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    child: { type: 'string' },
  },
});

const files = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'));
const isCase = (file: string) =>
  readFileSync(join(folder, file), 'utf8').includes('export const kernelCases');

async function casesOf(file: string): Promise<Record<string, () => KernelCase>> {
  return ((await import(join(folder, file))) as { kernelCases: Record<string, () => KernelCase> })
    .kernelCases;
}

function shuffled<T>(list: T[], seed: number): T[] {
  let state = seed;
  return list
    .map((item) => ({ item, at: (state = (Math.imul(state, 1664525) + 1013904223) | 0) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function trial(file: string, name: string): Measurement[] {
  const child = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), '--child', `${file}:${name}`],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (child.status !== 0)
    throw new Error(
      `Expected a trial of ${name} to end well, it ended with status ${child.status}.`,
    );
  return JSON.parse(child.stdout) as Measurement[];
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

interface Line extends Measurement {
  range: [number, number];
  ratioRange: [number, number];
}

/** One line a level over the trials of a case. */
function summary(trials: Measurement[][]): Line[] {
  return trials[0]!.map((first, at) => {
    const each = trials.map((lines) => lines[at]!);
    const times = each.map(({ timing }) => timing.median);
    const ratios = each.map(({ ratio }) => ratio);
    return {
      ...first,
      rate: median(each.map(({ rate }) => rate)),
      ratio: median(ratios),
      error: Math.max(...each.map(({ error }) => error)),
      timing: {
        median: median(times),
        low: Math.min(...each.map(({ timing }) => timing.low)),
        high: Math.max(...each.map(({ timing }) => timing.high)),
      },
      range: [Math.min(...times), Math.max(...times)],
      ratioRange: [Math.min(...ratios), Math.max(...ratios)],
    };
  });
}

function print(lines: Line[]): void {
  console.log(`\n${lines[0]!.name}`);
  for (const { level, timing, range, rate, unit, ratio, ratioRange, error } of lines) {
    const amount = rate >= 1e9 ? `${(rate / 1e9).toFixed(2)} G` : `${(rate / 1e6).toFixed(1)} M`;
    const spread = (low: number, high: number) => `(${low.toFixed(1)} to ${high.toFixed(1)})`;
    console.log(
      `  ${level.padEnd(11)} ${timing.median.toFixed(1).padStart(10)} us ${spread(...range).padEnd(22)} ${`${amount}${unit}/s`.padStart(18)}` +
        `   x ${ratio.toFixed(1).padStart(5)} ${spread(...ratioRange).padEnd(16)} error ${error.toFixed(2)}`,
    );
  }
}

if (values.child) {
  const [file, name] = values.child.split(':') as [string, string];
  console.log(JSON.stringify(await measure((await casesOf(file))[name]!())));
} else {
  const wanted = files.filter(
    (file) =>
      isCase(file) &&
      (positionals.length === 0 || positionals.includes(file.replace('.bench.ts', ''))),
  );
  if (wanted.length === 0) {
    throw new Error(
      `Expected families among ${files
        .filter(isCase)
        .map((file) => file.replace('.bench.ts', ''))
        .join(', ')}, received ${positionals.join(', ')}.`,
    );
  }
  const cases = (
    await Promise.all(
      wanted.map(async (file) => Object.keys(await casesOf(file)).map((name) => ({ file, name }))),
    )
  ).flat();
  const on = machine();
  console.log(describeMachine(on));
  console.log(
    `One thread; median of ${values.trials} processes (least to most); x: times faster than the TypeScript loop; error: largest, in units of ` +
      `2^-24 of the value or its bound's scale`,
  );
  const found = new Map<string, Measurement[][]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round < Number(values.trials); round += 1) {
    for (const { file, name } of shuffled(cases, Number(values.seed) + round))
      found.get(name)!.push(trial(file, name));
  }
  const summaries = [...found.values()].map(summary);
  summaries.forEach(print);
  if (values.json)
    writeFileSync(
      values.json,
      `${JSON.stringify({ date: new Date().toISOString(), machine: on, cases: summaries }, undefined, 1)}\n`,
    );
  console.log(
    `\nPrograms of their own: ${files
      .filter((file) => !isCase(file))
      .map((file) => `node --import tsx bench/kernels/${file}`)
      .join('; ')}`,
  );
}
