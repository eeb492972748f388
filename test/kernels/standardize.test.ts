// Moments and standardisation of TempRALM at every level against float64, and the laws of the
// paper's equations.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/temporal.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, shifted } from './levels.js';

describe('standardize', () => {
  atEveryLevel(() => {
    for (const n of [...awkwardSizes, 5000]) {
      it(`has float64's moments and map for ${n} values`, async () => {
        const values = shifted(
          normals(n, n).map((value, at) => (at % 11 === 5 ? NaN : value * 0.01 + 3)),
          1,
        );
        const expected = oracle.moments(values);
        const found = await addon.moments(values);
        assert.equal(found.count, expected.count);
        assert.ok(Math.abs(found.mean - expected.mean) <= 2 ** -43 * 3);
        assert.ok(
          Math.abs(found.squares - expected.squares) <= 1e-11 * expected.squares + n * 9 * 2 ** -80,
        );
        const to = { count: 9, mean: 0.25, squares: 1 };
        const mapped = await addon.standardize(values, found, to);
        mapped.forEach((value, at) => {
          const exact = oracle.standardize(values[at]!, expected, to);
          assert.ok(
            Math.abs(value - exact) <= floatUnit * Math.abs(exact) + 1e-9,
            `${value} instead of ${exact}`,
          );
        });
      });
    }

    it('gives every row the mean where all values are equal, wherever they were cut', async () => {
      for (const value of [0.1, 1 / 3, 1e-30, 1e30, 0]) {
        const equal = new Float32Array(3001).fill(value);
        const whole = await addon.moments(equal);
        assert.equal(whole.squares, 0);
        const parts = addon.mergeMoments(
          await addon.moments(equal.subarray(0, 7)),
          await addon.moments(equal.subarray(7)),
        );
        assert.deepEqual(parts, whole);
        const out = await addon.standardize(equal, whole, { count: 2, mean: 0.5, squares: 3 });
        assert.ok(out.every((each) => each === 0.5));
      }
    });

    it('gives absent rows the mean, and knows an empty set', async () => {
      assert.deepEqual(await addon.moments(new Float32Array(20).fill(NaN)), {
        count: 0,
        mean: 0,
        squares: 0,
      });
      assert.deepEqual(await addon.moments(new Float32Array(0)), {
        count: 0,
        mean: 0,
        squares: 0,
      });
      const from = await addon.moments(Float32Array.of(1, 3, NaN));
      assert.deepEqual(from, { count: 2, mean: 2, squares: 2 });
      const to = { count: 4, mean: 10, squares: 16 };
      assert.deepEqual(
        [...(await addon.standardize(Float32Array.of(1, 3, NaN, 2), from, to))],
        [8, 12, 10, 10],
      );
    });

    it('gives the mapped values the mean and deviation of the other set', async () => {
      const taus = normals(4000, 1).map((value) => 1 / (1 + Math.abs(value) * 1000));
      const scores = normals(4000, 2);
      const to = await addon.moments(scores);
      const after = await addon.moments(
        await addon.standardize(taus, await addon.moments(taus), to),
      );
      assert.ok(
        Math.abs(after.mean - to.mean) < 1e-6 && Math.abs(after.squares / to.squares - 1) < 1e-6,
      );
    });
  });

  it('merges to the moments of the whole, in any order and grouping', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.float({ noNaN: true, min: -1000, max: 1000 }), { maxLength: 50 }), {
          maxLength: 6,
        }),
        async (parts) => {
          const each = await Promise.all(
            parts.map((part) => addon.moments(Float32Array.from(part))),
          );
          const empty = { count: 0, mean: 0, squares: 0 };
          const expected = oracle.moments(parts.flat());
          for (const merged of [
            each.reduce(addon.mergeMoments, empty),
            each.reduceRight(addon.mergeMoments, empty),
          ]) {
            assert.equal(merged.count, expected.count);
            assert.ok(Math.abs(merged.mean - expected.mean) <= 1e-10);
            assert.ok(
              Math.abs(merged.squares - expected.squares) <= 1e-10 * (1 + expected.squares),
            );
          }
        },
      ),
      { numRuns: 60 },
    ));
});
