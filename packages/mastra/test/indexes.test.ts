// Indexes for Mastra by the contract of its vector interface: life of an index, upserts, queries,
// updates, deletions and what is refused. The class itself is tried in test/frameworks/mastra.
import assert from 'node:assert/strict';
import { Corpus } from '../../../lib/index.js';
import { Indexes } from '../lib/indexes.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { assertEach } from '../../../test/assertEach.js';

const invalid = { code: 'ERR_INVALID_ARGUMENT' };

describe('indexes for Mastra', () => {
  const folder = temporaryFolder();
  let indexes: Indexes;
  let made = 0;
  before(() => {
    indexes = new Indexes({ path: folder.path('indexes') });
  });
  after(() => indexes.close());
  /** An index of three vectors of two numbers. */
  async function create(metadata?: Record<string, unknown>[]): Promise<string> {
    const indexName = `index-${(made += 1)}`;
    await indexes.create({ indexName, dimension: 2 });
    await indexes.upsert({
      indexName,
      vectors: [
        [1, 0],
        [3, 4],
        [0, 2],
      ],
      ids: ['a', 'b', 'c'],
      ...(metadata ? { metadata } : {}),
    });
    return indexName;
  }
  const names = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];
  const queryVector = [2, 0];
  const ids = async (indexName: string, more: object = {}): Promise<string[]> =>
    (await indexes.query({ indexName, queryVector, ...more })).map(({ id }) => id);

  it('creates, lists, describes and deletes', async () => {
    assert.deepEqual(await new Indexes({ path: folder.path('none') }).list(), []);
    const indexName = await create();
    assert.ok((await indexes.list()).includes(indexName));
    const stats = { dimension: 2, count: 3, metric: 'cosine' };
    assert.deepEqual(await indexes.describe(indexName), stats);
    await indexes.create({ indexName, dimension: 2, metric: 'cosine' });
    assert.equal((await indexes.describe(indexName)).count, 3);
    await assert.rejects(indexes.create({ indexName, dimension: 3 }), invalid);
    await indexes.remove(indexName);
    assert.ok(!(await indexes.list()).includes(indexName));
    for (const call of [
      () => indexes.query({ indexName, queryVector }),
      () => indexes.upsert({ indexName, vectors: [[1, 0]] }),
      () => indexes.describe(indexName),
      () => indexes.remove(indexName),
      () => indexes.deleteVectors({ indexName, filter: { a: 1 } }),
    ])
      await assert.rejects(call, { code: 'ERR_NOT_FOUND' });
    await indexes.create({ indexName, dimension: 3 });
    assert.equal((await indexes.describe(indexName)).dimension, 3);
  });

  it('is created, filled and removed by several calls at a time', async () => {
    const indexName = 'busy';
    const params = { indexName, dimension: 2 };
    await Promise.all([indexes.create(params), indexes.create(params)]);
    const upsert = (at: number): Promise<string[]> =>
      indexes.upsert({ indexName, vectors: [[1, at]], ids: [`${at}`] });
    await Promise.all([1, 2, 3, 4].map(upsert));
    assert.equal((await indexes.describe(indexName)).count, 4);
    const ends = await Promise.allSettled([indexes.remove(indexName), indexes.remove(indexName)]);
    assert.ok(ends.some(({ status }) => status === 'fulfilled'));
    assert.ok(!(await indexes.list()).includes(indexName));
    await indexes.create({ indexName, dimension: 3 });
    assert.equal((await indexes.describe(indexName)).dimension, 3);
  });

  it('is there for another that opens the folder', async () => {
    const indexName = await create(names);
    const other = new Indexes({ path: folder.path('indexes') });
    assert.equal((await other.describe(indexName)).count, 3);
    await other.close();
    await other.close();
    const [first] = await other.query({ indexName, queryVector, topK: 1 });
    assert.deepEqual(first, { id: 'a', score: 1, metadata: { name: 'A' } });
    await other.close();
  });

  it('queries by cosine, with vectors where asked for', async () => {
    const indexName = await create(names);
    const found = await indexes.query({ indexName, queryVector, includeVector: true });
    assert.deepEqual(
      found.map(({ id, score, vector }) => [id, Math.round(score * 1e6) / 1e6, vector!.length]),
      [
        ['a', 1, 2],
        ['b', 0.6, 2],
        ['c', 0, 2],
      ],
    );
    assert.ok(Math.abs(found[1]!.vector![1]! - 0.8) < 1e-6); // of length 1
    const [plain] = await indexes.query({ indexName, queryVector, topK: 1 });
    assert.ok(!('vector' in plain!));
    assert.deepEqual(await ids(indexName, { filter: { name: 'none' } }), []);
    assert.deepEqual(await ids(indexName, { topK: 2, filter: { name: { $ne: 'A' } } }), ['b', 'c']);
    assert.deepEqual(await ids(indexName, { topK: 1, filter: { name: /[BC]/ } }), ['b']);
  });

  it('queries by metadata alone', async () => {
    const indexName = await create(names);
    const found = await indexes.query({ indexName, filter: { name: { $in: ['C', 'B'] } } });
    assertEach(found, ({ id }) => id, ['b', 'c']);
    const [last] = await indexes.query({ indexName, filter: { name: { $regex: 'C' } }, topK: 1 });
    assert.equal(last!.id, 'c');
    await assert.rejects(indexes.query({ indexName }), invalid);
  });

  it('replaces vectors of an id, and those that a filter names', async () => {
    const indexName = await create([{ doc: 1 }, { doc: 1 }, { doc: 2 }]);
    await indexes.upsert({ indexName, vectors: [[0, 1]], ids: ['a'], metadata: [{ doc: 3 }] });
    assert.deepEqual(await ids(indexName), ['b', 'a', 'c']);
    const added = await indexes.upsert({
      indexName,
      vectors: [
        [1, 0],
        [1, 1],
      ],
      metadata: [{ doc: 1 }, { doc: 1 }],
      deleteFilter: { doc: 1 },
    });
    assert.deepEqual(await ids(indexName, { filter: { doc: 1 } }), added);
    assert.equal((await indexes.describe(indexName)).count, 4);
  });

  it('updates metadata or vectors by id or by a filter', async () => {
    const indexName = await create(names.map((each) => ({ ...each, open: true })));
    await indexes.update({ indexName, id: 'a', update: { vector: [0, 1] } });
    assert.deepEqual(await ids(indexName), ['b', 'a', 'c']);
    const filter = { name: { $in: ['A', 'B'] } };
    await indexes.update({ indexName, filter, update: { metadata: { open: false } } });
    const shut = await indexes.query({ indexName, queryVector, filter: { open: false } });
    assert.deepEqual(
      shut.map(({ metadata }) => metadata),
      [
        { name: 'B', open: false },
        { name: 'A', open: false },
      ],
    );
    await indexes.update({ indexName, id: 'nobody', update: { vector: [1, 0] } });
    assert.equal((await indexes.describe(indexName)).count, 3);
  });

  it('deletes by ids or by a filter', async () => {
    const indexName = await create(names);
    await indexes.deleteVectors({ indexName, ids: ['a', 'nobody'] });
    await indexes.deleteVectors({ indexName, filter: { name: { $not: { $eq: 'C' } } } });
    assert.deepEqual(await ids(indexName), ['c']);
  });

  it('keeps times, so that a query is as of one', async () => {
    const indexName = 'dated';
    const dated = new Indexes({ path: folder.path(), clocks: { publishedAt: 'at' } });
    await dated.create({ indexName, dimension: 2 });
    await dated.upsert({
      indexName,
      vectors: [
        [1, 0],
        [1, 0.1],
        [1, 0.2],
      ],
      ids: ['may', 'johnson', 'sunak'],
      metadata: [
        { text: 'Theresa May became prime minister on 13 July 2016.', at: '2016-07-14' },
        { text: 'Boris Johnson became prime minister on 24 July 2019.', at: '2019-07-25' },
        { text: 'Rishi Sunak became prime minister on 25 October 2022.', at: '2022-10-26' },
      ],
    });
    const ask = async (more: object): Promise<string[]> =>
      (await dated.query({ indexName, queryVector: [1, 0], ...more })).map(({ id }) => id);
    assert.deepEqual(await ask({ askedAt: '2020-01-01' }), ['may', 'johnson']);
    assert.deepEqual(await ask({ filter: { at: { $gte: '2019-07-25' } } }), ['johnson', 'sunak']);
    const question = 'Who was prime minister as of 6 May 2021?';
    assert.deepEqual((await ask({ question, topK: 1 }))[0], 'johnson');
    assert.deepEqual(await ask({ question, topK: 1, filter: { text: /May/ } }), ['may']);
    const now = { question: 'Who is prime minister?', topK: 1 };
    assert.deepEqual(await ask({ ...now, askedAt: '2017-01-01' }), ['may']);
    await assert.rejects(
      dated.upsert({ indexName, vectors: [[1, 0]], metadata: [{ at: 'lately' }] }),
      invalid,
    );
    await dated.close();
  });

  it('has ranges of declared fields', async () => {
    const indexName = 'declared';
    await indexes.create({ indexName, dimension: 2, fields: { price: 'number', seen: 'time' } });
    await indexes.upsert({
      indexName,
      vectors: [
        [1, 0],
        [1, 1],
      ],
      ids: ['a', 'b'],
      metadata: [{ price: 5, seen: '2024-05-04' }, { price: null }],
    });
    assert.deepEqual(await ids(indexName, { filter: { price: { $lt: 9 } } }), ['a']);
    assert.deepEqual(await ids(indexName, { filter: { seen: { $gt: '2024-05-03' } } }), ['a']);
    assert.deepEqual(await ids(indexName, { filter: { price: null } }), ['b']);
    await assert.rejects(
      indexes.upsert({ indexName, vectors: [[1, 0]], metadata: [{ price: 'high' }] }),
      invalid,
    );
  });

  it('refuses what it cannot do', async () => {
    const indexName = await create(names);
    const vectors = [[1, 0]];
    const both = { filter: { a: 1 }, ids: ['a'] };
    for (const [call, message] of [
      [() => indexes.create({ indexName: 'x', dimension: 0 }), /dimension/],
      [() => indexes.create({ indexName: '../x', dimension: 2 }), /indexName/],
      [() => indexes.create({ indexName: 'x', dimension: 2, metric: 'euclidean' }), /metric/],
      [
        () => indexes.create({ indexName: 'x', dimension: 2, fields: { entries: 'number' } }),
        /ent/,
      ],
      [() => indexes.upsert({ indexName, vectors: [] }), /vectors/],
      [() => indexes.upsert({ indexName, vectors, ids: ['a', 'b'] }), /ids/],
      [() => indexes.upsert({ indexName, vectors, metadata: [{}, {}] }), /metadata/],
      [() => indexes.upsert({ indexName, vectors: [[1, NaN]] }), /vector/],
      [() => indexes.upsert({ indexName, vectors: [[1]] }), /vector/],
      [() => indexes.upsert({ indexName, vectors, sparseVectors: [] }), /sparseVectors/],
      [() => indexes.query({ indexName, queryVector: [1] }), /queryVector/],
      [() => indexes.query({ indexName, queryVector, topK: 0 }), /topK/],
      [() => indexes.query({ indexName, queryVector, sparseVector: {} }), /sparseVector/],
      [() => indexes.query({ indexName, queryVector, filter: { $where: 1 } }), /\$where/],
      [() => indexes.deleteVectors({ indexName, ids: [] }), /empty ids array/i],
      [() => indexes.deleteVectors({ indexName, filter: {} }), /empty filter/i],
      [() => indexes.deleteVectors({ indexName }), /Either filter or ids must be provided/],
      [() => indexes.deleteVectors({ indexName, ...both }), /mutually exclusive/],
      [() => indexes.update({ indexName, update: {} }), /Either id or filter must be provided/],
      [() => indexes.update({ indexName, id: 'a', update: {} }), /update/],
    ] as const)
      await assert.rejects(call, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'ERR_INVALID_ARGUMENT', String(error));
        assert.match(error.message, message);
        return true;
      });
    assert.equal((await indexes.describe(indexName)).count, 3);
    assert.throws(() => new Indexes({ path: '' }), invalid);
    assert.throws(() => new Indexes({ path: 'a', dir: 'b' } as never), invalid);
    const foreign = await Corpus.open(folder.path('indexes', 'foreign'));
    await foreign.close();
    await assert.rejects(indexes.describe('foreign'), { code: 'ERR_CORPUS_FOREIGN' });
  });
});
