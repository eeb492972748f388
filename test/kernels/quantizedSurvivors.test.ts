// What survives a threshold, at every level, against float64: nothing whose exact or canonical
// product reaches it is ever missed, and what survives is what the contract's rule says. Every
// number of queries and rows, bias, bitmaps and odd values are the native fuzzer's
// (test/native/fuzz/quantized.cpp).
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { innerProduct } from '../oracle/inner_product.js';
import { certifiedError, lengths, rounded, type Storage } from '../oracle/quantized.js';
import { atEveryExtension, normals, random } from './levels.js';

const vectorsOf = (matrix: Float32Array, d: number) =>
  Array.from({ length: matrix.length / d }, (_, row) => matrix.subarray(row * d, (row + 1) * d));

interface Case {
  storage: Storage;
  d: number;
  queries: Float32Array;
  rows: Float32Array;
  thresholds: Float32Array;
  considered?: (row: number) => boolean;
}

interface Survivors {
  product: number;
  most: number;
}

const bitmap = (n: number, considered: (row: number) => boolean) => {
  const words = new BigUint64Array(Math.ceil(n / 64));
  for (let row = 0; row < n; row += 1)
    if (considered(row)) words[row >> 6]! |= 1n << BigInt(row & 63);
  return words;
};

/** The survivors by query and row, each at most once. */
async function survivorsOf({
  storage,
  d,
  queries,
  rows,
  thresholds,
  considered,
}: Case): Promise<Map<string, Survivors>> {
  const packed = await addon.packQuantized(rows, d, storage);
  const found = await addon.quantizedSurvivors(packed, {
    queries,
    thresholds,
    considered: considered && bitmap(rows.length / d, considered),
  });
  const byPair = new Map<string, Survivors>();
  found.query.forEach((query, at) =>
    byPair.set(`${query} ${found.row[at]}`, { product: found.product[at]!, most: found.most[at]! }),
  );
  assert.equal(byPair.size, found.query.length, 'a pair came twice');
  return byPair;
}

/**
 * Checks every pair of a case against the oracle: see the opening of the file. Returns the pairs.
 */
async function assertSurvivors(given: Case): Promise<Map<string, Survivors>> {
  const { storage, d, thresholds } = given;
  const found = await survivorsOf(given);
  const queries = vectorsOf(given.queries, d).map((values) => ({
    values,
    made: rounded(values, storage),
  }));
  const rows = vectorsOf(given.rows, d).map((values) => ({
    values,
    made: rounded(values, storage),
  }));
  const products = await addon.quantizedProducts(
    await addon.packQuantized(given.rows, d, storage),
    given.queries,
  );
  const canonical = await binding.innerProduct(given.queries, given.rows, d);
  queries.forEach((query, i) =>
    rows.forEach((row, j) => {
      const survivor = found.get(`${i} ${j}`);
      // Pairs are many: words are put together only for what fails.
      const expect = (holds: boolean, words: () => string) =>
        holds ||
        assert.fail(
          `${storage}, ${d} dimensions, query ${i} of ${queries.length}, row ${j} of ${rows.length} at ${thresholds[i]}: ${words()}`,
        );
      if (given.considered?.(j) === false)
        return expect(survivor === undefined, () => 'not considered');
      const product = products[i * rows.length + j]!;
      const canonically = canonical[i * rows.length + j]!;
      const error = certifiedError(storage, d, query, row);
      const reaches = (score: number) => !(score < thresholds[i]!);
      const exact = innerProduct(query.values, row.values).value;
      if (reaches(exact) || reaches(canonically))
        expect(survivor !== undefined, () => `missed, exact ${exact}`);
      // Within the roundings of the rule, what survives is decided by the oracle's error.
      const denormal =
        2 ** -140 +
        2 ** -148 * (lengths(row.values, row.made).whole + lengths(query.values, query.made).whole);
      const rounding = 2 ** -19 * (error + Math.abs(product)) + denormal;
      if (product + error - rounding >= thresholds[i]!)
        expect(survivor !== undefined, () => 'missed by the rule');
      if (!survivor) return true;
      const { most } = survivor;
      expect(
        Object.is(survivor.product, product),
        () => `product ${survivor.product} instead of ${product}`,
      );
      expect(reaches(most), () => `survives with ${most}`);
      if (error === Infinity) return expect(most === Infinity, () => `bound ${most}`);
      expect(most >= exact || Number.isNaN(exact), () => `bound ${most} below ${exact}`);
      expect(most >= canonically, () => `bound ${most} below ${canonically}`);
      return expect(
        most <= product + error + rounding,
        () => `bound ${most} above ${product + error}`,
      );
    }),
  );
  return found;
}

/** Thresholds near what the best rows of each query reach, so that some survive and some do not. */
function nearThresholds(
  queries: Float32Array,
  rows: Float32Array,
  d: number,
  next: () => number,
): Float32Array {
  return Float32Array.from(vectorsOf(queries, d), (query) => {
    const products = vectorsOf(rows, d)
      .map((row) => innerProduct(query, row).value)
      .sort((a, b) => b - a);
    return products.length === 0
      ? 0
      : products[Math.floor(next() * Math.min(products.length, 12))]!;
  });
}

const storage = fc.constantFrom<Storage>('bf16', 'int8');
const storages: Storage[] = ['bf16', 'int8'];

describe('quantized survivors', () => {
  atEveryExtension(() => {
    it('miss no row that reaches its threshold, for random shapes and scales', () =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            kind: storage,
            d: fc.oneof(
              fc.integer({ min: 1, max: 20 }),
              fc.constantFrom(31, 32, 33, 63, 64, 65, 128, 200),
            ),
            nq: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(31, 32, 33, 48, 65)),
            n: fc.oneof(fc.integer({ min: 0, max: 70 }), fc.constantFrom(95, 96, 97, 130)),
            exponent: fc.integer({ min: -20, max: 20 }),
            seed: fc.nat(),
          }),
          async ({ kind, d, nq, n, exponent, seed }) => {
            const next = random(seed);
            const queries = normals(nq * d, seed + 1).map((value) => value * 2 ** exponent);
            const rows = normals(n * d, seed + 2).map(
              (value) => value * 2 ** Math.floor(next() * 3),
            );
            if (n > 3) rows.copyWithin(2 * d, 0, d); // duplicates
            if (n > 5) rows.fill(0, 4 * d, 5 * d);
            const considered =
              next() < 0.5 ? undefined : Array.from({ length: n }, () => next() < 0.3);
            await assertSurvivors({
              storage: kind,
              d,
              queries,
              rows,
              thresholds: nearThresholds(queries, rows, d, next),
              ...(considered && { considered: (row: number) => considered[row]! }),
            });
          },
        ),
        { numRuns: 60 },
      ));

    for (const kind of storages) {
      it(`${kind}: all rows survive -Infinity and NaN, none of finite bound survives Infinity`, async () => {
        const [d, nq, n] = [33, 37, 1000];
        const queries = normals(nq * d, 1);
        const rows = normals(n * d, 2);
        for (const threshold of [-Infinity, NaN, -1e30]) {
          const found = await survivorsOf({
            storage: kind,
            d,
            queries,
            rows,
            thresholds: new Float32Array(nq).fill(threshold),
          });
          assert.equal(found.size, nq * n);
        }
        for (const threshold of [Infinity, 1e30]) {
          assert.equal(
            (
              await survivorsOf({
                storage: kind,
                d,
                queries,
                rows,
                thresholds: new Float32Array(nq).fill(threshold),
              })
            ).size,
            0,
          );
        }
      });

      it(`${kind}: tiny, huge and mixed magnitudes keep their bounds`, async () => {
        const d = 21;
        const scales = [
          2 ** -149,
          2 ** -140,
          2 ** -126,
          2 ** -100,
          2 ** -62,
          2 ** -59,
          2 ** -30,
          1,
          2 ** 30,
          2 ** 57,
        ];
        const rows = new Float32Array(
          scales.flatMap((scale, at) => [...normals(2 * d, at)].map((value) => value * scale)),
        );
        for (const factor of [-1, 0, 0.5, 1]) {
          for (const against of [0, 3, 5, 7, 9]) {
            const thresholds = Float32Array.from(
              vectorsOf(rows, d),
              (query) => factor * innerProduct(query, vectorsOf(rows, d)[2 * against]!).value,
            );
            await assertSurvivors({ storage: kind, d, queries: rows, rows, thresholds });
          }
        }
      });
    }
  });
});
