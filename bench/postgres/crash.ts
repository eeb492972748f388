// Kills a server of a corpus on two shards in the middle of a write or of questions, many times at
// random moments, starts it again, and looks at what is left each time by the same open corpus:
// what was acknowledged is there; of a call that failed each shard has everything or nothing, its
// statistics are those of its records, and the same call again completes it. A question is answered
// as before, or rejects with ERR_STORAGE; none hangs. The exit code is 1 where anything is wrong.
//
// node --import tsx bench/postgres/crash.ts [--rounds 100] [--seed N]
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AsOfError, hybrid } from '../../lib/index.js';
import { PostgresCorpus } from '../../packages/postgres/lib/index.js';
import { mulberry32 } from '../../lib/text/random.js';
import { PostgresServers } from '../../packages/postgres/test/servers.js';
import { parseArgs } from '../options.js';
import { query } from './corpora.js';
import { soakPassage, versionIn, wordOf } from './soakChild.js';
import { checkStatistics, checkWhole, schema } from './verify.js';

const phases = [
  ...['write: not begun', 'write: on one shard', 'write: done, but rejected', 'write: done before'],
  ...['question: rejected', 'question: answered'],
] as const;

type Phase = (typeof phases)[number];

export interface CrashFigures {
  rounds: number;
  cut: Record<Phase, number>;
  failures: string[];
}

const passageCount = 120;
/** A call that takes longer hangs. */
const longestMs = 60_000;
const shards = 2;

interface Write {
  kind: 'add' | 'delete';
  /** Versions afterwards, 0 of none. */
  versions: Map<number, number>;
}

export async function crashRounds(
  { rounds, seed }: { rounds: number; seed: number },
  log: (line: string) => void = () => {},
): Promise<CrashFigures> {
  const servers = await PostgresServers.start({ servers: shards });
  const corpus = await PostgresCorpus.connect({ shards: servers.urls, schema });
  const crashes = new Crashes(corpus, servers, mulberry32(seed));
  const figures: CrashFigures = {
    rounds,
    cut: Object.fromEntries(phases.map((phase) => [phase, 0])) as CrashFigures['cut'],
    failures: [],
  };
  try {
    await crashes.fill();
    for (let round = 0; round < rounds; round += 1) {
      try {
        const cut = round % 3 === 2 ? await crashes.questions() : [await crashes.write()];
        for (const phase of cut) figures.cut[phase] += 1;
        log(`round ${round + 1}: ${cut.join(', ')}`);
      } catch (error) {
        figures.failures.push(`round ${round + 1}: ${String(error)}`);
        log(figures.failures.at(-1)!);
      }
    }
    await crashes.checkWhole().catch((error: unknown) => {
      figures.failures.push(`at the end: ${String(error)}`);
    });
  } finally {
    await corpus.close();
    await servers.stop();
  }
  return figures;
}

class Crashes {
  /** Of each passage, 0 of none. */
  private readonly versions = Array.from({ length: passageCount }, () => 0);
  private newest = 0;
  private readonly shards = new Map<string, number>();
  /** How long calls take that are not cut: kills are at a random moment of it. */
  private readonly usual = { write: 300, question: 100 };

  constructor(
    private readonly corpus: PostgresCorpus,
    private readonly servers: PostgresServers,
    private readonly next: () => number,
  ) {}

  async fill(): Promise<void> {
    const started = performance.now();
    const all = new Map(this.versions.map((_, id) => [id, 1]));
    await this.carryOut({ kind: 'add', versions: all });
    this.usual.write = performance.now() - started;
    this.versions.fill(1);
    this.newest = 1;
    for (const [shard, url] of this.servers.urls.entries())
      for (const { id } of await query<{ id: string }>(url, `select id from ${schema}.passages`))
        this.shards.set(id, shard);
    await this.ask();
    const asked = performance.now();
    await Promise.all([this.ask(), this.ask(), this.ask()]);
    this.usual.question = performance.now() - asked;
  }

  async write(): Promise<Phase> {
    const write = this.randomWrite();
    const error = await this.cut(this.usual.write, () => this.carryOut(write));
    const found = await this.found();
    // A shard has all of its changes or none; a call that was acknowledged has all of both.
    const parts = new Map<number, Set<boolean>>();
    for (const [id, before] of this.versions.entries()) {
      const after = write.versions.get(id);
      if (after === undefined || after === before) {
        assert.equal(found[id], before, `p${id}, which the call did not change`);
        continue;
      }
      assert.ok(found[id] === before || found[id] === after, `p${id} is ${found[id]}`);
      const shard = this.shards.get(`p${id}`)!;
      parts.set(shard, (parts.get(shard) ?? new Set()).add(found[id] === after));
    }
    for (const [shard, states] of parts)
      assert.equal(states.size, 1, `part of a call on shard ${shard}`);
    const done = [...parts.values()].map((states) => states.has(true));
    if (!error) assert.ok(!done.includes(false), 'a call that was acknowledged is not there');
    await checkStatistics(this.servers.urls);
    const again = performance.now();
    await this.carryOut(write);
    this.usual.write = (this.usual.write + performance.now() - again) / 2;
    for (const [id, version] of write.versions) this.versions[id] = version;
    assert.deepEqual(await this.found(), this.versions);
    await checkStatistics(this.servers.urls);
    if (!error) return 'write: done before';
    if (!done.includes(true)) return 'write: not begun';
    return done.includes(false) ? 'write: on one shard' : 'write: done, but rejected';
  }

  async questions(): Promise<Phase[]> {
    const expected = await this.ask();
    const answers: (string | undefined)[] = [];
    await this.cut(this.usual.question, async () => {
      const all = await Promise.allSettled([this.ask(), this.ask(), this.ask()]);
      for (const each of all) {
        if (each.status === 'rejected') checkRefused(each.reason);
        answers.push(each.status === 'fulfilled' ? each.value : undefined);
      }
    });
    for (const answer of answers) if (answer !== undefined) assert.equal(answer, expected);
    assert.equal(await this.ask(), expected, 'a question after the restart');
    return answers.map((answer) =>
      answer === undefined ? 'question: rejected' : 'question: answered',
    );
  }

  async checkWhole(): Promise<void> {
    const passages = this.versions.flatMap((version, id) =>
      version === 0 ? [] : [soakPassage(id, version)],
    );
    const questions = [1, 20, 77].map((id) => ({ text: `When did the ${wordOf(id)} open?` }));
    await checkWhole(this.corpus, this.servers.urls, passages, questions);
  }

  private randomWrite(kind: Write['kind'] = this.next() < 0.7 ? 'add' : 'delete'): Write {
    const share = 0.2 + 0.6 * this.next();
    this.newest += 1;
    const ids = this.versions.flatMap((_, id) => (this.next() < share ? [id] : []));
    return { kind, versions: new Map(ids.map((id) => [id, kind === 'add' ? this.newest : 0])) };
  }

  private async carryOut({ kind, versions }: Write): Promise<void> {
    const ids = [...versions.keys()];
    if (kind === 'delete') await this.corpus.delete(ids.map((id) => `p${id}`));
    else await this.corpus.add(ids.map((id) => soakPassage(id, versions.get(id)!)));
  }

  /** Kills a server, or all, while a call runs, and starts it again; gives the call's error. */
  private async cut(usual: number, call: () => Promise<unknown>): Promise<unknown> {
    const all = this.servers.servers;
    const killed = this.next() < 0.3 ? all : [all[Math.floor(this.next() * shards)]!];
    const running = inTime(call()).then(
      () => undefined,
      (error: unknown) => error,
    );
    await wait(this.next() * 1.1 * usual);
    await Promise.all(killed.map((server) => server.kill()));
    const error = await running;
    await Promise.all(killed.map((server) => server.start()));
    if (error !== undefined) checkRefused(error);
    return error;
  }

  private async found(): Promise<number[]> {
    const all = await inTime(this.corpus.getMany(this.versions.map((_, id) => `p${id}`)));
    return all.map(versionIn);
  }

  private async ask(): Promise<string> {
    const system = hybrid({ corpus: this.corpus });
    const { evidence } = await inTime(system.run({ text: 'When did the bridge of Varn open?' }));
    return evidence.map(({ id, text }) => `${id} ${text}`).join('\n');
  }
}

/** What a call is to reject with when its server has gone. */
function checkRefused(error: unknown): void {
  if (AsOfError.is(error) && error.code === 'ERR_STORAGE') return;
  const said = error instanceof Error ? error.stack : String(error);
  throw new Error(`a call did not reject with ERR_STORAGE: ${said}`, { cause: error });
}

async function inTime<Result>(call: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`a call hangs for ${longestMs} ms`)), longestMs);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string' } },
  });
  const seed = Number(values.seed ?? Date.now() % 1e6);
  const options = { rounds: Number(values.rounds), seed };
  const figures = await crashRounds(options, (line) => console.error(line));
  console.log(JSON.stringify({ seed, ...figures }, null, 2));
  if (figures.failures.length > 0) process.exitCode = 1;
}
