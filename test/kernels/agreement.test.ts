// The fused scan evaluates its temporal scores row by row, the kernel families by whole columns:
// two texts of the same equations, which must therefore be seen to agree.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { addon } from '../addon.js';
import type { TemporalForm } from '../../lib/time/temporalForms.js';
import { normals, random } from './levels.js';

const day = 86_400_000;
const d = 8;

/**
 * Rows with up to three content intervals each, some open, some instants; some rows unpublished.
 */
function corpus(n: number, seed: number) {
  const next = random(seed);
  const instant = () => Math.floor(next() * 4000) * day;
  const intervals = Array.from({ length: n }, () =>
    Array.from({ length: Math.floor(next() * 4) }, () => {
      const start = next() < 0.05 ? -Infinity : instant();
      return {
        start,
        end:
          next() < 0.05
            ? Infinity
            : next() < 0.1 && Number.isFinite(start)
              ? start
              : Math.max(start, 0) + Math.ceil(next() * 900) * day,
      };
    }),
  );
  const offsets = new Uint32Array(n + 1);
  intervals.forEach((row, at) => (offsets[at + 1] = offsets[at]! + row.length));
  return {
    vectors: normals(n * d, seed + 1),
    published: Float64Array.from({ length: n }, () => (next() < 0.1 ? NaN : instant())),
    offsets,
    starts: Float64Array.from(intervals.flat(), ({ start }) => start),
    ends: Float64Array.from(intervals.flat(), ({ end }) => end),
  };
}

async function temporalOf(
  rows: ReturnType<typeof corpus>,
  form: TemporalForm,
  query: Float32Array,
) {
  const n = rows.published.length;
  const memory = new binding.MemoryRows({
    passages: n,
    multiSentence: 0,
    dimensions: d,
    vectors: rows.vectors,
    rowPassage: Uint32Array.from({ length: n }, (_, row) => row),
    published: rows.published,
    contentOffset: rows.offsets,
    contentStart: rows.starts,
    contentEnd: rows.ends,
  });
  const found = await scanFlat([{ rows: memory }], [{ vector: query, form }], { k: n });
  const temporal = new Float64Array(n).fill(NaN);
  found.row.forEach((row, i) => (temporal[row] = found.temporal[i]!));
  return temporal;
}

describe('agreement of the scan with the kernel families', () => {
  const rows = corpus(500, 1);
  const query = normals(d, 99);

  it('spline', async () => {
    const windows = [
      [1000, 2500],
      [0, 3999],
      [2000, 2001],
      [-Infinity, 1500],
      [1500, Infinity],
    ].map(([start, end]) => ({ start: start! * day, end: end! * day }));
    for (const window of windows) {
      for (const [atStart, atEnd, outside] of [
        [0.6, 1, 0.5],
        [1, 0.6, 0.5],
        [0.2, 0.9, 0.7],
        [1, 1, 0],
      ] as const) {
        const temporal = await temporalOf(
          rows,
          {
            combine: 'product',
            kind: 'spline',
            clock: 'content',
            lines: [{ window, atStart, atEnd }],
            outside,
          },
          query,
        );
        const line = { ...window, atStart, atEnd, outside, unitMs: 0 };
        const kernel = await addon.spline({
          starts: rows.starts,
          ends: rows.ends,
          offsets: rows.offsets,
          line,
        });
        kernel.forEach((value, row) =>
          assert.ok(
            Math.abs(value - temporal[row]!) <= 2 ** -23,
            `row ${row}: ${value} and ${temporal[row]}`,
          ),
        );
      }
    }
  });

  it('recency and its standardisation', async () => {
    const at = 3000 * day;
    const temporal = await temporalOf(
      rows,
      { combine: 'sum', kind: 'recency', clock: 'published', at, floorDays: 2, weight: 1 },
      query,
    );
    const taus = await addon.recency(rows.published, at, 2);
    const similarities = await binding.innerProduct(query, rows.vectors, d);
    const kernel = await addon.standardize(
      taus,
      await addon.moments(taus),
      await addon.moments(similarities),
    );
    kernel.forEach((value, row) =>
      assert.ok(
        Math.abs(value - temporal[row]!) <= 1e-5,
        `row ${row}: ${value} and ${temporal[row]}`,
      ),
    );
  });
});
