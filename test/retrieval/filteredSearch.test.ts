// Filters, masks and decays together by the public API, against sums in float64 over every row.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decayFunctions, decayKinds, type DecayKind } from '../oracle/temporal.js';
import { VectorIndex, type VectorTimes } from '../../lib/index.js';
import {
  fields,
  filterCase,
  metadata,
  type Case,
  type Metadata,
} from '../store/fields/fixtures.js';

const day = 86_400_000;
const now = Date.UTC(2024, 0, 1);
const dimensions = 7;

interface Row {
  metadata: Metadata;
  vector: number[];
  /** Days before `now`; undated if undefined. */
  age?: number | undefined;
}
interface Decay {
  shape: DecayKind;
  days: number;
  floor: number;
  combine: 'product' | 'sum';
}

const component = fc.integer({ min: -100, max: 100 }).map((each) => each / 100);
const vector = fc.array(component, { minLength: dimensions, maxLength: dimensions });
const row: fc.Arbitrary<Row> = fc.record({
  metadata,
  vector,
  age: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined, freq: 5 }),
});
const decay: fc.Arbitrary<Decay> = fc.record({
  shape: fc.constantFrom(...decayKinds),
  days: fc.integer({ min: 1, max: 400 }),
  floor: fc.constantFrom(0, 0.1, 0.5),
  combine: fc.constantFrom('product', 'sum'),
});

/** Elasticsearch's functions at decay 0.5, and asof's rules for undated rows and products. */
function scoreOf(
  similarity: number,
  age: number | undefined,
  { shape, days, floor, combine }: Decay,
): number {
  const value = age === undefined ? 0.5 : decayFunctions[shape](age, days, 0, 0.5);
  const c = Math.max(floor, value);
  if (combine === 'sum') return similarity + c;
  return similarity < 0 ? similarity * (2 - c) : similarity * c;
}

interface Search {
  filter: Case;
  hidden?: number | undefined;
  decay?: Decay | undefined;
  k: number;
}
const search: fc.Arbitrary<Search> = fc.record({
  filter: filterCase,
  hidden: fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined }),
  decay: fc.option(decay, { nil: undefined, freq: 4 }),
  k: fc.integer({ min: 1, max: 40 }),
});

function expected(rows: readonly Row[], query: readonly number[], search: Search): number[] {
  const { filter, hidden, decay } = search;
  return rows.flatMap(({ metadata, vector, age }) => {
    // Undated rows are kept by the mask.
    const isHidden = hidden !== undefined && age !== undefined && age < hidden;
    if (!filter.passes(metadata) || isHidden) return [];
    const similarity = vector.reduce(
      (sum, each, at) => sum + Math.fround(each) * Math.fround(query[at]!),
      0,
    );
    return [decay ? scoreOf(similarity, age, decay) : similarity];
  });
}

describe('filters with masks and decays', () => {
  for (const storage of ['f32', 'int8', 'int4', 'bf16'] as const) {
    it(`keep the exact top k in ${storage}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { minLength: 1, maxLength: 400 }),
          vector,
          fc.array(search, { minLength: 1, maxLength: 6 }),
          async (rows, query, searches) => {
            const column = (name: keyof Metadata) => ({
              type: fields[name],
              values: rows.map((each) => each.metadata[name]),
            });
            using index = new VectorIndex({
              dimensions,
              storage,
              vectors: Float32Array.from(rows.flatMap((each) => each.vector)),
              publishedAt: Float64Array.from(rows, ({ age }) =>
                age === undefined ? NaN : now - age * day,
              ),
              fields: {
                tenant: column('tenant'),
                tags: column('tags'),
                price: column('price'),
                isDraft: column('isDraft'),
                seen: column('seen'),
              },
            });
            for (const each of searches) {
              const { filter, hidden, decay, k } = each;
              const times: VectorTimes = {
                ...(hidden === undefined ? {} : { asOf: now - hidden * day }),
                ...(decay
                  ? {
                      decay: {
                        shape: decay.shape,
                        halfLife: `${decay.days}d`,
                        floor: decay.floor,
                        combine: decay.combine,
                        origin: now,
                      },
                    }
                  : {}),
              };
              const options = { ...times, where: filter.where };
              const { score } = await index.searchBatch(Float32Array.from(query), k, options);
              const best = expected(rows, query, each)
                .sort((a, b) => b - a)
                .slice(0, k);
              assert.equal(score.length, best.length);
              best.forEach((value, at) =>
                assert.ok(
                  Math.abs(score[at]! - value) <= 2e-6 * (1 + Math.abs(value)),
                  `${score[at]} for ${value}`,
                ),
              );
            }
          },
        ),
        { numRuns: 40 },
      );
    });
  }
});
