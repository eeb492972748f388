// Inner products at every level against float64: awkward sizes, views, whole numbers, odd values,
// and the promise that a pair's bits do not depend on its company. The oracle shares no code with
// the kernels.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { innerProduct as exact } from '../oracle/inner_product.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, shifted } from './levels.js';
import { assertEach } from '../assertEach.js';

const rowOf = (matrix: Float32Array, row: number, d: number) =>
  matrix.subarray(row * d, (row + 1) * d);
/** The bound of native/kernels/inner_product/contract.hpp. */
const bound = (d: number, magnitude: number) =>
  (2 * Math.ceil(d / 4) + 4) * floatUnit * magnitude + d * 2 ** -149;

function assertWithinBound(
  out: Float32Array,
  queries: Float32Array,
  rows: Float32Array,
  d: number,
): void {
  const nq = queries.length / d;
  const n = rows.length / d;
  assert.equal(out.length, nq * n);
  for (let i = 0; i < nq; i += 1) {
    for (let j = 0; j < n; j += 1) {
      const { value, magnitude } = exact(rowOf(queries, i, d), rowOf(rows, j, d));
      const error = Math.abs(out[i * n + j]! - value);
      assert.ok(
        error <= bound(d, magnitude),
        `d ${d}, query ${i} of ${nq}, row ${j} of ${n}: error ${error} above ${bound(d, magnitude)}`,
      );
    }
  }
}

describe('inner_product', () => {
  atEveryLevel(() => {
    for (const d of awkwardSizes) {
      it(`is within its bound at ${d} dimensions, from views at any float`, async () => {
        const queries = shifted(normals(7 * d, d), 1);
        const rows = shifted(normals(19 * d, d + 1), 3);
        assertWithinBound(await binding.innerProduct(queries, rows, d), queries, rows, d);
      });
    }

    it('is within its bound for every number of queries and rows', async () => {
      const d = 20;
      for (const nq of [1, 2, 3, 4, 5, 8, 9]) {
        for (const n of [...awkwardSizes, 257]) {
          const queries = normals(nq * d, nq);
          const rows = normals(n * d, n);
          assertWithinBound(await binding.innerProduct(queries, rows, d), queries, rows, d);
        }
      }
    });

    it('is exact for small whole numbers', () =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 70 }),
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 40 }),
          fc.nat(),
          async (d, nq, n, seed) => {
            const whole = (length: number, salt: number) =>
              normals(length, seed + salt).map((value) => Math.round(value * 16));
            const queries = whole(nq * d, 1);
            const rows = whole(n * d, 2);
            const out = await binding.innerProduct(queries, rows, d);
            for (let i = 0; i < nq; i += 1) {
              for (let j = 0; j < n; j += 1)
                assert.equal(
                  out[i * n + j]! + 0,
                  exact(rowOf(queries, i, d), rowOf(rows, j, d)).value + 0,
                );
            }
          },
        ),
        { numRuns: 40 },
      ));

    it('gives a pair the same bits alone and in a block', async () => {
      for (const d of [3, 17, 65, 384]) {
        const queries = normals(13 * d, d);
        const rows = normals(301 * d, d + 7);
        const out = await binding.innerProduct(queries, rows, d);
        for (let i = 0; i < 13; i += 1) {
          const alone = await binding.innerProduct(rowOf(queries, i, d), rows, d);
          assert.deepEqual(out.subarray(i * 301, (i + 1) * 301), alone);
          for (const j of [0, 1, 5, 255, 256, 300]) {
            assert.deepEqual(
              await binding.innerProduct(rowOf(queries, i, d), shifted(rowOf(rows, j, d), 2), d),
              alone.subarray(j, j + 1),
            );
          }
        }
      }
    });

    it('follows IEEE for NaN, infinities, denormals and zeros, in their own row only', async () => {
      const d = 19;
      for (const place of [0, 15, 16, 18]) {
        const query = new Float32Array(d).fill(1);
        const rows = new Float32Array(6 * d).fill(1);
        rows[0 * d + place] = NaN;
        rows[2 * d + place] = Infinity;
        rows.fill(2 ** -140, 3 * d, 4 * d);
        rows.fill(-0, 5 * d, 6 * d);
        const out = await binding.innerProduct(query, rows, d);
        assertEach([...out], (value) => value + 0, [NaN, d, Infinity, d * 2 ** -140, d, 0]);
        rows[2 * d + ((place + 1) % d)] = -Infinity;
        assert.ok(Number.isNaN((await binding.innerProduct(query, rows, d))[2]));
      }
    });

    it('takes no queries and no rows', async () => {
      assert.equal(
        (await binding.innerProduct(new Float32Array(0), new Float32Array(8), 4)).length,
        0,
      );
      assert.equal(
        (await binding.innerProduct(new Float32Array(8), new Float32Array(0), 4)).length,
        0,
      );
    });
  });

  it('permuting the rows permutes the results', async () => {
    const d = 33;
    const queries = normals(5 * d, 1);
    const rows = normals(50 * d, 2);
    const order = Array.from({ length: 50 }, (_, j) => (j * 17 + 5) % 50);
    const permuted = Float32Array.from(order.flatMap((j) => [...rowOf(rows, j, d)]));
    const [before, after] = await Promise.all([
      binding.innerProduct(queries, rows, d),
      binding.innerProduct(queries, permuted, d),
    ]);
    order.forEach((from, to) => assert.equal(after[2 * 50 + to], before[2 * 50 + from]));
  });

  it('stops at its cancellation', async () => {
    const cancellation = new binding.Cancellation();
    const task = binding.innerProduct(normals(64, 1), normals(64 * 1000, 2), 64, cancellation);
    cancellation.cancel();
    await task.then(
      () => undefined, // it may have been done already
      (error: { code: string }) => assert.equal(error.code, 'ERR_ABORTED'),
    );
    await assert.rejects(binding.innerProduct(normals(64, 1), normals(64, 2), 64, cancellation), {
      code: 'ERR_ABORTED',
    });
  });
});
