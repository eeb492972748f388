// Re3's fusion at every level against float64: awkward sizes, rows without a time, rows that are
// refused, and its laws.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/vectors.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, shifted } from './levels.js';

const rowOf = (matrix: Float32Array, row: number, d: number) =>
  matrix.subarray(row * d, (row + 1) * d);

describe('film', () => {
  atEveryLevel(() => {
    for (const d of awkwardSizes) {
      it(`agrees with float64 in ${d} dimensions, and leaves rows without a time bit for bit`, async () => {
        const n = 9;
        const [x, gamma, beta] = [1, 2, 3].map((salt) =>
          shifted(normals(n * d, d * 10 + salt), salt),
        ) as [Float32Array, Float32Array, Float32Array];
        const timed = Uint8Array.from({ length: n }, (_, row) => (row % 3 === 1 ? 0 : row + 1));
        const { rows, refused } = await addon.film({
          x,
          gamma,
          beta,
          alpha: 0.7,
          timed,
          dimensions: d,
        });
        assert.ok(refused.every((each) => each === 0));
        for (let row = 0; row < n; row += 1) {
          if (timed[row] === 0) {
            assert.deepEqual(rowOf(rows, row, d), rowOf(x, row, d).slice());
            continue;
          }
          const { y, slack } = oracle.film(
            rowOf(x, row, d),
            rowOf(gamma, row, d),
            rowOf(beta, row, d),
            0.7,
          );
          y.forEach((exact, c) => {
            const bound =
              (floatUnit + (d + 8) * 2 ** -53) * Math.abs(exact) + 2 ** -51 * slack[c]! + 2 ** -150;
            assert.ok(
              Math.abs(rows[row * d + c]! - exact) <= bound,
              `row ${row}, component ${c}: ${rows[row * d + c]} instead of ${exact}`,
            );
          });
        }
      });
    }

    it('returns the normalised vector where there is no modulation', async () => {
      const d = 65;
      const x = normals(300 * d, 4);
      const zeros = new Float32Array(x.length);
      const { rows } = await addon.film({
        x,
        gamma: zeros,
        beta: zeros,
        alpha: 3,
        timed: new Uint8Array(300).fill(1),
        dimensions: d,
      });
      assert.deepEqual(rows, (await addon.normalize(x, d)).rows);
      const unscaled = await addon.film({
        x,
        gamma: normals(x.length, 5),
        beta: zeros,
        alpha: 0,
        timed: new Uint8Array(300).fill(1),
        dimensions: d,
      });
      assert.deepEqual(unscaled.rows, rows);
    });

    it('gives zeros where the fusion cancels, and returns refused rows bit for bit', async () => {
      const d = 17;
      const x = normals(5 * d, 6);
      const gamma = new Float32Array(5 * d);
      const beta = new Float32Array(5 * d);
      beta.set(x.subarray(0, d).map((value) => -value));
      gamma[1 * d + 16] = NaN;
      beta[2 * d] = Infinity;
      x[3 * d + 8] = NaN;
      const { rows, refused } = await addon.film({
        x,
        gamma,
        beta,
        alpha: 1,
        timed: Uint8Array.of(1, 1, 1, 1, 1),
        dimensions: d,
      });
      assert.deepEqual([...refused], [0, 1, 1, 1, 0]);
      assert.ok(rowOf(rows, 0, d).every((value) => value === 0));
      assert.deepEqual(rows.subarray(d, 4 * d), x.subarray(d, 4 * d));
      const untimed = await addon.film({
        x,
        gamma,
        beta,
        alpha: NaN,
        timed: Uint8Array.of(0, 0, 0, 0, 1),
        dimensions: d,
      });
      assert.deepEqual([...untimed.refused], [0, 0, 0, 0, 1]);
      assert.deepEqual(untimed.rows, x);
    });
  });

  it(
    'gives a result of many megabytes the bits of its parts, untimed and refused rows ' +
      'among them',
    async () => {
      const [n, d, part] = [130_001, 65, 20_000];
      const pattern = normals(9973 * 3, 12);
      const repeated = (shift: number) =>
        Float32Array.from(
          { length: n * d },
          (_, at) => pattern[(at * 3 + shift) % pattern.length]!,
        );
      const [x, gamma, beta] = [repeated(0), repeated(1), repeated(2)];
      gamma[70_000 * d + 3] = NaN;
      const timed = Uint8Array.from({ length: n }, (_, row) => (row % 11 === 4 ? 0 : 1));
      const whole = await addon.film({ x, gamma, beta, alpha: 0.4, timed, dimensions: d });
      for (let first = 0; first < n; first += part) {
        const cut = (matrix: Float32Array) =>
          matrix.subarray(first * d, Math.min(n, first + part) * d);
        const { rows, refused } = await addon.film({
          x: cut(x),
          gamma: cut(gamma),
          beta: cut(beta),
          alpha: 0.4,
          timed: timed.subarray(first, first + part),
          dimensions: d,
        });
        assert.ok(
          Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).equals(
            Buffer.from(cut(whole.rows).slice().buffer),
          ),
          `${first}`,
        );
        assert.deepEqual(refused, whole.refused.slice(first, first + part));
      }
    },
  );

  it('has unit length, and is unchanged by its own company', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.nat(),
        async (d, n, alpha, seed) => {
          const [x, gamma, beta] = [1, 2, 3].map((salt) => normals(n * d, seed + salt)) as [
            Float32Array,
            Float32Array,
            Float32Array,
          ];
          const { rows } = await addon.film({
            x,
            gamma,
            beta,
            alpha,
            timed: new Uint8Array(n).fill(1),
            dimensions: d,
          });
          for (let row = 0; row < n; row += 1)
            assert.ok(Math.abs(oracle.norm(rowOf(rows, row, d)) - 1) <= 2 * floatUnit);
          const alone = await addon.film({
            x: rowOf(x, n - 1, d),
            gamma: rowOf(gamma, n - 1, d),
            beta: rowOf(beta, n - 1, d),
            alpha,
            timed: Uint8Array.of(1),
            dimensions: d,
          });
          assert.deepEqual(alone.rows, rowOf(rows, n - 1, d));
        },
      ),
      { numRuns: 50 },
    ));
});
