// A spline over a million rows and FiLM over a hundred thousand (a million are ten times
// those) as asof's own code calls them, without copies into the addon, against loops over typed
// arrays in TypeScript. One thread, processor time, in turns; `npm run bench` has the same kernels
// with the copies that a call from JavaScript makes. A kernel writes where its
// caller says; a loop does so too or, as one would mostly write it, makes its result, whose pages
// the system then has to find and clear.
//
// node --import tsx bench/kernels/bare.bench.ts [--rounds 5] [--docs]
import '../../test/selectAddon.js';
import { execFileSync } from 'node:child_process';
import { parseArgs } from '../options.js';
import { compileBare } from '../compileBare.js';
import { timesOf } from '../contest.js';
import { describeMachine, machine } from '../machine.js';
import { median, publish, row, say } from '../report.js';
import * as cases from './cases.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, docs: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const work = workFolder('bare', undefined);
const compiled = compileBare('bench/kernels/bare.cpp', work);

say(describeMachine(machine()));
const floats = (count: number): Float32Array => new Float32Array(count);
const plain = {
  spline: { aim: 10, rows: '1,000,000', run: cases.spline(1).plain, out: floats(1e6) },
  film: { aim: 7, rows: '100,000 x 384', run: cases.film(1e5, 384).plain, out: floats(384e5) },
};
const none = (): Record<string, number[]> =>
  Object.fromEntries(Object.keys(plain).map((name) => [name, []]));
const [loops, fresh, kernels] = [
  none(),
  none(),
  { ...none(), copy: [] as number[] } as Record<string, number[]>,
];

const calls = { time: 0, iterations: 3, warmupTime: 0, warmupIterations: 1 };
for (let round = 0; round < rounds; round += 1) {
  for (const [name, { run, out }] of Object.entries(plain)) {
    const ways = [
      { name: 'into an array that is there', run: () => void run(out) },
      { name: 'that makes its array', run: () => void run() },
    ];
    const [filling, making] = await timesOf(ways, calls);
    loops[name]!.push(filling!.p50);
    fresh[name]!.push(making!.p50);
  }
  if ('why' in compiled) continue;
  for (const line of execFileSync(compiled.program, ['5'], { encoding: 'utf8' })
    .trim()
    .split('\n')) {
    const [name, ...times] = line.split(' ');
    kernels[name!]!.push(median(times.map(Number)));
  }
}

function timesAsFast(loop: readonly number[], kernel: readonly number[]): string {
  const ratios = kernel.map((time, round) => loop[round]! / time);
  return ratios.length
    ? `${median(ratios).toFixed(1)} (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)})`
    : 'not run';
}

if ('why' in compiled) say(`kernels: not run (${compiled.why})`);
say('');
row([
  '',
  'rows',
  'kernel, ms',
  'loop into an array that is there, ms',
  'times as fast (least to most)',
  'loop that makes its array, ms',
  'times as fast (least to most)',
  'aim',
]);
row(['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:']);
for (const [name, { aim, rows }] of Object.entries(plain)) {
  const [loop, making, kernel] = [loops[name]!, fresh[name]!, kernels[name]!];
  row([
    name,
    rows,
    kernel.length ? median(kernel).toFixed(2) : 'not run',
    median(loop).toFixed(1),
    timesAsFast(loop, kernel),
    median(making).toFixed(1),
    timesAsFast(making, kernel),
    String(aim),
  ]);
}
if ('program' in compiled) {
  const bytes = 4 * 4 * 100_000 * 384;
  const pace = (milliseconds: number): string => (bytes / 1e6 / milliseconds).toFixed(1);
  const [copy, film] = [median(kernels['copy']!), median(kernels['film']!)];
  const share = median(kernels['film']!.map((each, round) => kernels['copy']![round]! / each));
  say(
    `\nFiLM moves ${bytes / 1e6} MB at ${pace(film)} GB/s, memcpy as many at ${pace(copy)} GB/s: ${share.toFixed(2)} of its pace.`,
  );
}
if (values.docs) publish('bench/kernels/bare.bench.ts');
