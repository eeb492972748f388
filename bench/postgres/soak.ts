// Processes that write a corpus on two shards and ask it at the same time: adds, replacements,
// deletions and compactions; gets, counts, questions by words and by everything. An oracle knows
// when each version may be seen: an acknowledged passage has to be found by its own word, a deleted
// one must not be. At the end all that is stored, its statistics and rankings are compared.
// The exit code is 1 where anything is wrong.
//
// node --import tsx bench/postgres/soak.ts [--minutes 5] [--processes 2] [--seed N]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Passage } from '../../lib/index.js';
import { PostgresCorpus } from '../../packages/postgres/lib/index.js';
import { PostgresServers } from '../../packages/postgres/test/servers.js';
import { Oracle, type Findings } from './oracle.js';
import { parseArgs } from '../options.js';
import { soakIds, soakPassage, wordOf, type SoakSettings } from './soakChild.js';
import { checkWhole, schema } from './verify.js';

export interface SoakOptions {
  milliseconds: number;
  processes: number;
  seed: number;
}

/** Runs the processes, and gives what the oracle found, with what differs at the end. */
export async function soakPostgres({
  milliseconds,
  processes,
  seed,
}: SoakOptions): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-soak-'));
  const servers = await PostgresServers.start({ servers: 2 });
  const { urls } = servers;
  try {
    await (await PostgresCorpus.connect({ shards: urls, schema })).close();
    const logs = await Promise.all(
      Array.from({ length: processes }, (_, actor) => {
        const log = join(folder, `actor-${actor}.log`);
        return runActor({ urls, log, actor, actors: processes, seed, milliseconds });
      }),
    );
    const oracle = new Oracle();
    for (const log of logs) oracle.load(readFileSync(log, 'utf8'));
    const findings = oracle.findings();
    await using corpus = await PostgresCorpus.connect({ shards: urls, schema });
    await checkWhole(corpus, urls, passagesAfter(logs), questionsOf(processes)).catch(
      (error: unknown) => void findings.wrong.push(`at the end: ${String(error)}`),
    );
    return findings;
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true });
  }
}

async function runActor(settings: SoakSettings): Promise<string> {
  const script = fileURLToPath(new URL('soakChild.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`A process of the soak ended with ${code}.`);
  return settings.log;
}

/** By the last write of each, which are all acknowledged. */
function passagesAfter(logs: readonly string[]): Passage[] {
  const last = new Map<number, Passage | undefined>();
  for (const log of logs)
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const [kind, ...numbers] = line.split(' ');
      const [id, version, isPresent] = numbers.map(Number) as [number, number, number];
      if (kind === 'w') last.set(id, isPresent === 1 ? soakPassage(id, version) : undefined);
    }
  return [...last.values()].filter((passage) => passage !== undefined);
}

const questionsOf = (processes: number): { text: string }[] =>
  soakIds(processes)
    .filter((id) => id % 20 === 0)
    .map((id) => ({ text: `When did the ${wordOf(id)} of Varn open?` }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      processes: { type: 'string', default: '2' },
      seed: { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? Date.now() % 1e6);
  const minutes = Number(values.minutes);
  const options = { milliseconds: minutes * 60_000, processes: Number(values.processes), seed };
  const { errors, wrong, ...counts } = await soakPostgres(options);
  for (const line of [...errors, ...wrong].slice(0, 20)) console.error(line);
  console.log(JSON.stringify({ minutes, seed, ...counts }));
  console.log(`${wrong.length} wrong reads, ${errors.length} errors`);
  if (wrong.length + errors.length > 0) process.exitCode = 1;
}
