// A shard that cannot be reached: clear errors, or the results of a corpus without its passages,
// wherever in a question it fails.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Corpus, timeline, type Passage } from '../../../lib/index.js';
import { createSystem } from '../../../lib/papers/index.js';
import { Shard } from '../lib/connection.js';
import { PostgresCorpus } from '../lib/index.js';
import { toJson } from '../../../lib/systems/json.js';
import type { SearchableCorpus } from '../../../lib/store/searchableCorpus.js';
import { assertClose } from '../../../test/assertClose.js';
import { failsWith } from '../../../test/failsWith.js';
import { needed } from '../../../test/reranker.js';
import { documents, passages } from '../../../test/retrieval/remotePassages.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers, type PostgresServer } from './servers.js';

const all: Passage[] = [...passages, ...documents];
const question = { text: 'Who was mayor of Castleford as of 6 May 2003?', askedAt: '2020-01-01' };

describe('a shard that cannot be reached', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let servers: PostgresServers;
  let second: PostgresServer;
  let urls: string[];
  let whole: Corpus;
  /** Of the passages of the first shard. */
  let rest: Corpus;
  let strict: PostgresCorpus;
  let partial: PostgresCorpus;
  let lost: string;
  const homes: [string[], string[]] = [[], []];
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    second = servers.servers[1]!;
    ({ urls } = servers);
    lost = `shard 1 (127.0.0.1:${second.port}/postgres)`;
    strict = await PostgresCorpus.connect({ shards: urls });
    await strict.add(all);
    partial = await PostgresCorpus.connect({ shards: urls, allowPartialResults: true });
    for (const [at, url] of urls.entries()) {
      const shard = new Shard({ url, schema: 'asof' }, at);
      const found = await shard.read(undefined, (s) =>
        s.query<{ id: string }>('select id from passages'),
      );
      homes[at] = found.map(({ id }) => id);
      await shard.close();
    }
    whole = await Corpus.open(folder.path('whole'));
    await whole.add(all);
    rest = await Corpus.open(folder.path('rest'));
    await rest.add(all.filter(({ id }) => homes[0].includes(id)));
  });
  after(async () => {
    await Promise.all([whole, rest, strict, partial].map((each) => each?.close()));
    await servers?.stop();
  });

  const resultsOf = async (name: string, corpus: SearchableCorpus) => {
    const system = createSystem(name, { corpus, ...needed(name) });
    const { trace: _, scan: _scan, ...result } = await system.run(question, { k: 8 });
    return result;
  };
  const assertPartial = async (name: string): Promise<void> => {
    const { missingShards, ...result } = await resultsOf(name, partial);
    assert.deepEqual(missingShards, [lost]);
    assertClose(result, await resultsOf(name, rest), name, 1e-6);
  };
  const assertWhole = async (name: string): Promise<void> => {
    for (let tries = 0; (await resultsOf(name, partial)).missingShards; tries += 1) {
      assert.ok(tries < 100, 'it is not asked again');
      await wait(50);
    }
    assertClose(await resultsOf(name, partial), await resultsOf(name, whole), name, 1e-6);
  };

  describe('that is down', () => {
    before(() => second.kill());
    after(async () => {
      await second.start();
      await assertWhole('hybrid');
    });

    it('fails questions, and names itself', async () => {
      const named = failsWith('ERR_STORAGE', /shard 1 \(127\.0\.0\.1:.*ECONNREFUSED/, {
        shard: lost,
      });
      await assert.rejects(resultsOf('hybrid', strict), named);
      await assert.rejects(timeline(strict, question), named);
      await assert.rejects(strict.count(), named);
    });

    for (const name of ['hybrid', 'bm25', 'mrag', 'tempralm', 're3'])
      it(`is omitted from ${name} where the caller allows it`, () => assertPartial(name));

    it('is omitted from timelines, and named in what they and results are as JSON', async () => {
      const found = await timeline(partial, question);
      assert.deepEqual(found.missingShards, [lost]);
      assertClose(found, await timeline(rest, question), 'timeline', 1e-6);
      assert.deepEqual(toJson.timeline('', found, 'UTC')['missing_shards'], [lost]);
      const system = createSystem('bm25', { corpus: partial });
      const json = toJson.result(await system.run(question), system.name);
      assert.deepEqual(json['missing_shards'], [lost]);
      const local = createSystem('bm25', { corpus: rest });
      assert.ok(!('missing_shards' in toJson.result(await local.run(question), local.name)));
    });

    it('fails what needs it, whatever the caller allows', async () => {
      const named = failsWith('ERR_STORAGE', /shard 1/, { shard: lost });
      const [[here], [there]] = homes as [[string], [string]];
      assert.equal((await partial.get(here))!.id, here);
      await assert.rejects(partial.get(there), named);
      await assert.rejects(partial.count(), named);
      await assert.rejects(partial.delete([there]), named);
    });

    it('does not hinder connecting, but creating', async () => {
      const connect = (options: object) =>
        PostgresCorpus.connect({ shards: urls, allowPartialResults: true, ...options });
      const late = await connect({});
      const system = createSystem('bm25', { corpus: late });
      assert.deepEqual((await system.run(question)).missingShards, [lost]);
      await late.close();
      await assert.rejects(connect({ schema: 'fresh' }), failsWith('ERR_NOT_FOUND'));
      await assert.rejects(
        PostgresCorpus.connect({ shards: urls }),
        failsWith('ERR_STORAGE', /shard 1/),
      );
      const swapped = connect({ shards: [urls[1]!, urls[0]!] });
      await assert.rejects(swapped, failsWith('ERR_INVALID_ARGUMENT', /order/));
      await assert.rejects(connect({ shards: [urls[1]!] }), failsWith('ERR_STORAGE', /shard 0/));
    });
  });

  for (const nth of [1, 2, 4, 6])
    it(`that fails at step ${nth} of a question is omitted from all of it`, async () => {
      const { read } = Shard.prototype;
      let reads = 0;
      Shard.prototype.read = async function (this: Shard, ...call) {
        if (this.index === 1 && (reads += 1) === nth) await second.kill();
        return read.apply(this, call) as never;
      };
      try {
        await assertPartial('hybrid');
      } finally {
        Shard.prototype.read = read;
        await second.start();
      }
      assert.ok(reads >= nth);
      await assertWhole('hybrid');
    });

  it('that fails in a write is named, and those that have their part', async () => {
    const fresh = Array.from({ length: 20 }, (_, at) => ({ id: `new ${at}`, text: 'A mill.' }));
    const first = `shard 0 (127.0.0.1:${servers.servers[0]!.port}/postgres)`;
    const { write } = Shard.prototype;
    Shard.prototype.write = async function (this: Shard, ...call) {
      if (this.index === 1) await second.kill();
      return write.apply(this, call) as never;
    };
    try {
      await assert.rejects(partial.add(fresh), (error: unknown) => {
        assert.deepEqual((error as { details: unknown }).details, { shard: lost, done: [first] });
        return failsWith('ERR_STORAGE', /shard 1.*shard 0 .* has its part.*repeat/s)(error);
      });
    } finally {
      Shard.prototype.write = write;
    }
    await assert.rejects(partial.add(fresh), failsWith('ERR_STORAGE', /shard 1/));
    await second.start();
    const { added, unchanged } = await partial.add(fresh);
    assert.ok(added > 0 && unchanged > 0 && added + unchanged === 20);
    assert.equal(await partial.delete(fresh.map(({ id }) => id)), 20);
    await assertWhole('hybrid');
  });
});
