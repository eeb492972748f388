// Scans that read panels first: of corpora large enough for rows to be left, the results of a scan
// of the f32 vectors, bit for bit, whatever the form, mask, pooling, storage and instruction set;
// what the two inexact ways promise; and that a search leaves the event loop free.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatResult, MemoryRows, Storage } from '../../binding.js';
import { scanReport } from '../../lib/retrieval/scanReport.js';
import { scanFlat, type ScanOptions, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../lib/time/temporalForms.js';
import { atEveryExtension, normals, random } from '../kernels/levels.js';

const day = 86_400_000;
const [dimensions, rows] = [96, 6_000];

interface World {
  vectors: Float32Array;
  /** Spoils vectors before they are packed. */
  spoil?: (vectors: Float32Array) => void;
  sorted?: boolean;
}

/**
 * Passages of two rows each, the first half of them whole; some published, some with content times.
 */
function memory({ vectors, sorted = false }: World, storage: Storage): MemoryRows {
  const next = random(5);
  const instants = Float64Array.from({ length: rows }, () => Math.floor(next() * 4_000) * day);
  if (sorted) instants.sort();
  const offset = Uint32Array.from({ length: rows + 1 }, (_, row) => Math.floor((row * 4) / 5));
  const timeOf = (i: number): number =>
    sorted ? instants[Math.floor((i * 5) / 4)]! : Math.floor(next() * 4_000) * day;
  const times = Float64Array.from({ length: offset[rows]! }, (_, i) => timeOf(i));
  return new binding.MemoryRows({
    passages: rows / 2,
    multiSentence: rows / 4,
    dimensions,
    vectors,
    storage,
    rowPassage: Uint32Array.from({ length: rows }, (_, row) =>
      row < rows / 2 ? row : row - rows / 2,
    ),
    published: instants.map((each, row) => (row % 9 === 0 ? NaN : each)),
    contentOffset: offset,
    contentStart: times,
    contentEnd: times.map((start, i) => start + (i % 30) * day),
  });
}

const masks: Mask[] = [
  {},
  { publishedUntil: 1_500 * day },
  { window: { start: 1_000 * day, end: 1_100 * day, clock: 'content', relation: 'overlaps' } },
  {
    publishedUntil: 3_900 * day,
    window: { start: 100 * day, end: 3_000 * day, clock: 'published', relation: 'within' },
  },
];
const lines = [
  { window: { start: 900 * day, end: 1_400 * day }, atStart: 0.6, atEnd: 1 },
  { window: { start: 1_200 * day, end: Infinity }, atStart: 1, atEnd: 0.4, longestMs: 20 * day },
];
const forms: TemporalForm[] = [
  { combine: 'none' },
  { combine: 'product', kind: 'spline', clock: 'content', lines, outside: 0.5 },
  {
    combine: 'product',
    kind: 'spline',
    clock: 'validity or published',
    lines: [lines[0]!],
    outside: 0,
  },
  { combine: 'sum', kind: 'recency', clock: 'published', at: 4_000 * day, floorDays: 1, weight: 1 },
];
const everyTime = masks.flatMap((mask) => forms.map((form) => ({ mask, form })));

/** As many queries, each under its own times, some of them near a row. */
function queriesFor(
  count: number,
  vectors: Float32Array,
  changes: Partial<ScanQuery> = {},
): ScanQuery[] {
  const drawn = normals(count * dimensions, 11);
  return Array.from({ length: count }, (_, q) => {
    const vector = drawn.slice(q * dimensions, (q + 1) * dimensions);
    if (q % 3 === 0)
      vector.forEach(
        (value, c) => void (vector[c] = value / 4 + vectors[((q * 37) % rows) * dimensions + c]!),
      );
    return { vector, ...everyTime[q % everyTime.length]!, ...changes };
  });
}

const same = ({
  storage: _storage,
  rescored: _rescored,
  ...result
}: FlatResult): Omit<FlatResult, 'storage' | 'rescored'> => result;

/**
 * Scans the same rows plainly and by panels of every type, in one segment and in two of different
 * types, and expects the same.
 */
async function bothWays(
  world: World,
  queries: readonly ScanQuery[],
  options: ScanOptions,
): Promise<number> {
  const plain = memory(world, 'f32');
  const [int8, int4, bf16] = [memory(world, 'int8'), memory(world, 'int4'), memory(world, 'bf16')];
  const expected = await scanFlat([{ rows: plain }], queries, options);
  const twice = await scanFlat([{ rows: plain }, { rows: plain }], queries, options);
  let rescored = 0;
  for (const panels of [int8, int4, bf16]) {
    const found = await scanFlat([{ rows: panels }], queries, options);
    assert.deepEqual(same(found), same(expected));
    rescored = Math.max(rescored, ...found.rescored);
  }
  assert.deepEqual(
    same(await scanFlat([{ rows: int8 }, { rows: bf16 }], queries, options)),
    same(twice),
  );
  assert.deepEqual(
    same(await scanFlat([{ rows: int4 }, { rows: int8 }], queries, options)),
    same(twice),
  );
  for (const each of [plain, int8, int4, bf16]) each.close();
  return rescored;
}

describe('a scan by panels', () => {
  const vectors = normals(rows * dimensions, 3);
  after(() => addon.setThreadCount(0));

  atEveryExtension((level) => {
    const few = level === 'reference' ? 6 : 16;

    it('gives the bits of the plain scan for one query or many with their own times', async () => {
      const cases = [
        [1, 10, 'all', false],
        [few, 10, 'passages', false],
        [40, 3, 'sentences', true],
        [few, 100, 'all', true],
      ] as const;
      for (const [count, k, scope, pool] of cases) {
        await bothWays({ vectors }, queriesFor(count, vectors), { k, scope, pool });
      }
    });

    it('does so where rows are alike, zero, large, small or not finite', async () => {
      const odd = vectors.slice();
      for (let row = 0; row < rows; row += 1) {
        const own = odd.subarray(row * dimensions, (row + 1) * dimensions);
        if (row % 3 === 0) own.set(odd.subarray(0, dimensions));
        if (row % 101 === 1) own.fill(0);
        if (row % 503 === 2) own[row % dimensions] = NaN;
        if (row % 509 === 2) own[row % dimensions] = Infinity;
        if (row % 211 === 5) own.forEach((value, c) => void (own[c] = value * 1e-41));
        if (row % 1_999 === 4) own.forEach((value, c) => void (own[c] = value * 1e25));
      }
      // moments of what is not finite are not numbers
      const ofRows = queriesFor(8, vectors).filter(({ form }) => form?.combine !== 'sum');
      for (const pool of [false, true]) await bothWays({ vectors: odd }, ofRows, { k: 20, pool });
    });
  });

  it('gives them on any number of threads, and with lexical scores in addition', async () => {
    const words = Float32Array.from(normals(rows, 17), (value) => Math.max(0, value - 0.8) * 8);
    for (const threads of [1, 2, 5]) {
      addon.setThreadCount(threads);
      const queries = queriesFor(4, vectors, {
        semanticWeight: 0.4,
        lexicalWeight: 0.6,
        lexical: [words],
      });
      const expected = await scanFlat([{ rows: memory({ vectors }, 'f32') }], queries, {
        k: 10,
        pool: true,
      });
      for (const storage of ['int8', 'int4', 'bf16'] as const) {
        assert.deepEqual(
          same(
            await scanFlat([{ rows: memory({ vectors }, storage) }], queries, {
              k: 10,
              pool: true,
            }),
          ),
          same(expected),
        );
      }
      await bothWays({ vectors }, queriesFor(5, vectors), { k: 7 });
    }
    addon.setThreadCount(0);
  });

  it('accepts no rows, no results, k above the row count, and negative weights', async () => {
    const empty = { vectors: new Float32Array(0), rowPassage: new Uint32Array(0) };
    const none = new binding.MemoryRows({
      passages: 0,
      multiSentence: 0,
      dimensions,
      ...empty,
      storage: 'int8',
    });
    assert.equal(
      (await scanFlat([{ rows: none }], queriesFor(3, vectors), { k: 5 })).row.length,
      0,
    );
    for (const k of [0, rows - 1, rows, rows + 1, 0xffffffff])
      await bothWays({ vectors }, queriesFor(2, vectors), { k });
    await bothWays({ vectors }, queriesFor(3, vectors, { semanticWeight: -1 }), { k: 5 });
    await bothWays({ vectors }, queriesFor(3, vectors, { vector: new Float32Array(dimensions) }), {
      k: 5,
    });
  });

  for (const storage of ['int8', 'int4'] as const) {
    it(`reads few f32 vectors of ${storage}, and says so`, async () => {
      const found = await scanFlat(
        [{ rows: memory({ vectors }, storage) }],
        // a few: below AVX-512 many read f32
        queriesFor(20, vectors, { mask: {}, form: forms[0]! }),
        { k: 10 },
      );
      for (let q = 0; q < 20; q += 1) {
        const { rescored, ...reading } = scanReport(found, q);
        assert.deepEqual(reading, { storage, exact: true, device: 'cpu' });
        assert.ok(
          rescored >= 10 && rescored < rows / 10,
          `${rescored} rows were scored by their f32 vectors`,
        );
      }
    });

    it(`orders the best of ${storage} by their f32 vectors, or leaves them as they are`, async () => {
      const queries = queriesFor(20, vectors, { mask: {}, form: forms[1]! });
      const segments = [{ rows: memory({ vectors }, storage) }];
      const exact = await scanFlat(segments, queries, { k: 10 });
      const queryOf = (i: number): number => queries.findIndex((_, q) => i < exact.offsets[q + 1]!);
      const similarities = new Map(
        Array.from(exact.row, (row, i) => [`${queryOf(i)} ${row}`, exact.similarity[i]!]),
      );
      for (const [exactness, least, error] of [
        ['rescored', 1, 0],
        ['raw', 0.9, 0.05],
      ] as const) {
        const found = await scanFlat(segments, queries, { k: 10, exactness });
        let shared = 0;
        queries.forEach((_, q) => {
          const reading = scanReport(found, q);
          assert.deepEqual(
            [reading.storage, reading.exact, reading.rescored],
            [storage, false, exactness === 'raw' ? 0 : 40],
          );
          for (let i = found.offsets[q]!; i < found.offsets[q + 1]!; i += 1) {
            const similarity = similarities.get(`${q} ${found.row[i]!}`);
            if (similarity === undefined) continue;
            shared += 1;
            assert.ok(
              Math.abs(found.similarity[i]! - similarity) <=
                error * Math.max(1, Math.abs(similarity)),
            );
          }
        });
        assert.ok(
          shared >= least * exact.row.length,
          `${exactness}: ${shared} of ${exact.row.length}`,
        );
      }
      const plain = await scanFlat([{ rows: memory({ vectors }, 'f32') }], queries, {
        k: 10,
        exactness: 'raw',
      });
      assert.deepEqual(scanReport(plain, 0), {
        storage: 'f32',
        rescored: 0,
        exact: true,
        device: 'cpu',
      });
      await assert.rejects(
        scanFlat(segments, queries, { k: 10, exactness: 'roughly' as never }),
        /Expected exactness to be one of certified/,
      );
    });
  }

  it('gives the bits of the plain scan where rows stand in the order of time', async () => {
    await bothWays({ vectors, sorted: true }, queriesFor(16, vectors), { k: 10 });
  });

  it('leaves the event loop free', async () => {
    const segments = Array.from({ length: 20 }, () => ({ rows: memory({ vectors }, 'int8') }));
    const queries = queriesFor(60, vectors);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    for (let turn = 0; turn < 3; turn += 1) await scanFlat(segments, queries, { k: 10 });
    clearInterval(timer);
    assert.ok(ticks >= 6, `${ticks} ticks`);
  });
});
