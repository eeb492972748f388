// Rows in two planes of four bits against float64, at every level and awkward sizes: what lies in
// the planes is the row less its centre, turned and rounded; records are not below what they bound;
// products are within the bound, and nothing that reaches a threshold is missed.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import { innerProduct } from '../oracle/inner_product.js';
import { length, planesOf, turned } from '../oracle/int4.js';
import { atEveryExtension, awkwardSizes, floatUnit, normals, random, shifted } from './levels.js';

const vectorsOf = (matrix: Float32Array, d: number) =>
  Array.from({ length: matrix.length / d }, (_, row) => matrix.subarray(row * d, (row + 1) * d));

/**
 * Rows about a common centre, with a few large components: what four bits would say little of if
 * they were not turned.
 */
function made(n: number, d: number, seed: number): Float32Array {
  const next = random(seed);
  const centre = normals(d, 91);
  return normals(n * d, seed).map((value, at) => centre[at % d]! + value * (next() < 0.02 ? 8 : 1));
}

describe('nibbles', () => {
  it(
    'holds rows less their centre, turned and rounded, with records that are not below ' +
      'what they bound',
    async () => {
      for (const d of [...awkwardSizes.filter((size) => size < 700), 2, 127, 129, 200]) {
        const n = d < 40 ? 1100 : 37;
        const rows = made(n, d, d);
        rows.fill(0, 5 * d, 6 * d);
        const { panels, records, centre } = addon.quantizedPanels(
          await addon.packQuantized(shifted(rows, 1), d, 'int4'),
        );
        assert.equal(panels.length, Math.ceil(n / 16) * 1024 * Math.ceil(d / 64));
        assert.equal(centre!.length, d);
        vectorsOf(rows, d).forEach((row, r) => {
          if (r >= 37 && r % 97 !== 0 && r < n - 2) return;
          const x = turned(row.map((value, c) => value - centre![c]!));
          const { whole, middles } = planesOf(panels, n, d, r);
          const record = records.subarray(Math.floor(r / 16) * 64, Math.floor(r / 16) * 64 + 64);
          const [scale, error, long] = [16, 32, 48].map((field) => record[field + (r % 16)]!) as [
            number,
            number,
            number,
          ];
          const what = `row ${r} of ${n}, ${d} dimensions`;
          const largest = Math.max(...x.map(Math.abs), 2 ** -60);
          const rounding = 64 * floatUnit * (length(x) + 2 ** -60);
          assert.ok(Math.abs(scale - largest / 127) <= rounding, what);
          x.forEach((value, c) =>
            assert.ok(
              Math.abs(value - scale * whole[c]!) <= scale * 0.5001 + rounding,
              `${what}, component ${c}`,
            ),
          );
          x.forEach((value, c) =>
            assert.ok(
              Math.abs(value - 0.5 * scale * middles[c]!) <= scale * 8.0001 + rounding,
              `${what}, component ${c}`,
            ),
          );
          const coarse = length(x.map((value, c) => value - 0.5 * scale * middles[c]!));
          assert.ok(
            error >= coarse && error <= coarse * 1.00001 + rounding,
            `${what}: error ${error} for ${coarse}`,
          );
          const reach = length(middles) * 0.5 * scale;
          assert.ok(
            long >= reach * (1 - 1e-12) && long <= reach * 1.00001,
            `${what}: length ${long} for ${reach}`,
          );
          assert.ok(
            record[2]! * scale >= length(x.map((value, c) => value - scale * whole[c]!)),
            what,
          );
          assert.ok(record[3]! * long >= length(whole) * scale, what);
          const panel = vectorsOf(rows, d).slice(r - (r % 16), r - (r % 16) + 16);
          const longest = Math.max(...panel.map((each) => length(Array.from(each))));
          assert.equal(record[0], 0, what);
          assert.ok(record[1]! >= longest && record[1]! <= longest * (1 + 2 ** -22), what);
        });
      }
    },
  );

  it('stores what cannot be multiplied with an infinite error', async () => {
    const d = 19;
    for (const odd of [NaN, Infinity, -Infinity, 2 ** 61]) {
      const rows = normals(18 * d, 3);
      rows[17 * d + 18] = odd;
      const { records } = addon.quantizedPanels(await addon.packQuantized(rows, d, 'int4'));
      assert.deepEqual(
        [records[64 + 32 + 1], records[64], records[64 + 48 + 1]],
        [Infinity, Infinity, 0],
      );
      assert.ok(Number.isFinite(records[0]!) && Number.isFinite(records[64 + 32]!));
    }
  });

  atEveryExtension(() => {
    for (const d of [...awkwardSizes, 2, 4, 5, 63, 127, 128, 129, 384]) {
      it(`multiplies within its bound and misses nothing of ${d} dimensions`, async () => {
        const [nq, n] = [d % 2 === 0 ? 9 : 5, 53];
        const queries = made(nq, d, d + 1);
        const rows = made(n, d, d + 2);
        const packed = await addon.packQuantized(rows, d, 'int4');
        const products = await addon.quantizedProducts(packed, shifted(queries, 3));
        const all = vectorsOf(queries, d).map((query) =>
          vectorsOf(rows, d).map((row) => innerProduct(query, row).value),
        );
        const thresholds = Float32Array.from(
          all,
          (scores, i) => scores.toSorted((a, b) => b - a)[i * 2]!,
        );
        const found = await addon.quantizedSurvivors(packed, { queries, thresholds });
        const survivors = new Map(
          Array.from(found.query, (query, at) => [query * n + found.row[at]!, at]),
        );
        assert.equal(survivors.size, found.query.length);
        all.forEach((scores, i) =>
          scores.forEach((score, j) => {
            const at = survivors.get(i * n + j);
            if (score >= thresholds[i]!) assert.notEqual(at, undefined, `query ${i}, row ${j}`);
            if (at === undefined) return;
            const [product, most] = [found.product[at]!, found.most[at]!];
            assert.ok(Object.is(product, products[i * n + j]), `query ${i}, row ${j}`);
            const holds =
              most >= score &&
              most >= thresholds[i]! &&
              2 * product - most <= score + 1e-6 * Math.abs(most);
            assert.ok(holds, `query ${i}, row ${j}: ${score} in ${product}, ${most}`);
          }),
        );
      });
    }
  });
});
