// Batches whose queries are in time: rows of f32 compared in registers, splines in the panels' own
// filter, rows with the best recency, narrow windows and broad ones. Whatever is read first,
// results have the bits that each query has alone.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatResult, MemoryRows, Storage } from '../../binding.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../lib/time/temporalForms.js';
import { atEveryExtension, normals, random } from '../kernels/levels.js';

const day = 86_400_000;
const [dimensions, rows, days] = [24, 80 * 256 + 5, 2_000];

type Order = 'sorted' | 'mixed';
const vectors = normals(rows * dimensions, 15);
const queryVectors = normals(26 * dimensions, 16);

function memory(order: Order, storage: Storage): MemoryRows {
  const next = random(17);
  const dayOf = (row: number): number =>
    Math.floor(((order === 'sorted' ? row : (row * 7919) % rows) / rows) * days);
  const published = Float64Array.from({ length: rows }, (_, row) =>
    row % 97 === 0 ? NaN : dayOf(row) * day,
  );
  const contentOffset = new Uint32Array(rows + 1);
  const [contentStart, contentEnd]: [number[], number[]] = [[], []];
  for (let row = 0; row < rows; row += 1) {
    for (let times = row % 13 === 0 ? 0 : row % 11 === 0 ? 3 : 1; times > 0; times -= 1) {
      const start = (dayOf(row) + Math.floor(next() * 30)) * day;
      contentStart.push(row % 101 === 0 ? -Infinity : start);
      contentEnd.push(
        row % 103 === 0 ? Infinity : row % 17 === 0 ? start : start + Math.ceil(next() * 40) * day,
      );
    }
    contentOffset[row + 1] = contentStart.length;
  }
  return new binding.MemoryRows({
    passages: rows,
    multiSentence: 0,
    dimensions,
    vectors,
    storage,
    rowPassage: Uint32Array.from({ length: rows }, (_, row) => row),
    published,
    contentOffset,
    contentStart: Float64Array.from(contentStart),
    contentEnd: Float64Array.from(contentEnd),
    validStart: published.map((at, row) => (row % 3 === 0 ? at : NaN)),
    validEnd: published.map((at, row) => (row % 3 === 0 ? at + 5 * day : NaN)),
  });
}

const line = (start: number, end: number, atStart: number, atEnd: number) => ({
  window: { start: start * day, end: end * day },
  atStart,
  atEnd,
});
const recency = (at: number, weight: number, floorDays = 1): TemporalForm => ({
  combine: 'sum',
  kind: 'recency',
  clock: 'published',
  at: at * day,
  floorDays,
  weight,
});
const window = (
  start: number,
  end: number,
  relation: 'overlaps' | 'within' | 'contains' = 'overlaps',
): Mask => ({ window: { start: start * day, end: end * day, clock: 'content', relation } });

const cases: Record<string, (q: number) => Omit<ScanQuery, 'vector'>> = {
  'no time': () => ({}),
  'weights beyond what floats hold': (q) => ({ semanticWeight: q % 2 === 0 ? 1e39 : 1e300 }),
  'one spline': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(0, days, 0.6, 1)],
      outside: 0.5,
    },
  }),
  'a spline that lifts what is below 0': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(days / 2, days, 2, 1.2)],
      outside: 1.5,
    },
    mask: window(1_000, 1_040),
  }),
  'a spline that lies below what is outside of it': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(-2, 2 * days, 0.2, 0.5)],
      outside: 1,
    },
  }),
  'lines that lie below what is outside of them': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(-2, days, 0.2, 0.5), line(500, 2 * days, 0.1, 0.9)],
      outside: 1,
    },
  }),
  'a spline below what is outside of it, where long spans are': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [{ ...line(-2, 2 * days, 0.2, 0.5), longestMs: 20 * day }],
      outside: 1,
    },
  }),
  'lines that lie above what is outside of them': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(0, 1_200, 0.4, 0.5), line(500, days, 0.7, 0.3)],
      outside: 0.1,
    },
  }),
  'a spline that no row is on': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(-9, -8, 1, 2)],
      outside: 0,
    },
  }),
  'a spline of several lines over validity first': () => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'validity or content',
      outside: 0.3,
      lines: [
        line(100, 900, 0.2, 1.9),
        { ...line(500, 1_500, 1, 0), longestMs: 20 * day },
        line(700, 700, 0.4, 0.4),
      ],
    },
  }),
  'splines of their own': (q) => ({
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'published',
      lines: [line(100 * q, 900 + 90 * q, 1, 0.4)],
      outside: 0.7,
    },
  }),
  'a recency that decides': () => ({ form: recency(days, 1) }),
  'recencies from days of their own': (q) => ({
    form: recency(days - 150 * q, [1, 0.05, -1, 4][q % 4]!, 1 + q),
  }),
  'a recency that weighs little': () => ({ form: recency(days, 0.1, 30) }),
  'recencies that weigh more or less': (q) => ({
    form: recency(days + 3, [0.3, 0.02, 0, 1.5][q % 4]!, 0.25),
  }),
  'a recency that very many rows share': () => ({ form: recency(days, 1, 100) }),
  'a recency long after': () => ({ form: recency(40 * days, 1) }),
  'a window of three hundredths, with a spline': () => ({
    mask: window(900, 960),
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(900, 960, 0.2, 1.4)],
      outside: 0.5,
    },
  }),
  'a window of a hundredth': () => ({ mask: window(900, 920, 'within') }),
  'a window of a fifth': () => ({ mask: window(900, 1_300) }),
  'wide windows of their own, with a spline': (q) => ({
    mask: window(30 * q, 700 + 50 * q),
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(0, days, 0.6, 1)],
      outside: 0.5,
    },
  }),
  'narrow windows of their own, some of them shared': (q) => ({
    mask: window(300 + 90 * (q % 9), 320 + 90 * (q % 9), 'within'),
  }),
  'windows of their own': (q) => ({ mask: window(150 * q, 150 * q + 40) }),
  'a window of nearly all, with a spline': () => ({
    mask: { ...window(20, 4 * days), publishedUntil: (days - 3) * day },
    form: {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [line(0, days, 0.6, 1)],
      outside: 0.5,
    },
  }),
};

type Compared = Omit<FlatResult, 'storage' | 'rescored'>;
const same = ({ storage: _storage, rescored: _rescored, ...result }: FlatResult): Compared =>
  result;

describe('batches of a scan in time', () => {
  const kept = new Map<string, MemoryRows>();
  const rowsOf = (order: Order, storage: Storage): { rows: MemoryRows } => {
    const name = `${order} ${storage} ${binding.isa()}`; // moments are measured at the level in use
    if (!kept.has(name)) kept.set(name, memory(order, storage));
    return { rows: kept.get(name)! };
  };
  after(() => {
    for (const each of kept.values()) each.close();
    addon.setThreadCount(0);
  });

  const queriesOf = (times: (q: number) => Omit<ScanQuery, 'vector'>, count: number): ScanQuery[] =>
    Array.from({ length: count }, (_, q) => ({
      vector: queryVectors.slice(q * dimensions, (q + 1) * dimensions),
      ...times(q),
    }));

  atEveryExtension(() => {
    for (const [name, times] of Object.entries(cases)) {
      it(`find with ${name} what each query finds alone`, async () => {
        const queries = queriesOf(times, 26);
        for (const order of ['sorted', 'mixed'] as const) {
          const alone = await Promise.all(
            queries.map((query) => scanFlat([rowsOf(order, 'f32')], [query], { k: 40 })),
          );
          for (const storage of ['f32', 'int8', 'int4', 'bf16'] as const) {
            const batch = same(await scanFlat([rowsOf(order, storage)], queries, { k: 40 }));
            alone.forEach((expected, q) => {
              const [from, to] = [batch.offsets[q]!, batch.offsets[q + 1]!];
              for (const column of ['row', 'score', 'similarity', 'temporal', 'mention'] as const) {
                assert.deepEqual(
                  batch[column].slice(from, to),
                  expected[column],
                  `${column} of ${q}, ${order}, ${storage}`,
                );
              }
              assert.equal(batch.rowsMasked[q], expected.rowsMasked[0]);
              assert.equal(batch.relevanceDeviation[q], expected.relevanceDeviation[0]);
              assert.equal(batch.recencyMean[q], expected.recencyMean[0]);
            });
          }
        }
      });
    }
  });

  it(
    'leave nearly all rows unread where a recency decides, and a window of a hundredth is ' +
      'read in f32',
    async () => {
      const decided = await scanFlat(
        [rowsOf('mixed', 'int8')],
        queriesOf(cases['a recency that decides']!, 8),
        { k: 40 },
      );
      assert.ok(Math.max(...decided.rescored) < rows / 4, decided.rescored.join(', '));
      assert.deepEqual(new Set(decided.storage), new Set([2]));
      const narrow = await scanFlat(
        [rowsOf('sorted', 'int8')],
        queriesOf(cases['a window of a hundredth']!, 8),
        { k: 40 },
      );
      assert.deepEqual(new Set(narrow.storage), new Set([0]));
    },
  );

  it('find the same with several threads, pooled, and where vectors are not finite', async () => {
    const given = vectors.slice();
    for (const row of [3, 5_000, 12_345]) given[row * dimensions + 2] = row === 3 ? NaN : Infinity;
    const odd = (storage: Storage): MemoryRows =>
      new binding.MemoryRows({
        passages: rows,
        multiSentence: 0,
        dimensions,
        vectors: given,
        storage,
        rowPassage: Uint32Array.from({ length: rows }, (_, row) => row >> 1),
        published: Float64Array.from({ length: rows }, (_, row) => (row % days) * day),
      });
    for (const threads of [1, 3]) {
      addon.setThreadCount(threads);
      const narrow: (typeof cases)[string] = (q) => ({
        mask: {
          window: {
            start: 40 * (q % 2) * day,
            end: (40 * (q % 2) + 30) * day,
            clock: 'published',
            relation: 'within',
          },
        },
      });
      const some = [
        'no time',
        'splines of their own',
        'recencies from days of their own',
        'a recency that weighs little',
      ];
      for (const times of [...some.map((name) => cases[name]!), narrow]) {
        const queries = queriesOf(times, 12);
        const [f32, int8] = (['f32', 'int8'] as const).map((storage) =>
          scanFlat([{ rows: odd(storage) }], queries, { k: 30, pool: true }),
        );
        assert.deepEqual(same(await int8!), same(await f32!));
      }
    }
  });

  it(
    'find what scores least below 0 where some rows are beyond all bounds and their time ' +
      'gives them nothing',
    async () => {
      const given = vectors.map((value, i) => (i % dimensions === 0 ? -1 - Math.abs(value) : 0));
      for (let row = 0; row < 40; row += 1) given[row * dimensions] = -1e19;
      const published = Float64Array.from({ length: rows }, (_, row) => (row < 40 ? -1 : 1) * day);
      const odd = (storage: Storage): MemoryRows =>
        new binding.MemoryRows({
          passages: rows,
          multiSentence: 0,
          dimensions,
          vectors: given,
          storage,
          rowPassage: Uint32Array.from({ length: rows }, (_, row) => row),
          published,
        });
      const form: TemporalForm = {
        combine: 'product',
        kind: 'spline',
        clock: 'published',
        lines: [line(0, 2, 1, 1)],
        outside: 0,
      };
      const vector = Float32Array.from({ length: dimensions }, (_, c) => (c === 0 ? 1 : 0));
      const queries = Array.from({ length: 5 }, () => ({ vector, form }));
      const [f32, int8] = (['f32', 'int8'] as const).map((storage) =>
        scanFlat([{ rows: odd(storage) }], queries, { k: 10 }),
      );
      assert.deepEqual(same(await int8!), same(await f32!));
    },
  );
});
