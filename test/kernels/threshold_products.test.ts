// Products compared in registers, at every level against float64: emitted products are within their
// bound and reach their threshold, none that surely does is missed, every pair comes once, and NaN
// is never omitted.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import { innerProduct as exact } from '../oracle/inner_product.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, random, shifted } from './levels.js';

const vectorsOf = (matrix: Float32Array, d: number) =>
  Array.from({ length: matrix.length / d }, (_, row) => matrix.subarray(row * d, (row + 1) * d));

/** The bound of native/kernels/threshold_products/contract.hpp. */
const bound = (d: number, magnitude: number) =>
  (d + 2) * floatUnit * (1 + 2 ** -6) * magnitude + d * 2 ** -149;

async function check(
  queries: Float32Array,
  rows: Float32Array,
  d: number,
  thresholds: Float32Array,
): Promise<number> {
  const found = await addon.thresholdProducts(queries, rows, d, thresholds);
  const byPair = new Map(
    Array.from(found.query, (query, at) => [`${query} ${found.row[at]}`, found.product[at]!]),
  );
  assert.equal(byPair.size, found.query.length, 'a pair came twice');
  vectorsOf(queries, d).forEach((query, i) =>
    vectorsOf(rows, d).forEach((row, j) => {
      const product = byPair.get(`${i} ${j}`);
      const { value, magnitude } = exact(query, row);
      const what = `d ${d}, query ${i}, row ${j}, threshold ${thresholds[i]}`;
      if (Number.isNaN(value))
        return assert.ok(product !== undefined && Number.isNaN(product), what);
      if (product === undefined)
        return assert.ok(
          value - bound(d, magnitude) < thresholds[i]!,
          `${what}: missed, exact ${value}`,
        );
      assert.ok(!(product < thresholds[i]!), `${what}: ${product} does not reach it`);
      assert.ok(
        product === value || Math.abs(product - value) <= bound(d, magnitude),
        `${what}: ${product} for ${value}`,
      );
    }),
  );
  return byPair.size;
}

describe('reaching', () => {
  atEveryLevel(() => {
    for (const d of awkwardSizes) {
      it(`hands over what reaches its threshold at ${d} dimensions, from views at any float`, async () => {
        const [queries, rows] = [
          shifted(normals(35 * d, d), 1),
          shifted(normals(31 * d, d + 1), 3),
        ];
        const next = random(d);
        const thresholds = Float32Array.from(
          { length: 35 },
          () => (next() * 2 - 0.5) * Math.sqrt(d),
        );
        const some = await check(queries, rows, d, thresholds);
        assert.ok(some > 0 && some < 35 * 31);
      });
    }

    it('does so for every number of queries and rows', async () => {
      const d = 20;
      for (const nq of [1, 2, 15, 16, 17, 32, 33, 64, 65]) {
        for (const n of [0, 1, 3, 4, 5, 11, 12, 13, 24, 257]) {
          await check(normals(nq * d, nq), normals(n * d, n + 1), d, new Float32Array(nq).fill(2));
        }
      }
    });

    it(
      'hands over everything above -infinity, more than its buffer holds, and only what is ' +
        'infinite above infinity',
      async () => {
        const [d, nq, n] = [5, 70, 300];
        const [queries, rows] = [normals(nq * d, 1), normals(n * d, 2)];
        assert.equal(await check(queries, rows, d, new Float32Array(nq).fill(-Infinity)), nq * n);
        assert.equal(await check(queries, rows, d, new Float32Array(nq).fill(Infinity)), 0);
      },
    );

    it('leaves out no product that is not a number, and fills no group up with any', async () => {
      const [d, nq, n] = [9, 19, 27];
      const [queries, rows] = [normals(nq * d, 1), normals(n * d, 2)];
      rows[3 * d + 1] = NaN;
      rows[14 * d] = Infinity;
      rows[14 * d + 1] = -Infinity;
      queries.fill(1, 4 * d, 5 * d);
      await check(queries, rows, d, new Float32Array(nq).fill(1e30));
    });
  });
});
