// Survivors of scans with a row bias, and of scans where panels are pruned by
// their first components: at every level they are the pairs that the contract's rule keeps, worked
// out here from the bounds that a scan of all pairs gives.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import { atEveryExtension, normals, random } from './levels.js';

interface RowBias {
  numbers: Float32Array;
  weights: Float32Array;
}

/** What the contract compares with the threshold, each operation rounded to float. */
function biasedBound(most: number, query: number, row: number, bias?: RowBias): number {
  if (!bias) return most;
  const more = Math.fround(bias.weights[query]! * bias.numbers[row]!);
  return Math.fround(
    Math.fround(most + more) + Math.fround(Math.fround(Math.abs(most) + Math.abs(more)) * 2 ** -22),
  );
}

/**
 * Rows and queries whose first components are the longest, as after a turn to principal components;
 * `decay` 0: all are alike.
 */
function sloping(count: number, d: number, decay: number, seed: number): Float32Array {
  return normals(count * d, seed).map((value, at) => value * Math.exp((-decay * (at % d)) / d));
}

interface Shape {
  kind: 'bf16' | 'int8';
  d: number;
  nq: number;
  n: number;
  decay: number;
  seed: number;
}

/** Checks what survives thresholds that leave about that share of the pairs; how many there are. */
async function assertKept(
  { kind, d, nq, n, decay, seed }: Shape,
  share: number,
  masked: boolean,
  bias?: RowBias,
): Promise<number> {
  const next = random(seed);
  const [queries, rows] = [sloping(nq, d, decay, seed + 1), sloping(n, d, decay, seed + 2)];
  if (n > 40) rows.fill(0, 17 * d, 18 * d);
  if (n > 60) rows[50 * d] = Infinity;
  const packed = await addon.packQuantized(rows, d, kind);
  const considered = masked
    ? new BigUint64Array(Math.ceil(n / 64)).map(() => BigInt(Math.floor(next() * 2 ** 32)) << 16n)
    : undefined;
  const all = await addon.quantizedSurvivors(packed, {
    queries,
    thresholds: new Float32Array(nq).fill(-Infinity),
    considered,
  });
  const values = Array.from({ length: nq }, (): number[] => []);
  all.query.forEach((query, at) =>
    values[query]!.push(biasedBound(all.most[at]!, query, all.row[at]!, bias)),
  );
  const thresholds = Float32Array.from(
    values,
    (list) => list.sort((a, b) => b - a)[Math.floor(share * list.length)] ?? 0,
  );
  const expected = Array.from(all.query, (query, at) => ({
    query,
    row: all.row[at]!,
    most: all.most[at]!,
    product: all.product[at]!,
  })).filter(({ query, row, most }) => !(biasedBound(most, query, row, bias) < thresholds[query]!));
  const found = await addon.quantizedSurvivors(packed, {
    queries,
    thresholds,
    considered,
    rowBias: bias?.numbers,
    biasWeights: bias?.weights,
  });
  const key = ({ query, row, most, product }: (typeof expected)[number]): string =>
    `${query} ${row} ${most} ${product}`;
  const got = Array.from(found.query, (query, at) =>
    key({ query, row: found.row[at]!, most: found.most[at]!, product: found.product[at]! }),
  );
  assert.deepEqual(got.sort(), expected.map(key).sort());
  return expected.length;
}

describe('quantized survivors with a row bias', () => {
  atEveryExtension(() => {
    it('are those of the rule, for random shapes, slopes and masks', () =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            kind: fc.constantFrom('int8', 'int8', 'bf16'),
            d: fc.constantFrom(1, 3, 16, 17, 63, 64, 65, 130, 256, 384),
            nq: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(8, 16, 17, 40)),
            n: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.constantFrom(160, 161, 400)),
            decay: fc.constantFrom(0, 2, 6),
            seed: fc.nat(),
          }),
          fc.constantFrom(0, 0.01, 0.1, 0.6),
          fc.boolean(),
          fc.constantFrom(undefined, 0, 0.3, 5),
          async (shape, share, masked, weight) => {
            const { d, nq, n, seed } = shape;
            const next = random(seed + 3);
            const numbers = Float32Array.from({ length: n }, () =>
              next() < 0.7 ? 0 : (next() - 0.2) * Math.sqrt(d),
            );
            const weights = Float32Array.from(
              { length: nq },
              () => (weight ?? 0) * (next() < 0.2 ? 0 : next()),
            );
            await assertKept(
              shape,
              share,
              masked,
              weight === undefined ? undefined : { numbers, weights },
            );
          },
        ),
        { numRuns: 60 },
      ));

    it('are the same if most panels are pruned, and if none is', async () => {
      const shape = { kind: 'int8', d: 256, n: 3000, seed: 5 } as const;
      for (const decay of [0, 8]) {
        for (const nq of [1, 2, 3, 33]) {
          const numbers = Float32Array.from({ length: 3000 }, (_, row) => (row % 97 === 0 ? 2 : 0));
          assert.ok((await assertKept({ ...shape, nq, decay }, 0.01, false)) >= 30);
          assert.ok(
            (await assertKept({ ...shape, nq, decay }, 0.02, false, {
              numbers,
              weights: new Float32Array(nq).fill(0.5),
            })) >= 60,
          );
        }
      }
    });
  });

  it('are refused for weights below 0, too large, or fewer than queries', () => {
    const refuses = async (...weights: number[]): Promise<void> => {
      const packed = await addon.packQuantized(normals(8, 1), 4, 'int8');
      assert.throws(
        () => {
          const [thresholds, numbers] = [new Float32Array(2), new Float32Array(2)];
          return addon.quantizedSurvivors(packed, {
            queries: normals(8, 2),
            thresholds,
            rowBias: numbers,
            biasWeights: Float32Array.from(weights),
          });
        },
        { code: 'ERR_INVALID_ARGUMENT' },
      );
    };
    return Promise.all([refuses(1, -1), refuses(1, NaN), refuses(2 ** 61, 1), refuses(1)]);
  });
});
