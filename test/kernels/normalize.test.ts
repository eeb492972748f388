// Normalisation at every level against float64: awkward sizes, extreme magnitudes, rows that cannot
// be normalised.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/vectors.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, shifted } from './levels.js';

const rowOf = (matrix: Float32Array, row: number, d: number) =>
  matrix.subarray(row * d, (row + 1) * d);

function assertNormalized(out: Float32Array, row: Float32Array): void {
  oracle.normalized(row).forEach((exact, c) => {
    const bound = (floatUnit + (row.length + 4) * 2 ** -53) * Math.abs(exact) + 2 ** -150;
    assert.ok(
      Math.abs(out[c]! - exact) <= bound,
      `component ${c} of ${row.length}: ${out[c]} instead of ${exact}`,
    );
  });
}

describe('normalize', () => {
  atEveryLevel(() => {
    for (const d of awkwardSizes) {
      it(`gives rows of ${d} length 1`, async () => {
        const values = shifted(normals(9 * d, d), 3);
        const { rows, norms } = await addon.normalize(values, d);
        for (let row = 0; row < 9; row += 1) {
          assertNormalized(rowOf(rows, row, d), rowOf(values, row, d));
          const exact = oracle.norm(rowOf(values, row, d));
          assert.ok(Math.abs(norms[row]! - exact) <= (d + 4) * 2 ** -53 * exact);
          assert.ok(Math.abs(oracle.norm(rowOf(rows, row, d)) - 1) <= 2 * floatUnit);
        }
      });
    }

    it('holds for any number of rows', async () => {
      for (const n of [...awkwardSizes, 300]) {
        const values = normals(n * 5, n);
        const { rows, norms } = await addon.normalize(values, 5);
        assert.equal(norms.length, n);
        for (let row = 0; row < n; row += 1)
          assertNormalized(rowOf(rows, row, 5), rowOf(values, row, 5));
      }
    });

    it('neither overflows nor vanishes for the largest and the smallest floats', async () => {
      for (const scale of [3e38, 1e20, 1e-20, 2 ** -140, 2 ** -149]) {
        const values = new Float32Array(40).fill(scale);
        const { rows } = await addon.normalize(values, 20);
        for (let row = 0; row < 2; row += 1)
          assertNormalized(rowOf(rows, row, 20), rowOf(values, row, 20));
      }
      const mixed = Float32Array.of(1, 2 ** -149, -(2 ** -130), 0, -0);
      const { rows } = await addon.normalize(mixed, 5);
      assert.deepEqual(rows, mixed);
    });

    it('leaves zero rows and refused rows bit for bit', async () => {
      const d = 19;
      const values = normals(5 * d, 1);
      values.fill(0, 0, d);
      values.fill(-0, d, 2 * d);
      values[2 * d + 18] = NaN;
      values[3 * d + 3] = -Infinity;
      const { rows, norms } = await addon.normalize(values, d);
      assert.deepEqual(rows.subarray(0, 4 * d), values.subarray(0, 4 * d));
      assert.deepEqual([...norms.subarray(0, 4)], [0, 0, NaN, NaN]);
      assertNormalized(rowOf(rows, 4, d), rowOf(values, 4, d));
    });

    it('does not change its argument, and gives a row the same bits in any company', async () => {
      const values = normals(50 * 33, 9);
      const before = values.slice();
      const { rows } = await addon.normalize(values, 33);
      assert.deepEqual(values, before);
      for (const row of [0, 1, 7, 49])
        assert.deepEqual(
          (await addon.normalize(rowOf(values, row, 33), 33)).rows,
          rowOf(rows, row, 33),
        );
    });
  });

  it('is idempotent to a rounding, and does not depend on a power of two', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 80 }),
        fc.nat(),
        fc.integer({ min: -60, max: 60 }),
        async (d, seed, exponent) => {
          const values = normals(d, seed);
          const { rows } = await addon.normalize(values, d);
          assert.deepEqual(
            (
              await addon.normalize(
                values.map((value) => value * 2 ** exponent),
                d,
              )
            ).rows,
            rows,
          );
          (await addon.normalize(rows, d)).rows.forEach((value, c) =>
            assert.ok(Math.abs(value - rows[c]!) <= 4 * floatUnit * Math.abs(value)),
          );
        },
      ),
    ));
});
