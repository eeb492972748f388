// The command line over PostgreSQL as a user runs it: copies there and back, interrupted and
// refused ones, the commands that take URLs in place of a folder, and no password in any output.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Corpus } from '../../../lib/index.js';
import { PostgresCorpus } from '../lib/index.js';
import { asof, type Outcome, type SpawnOptions } from '../../../test/cli/spawn.js';
import { ministers, question } from '../../server/test/http/started.js';
import { hashEncoder, passagesFrom, temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const encoder = hashEncoder();
const jsonOf = (outcome: Outcome): Record<string, unknown> => {
  assert.equal(outcome.code, 0, outcome.stderr);
  return JSON.parse(outcome.stdout) as Record<string, unknown>;
};

describe('the command line over PostgreSQL', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let servers: PostgresServers;
  /** Without passwords. */
  let urls: string[];
  let password: string;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    password = new URL(servers.urls[0]!).password;
    urls = servers.urls.map((url) => url.replace(`:${password}@`, '@'));
  });
  after(() => servers?.stop());
  const run = (args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> =>
    asof(args, { ...options, env: { PGPASSWORD: password, ...options.env } });

  async function made(name: string, passages = passagesFrom(0, 60)): Promise<string> {
    await using corpus = await Corpus.open(folder.path(name), {
      encoder,
      fields: { town: 'keyword' },
      timeZone: 'Europe/London',
    });
    await corpus.add(passages);
    return corpus.path;
  }

  describe('copies', () => {
    it('there and back, without an encoder, to the same checksum', async () => {
      const from = await made('from', [
        ...passagesFrom(0, 57),
        { id: 'early', text: 'It landed.', publishedAt: '1970-01-20' }, // as seconds: of 2022
        { id: 'first', text: 'The fare is 2 euros.', validFrom: '2001', series: 'fare' },
        { id: 'second', text: 'The fare is 3 euros.', validFrom: '2005', supersedes: 'first' },
      ]);
      const to = urls.join(',');
      const there = jsonOf(await run(['copy', from, to, '--schema', 'there', '--json']));
      assert.deepEqual(Object.keys(there), [
        ...['from', 'to', 'added', 'replaced', 'unchanged', 'passages', 'checksum', 'seconds'],
      ]);
      assert.deepEqual(
        [there['passages'], there['added'], there['replaced'], there['unchanged']],
        [60, 60, 0, 0],
      );
      const shown = servers.servers.map(({ port }) => `postgres://127.0.0.1:${port}/postgres`);
      assert.deepEqual([there['from'], there['to']], [from, shown.join(',')]);
      const again = jsonOf(await run(['copy', from, to, '--schema', 'there', '--json']));
      assert.deepEqual([again['added'], again['unchanged']], [0, 60]);
      const args = ['copy', to, urls[1]!, '--schema', 'there', '--to-schema', 'onward', '--json'];
      const onward = jsonOf(await run(args));
      const back = folder.path('back');
      const returned = jsonOf(await run(['copy', urls[1]!, back, '--schema', 'onward', '--json']));
      for (const { checksum } of [again, onward, returned] as { checksum?: unknown }[])
        assert.equal(checksum, there['checksum']);
      await using copy = await Corpus.open(back, { encoder });
      await copy.verify();
      await using first = await Corpus.open(from, { encoder });
      const { fields, timeZone, passages, rows, spans } = first.info();
      const info = copy.info();
      assert.deepEqual(
        [info.fields, info.timeZone, info.passages, info.rows, info.spans],
        [fields, timeZone, passages, rows, spans],
      );
      const text = await run(['copy', from, back]);
      assert.match(text.stdout, /back: 60 passages, 0 added, 0 replaced, 60 unchanged in /);
      assert.match(
        text.stdout,
        new RegExp(`^same as .*from: checksum ${String(there['checksum'])}$`, 'm'),
      );
    });

    it('go on after they were killed, and after an interrupt, which says so', async () => {
      const from = await made('large', passagesFrom(0, 6500));
      const args = ['copy', from, servers.urls.join(','), '--schema', 'broken', '--json'];
      const connect = () =>
        PostgresCorpus.connect({ shards: servers.urls, schema: 'broken', encoder, create: false });
      /** Signals the copy once more passages are there than before. */
      const stopped = async (signal: NodeJS.Signals, before: number): Promise<Outcome> => {
        let child!: ChildProcess;
        const running = run(args, { started: (each) => void (child = each) });
        for (let tries = 0; ; tries += 1) {
          assert.ok(tries < 600, 'nothing was copied');
          await wait(20);
          const corpus = await connect().catch(() => undefined);
          const count = (await corpus?.count()) ?? 0;
          await corpus?.close();
          if (count > before) break;
        }
        child.kill(signal);
        return running;
      };
      const count = async (): Promise<number> => {
        await using corpus = await connect();
        await corpus.verify();
        return await corpus.count();
      };
      await stopped('SIGKILL', 0);
      const killed = await count();
      assert.ok(killed > 0 && killed < 6500, `${killed}`);
      const interrupted = await stopped('SIGINT', killed);
      const left = await count();
      if (left < 6500) {
        assert.equal(interrupted.code, 130, interrupted.stderr);
        assert.match(interrupted.stderr, /passages are copied; repeat the command to continue/);
      }
      const counts = jsonOf(await run(args));
      assert.deepEqual(
        [counts['passages'], counts['unchanged'], counts['added']],
        [6500, left, 6500 - left],
      );
    });

    it('refuse a TO of other settings, and end unequal where it has more', async () => {
      const from = await made('whole', passagesFrom(0, 5));
      const args = ['copy', from, urls[0]!, '--schema', 'other'];
      const settings = { shards: [servers.urls[0]!], schema: 'other' };
      const own = { fields: { town: 'keyword' }, timeZone: 'Europe/London', encoder } as const;
      const another = { ...settings, ...own, encoder: hashEncoder(4) };
      await (await PostgresCorpus.connect(another)).close();
      const encoders = await run(args);
      assert.equal(encoders.code, 1);
      assert.match(encoders.stderr, /^asof: Expected the encoder hash-4 \(4 dimensions\)/);
      for (const [schema, options, said] of [
        ['fielded', { fields: { town: 'keyword[]' } }, /Expected fields to be/],
        ['zoned', { timeZone: 'Asia/Tokyo' }, /Expected --time-zone to be/],
        ['whole', { sentences: false }, /Expected sentences to be/],
      ] as const) {
        await (await PostgresCorpus.connect({ ...settings, ...own, ...options, schema })).close();
        const refused = await run([...args.slice(0, 3), '--schema', schema]);
        assert.equal(refused.code, 2, refused.stderr);
        assert.match(refused.stderr, said);
      }
      await using more = await PostgresCorpus.connect({ ...settings, ...own, schema: 'more' });
      await more.add(passagesFrom(4, 7));
      const unequal = await run([...args.slice(0, 3), '--schema', 'more']);
      assert.equal(unequal.code, 1);
      assert.match(unequal.stderr, /alone, 5 passages of checksum [0-9a-f]{32}, found 7 of/);
    });

    it('need a corpus to copy, and schemas of what has one', async () => {
      const from = await made('small', passagesFrom(0, 2));
      const cases: [args: string[], code: number, said: RegExp][] = [
        [[folder.path('none'), from], 1, /Expected .*none/],
        [[urls[0]!, folder.path('new'), '--schema', 'none'], 1, /Expected a corpus in the schema/],
        [[from, urls[0]!, '--schema', 'Not one'], 2, /Expected schema to be lower-case/],
        [[from, folder.path('new'), '--schema', 'x'], 2, /neither is one/],
        [[from, urls[0]!, '--to-schema', 'x'], 2, /two corpora in PostgreSQL/],
        [[from, `${urls[0]!}nowhere`, '--schema', 'x'], 1, /no database of that name/],
      ];
      for (const [args, code, said] of cases) {
        const outcome = await run(['copy', ...args]);
        assert.equal(outcome.code, code, outcome.stderr);
        assert.match(outcome.stderr, said);
      }
    });
  });

  describe('commands', () => {
    const corpora: string[] = [];
    /** The same command over the folder and over PostgreSQL. */
    const both = async (args: (corpus: string) => string[]): Promise<[Outcome, Outcome]> => {
      const [local, remote] = [await run(args(corpora[0]!)), await run(args(corpora[1]!))];
      return [remote, local];
    };
    before(async () => {
      corpora.push(folder.path('pm.asof'), urls.join(','));
      const lines = ministers.map(({ publishedAt, ...each }) =>
        JSON.stringify({ ...each, published_at: publishedAt }),
      );
      writeFileSync(folder.path('pm.jsonl'), lines.join('\n'));
    });

    it('index, and again', async () => {
      const args = (corpus: string): string[] => [
        ...['index', corpus, folder.path('pm.jsonl'), '--field', 'tenant=keyword', '--json'],
      ];
      const [remote, local] = (await both(args)).map(jsonOf);
      assert.deepEqual({ ...remote, seconds: 0, corpus: '' }, { ...local, seconds: 0, corpus: '' });
      assert.equal(remote!['added'], 3);
      assert.match(String(remote!['corpus']), /^postgres:\/\/127\.0\.0\.1:\d+\/postgres,postgres:/);
      assert.equal(jsonOf(await run(args(corpora[1]!)))['unchanged'], 3);
      const refused = await run([...args(corpora[1]!), '--history']);
      assert.match(refused.stderr, /A corpus in PostgreSQL has no history/);
    });

    it('list, get, ask and timeline as over a folder', async () => {
      for (const args of [
        (corpus: string) => ['list', corpus, '--order-by', 'published_at', '--descending'],
        (corpus: string) => ['list', corpus, '--where', '{"tenant": "a"}', '--limit', '1'],
        (corpus: string) => ['list', corpus, '--count'],
        (corpus: string) => ['list', corpus, '--count', '--as-recorded', '2020'],
        (corpus: string) => ['get', corpus, 'uk/truss', 'may'],
        (corpus: string) => ['get', corpus, 'may', '--versions'],
        (corpus: string) => ['timeline', corpus, 'prime minister of the UK', '--json'],
      ]) {
        const [remote, local] = await both(args);
        assert.deepEqual(remote, local);
      }
      const [remote, local] = (
        await both((corpus) => ['ask', corpus, question, '--asked-at', '2024-01-01', '--json'])
      ).map(jsonOf);
      assert.deepEqual({ ...remote, trace: [] }, { ...local, trace: [] });
      assert.equal(remote!['answer'], 'Boris Johnson');
      const missing = await run(['get', corpora[1]!, 'none']);
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /"none" in postgres:\/\/127[^@]*, found none/);
    });

    it('describe, verify and compact', async () => {
      const info = jsonOf(await run(['info', corpora[1]!, '--json']));
      assert.deepEqual([info['passages'], info['integrity']], [3, 'intact']);
      assert.equal((info['shards'] as unknown[]).length, 2);
      const text = await run(['info', corpora[1]!]);
      assert.match(text.stdout, /^schema +asof$/m);
      assert.match(text.stdout, /^shard 1 +127\.0\.0\.1:\d+\/postgres: \d passages?, /m);
      assert.match(text.stdout, /^integrity +intact \(every table checked/m);
      assert.match((await run(['verify', corpora[1]!])).stdout, /intact, 3 passages \(every table/);
      const compacted = jsonOf(await run(['compact', corpora[1]!, '--json']));
      assert.deepEqual(Object.keys(compacted), ['corpus', 'seconds']);
      assert.match((await run(['compact', corpora[1]!])).stdout, /: compacted in /);
    });

    it('evaluate, but not by what reads a folder', async () => {
      const query = { id: 'q', text: question, answers: ['Boris Johnson'] };
      writeFileSync(folder.path('q.jsonl'), JSON.stringify(query));
      writeFileSync(folder.path('qrels'), 'q 0 johnson 1\n');
      const args = (corpus: string): string[] => [
        ...['eval', corpus, '--queries', folder.path('q.jsonl'), '--json'],
      ];
      const judged = (corpus: string): string[] => [
        ...args(corpus),
        ...['--qrels', folder.path('qrels')],
      ];
      const [remote, local] = (await both(judged)).map(jsonOf);
      assert.deepEqual(remote!['metrics'], local!['metrics']);
      assert.ok(remote!['metrics']);
      const refused = await run([...args(corpora[1]!), '--relevance', 'answers']);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /--relevance answers needs the folder/);
    });

    it('serve it until they are stopped', async () => {
      let child!: ChildProcess;
      const args = ['serve', `pm=${corpora[1]!}`, corpora[1]!, '--port', '0', '--write', '--json'];
      const ended = run(args, { started: (each) => void (child = each) });
      const [line] = (await once(child.stdout!, 'data')) as [string];
      const { url, corpora: names } = JSON.parse(line) as { url: string; corpora: string[] };
      assert.deepEqual(names, ['pm', 'asof']);
      const response = await fetch(`${url}/v1/corpora/pm/passages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ passages: [{ id: 'x', text: 'The mill burnt down.' }] }),
      });
      assert.deepEqual(((await response.json()) as { added: number }).added, 1);
      const got = await fetch(`${url}/v1/corpora/asof/passages/x`);
      assert.equal(got.status, 200);
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      assert.equal(code, 0, stderr);
    });

    it('delete by id and by filter', async () => {
      const byId = jsonOf(await run(['delete', corpora[1]!, 'x', 'none', '--json']));
      assert.deepEqual([byId['deleted'], byId['unknown']], [1, 1]);
      const where = ['--where', '{"tenant": "a"}'];
      const byFilter = await run(['delete', corpora[1]!, ...where]);
      assert.match(byFilter.stdout, /^postgres:\/\/127[^@]*: 2 passages deleted\n$/);
      assert.equal((await run(['list', corpora[1]!, '--count'])).stdout, '1\n');
    });
  });

  it('takes a password of the environment or of the passfile', async () => {
    const passfile = folder.path('passfile');
    writeFileSync(passfile, `127.0.0.1:*:postgres:asof:${password}\n`);
    chmodSync(passfile, 0o600);
    const args = ['copy', await made('login', passagesFrom(0, 3)), urls[0]!, '--schema', 'login'];
    const without = await asof(args, { env: { PGPASSWORD: '' } });
    assert.equal(without.code, 1);
    assert.match(without.stderr, /asks for a password and there is none. Set PGPASSWORD, or/);
    const given: Record<string, string>[] = [{ PGPASSFILE: passfile }, { PGPASSWORD: password }];
    for (const env of given) {
      const outcome = await asof(args, { env });
      assert.equal(outcome.code, 0, outcome.stderr);
    }
  });

  it('prints no password of a URL, whatever is wrong with the rest', async () => {
    const from = await made('secret', passagesFrom(0, 2));
    const secret = 'pa55%2Fw0rd';
    const wrong = urls[0]!.replace('@', `:${secret}@`);
    const noUrl = `postgres://asof:${secret} of/mine@127.0.0.1:x/y`;
    const parameter = `${urls[0]!}?password=${secret}`;
    const cases: string[][] = [
      ['copy', from, wrong],
      ['copy', from, `${wrong},${wrong}`, '--json'],
      ['copy', from, noUrl],
      ['copy', from, parameter],
      ['copy', wrong, from],
      ['copy', from, from, wrong],
      ['copy', wrong],
      [wrong],
      ['serve', wrong],
      ['serve', wrong, wrong],
      ['serve', `a=${wrong}`, `a=${noUrl}`],
      ['backup', from, wrong],
      ['repair', wrong, folder.path('repaired')],
      ['train', 'mine', wrong],
      ['index', from, wrong],
      ['index', wrong, from],
      ['delete', from, '--where', wrong],
      ['list', from, '--order-by', wrong],
      ['info', from, '--schema', wrong],
      ['info', wrong, '--schema', wrong],
      ['list', from, `--nothing=${wrong}`],
      ...['ask', 'timeline'].map((name) => [name, wrong, 'Who?']),
      ...['get', 'delete'].map((name) => [name, wrong, 'a']),
      ...['info', 'list', 'compact', 'verify', 'mcp'].map((name) => [name, wrong]),
    ];
    const outcomes: Outcome[] = [];
    for (const args of cases)
      outcomes.push(await asof(args, { env: { ASOF_DEBUG: '1', PGPASSWORD: '' } }));
    for (const [at, { code, stdout, stderr }] of outcomes.entries()) {
      const command = cases[at]!.join(' ');
      assert.ok(code === 1 || code === 2, `${command}: ${code} ${stdout} ${stderr}`);
      assert.match(stderr, /\S/, command);
      assert.doesNotMatch(`${stdout}${stderr}`, /pa55|w0rd/, `${command}: ${stderr}`);
    }
    assert.match(outcomes[0]!.stderr, /refused the login/);
    const help = await asof(['copy', from, wrong, '--help']);
    assert.equal(help.code, 0);
    assert.doesNotMatch(help.stdout, /pa55/);
    assert.match(help.stdout.replace(/\s+/g, ' '), /PGPASSWORD or ~\/\.pgpass/);
  });
});
