// `node --import tsx test/store/soak/run.ts [SECONDS]`: processes of two threads each that open,
// read, write, compact and close one corpus for that long (600 s by default), some of them killed,
// and an oracle that checks every read afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Corpus } from '../../../lib/store/corpus.js';
import { hashEncoder } from '../fixtures.js';
import { Random } from '../simulation/random.js';
import { Oracle } from './oracle.js';
import type { Settings } from './settings.js';

const seconds = Number(process.argv[2] ?? 600);
const processes = 3;
const actors = 2 * processes;
/** Milliseconds from one kill of a process to its next, at most. */
const longestLife = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'asof-soak-'));
const path = join(folder, 'corpus');
const until = Number(process.hrtime.bigint()) / 1e6 + 1000 * seconds;
const random = new Random(Date.now());
const logOf = (actor: number): string => join(folder, `actor-${actor}.log`);
let kills = 0;

await (await Corpus.open(path, { encoder: hashEncoder() })).close();

/** One process after another of the same two actors, until the time is over. */
async function live(number: number): Promise<void> {
  while (Number(process.hrtime.bigint()) / 1e6 < until) {
    const settings = [2 * number, 2 * number + 1].map((actor): Settings => {
      const oracle = new Oracle();
      if (existsSync(logOf(actor))) oracle.load(readFileSync(logOf(actor), 'utf8'));
      const seed = random.below(2 ** 31);
      return { path, log: logOf(actor), actor, actors, seed, until, versions: oracle.begun() };
    });
    const script = join(import.meta.dirname, 'actor.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const life = 3000 + random.below(longestLife);
    const code = await Promise.race([ended.then(([status]) => status), delay(life, 'alive')]);
    if (code === 'alive' && Number(process.hrtime.bigint()) / 1e6 + 1000 < until) {
      kills += 1;
      child.kill('SIGKILL');
      await ended;
    } else if ((code === 'alive' ? (await ended)[0] : code) !== 0)
      throw new Error(`a process of the soak failed (its logs are in ${folder})`);
  }
}

await Promise.all(Array.from({ length: processes }, (_, number) => live(number)));
const corpus = await Corpus.open(path, { encoder: hashEncoder() });
await corpus.verify();
const { generation } = corpus.info();
await corpus.close();
const oracle = new Oracle();
for (let actor = 0; actor < actors; actor += 1) oracle.load(readFileSync(logOf(actor), 'utf8'));
const { errors, wrong, ...counts } = oracle.findings();
for (const line of [...errors, ...wrong].slice(0, 20)) console.error(line);
const opensASecond = (counts.opens / seconds).toFixed(1);
console.log(
  JSON.stringify({ seconds, ...counts, opensASecond, commits: generation, kills, processes }),
);
console.log(`${wrong.length} wrong reads, ${errors.length} errors`);
if (wrong.length + errors.length > 0) process.exit(1);
rmSync(folder, { recursive: true });
