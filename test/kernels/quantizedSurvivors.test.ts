// What survives a threshold, at every level: nothing whose exact or canonical product reaches it is
// ever missed, what survives is what the contract's rule says, bitmaps and tails keep to their
// rows, and rows and queries that cannot be multiplied keep everything.
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
      it(`${kind}: are right for every number of queries and rows`, async () => {
        const d = 40;
        const queries = normals(300 * d, 1);
        const rows = normals(149 * d, 2);
        const thresholds = nearThresholds(queries, rows, d, random(3));
        for (const n of [0, 1, 15, 16, 17, 31, 33, 47, 48, 49, 64, 65, 149]) {
          for (const nq of n === 65
            ? [0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 32, 33, 48, 64, 65, 255, 256, 257, 300]
            : [1, 3, 20]) {
            await assertSurvivors({
              storage: kind,
              d,
              queries: queries.subarray(0, nq * d),
              rows: rows.subarray(0, n * d),
              thresholds: thresholds.subarray(0, nq),
            });
          }
        }
      });

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

      it(`${kind}: a vector that cannot be multiplied survives every threshold, and disturbs no other`, async () => {
        const [d, nq, n] = [70, 20, 50];
        for (const odd of [NaN, Infinity, -Infinity, 2 ** 70]) {
          const queries = normals(nq * d, 4);
          const rows = normals(n * d, 5);
          queries[3 * d + 69] = odd;
          queries.fill(0, 7 * d, 8 * d);
          rows[17 * d + 5] = odd;
          rows[33 * d] = odd;
          const thresholds = new Float32Array(nq).fill(3.4e38);
          thresholds[5] = Infinity;
          thresholds[6] = -Infinity;
          const found = await survivorsOf({ storage: kind, d, queries, rows, thresholds });
          for (let i = 0; i < nq; i += 1) {
            for (let j = 0; j < n; j += 1) {
              const expected = i === 3 || i === 6 || j === 17 || j === 33;
              const survivor = found.get(`${i} ${j}`);
              assert.equal(survivor !== undefined, expected, `query ${i}, row ${j}`);
              if (survivor && i !== 6) assert.deepEqual(survivor, { product: 0, most: Infinity });
            }
          }
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

      it(`${kind}: a bitmap keeps to its rows over many panels`, async () => {
        const [d, nq, n] = [64, 33, 2500];
        const queries = normals(nq * d, 6);
        const rows = normals(n * d, 7);
        for (const share of [0, 0.002, 0.05, 0.6, 1]) {
          const next = random(8);
          const chosen = Array.from({ length: n }, () => next() < share);
          const thresholds = new Float32Array(nq).fill(9);
          const all = await survivorsOf({ storage: kind, d, queries, rows, thresholds });
          const some = await survivorsOf({
            storage: kind,
            d,
            queries,
            rows,
            thresholds,
            considered: (row) => chosen[row]!,
          });
          assert.deepEqual(
            new Map([...all].filter(([pair]) => chosen[Number(pair.split(' ')[1])]).sort()),
            new Map([...some].sort()),
          );
        }
      });
    }
  });

  it('int8: the same rows survive at every level, with the same numbers', async () => {
    for (const [d, nq, n] of [
      [384, 70, 900],
      [65, 5, 333],
      [1000, 1, 100],
    ] as const) {
      const queries = normals(nq * d, 1);
      const rows = normals(n * d, 2);
      const thresholds = nearThresholds(queries, rows, d, random(4));
      const perLevel: [string, Survivors][][] = [];
      for (const level of addon.isaLevels()) {
        addon.setIsa(level);
        perLevel.push(
          [...(await survivorsOf({ storage: 'int8', d, queries, rows, thresholds }))].sort(
            ([a], [b]) => (a < b ? -1 : 1),
          ),
        );
      }
      addon.setIsa('');
      perLevel.forEach((found) => assert.deepEqual(found, perLevel[0]));
    }
  });
});
