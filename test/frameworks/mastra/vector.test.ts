// AsOfVector with the real @mastra/core: its class, its types, registered in Mastra, and as a tool of
// retrieval would call it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mastra } from '@mastra/core';
import { MastraVector, type QueryResult } from '@mastra/core/vector';
import { AsOfVector } from '@asof/mastra';

describe('AsOfVector', () => {
  let folder: string;
  let vectors: AsOfVector;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-test-'));
    vectors = new AsOfVector({ id: 'asof', path: folder });
  });
  after(async () => {
    await vectors.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const indexName = 'news';

  it('is a vector store that Mastra registers', async () => {
    assert.ok(vectors instanceof MastraVector);
    assert.equal(vectors.id, 'asof');
    const mastra = new Mastra({ vectors: { asof: vectors }, logger: false });
    assert.equal(mastra.getVector('asof'), vectors);
    const typed: MastraVector = vectors;
    assert.equal(typed.indexSeparator, '_');
    assert.throws(() => new AsOfVector({ id: '', path: folder }));
  });

  it('creates an index, upserts, queries, updates and deletes', async () => {
    const typed: MastraVector = vectors;
    await typed.createIndex({ indexName, dimension: 3, metric: 'cosine' });
    assert.deepEqual(await typed.listIndexes(), [indexName]);
    const ids = await typed.upsert({
      indexName,
      vectors: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      metadata: [
        { text: 'The quay opened.', source: 'a', publishedAt: '2020-05-04' },
        { text: 'The quay shut.', source: 'b', publishedAt: '2022-05-04' },
        { text: 'A lamp.', source: 'b' },
      ],
    });
    assert.equal(ids.length, 3);
    const query = { indexName, queryVector: [1, 1, 0], topK: 2 };
    const found: QueryResult[] = await typed.query({
      ...query,
      filter: { $or: [{ source: { $in: ['a'] } }, { text: { $regex: 'shut' } }] },
      includeVector: true,
    });
    assert.deepEqual(found.map(({ id }) => id).sort(), ids.slice(0, 2).sort());
    assert.equal(found[0]!.vector!.length, 3);
    const dated = await vectors.query({ ...query, askedAt: '2021-01-01' });
    assert.deepEqual(
      dated.map(({ id }) => id),
      [ids[0], ids[2]],
    );
    const asked = await vectors.query({ ...query, question: 'When did the quay shut?' });
    assert.equal(asked[0]!.id, ids[1]);
    await typed.updateVector({ indexName, id: ids[2]!, update: { metadata: { source: 'c' } } });
    await typed.updateVector({
      indexName,
      filter: { source: 'c' },
      update: { metadata: { lit: true } },
    });
    const [lamp] = await typed.query({ indexName, filter: { lit: true } });
    assert.deepEqual(lamp!.metadata, { text: 'A lamp.', source: 'c', lit: true });
    await typed.deleteVector({ indexName, id: ids[0]! });
    await typed.deleteVectors({ indexName, filter: { lit: { $ne: true } } });
    assert.deepEqual(await typed.describeIndex({ indexName }), {
      dimension: 3,
      count: 1,
      metric: 'cosine',
    });
    await typed.deleteIndex({ indexName });
    assert.deepEqual(await typed.listIndexes(), []);
    await assert.rejects(typed.query(query), { code: 'ERR_NOT_FOUND' });
  });

  it('is as the guide shows', () => {
    const page = readFileSync(join('..', '..', '..', 'docs', 'guide', 'mastra.md'), 'utf8');
    const code = /```js\n([^]*?)```/.exec(page)![1]!;
    const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
    const example = join('test', 'example.mjs');
    writeFileSync(example, code.replace("'./indexes'", JSON.stringify(join(folder, 'guide'))));
    const printed = execFileSync(process.execPath, [example], { encoding: 'utf8' });
    assert.deepEqual(printed.trim().split('\n'), expected);
  });

  it('takes undefined for what is omitted', async () => {
    const fields = undefined;
    await vectors.createIndex({ indexName: 'none', dimension: 2, fields });
    const more = { askedAt: undefined, question: undefined };
    assert.deepEqual(await vectors.query({ indexName: 'none', queryVector: [1, 0], ...more }), []);
  });
});
