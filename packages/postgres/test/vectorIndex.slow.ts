// Approximate search in PostgreSQL: what the index of vectors finds is scored as exact search
// scores it, says that it may lack some, and is not used where few rows pass.
import assert from 'node:assert/strict';
import { dense, type SystemResult } from '../../../lib/index.js';
import { re3 } from '../../../lib/papers/index.js';
import { PostgresCorpus } from '../lib/index.js';
import { failsWith } from '../../../test/failsWith.js';
import { drawOf } from '../../../test/index/flat.corpus.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const dimensions = 16;

/** Gives a text a vector by the number that it ends with. */
const encoder = {
  id: 'by numbers',
  dimensions,
  encode(texts: readonly string[]): Promise<Float32Array> {
    const vectors = texts.flatMap((text) => {
      const draw = drawOf(Number(/\d+/.exec(text)?.[0] ?? 1), 0);
      const vector = Array.from({ length: dimensions }, () => draw.integer(-100, 100));
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    });
    return Promise.resolve(Float32Array.from(vectors));
  },
};
const words = 'harbour bridge castle tower garden market'.split(' ');
const passages = Array.from({ length: 6000 }, (_, i) => ({
  id: `p${i}`,
  text: `${words[i % words.length]} ${i}`,
  publishedAt: Date.UTC(1990 + (i % 30), i % 12),
  metadata: { kind: i % 200 === 0 ? 'rare' : 'common' },
}));
const rare = { kind: 'rare' };
const questions = Array.from({ length: 20 }, (_, i) => ({ text: `castle ${10_000 + i}` }));

describe('the index of vectors', function () {
  this.timeout(300_000);
  let servers: PostgresServers;
  let exact: PostgresCorpus;
  let approximate: PostgresCorpus;
  const connect = (candidates?: number): Promise<PostgresCorpus> =>
    PostgresCorpus.connect({
      shards: servers.urls,
      encoder,
      fields: { kind: 'keyword' },
      ...(candidates === undefined ? {} : { approximate: { candidates } }),
    });
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    exact = await connect();
    await exact.add(passages);
    approximate = await connect(40);
  });
  after(async () => {
    await exact?.close();
    await approximate?.close();
    await servers?.stop();
  });

  const isExact = ({ scan }: SystemResult): boolean => scan!.exact;

  it('is not there before it is built, whose search is exact', async () => {
    assert.ok(isExact(await dense({ corpus: approximate }).run(questions[0]!)));
  });

  it('is built once on each shard, also after a call that was aborted', async () => {
    const signal = AbortSignal.timeout(50);
    await assert.rejects(exact.buildVectorIndex({ signal }), failsWith('ERR_ABORTED'));
    assert.equal(await exact.buildVectorIndex(), 2);
    assert.equal(await exact.buildVectorIndex(), 0);
  });

  it('finds most of the best, with the scores of exact search', async () => {
    let [found, wanted] = [0, 0];
    for (const question of questions)
      for (const decay of [
        undefined,
        { shape: 'exponential', halfLife: '2y', combine: 'product' } as const,
      ]) {
        const options = decay ? { decay } : {};
        const [right, given] = await Promise.all(
          [exact, approximate].map((corpus) => dense({ corpus, ...options }).run(question)),
        );
        assert.deepEqual([isExact(right!), isExact(given!)], [true, false]);
        const scores = new Map(right!.evidence.map(({ id, score }) => [id, score]));
        wanted += scores.size;
        for (const { id, score } of given!.evidence) {
          if (!scores.has(id)) continue;
          found += 1;
          assert.ok(Math.abs(score - scores.get(id)!) < 1e-6, `${id}: ${score}`);
        }
      }
    assert.ok(found / wanted > 0.9, `${found} of ${wanted}`);
  });

  it('holds what is written later', async () => {
    await exact.add([{ id: 'new', text: 'harbour 10003', publishedAt: '2021' }]);
    const { evidence, scan } = await dense({ corpus: approximate }).run(questions[3]!);
    assert.deepEqual([evidence[0]!.id, scan!.exact], ['new', false]);
    await exact.delete(['new']);
    const again = await dense({ corpus: approximate }).run(questions[3]!);
    assert.notEqual(again.evidence[0]!.id, 'new');
  });

  it('is not used where few rows pass a filter', async () => {
    const [right, given] = await Promise.all(
      [exact, approximate].map((corpus) => dense({ corpus }).run(questions[0]!, { where: rare })),
    );
    assert.ok(isExact(given!));
    assert.deepEqual(
      given!.evidence.map(({ id }) => id),
      right!.evidence.map(({ id }) => id),
    );
  });

  it('is built for vectors that a system derived', async () => {
    const options = { shards: servers.urls, schema: 'embedded', approximate: { candidates: 10 } };
    await using corpus = await PostgresCorpus.connect(options);
    await corpus.add(passages.slice(0, 1500));
    assert.equal(await corpus.buildVectorIndex(), 2);
    const question = { text: 'Which castle was there in 2005?' };
    const before = await re3({ corpus }).run(question);
    assert.equal(await corpus.buildVectorIndex(), 2);
    const after = await re3({ corpus }).run(question);
    assert.deepEqual([isExact(before), isExact(after)], [true, false]);
    const scores = new Map(before.evidence.map(({ id, score }) => [id, score]));
    const found = after.evidence.filter(({ id }) => scores.has(id));
    assert.ok(found.length >= 5, `${found.length}`);
    for (const { id, score } of found) assert.ok(Math.abs(score - scores.get(id)!) < 1e-6, id);
  });

  it('refuses options that it does not have', async () => {
    await assert.rejects(exact.buildVectorIndex({ m: 1 }), failsWith('ERR_INVALID_ARGUMENT'));
    await assert.rejects(
      exact.buildVectorIndex({ efConstruction: 20 }),
      failsWith('ERR_INVALID_ARGUMENT'),
    );
    await assert.rejects(connect(9), failsWith('ERR_INVALID_ARGUMENT'));
  });
});
