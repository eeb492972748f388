// Search by the caller's vectors: equal to a plain loop for any times, and to the corpus's own
// search; rejected arguments.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, dense, searchVectors, VectorIndex, type VectorTimes } from '../../lib/index.js';
import { withCorpus } from '../corpus.js';

const day = 86_400_000;
describe('VectorIndex', () => {
  it('accepts the times of a whole batch, ISO dates, and a form', async () => {
    using index = new VectorIndex({
      dimensions: 1,
      vectors: Float32Array.of(1, 1, 1),
      publishedAt: Float64Array.of(0, day, NaN),
    });
    assert.deepEqual([index.size, index.dimensions], [3, 1]);
    const found = await index.searchBatch(Float32Array.of(1, 2), 5, { asOf: '1970-01-01' });
    assert.deepEqual([...found.row], [0, 2, 0, 2]);
    assert.ok(found.temporal.every(Number.isNaN));
    const recency = {
      combine: 'sum',
      kind: 'recency',
      clock: 'published',
      at: 2 * day,
      floorDays: 1,
      weight: 1,
    } as const;
    const lines = [{ window: { start: day, end: 2 * day }, atStart: 1, atEnd: 1 }];
    const form = {
      combine: 'product',
      kind: 'spline',
      clock: 'published',
      lines,
      outside: 0.5,
    } as const;
    assert.equal((await index.searchBatch(Float32Array.of(1), 1, { form })).row[0], 1);
    assert.equal((await index.searchBatch(Float32Array.of(1), 3, { form: recency })).row.length, 3);
  });

  it('rejects invalid arguments, and every call after close', async () => {
    const refused = { code: 'ERR_INVALID_ARGUMENT' };
    const rows = { dimensions: 2, vectors: Float32Array.of(1, 2, 3, 4) };
    assert.throws(() => new VectorIndex({ ...rows, dimensions: 3 }), refused);
    assert.throws(() => new VectorIndex({ ...rows, publishedAt: new Float64Array(3) }), refused);
    assert.throws(() => new VectorIndex({ ...rows, validFrom: new Float64Array(2) }), {
      ...refused,
      message: /validTo/,
    });
    assert.throws(
      () =>
        new VectorIndex({
          ...rows,
          contentFrom: Float64Array.of(5, NaN),
          contentTo: Float64Array.of(4, NaN),
        }),
      /row 0/,
    );
    const index = new VectorIndex(rows);
    const queries = Float32Array.of(1, 0);
    await assert.rejects(index.searchBatch(Float32Array.of(1), 1), {
      ...refused,
      message: /vectors/,
    });
    await assert.rejects(index.searchBatch([1, 0] as never, 1), refused);
    await assert.rejects(index.searchBatch(queries, 1, { each: [] }), refused);
    const misspelt = { ...rows, published: new Float64Array(2) } as never;
    assert.throws(() => new VectorIndex(misspelt), {
      ...refused,
      message: /some of .*publishedAt.*"published"/,
    });
    await assert.rejects(index.searchBatch(queries, 1, { asof: '2020' } as never), {
      ...refused,
      message: /some of asOf, .*"asof"/,
    });
    const elsewhere = {
      ...refused,
      message: /some of asOf, .*"device"\. Give device to Corpus\.open\(\)/,
    };
    await assert.rejects(index.searchBatch(queries, 1, { device: 'cuda' } as never), elsewhere);
    await assert.rejects(index.searchBatch(queries, 1, { each: [{ asof: '2020' } as never] }), {
      ...refused,
      message: /options of each\[0\]/,
    });
    await assert.rejects(index.searchBatch(queries, 1, { each: [{}], asOf: '2020' }), {
      ...refused,
      message: /"asOf"/,
    });
    await assert.rejects(index.searchBatch(queries, 1, null as never), refused);
    const gone = Float32Array.of(1, 0);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    await assert.rejects(index.searchBatch(gone, 1), { ...refused, message: /buffer is attached/ });
    for (const wrong of [NaN, Infinity, -Infinity]) {
      const vectors = Float32Array.of(1, 2, 3, wrong);
      assert.throws(() => new VectorIndex({ dimensions: 2, vectors }), {
        ...refused,
        message: /Component 1 of row 1/,
      });
    }
    await assert.rejects(searchVectors(null as never, queries, 1), {
      ...refused,
      message: /^Expected corpus/,
    });
    await assert.rejects(index.searchBatch(queries, 1, { asOf: 'yesterday' }), {
      ...refused,
      message: /asOf/,
    });
    await assert.rejects(index.searchBatch(queries, 1, { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
    const running = index.searchBatch(queries, 2);
    index.close();
    index.close();
    assert.equal(index.isOpen, false);
    assert.deepEqual([...(await running).row], [1, 0]);
    await assert.rejects(index.searchBatch(queries, 1), { code: 'ERR_CLOSED' });
  });

  it('returns nothing for an empty index', async () => {
    using empty = new VectorIndex({ dimensions: 2, vectors: new Float32Array() });
    assert.deepEqual([...(await empty.searchBatch(Float32Array.of(1, 0), 3)).offsets], [0, 0]);
    using some = new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1) });
    assert.deepEqual([...(await some.searchBatch(new Float32Array(), 3)).offsets], [0]);
  });
});

describe('searchVectors', () => {
  let corpus: Corpus;
  const text = (at: number): string =>
    `The ferry no. ${at} crosses ${['a river', 'a lake', 'the bay'][at % 3]} at ${at % 24} o'clock.`;
  withCorpus(
    Array.from({ length: 40 }, (_, at) => ({
      id: `p${at}`,
      text: text(at),
      publishedAt: `19${10 + at}-01-01`,
    })),
    (made) => (corpus = made),
  );

  it("equals the corpus's own search by cosine", async () => {
    const queries = ['Which ferry crosses the bay?', 'ferry no. 12'];
    const vectorsOf = await corpus.encoder.encode(queries, { kind: 'query' });
    const found = await searchVectors(corpus, vectorsOf, 5);
    for (const [q, each] of queries.entries()) {
      const { evidence } = await dense({ corpus }).run({ text: each }, { k: 5 });
      assert.deepEqual(
        found[q]!.map(({ id, similarity }) => ({ id, similarity })),
        evidence.map(({ id, score }) => ({ id, similarity: score })),
      );
    }
    const [before] = await searchVectors(
      corpus,
      vectorsOf.subarray(0, corpus.encoder.dimensions),
      40,
      { asOf: '1920-06-01' },
    );
    assert.equal(before!.length, 11);
  });

  it('scales queries, so that their length changes neither similarity nor order', async () => {
    const vector = await corpus.encoder.encode(['ferry no. 12'], { kind: 'query' });
    const decay = { shape: 'linear', halfLife: '9y', combine: 'sum', origin: '1930' } as const;
    const [own] = await searchVectors(corpus, vector, 9, { decay });
    const [longer] = await searchVectors(
      corpus,
      vector.map((each) => 8 * each),
      9,
      { decay },
    );
    assert.deepEqual([...longer!], [...own!]);
  });

  it('takes vectors one after another, one alone, and a list', async () => {
    const vector = await corpus.encoder.encode(['ferry no. 12'], { kind: 'query' });
    const [own] = await searchVectors(corpus, vector, 9);
    const twice = [own, own].map((hits) => [...hits!]);
    const list = [...vector];
    const found = async (vectors: Parameters<typeof searchVectors>[1]) =>
      (await searchVectors(corpus, vectors, 9)).map((hits) => [...hits]);
    assert.deepEqual(await found(list), twice.slice(1));
    assert.deepEqual(await found([list, vector]), twice);
    assert.deepEqual(await found([...list, ...list]), twice);
    assert.deepEqual(await found([]), []);
    for (const [wrong, pattern] of [
      [[list, [1]], /^Expected vectors\[1\] to be/],
      [[...list, 1], /^Expected vectors to be a list/],
      [[NaN, ...list.slice(1)], /^Expected vectors\[0\]\[0\]/],
      [list.map(() => 0), /^Expected vectors\[0\] to be a vector that has a direction/],
      ['no', /^Expected vectors to be a list/],
    ] as const)
      await assert.rejects(searchVectors(corpus, wrong as never, 1), {
        code: 'ERR_INVALID_ARGUMENT',
        message: pattern,
      });
  });

  it("reports each query's scan", async () => {
    const vectors = await corpus.encoder.encode(['Which ferry crosses the bay?', 'ferry no. 12'], {
      kind: 'query',
    });
    for (const exactness of ['certified', 'raw'] as const) {
      const found = await searchVectors(corpus, vectors, 3, { exactness });
      const certain = exactness === 'certified';
      assert.deepEqual(
        found.map(({ scan: { storage, exact } }) => ({ storage, exact })),
        Array(2).fill({ storage: 'int4', exact: certain }),
      );
      for (const {
        scan: { rescored },
      } of found)
        assert.ok(rescored >= (certain ? 3 : 0) && rescored <= 40, `${rescored} rescored`);
    }
  });

  it('returns ids of several segments, in any script', async () => {
    const ids = ['ŠKODA-1', 'plain', '日本-3', '🚢', 'é'];
    for (const id of ids)
      await corpus.add([{ id, text: text(ids.indexOf(id)), publishedAt: '2020-01-01' }]);
    const vector = await corpus.encoder.encode([text(1)], { kind: 'query' });
    const [found] = await searchVectors(corpus, vector, 100);
    assert.deepEqual(
      found!.map(({ id }) => id).sort(),
      [...Array.from({ length: 40 }, (_, at) => `p${at}`), ...ids].sort(),
    );
    await corpus.delete(ids);
  });

  it('returns equal columns, for any ids and after the corpus is closed', async () => {
    const ids = ['ŠKODA-1', '日本-3', '🚢'];
    const folder = await mkdtemp(join(tmpdir(), 'asof-columns-'));
    const opened = await Corpus.open(folder);
    await opened.add(
      Array.from({ length: 30 }, (_, at) => ({
        id: `${ids[at] ?? 'p'}${at}`,
        text: text(at),
        publishedAt: `19${10 + at}-01-01`,
      })),
    );
    const vectors = await opened.encoder.encode([text(1), text(2), text(3)], { kind: 'query' });
    const lines = [
      { window: { start: Date.UTC(1915), end: Date.UTC(1925) }, atStart: 1, atEnd: 1 },
    ];
    const form = {
      combine: 'product',
      kind: 'spline',
      clock: 'published',
      lines,
      outside: 0.5,
    } as const;
    const each: VectorTimes[] = [{}, { form }, { asOf: '1900' }];
    for (const k of [0, 4, 100]) {
      const lists = await searchVectors(opened, vectors, k, { each });
      const columns = await searchVectors(opened, vectors, k, { each, as: 'columns' });
      if (k === 100) await opened.close();
      const rebuilt = lists.map((_, q) =>
        Array.from({ length: columns.offsets[q + 1]! - columns.offsets[q]! }, (_none, at) => {
          const i = columns.offsets[q]! + at,
            temporal = columns.temporal[i]!;
          const hit = {
            id: columns.id(i),
            score: columns.score[i]!,
            similarity: columns.similarity[i]!,
          };
          return Number.isNaN(temporal) ? hit : { ...hit, temporal };
        }),
      );
      assert.deepEqual(
        rebuilt,
        lists.map((hits) => [...hits]),
      );
      assert.deepEqual(
        columns.scans,
        lists.map(({ scan }) => scan),
      );
      const n = lists.reduce((sum, hits) => sum + hits.length, 0);
      assert.deepEqual(
        [columns.score, columns.similarity, columns.temporal].map(({ length }) => length),
        [n, n, n],
      );
      for (const wrong of [n, -1, 0.5, NaN])
        assert.throws(() => columns.id(wrong), {
          code: 'ERR_INVALID_ARGUMENT',
          message: /^Expected i/,
        });
    }
    await rm(folder, { recursive: true });
  });

  it('rejects other result shapes, and conflicting options', async () => {
    const vector = await corpus.encoder.encode([text(1)], { kind: 'query' });
    await assert.rejects(searchVectors(corpus, vector, 1, { as: 'rows' } as never), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /^Expected as/,
    });
    await assert.rejects(searchVectors(corpus, vector, 1, null as never), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /^Expected options/,
    });
    using index = new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1) });
    await assert.rejects(index.searchBatch(Float32Array.of(1), 1, { as: 'columns' } as never), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /"as"/,
    });
  });

  it('returns the results of small batches for one that is searched in parts', async () => {
    const [d, count] = [corpus.encoder.dimensions, 1_300];
    const own = await corpus.encoder.encode(
      Array.from({ length: 13 }, (_, at) => text(at)),
      { kind: 'query' },
    );
    const queries = Float32Array.from(
      { length: count * d },
      (_, i) => own[i % own.length]! * (1 + Math.floor(i / d) / count),
    );
    const each = Array.from(
      { length: count },
      (_, q): VectorTimes => ({ asOf: `19${10 + (q % 40)}-06-01` }),
    );
    const found = await searchVectors(corpus, queries, 40, { each });
    assert.equal(found.length, count);
    for (const [from, to] of [
      [0, 9],
      [640, 660],
      [1_299, 1_300],
    ] as const) {
      const fewer = await searchVectors(corpus, queries.subarray(from * d, to * d), 40, {
        each: each.slice(from, to),
      });
      for (const [at, hits] of fewer.entries()) {
        assert.deepEqual([...found[from + at]!], [...hits]);
        assert.equal(hits.length, 1 + ((from + at) % 40));
      }
    }
    const [some] = await searchVectors(corpus, queries, 4_000_000_000);
    assert.equal(some!.length, 40);
    for (const k of [NaN, -1, 0.5, Infinity, '3', 3n] as never[]) {
      await assert.rejects(searchVectors(corpus, queries, k), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /^Expected k/,
      });
    }
  });

  it('rejects vectors of another encoder', async () => {
    await assert.rejects(searchVectors(corpus, Float32Array.of(1, 0), 1), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /vectors/,
    });
  });
});
