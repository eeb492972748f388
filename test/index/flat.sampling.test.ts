// Thresholds of batches that are estimated from a sample of the rows: results have the bits of the
// plain scan for right estimates, for wrong ones (the best rows are adjacent in the sample) and for
// ties.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatResult, MemoryRows, Storage } from '../../binding.js';
import { scanFlat, type ScanOptions, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import type { TemporalForm } from '../../lib/time/temporalForms.js';
import { atEveryExtension, normals } from '../kernels/levels.js';

const day = 86_400_000;
const [dimensions, rows, block, unit] = [32, 80 * 256 + 19, 256, 32];

function memory(vectors: Float32Array, storage: Storage): MemoryRows {
  return new binding.MemoryRows({
    passages: rows / 3,
    multiSentence: 0,
    dimensions,
    vectors,
    storage,
    rowPassage: Uint32Array.from({ length: rows }, (_, row) => Math.floor(row / 3)),
    published: Float64Array.from({ length: rows }, (_, row) => Math.floor(row / 7) * day),
  });
}

const spline: TemporalForm = {
  combine: 'product',
  kind: 'spline',
  clock: 'published',
  outside: 0.5,
  lines: [{ window: { start: 100 * day, end: 2_000 * day }, atStart: 1, atEnd: 0.6 }],
};

/**
 * Without times, and seeing all rows: units of 32 rows are sampled, which is said by products
 * alone.
 */
function plainQueries(count: number, directions: Float32Array): ScanQuery[] {
  return Array.from({ length: count }, (_, q) => ({
    vector: directions.slice((q % 4) * dimensions, ((q % 4) + 1) * dimensions),
    semanticWeight: 1 + (q % 2) / 3,
  }));
}

function queriesFor(count: number, directions: Float32Array): ScanQuery[] {
  return Array.from({ length: count }, (_, q) => ({
    vector: directions.slice((q % 4) * dimensions, ((q % 4) + 1) * dimensions),
    ...(q % 3 === 1 ? { form: spline } : {}),
    ...(q % 5 === 4 ? { mask: { publishedUntil: 900 * day } } : {}),
  }));
}

const same = ({
  storage: _storage,
  rescored: _rescored,
  ...result
}: FlatResult): Omit<FlatResult, 'storage' | 'rescored'> => result;

/**
 * Expects the plain scan's results of both types of panels; the most rows that any query scored by
 * f32 vectors.
 */
async function bothWays(
  vectors: Float32Array,
  queries: readonly ScanQuery[],
  options: ScanOptions,
): Promise<number> {
  const expected = await scanFlat([{ rows: memory(vectors, 'f32') }], queries, options);
  let rescored = 0;
  for (const storage of ['int8', 'int4', 'bf16'] as const) {
    const found = await scanFlat([{ rows: memory(vectors, storage) }], queries, options);
    assert.deepEqual(same(found), same(expected), storage);
    rescored = Math.max(rescored, ...found.rescored);
  }
  return rescored;
}

describe('a scan that guesses thresholds', () => {
  const vectors = normals(rows * dimensions, 5);
  const directions = normals(4 * dimensions, 6);
  /**
   * The best rows stand in a tile that is sampled, more of them than a guess takes and fewer than a
   * query returns.
   */
  const bestTogether = (): Float32Array => {
    const together = vectors.slice();
    for (let row = 8 * block; row < 8 * block + 90; row += 1) {
      const direction = (row % 4) * dimensions;
      for (let c = 0; c < dimensions; c += 1)
        together[row * dimensions + c]! += 9 * directions[direction + c]!;
    }
    return together;
  };
  /**
   * The same for units, of which every fourth is sampled: each of four directions has the best rows
   * of two of them.
   */
  const bestInUnits = (): Float32Array => {
    const together = vectors.slice();
    for (let row = 0; row < 8 * 4 * unit; row += 1) {
      const number = Math.floor(row / unit),
        direction = (Math.floor(number / 4) % 4) * dimensions;
      if (number % 4 !== 2) continue;
      for (let c = 0; c < dimensions; c += 1)
        together[row * dimensions + c]! += 9 * directions[direction + c]!;
    }
    return together;
  };
  after(() => addon.setThreadCount(0));

  atEveryExtension((level) => {
    const count = level === 'reference' ? 8 : 21;

    it('gives the bits of the plain scan', async () => {
      for (const pool of [false, true])
        await bothWays(vectors, queriesFor(count, directions), { k: 100, pool });
    });

    it('gives them where every query sees all rows and nothing else counts', async () => {
      for (const given of [vectors, bestTogether(), bestInUnits()]) {
        for (const pool of [false, true])
          await bothWays(given, plainQueries(count, directions), { k: 100, pool });
      }
      await bothWays(vectors, plainQueries(count, directions), { k: 10 });
      const late = plainQueries(count, directions).map((query) => ({
        ...query,
        mask: { publishedUntil: 2_000 * day },
      }));
      await bothWays(vectors, late, { k: 100 });
      await bothWays(
        vectors,
        plainQueries(count, directions).map((query) => ({ ...query, form: spline })),
        { k: 100 },
      );
    });

    it('does so where few sampled rows, fewer than k, are far better than the others', async () => {
      for (const pool of [false, true])
        await bothWays(bestTogether(), queriesFor(count, directions), { k: 100, pool });
    });
  });

  it('keeps what it found in segments without panels where a guess was wrong', async () => {
    const queries = [...queriesFor(9, directions), ...plainQueries(9, directions)];
    for (const given of [bestTogether(), bestInUnits()]) {
      const plain = memory(vectors, 'f32');
      const expected = await scanFlat([{ rows: memory(given, 'f32') }, { rows: plain }], queries, {
        k: 100,
      });
      for (const storage of ['int8', 'int4'] as const) {
        const found = await scanFlat([{ rows: memory(given, storage) }, { rows: plain }], queries, {
          k: 100,
        });
        assert.deepEqual(same(found), same(expected), storage);
      }
    }
  });

  it('gives inexact results equal to those of single queries, which do not sample', async () => {
    const queries = [...queriesFor(9, directions), ...plainQueries(9, directions)];
    for (const exactness of ['rescored', 'raw'] as const) {
      for (const given of [vectors, bestTogether()]) {
        const panels = [{ rows: memory(given, 'int8') }];
        const batch = await scanFlat(panels, queries, { k: 100, exactness });
        for (const [q, query] of queries.entries()) {
          const [from, to] = [batch.offsets[q]!, batch.offsets[q + 1]!];
          const alone = await scanFlat(panels, [query], { k: 100, exactness });
          assert.deepEqual(
            [batch.row.slice(from, to), batch.score.slice(from, to)],
            [alone.row, alone.score],
            `${exactness}, ${q}`,
          );
        }
      }
    }
  });

  it('does so where rows are alike, on any number of threads', async () => {
    const alike = vectors.slice();
    for (let row = 0; row < rows; row += 1) {
      if (row % 3 === 0)
        alike.set(
          alike
            .subarray(0, 3 * dimensions)
            .subarray((row % 2) * dimensions, ((row % 2) + 1) * dimensions),
          row * dimensions,
        );
    }
    for (const threads of [1, 2, 5]) {
      addon.setThreadCount(threads);
      await bothWays(alike, queriesFor(21, directions), { k: 100 });
    }
  });
});
