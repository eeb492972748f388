// What it costs that blocks of segments are verified where they are first read: the first search
// and the first reads of a fresh process, those that follow, and CRC32C itself. The page cache is
// warm: from a cold disk the first search reads the same bytes with and without. Every process is
// fresh; medians with least and most of the rounds, in milliseconds: of searches the wall clock,
// then the processor time of all threads. `held` is the longest turn of the event loop in the first
// search.
//
// node --import tsx bench/store/firstRead.ts [--rows 100000,1000000] [--rounds 7] [--work FOLDER]
// [--against TREE]
//
// --against measures another checkout, built, in turns: the commit before, which verifies nothing.
// A million rows take some minutes to index and 4 GB of disk a tree.
import { shippedEnvironment } from '../../test/selectAddon.js';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binding } from '../../lib/binding.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { row, say } from '../report.js';
import type { FirstRead } from './firstReadChild.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,1000000' },
    rounds: { type: 'string', default: '7' },
    work: { type: 'string' },
    against: { type: 'string' },
  },
});
const work = values.work ?? mkdtempSync(join(tmpdir(), 'asof-first-read-'));
mkdirSync(work, { recursive: true });
const own = fileURLToPath(new URL('../..', import.meta.url));
const trees: [name: string, tree: string][] = [['verifying', own]];
if (values.against) trees.push(['against', resolve(values.against)]);
const child = fileURLToPath(new URL('./firstReadChild.ts', import.meta.url));
const run = (tree: string, ...args: string[]): string =>
  execFileSync(process.execPath, ['--import', 'tsx', child, tree, ...args], {
    cwd: tree,
    env: shippedEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

say(describeMachine(machine()));
sayChecksumSpeed();
say('');
row([
  'rows',
  'MB',
  '',
  'first search',
  'processor',
  'held',
  'further',
  'processor',
  'get',
  'further',
]);
row(['---:', '---:', '---', ...Array<string>(7).fill('---:')]);
for (const rows of values.rows.split(',').map(Number)) {
  const taken = trees.map((): FirstRead[] => []);
  const paths = trees.map(([name]) => join(work, `${name}-${rows}`));
  trees.forEach(([, tree], i) => {
    if (!existsSync(paths[i]!)) run(tree, 'index', paths[i]!, String(rows));
  });
  for (let round = -1; round < Number(values.rounds); round += 1)
    trees.forEach(([, tree], i) => {
      const said = JSON.parse(run(tree, 'read', paths[i]!, String(rows))) as FirstRead;
      if (round >= 0) taken[i]!.push(said); // one before, that the page cache is warm
    });
  trees.forEach(([name], i) => {
    const of = (key: keyof FirstRead, digits: number): string =>
      spread(
        taken[i]!.map((each) => each[key]),
        digits,
      );
    row([
      String(rows),
      String(Math.round(taken[i]![0]!.bytes / 1e6)),
      name,
      of('firstSearch', 1),
      of('firstProcessor', 1),
      of('held', 1),
      of('furtherSearch', 1),
      of('furtherProcessor', 1),
      of('firstGet', 2),
      of('furtherGet', 2),
    ]);
  });
}
if (!values.work) rmSync(work, { recursive: true, force: true });
process.exit(0);

/** CRC32C of a block in the processor's caches and of memory beyond them, on one thread. */
function sayChecksumSpeed(): void {
  const speeds = [
    [2 ** 16, 40_000],
    [2 ** 28, 10],
  ].map(([bytes, calls]) => {
    const data = new Uint8Array(bytes!).fill(7);
    const times = Array.from({ length: 5 }, () => {
      const from = process.cpuUsage().user;
      for (let call = 0; call < calls!; call += 1) binding.crc32c(data);
      return (process.cpuUsage().user - from) / 1e6;
    });
    return ((bytes! * calls!) / Math.min(...times) / 1e9).toFixed(1);
  });
  say(`CRC32C: ${speeds[0]} GB/s of a cached block, ${speeds[1]} GB/s of memory, one thread`);
}

function spread(times: readonly number[], digits: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  const [least, middle, most] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map((i) =>
    sorted[i]!.toFixed(digits),
  );
  return `${middle} (${least} to ${most})`;
}
