// Three nodes: one that is killed while passages are loaded and questions are answered, shards
// that are gone, and copies by the command line, there and back and after they were killed.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AsOfError } from '../../../lib/errors.js';
import { Corpus, hybrid, type Passage } from '../../../lib/index.js';
import { toJson } from '../../../lib/systems/json.js';
import { OpenSearchCorpus, type OpenSearchOptions } from '../lib/index.js';
import { hashEncoder, passagesFrom, temporaryFolder } from '../../../test/store/fixtures.js';
import { OpenSearchNodes, skipWithoutOpenSearch } from './servers.js';

const root = join(import.meta.dirname, '..', '..', '..');
const encoder = hashEncoder();
const question = { text: 'Who was mayor in 1921?', askedAt: '2020-01-01' };

describe('a corpus on three nodes', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let cluster: OpenSearchNodes;
  before(async function () {
    skipWithoutOpenSearch(this);
    cluster = await OpenSearchNodes.start({ nodes: 3 });
  });
  after(() => cluster?.stop());

  const connect = (index: string, options: Partial<OpenSearchOptions> = {}) =>
    OpenSearchCorpus.connect({ nodes: cluster.urls, index, encoder, ...options });
  /** The cluster as URLs of the command line. */
  const urlsOf = (index: string): string =>
    cluster.urls.map((url) => `opensearch${url.slice(4)}/${index}?tls=false`).join(',');

  /** Runs `asof`; `started` gets its process. */
  async function run(args: readonly string[], started?: (child: ChildProcess) => void) {
    const program = [join(root, 'dist', 'cli', 'main.js'), ...args];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += String(data)));
    child.stderr.on('data', (data: Buffer) => (stderr += String(data)));
    started?.(child);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  it('is copied there and back, goes on after a kill, and is described', async () => {
    const count = 3000;
    const from = folder.path('from');
    await using source = await Corpus.open(from, { encoder, fields: { town: 'keyword' } });
    await source.add([
      ...passagesFrom(0, count - 2),
      { id: 'first', text: 'The fare is 2 euros.', validFrom: '2001', series: 'fare' },
      { id: 'second', text: 'The fare is 3 euros.', validFrom: '2005', supersedes: 'first' },
    ]);
    await source.close();
    const to = urlsOf('copied');
    let child!: ChildProcess;
    const running = run(['copy', from, to, '--json'], (each) => void (child = each));
    for (let found = 0; found === 0; ) {
      assert.equal(child.exitCode, null, 'it ended before it was killed');
      await wait(20);
      found = await connect('copied', { create: false })
        .then(async (corpus) => {
          await using opened = corpus;
          return await opened.count();
        })
        .catch(() => 0);
    }
    child.kill('SIGKILL');
    await running;
    await using copied = await connect('copied', { create: false });
    await fetch(`${cluster.urls[0]}/copied/_refresh`, { method: 'POST' });
    let before = 0;
    // A copy of a shard may lack what the killed process was still writing.
    for (; before === 0; await wait(100)) before = await copied.count();
    assert.ok(before <= count, `${before}`);
    const there = await run(['copy', from, to, '--json']);
    assert.equal(there.code, 0, there.stderr);
    const sum = JSON.parse(there.stdout) as Record<string, number>;
    assert.deepEqual([sum['passages'], sum['replaced']], [count, 0]);
    assert.ok(sum['unchanged']! >= before, there.stdout);
    const back = folder.path('back');
    const returned = await run(['copy', to, back, '--json']);
    assert.equal(returned.code, 0, returned.stderr);
    assert.equal((JSON.parse(returned.stdout) as typeof sum)['checksum'], sum['checksum']);
    const verified = await run(['verify', to]);
    assert.match(verified.stdout, /copied: intact, 3,000 passages \(every document checked/);
    const info = await run(['info', '--quick', urlsOf('copied')]);
    assert.match(info.stdout, /shards +1, 1 replica of each, on 3 nodes\n/);
    const schema = await run(['info', '--schema', 'x', to]);
    assert.match(
      schema.stderr,
      /--schema is of a corpus in PostgreSQL, received one in OpenSearch/,
    );
  });

  it('loads and answers while a node is killed, and loses nothing', async () => {
    await using corpus = await connect('killed', { shards: 3, replicas: 1 });
    await corpus.add(passagesFrom(0, 300));
    let isLoaded = false;
    let [asked, added] = [0, 300];
    const asks = async (): Promise<void> => {
      for (; !isLoaded; asked += 1) {
        const { evidence } = await hybrid({ corpus }).run(question);
        assert.ok(evidence.length > 0);
      }
    };
    const loads = async (): Promise<void> => {
      for (; added < 1500; added += 100) await corpus.add(passagesFrom(added, added + 100));
      while (asked < 5) await wait(10);
      isLoaded = true;
    };
    const kills = async (): Promise<void> => {
      while (added < 600) await wait(10);
      await cluster.nodes[2]!.kill();
    };
    await Promise.all([loads(), asks(), kills()]);
    assert.ok(asked > 3, `${asked} questions`);
    assert.equal(await corpus.count(), 1500);
    await corpus.verify();
    cluster.nodes[2]!.start();
    await cluster.ready();
  });

  it('names the shards that are gone, or fails, as its caller chose', async () => {
    const all = passagesFrom(0, 400);
    await using made = await connect('partial', { shards: 6, replicas: 0 });
    await made.add(all);
    assert.equal(await made.count(), 400);
    await using whole = await connect('partial');
    await using partial = await connect('partial', { allowPartialResults: true });
    const before = await hybrid({ corpus: partial }).run(question);
    assert.equal(before.missingShards, undefined);
    await cluster.nodes[1]!.kill();
    await assert.rejects(hybrid({ corpus: whole }).run(question), (error) => {
      assert.ok(AsOfError.is(error) && error.code === 'ERR_STORAGE', String(error));
      return true;
    });
    let found = await hybrid({ corpus: partial }).run(question);
    assert.ok(found.missingShards!.length > 0);
    // While the nodes elect a manager nobody knows which shards these are.
    for (; /^some/m.test(found.missingShards!.join('\n')); await wait(200))
      found = await hybrid({ corpus: partial }).run(question);
    const { missingShards } = found;
    assert.ok(missingShards!.length > 0 && missingShards!.length < 6, String(missingShards));
    for (const each of missingShards!) assert.match(each, /^shard \d of partial$/);
    const json = toJson.result(found, 'hybrid');
    assert.deepEqual([json['missing_shards'], json['exact']], [missingShards, false]);
    const kept = new Set<string>();
    for (const { id } of found.evidence) kept.add(id);
    const ids = new Set(all.map(({ id }: Passage) => id));
    assert.ok(kept.size > 0 && [...kept].every((id) => ids.has(id)));
  });
});
