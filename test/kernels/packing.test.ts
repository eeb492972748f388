// Panels that a scan makes of f32 rows, at every level against float64: the bytes that files hold,
// bounds that hold and are hardly looser, and rows that cannot be multiplied. What is done with
// panels is in quantized.test.ts.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import { lengths, rounded } from '../oracle/quantized.js';
import { atEveryLevel, awkwardSizes, normals, shifted } from './levels.js';

const rowOf = (matrix: Float32Array, row: number, d: number) =>
  matrix.subarray(row * d, (row + 1) * d);
const recordOf = (records: Float32Array, row: number) => {
  const [scale, error, length] = [16, 32, 48].map(
    (field) => records[Math.floor(row / 16) * 64 + field + (row % 16)]!,
  );
  return { scale: scale!, error: error!, length: length! };
};

async function check(rows: Float32Array, d: number): Promise<void> {
  const n = rows.length / d;
  const { panels, records } = addon.quantizedPanels(await addon.packOnTheFly(rows, d));
  const stored = addon.quantizedPanels(await addon.packQuantized(rows, d, 'int8'));
  assert.deepEqual(panels, stored.panels, `bytes of ${n} x ${d}`);
  for (let row = 0; row < Math.ceil(n / 16) * 16; row += 1) {
    const { scale, error, length } = recordOf(records, row);
    const what = `row ${row} of ${n} x ${d}`;
    if (row >= n) {
      assert.deepEqual([error, length], [0, 0], what);
      continue;
    }
    const made = rounded(rowOf(rows, row, d), 'int8');
    if (!made.usable) {
      assert.deepEqual([error, length], [Infinity, 0], what);
      continue;
    }
    assert.equal(scale, made.scale, what);
    const { kept, lost } = lengths(rowOf(rows, row, d), made);
    const more = 1 + (d + 512) * 2 ** -24;
    const tiny = Math.sqrt(d) * 2 ** -62;
    assert.ok(error >= lost && error <= lost * more + tiny, `${what}: error ${error} for ${lost}`);
    assert.ok(
      length >= kept && length <= (kept + 2 * lost) * more + 2 * tiny,
      `${what}: length ${length} for ${kept}`,
    );
  }
  for (let panel = 0; panel * 64 < records.length; panel += 1) {
    const record = records.subarray(panel * 64, panel * 64 + 64);
    assert.equal(record[0], Math.max(...record.subarray(32, 48)));
    assert.equal(record[1], Math.max(...record.subarray(48, 64)));
  }
}

describe('packing', () => {
  atEveryLevel(() => {
    for (const d of [...awkwardSizes, 63, 127, 129, 384, 4096]) {
      it(`packs rows of ${d} dimensions as files hold them, from views at any float`, async () => {
        const rows = shifted(normals(37 * d, d), 1);
        rows.fill(0, 5 * d, 6 * d);
        await check(rows, d);
      });
    }

    it('does so for every number of rows', async () => {
      for (const n of [0, 1, 15, 16, 17, 31, 32, 33, 1024, 1030])
        await check(normals(n * 20, n + 1), 20);
    });

    it('bounds rows of all magnitudes, and keeps what cannot be multiplied apart', async () => {
      const d = 70;
      const rows = normals(48 * d, 5);
      for (let row = 0; row < 40; row += 1) {
        const scale = 2 ** (row * 5 - 140);
        rows.set(
          rowOf(rows, row, d).map((value) => value * scale),
          row * d,
        );
      }
      for (const [row, odd] of [NaN, Infinity, -Infinity, 2 ** 61, 3e38, 1e-45, -0].entries())
        rows[(41 + row) * d + 69] = odd;
      await check(rows, d);
    });
  });
});
