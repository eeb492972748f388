// Scans for words that few rows have: rows that their words leave no chance are passed over by
// panels, and by blocks of them, and results are those of a scan of the f32 vectors, bit for bit,
// whatever the weights, the form, the mask, the scope and where the rows lie.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatResult, MemoryRows, Storage } from '../../binding.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../lib/time/temporalForms.js';
import { atEveryExtension, normals, random } from '../kernels/levels.js';

type Scope = 'passages' | 'sentences' | 'all';

const day = 86_400_000;
const dimensions = 80;

interface World {
  rows: number;
  /** Of all rows, those that have any of the words; they come in runs of `run`. */
  share: number;
  run: number;
  /** Of the rows, those whose vector is longer than 1, or no vector at all. */
  odd: number;
}

/**
 * Vectors of length 1, most of it in their first components, as the encoder's; passages of two
 * rows, the first of them whole.
 */
function vectorsOf({ rows, odd }: World): Float32Array {
  const drawn = normals(rows * dimensions, 7);
  const next = random(3);
  for (let row = 0; row < rows; row += 1) {
    const own = drawn.subarray(row * dimensions, (row + 1) * dimensions);
    own.forEach((value, c) => void (own[c] = value / (1 + c)));
    const length = Math.hypot(...own) / (next() < odd ? 3 : 1);
    own.forEach((value, c) => void (own[c] = value / length));
    if (next() < odd / 4) own[row % dimensions] = row % 2 === 0 ? NaN : Infinity;
  }
  return drawn;
}

function wordsOf({ rows, share, run }: World, seed: number): Float32Array {
  const next = random(seed);
  const words = new Float32Array(rows);
  for (let row = 0; row < rows; row += run) {
    if (next() < share)
      for (let at = row; at < Math.min(rows, row + run); at += 1)
        words[at] = Math.ceil(next() * 12);
  }
  return words;
}

function memory(world: World, storage: Storage): MemoryRows {
  const { rows } = world;
  const next = random(5);
  const multiSentence = Math.floor(rows / 3);
  return new binding.MemoryRows({
    passages: rows - multiSentence,
    multiSentence,
    dimensions,
    vectors: vectorsOf(world),
    storage,
    rowPassage: Uint32Array.from({ length: rows }, (_, row) =>
      row < rows - multiSentence ? row : row - (rows - multiSentence),
    ),
    published: Float64Array.from({ length: rows }, (_, row) =>
      row % 9 === 0 ? NaN : Math.floor(next() * 4_000) * day,
    ),
  });
}

const window = { start: 1_000 * day, end: 1_400 * day };
const forms: TemporalForm[] = [
  { combine: 'none' },
  {
    combine: 'product',
    kind: 'spline',
    clock: 'published',
    lines: [{ window, atStart: 0.7, atEnd: 1 }],
    outside: 0.3,
  },
  {
    combine: 'product',
    kind: 'spline',
    clock: 'published',
    lines: [{ window, atStart: 2, atEnd: 0 }],
    outside: 0.5,
  },
];
const masks: Mask[] = [{}, { publishedUntil: 3_000 * day }];

const same = ({
  storage: _storage,
  rescored: _rescored,
  ...result
}: FlatResult): Omit<FlatResult, 'storage' | 'rescored'> => result;

async function bothWays(
  world: World,
  queries: readonly ScanQuery[],
  k: number,
  scope: Scope,
  pool: boolean,
): Promise<void> {
  const [plain, int8, bf16] = [memory(world, 'f32'), memory(world, 'int8'), memory(world, 'bf16')];
  const twice = queries.map((query) => ({
    ...query,
    ...(query.lexical ? { lexical: [query.lexical[0], query.lexical[0]] } : {}),
  }));
  const expected = same(await scanFlat([{ rows: plain }], queries, { k, scope, pool }));
  // The second scan knows how long the rows of each block are.
  for (const rows of [int8, int8, bf16])
    assert.deepEqual(same(await scanFlat([{ rows }], queries, { k, scope, pool })), expected);
  const both = same(await scanFlat([{ rows: plain }, { rows: plain }], twice, { k, scope, pool }));
  assert.deepEqual(
    same(await scanFlat([{ rows: int8 }, { rows: int8 }], twice, { k, scope, pool })),
    both,
  );
  for (const each of [plain, int8, bf16]) each.close();
}

describe('a scan for words that few rows have', () => {
  after(() => addon.setThreadCount(0));

  const world: fc.Arbitrary<World> = fc.record({
    rows: fc.integer({ min: 300, max: 3_000 }),
    share: fc.constantFrom(0, 0.01, 0.05, 0.3),
    run: fc.constantFrom(1, 5, 40, 300),
    odd: fc.constantFrom(0, 0, 0.01),
  });

  atEveryExtension(() => {
    it('gives the bits of the plain scan', async () => {
      const property = fc.asyncProperty(
        fc.record({
          of: world,
          count: fc.constantFrom(1, 2, 4, 6),
          k: fc.constantFrom(0, 1, 5, 40),
          scope: fc.constantFrom<Scope>('passages', 'sentences', 'all'),
          pool: fc.boolean(),
          weights: fc.constantFrom(
            [0.35, 0.05],
            [0.4, 0.1],
            [1, 0.01],
            [0.01, 1],
            [0.4, 0],
            [0.4, -0.1],
            [-0.4, 0.1],
          ),
          seed: fc.integer({ min: 0, max: 99 }),
        }),
        async ({ of, count, k, scope, pool, weights, seed }) => {
          const [semanticWeight, lexicalWeight] = weights;
          const words = wordsOf(of, seed);
          const vectors = vectorsOf({ ...of, odd: 0 });
          // Near a row as questions are near what answers them, and like it to its last bit.
          const vector = vectors.slice(
            (seed % of.rows) * dimensions,
            ((seed % of.rows) + 1) * dimensions,
          );
          if (seed % 3 > 0)
            normals(dimensions, seed + 1).forEach(
              (value, c) => void (vector[c]! += value / (3 + 3 * c)),
            );
          const queries = Array.from(
            { length: count },
            (_, q): ScanQuery => ({
              vector,
              semanticWeight,
              lexicalWeight,
              lexical: [words],
              form: forms[q % forms.length]!,
              mask: masks[count === 4 ? q % 2 : seed % 2]!,
            }),
          );
          await bothWays(of, queries, k, scope, pool);
        },
      );
      await fc.assert(property, { numRuns: 25 });
    });
  });

  it('does so where words weigh more than floats hold', async () => {
    const of = { rows: 3_000, share: 0.3, run: 5, odd: 0 };
    const vector = vectorsOf(of).slice(0, dimensions);
    for (const lexicalWeight of [1e17, 1e19, 1e40, 1e300, -1e40]) {
      const words = [wordsOf(of, 1), wordsOf(of, 2)];
      // One query, and two that do not share their words.
      for (const lists of [words.slice(1), words]) {
        const queries = lists.map(
          (lexical): ScanQuery => ({
            vector,
            semanticWeight: 1,
            lexicalWeight,
            lexical: [lexical],
          }),
        );
        await bothWays(of, queries, 30, 'all', false);
      }
    }
  });

  it('does so on any number of threads', async () => {
    const of = { rows: 9_000, share: 0.03, run: 20, odd: 0 };
    const vector = vectorsOf(of).slice(0, dimensions);
    const words = wordsOf(of, 1);
    const queries = forms.map(
      (form): ScanQuery => ({
        vector,
        semanticWeight: 0.35,
        lexicalWeight: 0.05,
        lexical: [words],
        form,
      }),
    );
    for (const threads of [1, 2, 5]) {
      addon.setThreadCount(threads);
      await bothWays(of, queries, 30, 'all', false);
    }
  });
});
