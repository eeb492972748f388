// Passages on shards by a field: the results of a local corpus, from one shard where a filter names
// a value of the field.
import assert from 'node:assert/strict';
import { Corpus, hybrid, type Passage, type Where } from '../../../lib/index.js';
import { Shard } from '../lib/connection.js';
import { PostgresCorpus } from '../lib/index.js';
import type { AskOptions } from '../../../lib/systems/askOptions.js';
import { assertClose } from '../../../test/assertClose.js';
import { failsWith } from '../../../test/failsWith.js';
import { passages as towns } from '../../../test/retrieval/remotePassages.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const fields = { town: 'keyword', rank: 'number' } as const;
/** Some of them without the field. */
const passages = towns.map((passage, at): Passage => {
  const { metadata, ...rest } = passage;
  return at % 9 === 4 || !metadata ? rest : passage;
});
const question = { text: 'Who was the first mayor of Varn?', askedAt: '2021-03-04' };

describe('shards by a field', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let servers: PostgresServers;
  let local: Corpus;
  let remote: PostgresCorpus;
  const { read } = Shard.prototype;
  /** Shards by number with their reads. */
  let reads: number[];
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 3 });
    local = await Corpus.open(folder.path('local'), { fields });
    await local.add(passages);
    remote = await connect({ fields, shardBy: 'town' });
    await remote.add(passages);
  });
  beforeEach(() => {
    reads = [0, 0, 0];
    Shard.prototype.read = function (this: Shard, ...call) {
      reads[this.index]! += 1;
      return read.apply(this, call) as never;
    };
  });
  afterEach(() => void (Shard.prototype.read = read));
  after(async () => {
    await local?.close();
    await remote?.close();
    await servers?.stop();
  });

  const connect = (options: object) => PostgresCorpus.connect({ shards: servers.urls, ...options });
  const ask = async (corpus: Corpus | PostgresCorpus, options: AskOptions) => {
    const { evidence, answer } = await hybrid({ corpus }).run(question, { k: 6, ...options });
    return { evidence, answer };
  };
  const asked = (): number => reads.filter((count) => count > 0).length;

  const pinned: Where[] = [
    { town: 'Varn' },
    { and: [{ rank: { lt: 4 } }, { town: 'Varn' }] },
    { or: [{ town: 'Varn' }, { town: 'Varn', rank: 2 }] },
  ];
  for (const where of pinned)
    it(`have what passes on one of them: ${JSON.stringify(where)}`, async () => {
      assert.equal(await remote.count({ where }), await local.count({ where }));
      assert.equal(asked(), 1);
      for (const statistics of ['corpus', 'filtered'] as const)
        assertClose(
          await ask(remote, { where, statistics }),
          await ask(local, { where, statistics }),
          statistics,
          1e-6,
        );
      assert.equal(asked(), 3, 'the statistics of the whole');
    });

  const others: Where[] = [
    {},
    { town: { in: ['Varn', 'Lund', 'Oss'] } },
    { not: { town: 'Varn' } },
    { or: [{ town: 'Varn' }, { rank: 1 }] },
    { town: { exists: false } },
    { town: { in: [] } },
  ];
  for (const where of others)
    it(`have the results of a local corpus: ${JSON.stringify(where)}`, async () => {
      assert.equal(await remote.count({ where }), await local.count({ where }));
      assertClose(await ask(remote, { where }), await ask(local, { where }), '', 1e-6);
    });

  it('are asked for ids wherever these are', async () => {
    const ids = [...passages.map(({ id }) => id).reverse(), 'unknown'];
    assert.deepEqual(
      await remote.getMany(ids),
      ids.map((id) => local.get(id)),
    );
    const some = { candidateIds: ids.slice(0, 5) };
    assertClose(await ask(remote, some), await ask(local, some), '', 1e-6);
  });

  it('keep a passage where it is until it is deleted', async () => {
    const at = (town: string): Passage => ({ id: 'moving', text: 'A mill.', metadata: { town } });
    const homes = new Map<string, string>();
    for (const town of ['Varn', 'Lund', 'Marl', 'Tolk', 'Weil', 'Brenn']) {
      await remote.add([at(town)]).then(
        () => homes.set(town, 'here'),
        (error: unknown) => {
          homes.set(town, 'elsewhere');
          failsWith('ERR_INVALID_ARGUMENT', /the same town, .*Delete it first/)(error);
        },
      );
    }
    const elsewhere = [...homes].find(([, place]) => place === 'elsewhere')![0];
    await assert.rejects(
      remote.add([
        { ...at('Varn'), id: 'twice' },
        { ...at(elsewhere), id: 'twice' },
      ]),
      failsWith('ERR_INVALID_ARGUMENT', /the same town/),
    );
    assert.equal(await remote.get('twice'), undefined);
    assert.equal(await remote.delete(['moving', 'unknown']), 1);
    assert.deepEqual(await remote.add([at(elsewhere)]), { added: 1, replaced: 0, unchanged: 0 });
    assert.equal(await remote.delete(['moving']), 1);
    assert.equal(await remote.get('moving'), undefined);
  });

  it('keep what an update would move to another', async () => {
    const { id } = passages.find(({ metadata }) => metadata?.['town'] === 'Varn')!;
    const towns = ['Lund', 'Oss', 'Marl', 'Eke', 'Ham', 'Ulm'];
    const moved = await Promise.allSettled(
      towns.map((town) => remote.update([id], { metadata: { town } })),
    );
    const reasons = moved.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    assert.ok(reasons.length > 0);
    for (const reason of reasons)
      assert.throws(
        () => {
          throw reason;
        },
        failsWith('ERR_INVALID_ARGUMENT', /to stay on shard/),
      );
    await remote.update([id], { metadata: { town: 'Varn' } });
  });

  it('have the field of their corpus', async () => {
    const again = await connect({});
    assert.deepEqual(await again.get('Varn-1'), local.get('Varn-1'));
    await again.close();
    await assert.rejects(
      connect({ shardBy: 'rank', fields }),
      failsWith('ERR_INVALID_ARGUMENT', /type keyword/),
    );
    await assert.rejects(
      connect({ shardBy: 'other' }),
      failsWith('ERR_INVALID_ARGUMENT', /shardBy.*as the corpus was created/),
    );
    await assert.rejects(connect({ shardBy: 'town', schema: 'fresh' }), failsWith('ERR_NOT_FOUND'));
  });
});
