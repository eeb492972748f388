// Spline and recency over a million rows and FiLM over a hundred thousand (a million are ten times those) as asof's own code calls them,
// without copies into the addon, beside loops over typed arrays in TypeScript. One thread, processor time, in turns; `npm run bench` has the
// same kernels with the copies that a call from JavaScript makes, and their errors.
//
//   node --import tsx bench/kernels/bare.bench.ts [--rounds 5] [--docs]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileBare } from '../compileBare.js';
import { describeMachine, machine } from '../machine.js';
import { publish, row, say } from '../search/report.js';
import { median } from '../search/tables.js';
import { inMemory } from './film.bench.js';
import { kernelCases } from './temporal.bench.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, docs: { type: 'boolean', default: false } } });
const rounds = Number(values.rounds);
const work = mkdtempSync(join(tmpdir(), 'asof-bare-'));
const compiled = compileBare('bench/kernels/bare.cpp', work);

say(describeMachine(machine()));
const plain: Record<string, { aim: number; rows: string; run: () => unknown }> = {
  spline: { aim: 10, rows: '1,000,000', run: kernelCases.splineOne().plain },
  recency: { aim: 10, rows: '1,000,000', run: kernelCases.recency().plain },
  film: { aim: 7, rows: '100,000 x 384', run: inMemory().plain },
};
const loops: Record<string, number[]> = Object.fromEntries(Object.keys(plain).map((name) => [name, []]));
const kernels: Record<string, number[]> = Object.fromEntries(Object.keys(plain).map((name) => [name, []]));
for (const { run } of Object.values(plain)) run();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, { run }] of Object.entries(plain)) {
    const used = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(used);
    loops[name]!.push((user + system) / 1000);
  }
  if ('why' in compiled) continue;
  for (const line of execFileSync(compiled.program, ['3'], { encoding: 'utf8' }).trim().split('\n')) {
    const [name, ...times] = line.split(' ');
    kernels[name!]!.push(median(times.map(Number)));
  }
}
if ('why' in compiled) say(`kernels: not run (${compiled.why})`);
say('');
row(['', 'rows', 'TypeScript loop, ms', 'kernel, ms', 'times as fast (least to most)', 'aim']);
row(['---', '---:', '---:', '---:', '---:', '---:']);
for (const [name, { aim, rows }] of Object.entries(plain)) {
  const ratios = kernels[name]!.map((time, round) => loops[name]![round]! / time);
  const range = ratios.length ? `${median(ratios).toFixed(1)} (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)})` : 'not run';
  row([name, rows, median(loops[name]!).toFixed(1), ratios.length ? median(kernels[name]!).toFixed(2) : 'not run', range, String(aim)]);
}
if (values.docs) publish('bench/kernels/bare.bench.ts');
rmSync(work, { recursive: true, force: true });
