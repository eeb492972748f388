// Training a ranker: it learns an interaction that no single feature shows, from the best row of
// each passage; the same seed gives the same weights; directions hold everywhere; a split is the
// one that brute force finds.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { featureNames, type FeatureName } from '../../../lib/ranking/ranker/featureNames.js';
import { Ranker, checkRanker } from '../../../lib/ranking/ranker/model.js';
import { binFeatures } from '../../../lib/train/ranker/bins.js';
import type { RankingExample } from '../../../lib/train/ranker/examples.js';
import { trainRanker } from '../../../lib/train/ranker/train.js';
import { growTree } from '../../../lib/train/ranker/tree.js';

const width = featureNames.length;
const at = (name: FeatureName): number => featureNames.indexOf(name);

/**
 * Passages of two rows; right is the one with a row that shares time and covers the question, wrong
 * ones have either alone.
 */
function examples(count: number, seed = 7): RankingExample[] {
  let state = seed;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  return Array.from({ length: count }, (_, n) => {
    const passages = Array.from({ length: 6 }, (_, p) => ({
      id: `${n}/${p}`,
      label: p === n % 6 ? (1 as const) : (0 as const),
      rows: 2,
    }));
    const values = new Float32Array(12 * width).fill(NaN);
    passages.forEach(({ label }, p) => {
      for (let row = 2 * p; row < 2 * p + 2; row += 1) {
        const good = label === 1 && row % 2 === n % 2;
        values[row * width + at('sharedOfNamed')] = good || random() < 0.4 ? 1 : 0;
        values[row * width + at('coversEqually')] = good
          ? 0.9
          : values[row * width + at('sharedOfNamed')] === 1
            ? 0.1
            : 0.9;
        values[row * width + at('retrieval')] = 0.5;
        values[row * width + at('age')] = random();
      }
    });
    return { group: String(n), weight: 1, passages, values };
  });
}

function share(list: readonly RankingExample[], ranker: Ranker): number {
  const best = ({ passages, values }: RankingExample): number => {
    const scores = passages.map((_, p) =>
      Math.max(ranker.score(values, 2 * p * width), ranker.score(values, (2 * p + 1) * width)),
    );
    return passages[scores.indexOf(Math.max(...scores))]!.label;
  };
  return list.filter((each) => best(each) === 1).length / list.length;
}

describe('trainRanker', () => {
  it('learns what only two features together say, of questions that it has not seen', () => {
    const model = checkRanker(
      JSON.parse(JSON.stringify(trainRanker(examples(200), { trees: 40, columns: 1 }))),
    );
    assert.ok(share(examples(100, 99), new Ranker(model)) >= 0.95);
  });

  it('gives the same weights for the same seed, and others for another', () => {
    const weights = (seed: number): string =>
      JSON.stringify(trainRanker(examples(60), { trees: 8, seed }));
    assert.equal(weights(1), weights(1));
    assert.notEqual(weights(1), weights(2));
  });

  it('never lowers a score where a feature that can only help rises', () => {
    const ranker = new Ranker(
      trainRanker(
        examples(120).map((each) => ({
          ...each,
          passages: each.passages.map((passage, p) => ({ ...passage, label: p === 0 ? 1 : 0 })),
        })),
        { trees: 20 },
      ),
    );
    const number = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);
    const rowOf = fc.array(number, { minLength: width, maxLength: width });
    const rising = fc.constantFrom<FeatureName>('covers', 'coversEqually', 'retrieval', 'holds');
    fc.assert(
      fc.property(rowOf, rising, number, number, (row, name, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((value) =>
          ranker.score(
            Float32Array.from(row, (each, f) => (f === at(name) ? value : each)),
            0,
          ),
        );
        assert.ok(high! >= low! - 1e-9);
      }),
    );
  });

  it('takes questions without right or wrong passages, none at all, and a signal', () => {
    const [one] = examples(1);
    const odd = [
      { ...one!, passages: one!.passages.map((each) => ({ ...each, label: 0 as const })) },
      { ...one!, passages: one!.passages.map((each) => ({ ...each, label: 1 as const })) },
    ];
    assert.equal(trainRanker(odd, { trees: 2 }).trees.length, 2);
    assert.equal(new Ranker(trainRanker([], { trees: 1 })).score(new Float32Array(width), 0), 0);
    assert.throws(() => trainRanker(examples(2), { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
  });
});

describe('growTree', () => {
  it('splits where brute force over every edge gains most', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(NaN));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value, fc.integer({ min: -9, max: 9 })), {
          minLength: 4,
          maxLength: 30,
        }),
        (rows) => {
          const values = Float32Array.from(rows.flatMap(([a, b]) => [a, b]));
          const bins = binFeatures(values, 2);
          const gradients = Float64Array.from(rows, ([, , g]) => g);
          const curvatures = new Float64Array(rows.length).fill(1);
          const options = {
            depth: 1,
            smoothing: 1,
            leastCurvature: 1,
            rate: 1,
            directions: [0, 0] as const,
            allowed: [0, 1],
          };
          const tree = growTree(bins, Int32Array.from(rows.keys()), gradients, curvatures, options);
          const loss = (part: readonly number[]): number =>
            -(part.reduce((sum, row) => sum + gradients[row]!, 0) ** 2 / (part.length + 1));
          const split = (f: number, edge: number): number => {
            const right = [...rows.keys()].filter((row) => values[2 * row + f]! > edge);
            const left = [...rows.keys()].filter((row) => !right.includes(row));
            return left.length === 0 || right.length === 0 ? Infinity : loss(left) + loss(right);
          };
          const all = loss([...rows.keys()]);
          const best = Math.min(
            all,
            ...[0, 1].flatMap((f) => [-Infinity, ...bins.edges[f]!].map((edge) => split(f, edge))),
          );
          const found =
            tree.feature[0]! < 0 ? all : split(tree.feature[0]!, tree.threshold[0] ?? -Infinity);
          assert.ok(Math.abs(found - best) < 1e-6, `${found} ${best}`);
        },
      ),
    );
  });
});
