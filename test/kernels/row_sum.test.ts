// Weighted sums of rows of bytes at every level, against float64 and bit for bit.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, random, shifted } from './levels.js';

function bytes(count: number, seed: number): Int8Array {
  const next = random(seed);
  return Int8Array.from({ length: count }, () => Math.floor(next() * 256) - 128);
}

/** In the order of the rows, each product and each sum rounded. */
function inFloats(rows: Int8Array, weights: Float32Array, c: number): number {
  const d = rows.length / weights.length;
  return weights.reduce(
    (sum, weight, i) => Math.fround(sum + Math.fround(weight * rows[i * d + c]!)),
    0,
  );
}

describe('row_sum', () => {
  atEveryLevel(() => {
    for (const d of [...awkwardSizes, 256])
      it(`sums rows of ${d} components`, () => {
        for (const n of [1, 2, 3, 17, 90]) {
          const rows = bytes(n * d, n + d);
          const weights = shifted(normals(n, d), 1);
          const out = addon.rowSum(rows, weights);
          assert.equal(out.length, d);
          out.forEach((value, c) => {
            let [exact, magnitude] = [0, 0];
            weights.forEach((weight, i) => {
              exact += weight * rows[i * d + c]!;
              magnitude += Math.abs(weight * rows[i * d + c]!);
            });
            assert.ok(
              Math.abs(value - exact) <= (n + 1) * floatUnit * magnitude,
              `component ${c} of ${d}, ${n} rows: ${value} instead of ${exact}`,
            );
            assert.equal(value, inFloats(rows, weights, c));
          });
        }
      });

    it('reads the lowest and the highest byte, at any address', () => {
      const room = new Int8Array(64 + 3);
      for (const offset of [0, 1, 2, 3]) {
        const rows = room.subarray(offset, offset + 64);
        rows.fill(-128, 0, 32).fill(127, 32);
        assert.deepEqual(
          addon.rowSum(rows, Float32Array.of(1, 2)),
          new Float32Array(32).fill(-128 + 2 * 127),
        );
      }
    });
  });
});
