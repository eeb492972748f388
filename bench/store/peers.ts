// The store against better-sqlite3 and LanceDB (contenders.ts): passages a second of adds, upserts,
// deletes and gets, time to open, size on disk, bytes written and syncs of a commit. Each
// measurement is a process of its own, in turns within every round, on the disk of the work folder;
// medians with least and most. The time of a sync, which varies more than anything else where
// others use the disk, is printed above the tables. Quality and speed of searches are not measured
// here. Linux only.
//
// node --import tsx bench/store/peers.ts [--rounds 3] [--only asof,LanceDB] [--work FOLDER]
// [--docs] [--against TREE]
//
// --against adds asof of another checkout, built (dist/). --work keeps the packages installed:
// without it each run installs and compiles them again, for a minute and a half.
import { shippedEnvironment } from '../../test/selectAddon.js';
import { execFile, execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median, publish, say, short } from '../report.js';
import { installPeers } from '../search/install.js';
import { contenders } from './contenders.js';
import { commitsOf, type PeerAnswer } from './peer.js';
import { printTables, type Figures } from './tables.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const root = join(fileURLToPath(import.meta.url), '../../..');
const work = resolve(values.work ?? mkdtempSync(join(tmpdir(), 'asof-store-')));
mkdirSync(work, { recursive: true });

interface Entrant {
  name: string;
  contender: string;
  tree: string;
}

const wanted = values.only?.split(',');
const chosen = Object.keys(contenders).filter(
  (name) => !wanted || wanted.some((part) => name.startsWith(part)),
);
const missing = installPeers(work, chosen);
const entrants = chosen
  .filter((name) => !missing.has(name))
  .map((name): Entrant => ({ name, contender: name, tree: root }));
if (values.against)
  entrants.push({ name: 'asof (other build)', contender: 'asof', tree: resolve(values.against) });
for (const { contender, tree } of entrants)
  if (contender === 'asof' && !existsSync(join(tree, 'dist', 'index.js')))
    throw new Error(`Expected a built checkout in ${tree}, found no dist/. Run npm ci there.`);

const figures: Figures = new Map();
const faults: string[] = [];
say(describeMachine(machine()));
say('');
for (const [name, why] of missing) say(`- ${name}: not installed (${why})`);
for (const entrant of entrants) await build(entrant);
await compare();
if (values.docs) publish('bench/store/peers.ts');
rmSync(values.work ? join(work, 'stores') : work, { recursive: true, force: true });

/** A new or copied store of an entrant. */
function folderOf({ name }: Entrant, what: string): string {
  return join(work, 'stores', `${name} ${what}`.replaceAll(' ', '-'));
}

/** Makes the stores that others copy or open, and says what the entrant is. */
async function build(entrant: Entrant): Promise<void> {
  for (const commits of [1, 100]) {
    const folder = folderOf(entrant, `base ${commits}`);
    rmSync(folder, { recursive: true, force: true });
    const answer = await run(entrant, `build ${commits}`, folder);
    const parts = answer?.figures[`parts ${commits}`];
    if (commits === 1) {
      const version = entrant.contender === 'asof' ? commitOf(entrant.tree) : answer?.version;
      say(`- ${entrant.name}, ${version}: ${answer?.note}`);
    } else if (parts !== undefined)
      say(`- ${entrant.name} in ${commits} commits has ${parts} parts (segments, fragments)`);
  }
}

async function compare(): Promise<void> {
  const syncTimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const measurement of [...Object.keys(commitsOf), 'read', 'open 1', 'open 100']) {
      const turns = entrants.map((_, turn) => entrants[(turn + round) % entrants.length]!);
      for (const entrant of turns) await measure(entrant, measurement);
    }
    syncTimes.push(...timeSyncs());
    console.error(`round ${round + 1} of ${rounds} is done`);
  }
  for (const entrant of entrants) await countSyncs(entrant);
  const [least, most] = [Math.min(...syncTimes), Math.max(...syncTimes)];
  say(
    `- ${fileSystem()}; 4 KiB appended to a file and synced after each round: ` +
      `${short(median(syncTimes))} ms (${short(least)} to ${short(most)})`,
  );
  faults.forEach((fault) => say(fault));
  printTables(
    figures,
    entrants.map(({ name }) => name),
  );
}

async function measure(entrant: Entrant, measurement: string): Promise<void> {
  const [operation, size] = measurement.split(' ');
  const base = folderOf(entrant, `base ${operation === 'open' ? size : 1}`);
  if (operation === 'read' || operation === 'open')
    return record(entrant, await run(entrant, measurement, base));
  const folder = folderOf(entrant, measurement);
  if (operation !== 'add') copySynced(base, folder);
  record(entrant, await run(entrant, measurement, folder));
  rmSync(folder, { recursive: true, force: true });
}

function record({ name }: Entrant, answer: PeerAnswer | undefined): void {
  for (const [figure, value] of Object.entries(answer?.figures ?? {})) {
    if (!figures.has(figure)) figures.set(figure, new Map());
    const byName = figures.get(figure)!;
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
}

/** Runs a measurement in its process; where it fails, that is printed above the tables. */
async function run(
  { name, contender, tree }: Entrant,
  measurement: string,
  folder: string,
  wrapper: readonly string[] = [],
): Promise<PeerAnswer | undefined> {
  const script = join(fileURLToPath(import.meta.url), '..', 'peer.ts');
  const request = JSON.stringify({ contender, measurement, folder, work, tree });
  const node = [process.execPath, ...process.execArgv, '--expose-gc', script, request];
  const [command, ...given] = [...wrapper, ...node];
  try {
    const child = promisify(execFile)(command!, given, { env: shippedEnvironment() });
    const { stdout } = await child;
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as PeerAnswer;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const why = stderr.split('\n').find((line) => /Error\b/.test(line)) ?? message.split('\n')[0];
    faults.push(`- ${name}: ${measurement} failed (${why})`);
    return undefined;
  }
}

/** Syncs of 64 commits of one passage, by strace, without those of opening and closing. */
async function countSyncs(entrant: Entrant): Promise<void> {
  const report = join(work, 'stores', 'syncs.txt');
  const calls = 'trace=fsync,fdatasync,sync_file_range,msync,syncfs,sync';
  const counts: number[] = [];
  for (const commits of [0, 64]) {
    const folder = folderOf(entrant, 'syncs');
    const wrapper = ['strace', '-f', '-c', '-e', calls, '-o', report];
    const answer = await run(entrant, `commits ${commits}`, folder, wrapper);
    rmSync(folder, { recursive: true, force: true });
    if (!answer) return;
    // seconds, a share, microseconds a call, calls; nothing at all where there were none
    const total = /^ *100\.00 +\S+ +\S+ +(\d+).* total$/m.exec(readFileSync(report, 'utf8'));
    counts.push(Number(total?.[1] ?? 0));
  }
  record(entrant, { figures: { syncs: (counts[1]! - counts[0]!) / 64 } });
}

/** Copies a store and syncs the copy, so that the first commit does not. */
function copySynced(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    const handle = openSync(join(entry.parentPath, entry.name), 'r');
    fsyncSync(handle);
    closeSync(handle);
  }
}

function commitOf(tree: string): string {
  const given = ['-C', tree, 'rev-parse', '--short', 'HEAD'];
  return `commit ${execFileSync('git', given, { encoding: 'utf8' }).trim()}`;
}

function fileSystem(): string {
  const text = execFileSync('df', ['--output=fstype', work], { encoding: 'utf8' });
  return `file system ${text.trim().split('\n').at(-1)}`;
}

/** Milliseconds of writes of 4 KiB and their syncs: the least that a durable commit takes. */
function timeSyncs(): number[] {
  const file = join(work, 'sync');
  const handle = openSync(file, 'w');
  const times: number[] = [];
  for (let time = 0; time < 50; time += 1) {
    const started = performance.now();
    writeSync(handle, Buffer.alloc(4096));
    fsyncSync(handle);
    times.push(performance.now() - started);
  }
  closeSync(handle);
  rmSync(file);
  return times;
}
