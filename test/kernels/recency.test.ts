// TempRALM's recency, moments and standardisation at every level against float64, and the laws of
// the paper's equations.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/temporal.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, random, shifted } from './levels.js';

const day = 86_400_000;

describe('recency', () => {
  atEveryLevel(() => {
    it(
      'rounds every row as the two divisions of doubles do, beside the middle between two ' +
        'floats too',
      async () => {
        const next = random(77);
        const exactly = (published: ArrayLike<number>, at: number, floor: number) =>
          Float32Array.from(published, (each) =>
            Number.isNaN(each) ? NaN : 1 / Math.max(floor, (at - each) / day),
          );
        // Ages whose inverse is a double or two from the middle of two floats, alone and among
        // others.
        const middles = Float64Array.from({ length: 3000 }, (_, row) => {
          const middle = (2 ** 24 + 1 + 2 * Math.floor(next() * 2 ** 23)) * 2 ** (-24 - (row % 12));
          return row % 64 === 63 || row < 1000 ? -day / middle : -day * (1 + next() * 4000);
        });
        assert.deepEqual(await addon.recency(middles, 0, 1e-6), exactly(middles, 0, 1e-6));
        for (const n of awkwardSizes) {
          const few = middles.subarray(1000 - n, 1000);
          assert.deepEqual(await addon.recency(few, 7 * day, 2), exactly(few, 7 * day, 2));
        }
        for (const at of [20_000 * day, 20_000 * day + 1, 12_345.678 * day, -3 * day]) {
          for (const floor of [1, 0.25, 30.5, 1e-5]) {
            const ticks = Int32Array.from({ length: 2500 }, (_, row) =>
              row % 97 === 5 && row > 600 ? -(2 ** 31) : Math.floor(next() * 40_000) - 20_000,
            );
            const published = Float64Array.from(ticks, (tick) =>
              tick === -(2 ** 31) ? NaN : tick * day,
            );
            const expected = exactly(published, at, floor);
            const scale = { unitMs: day, originMs: 0 };
            assert.deepEqual(await addon.recency(ticks, at, floor, scale), expected);
            assert.deepEqual(await addon.recency(published, at, floor), expected);
            const wide = BigInt64Array.from(ticks, (tick) =>
              tick === -(2 ** 31) ? -(2n ** 63n) : BigInt(tick),
            );
            assert.deepEqual(await addon.recency(wide, at, floor, scale), expected);
          }
        }
      },
    );

    it('floors young and future rows, keeps absent dates, zeroes an infinite past', async () => {
      const at = 100 * day;
      const published = Float64Array.of(
        at,
        at - day / 2,
        at + 9 * day,
        at - 2 * day,
        NaN,
        -Infinity,
        Infinity,
      );
      assert.deepEqual([...(await addon.recency(published, at, 1))], [1, 1, 1, 0.5, NaN, 0, 1]);
      assert.deepEqual(
        [...(await addon.recency(published, at, 4))],
        [0.25, 0.25, 0.25, 0.25, NaN, 0, 0.25],
      );
      const ticks = Int32Array.of(-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1, 98);
      const scale = { unitMs: day, originMs: 0 };
      assert.deepEqual([...(await addon.recency(ticks, at, 1, scale))], [NaN, 0, 1, 0.5]);
      const wide = BigInt64Array.of(-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n, 98n);
      assert.deepEqual([...(await addon.recency(wide, at, 1, scale))], [NaN, 0, 1, 0.5]);
    });
  });
});

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
