// The paired test against the exact distribution of small samples, and against what is known of its
// ends.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { seededRandom } from '../../../../lib/text/random.js';
import { pairedDifference, type QueryScores } from '../../lib/index.js';

const scores = (values: readonly number[]): QueryScores[] =>
  values.map((value, at) => ({ id: `q${at}`, values: { 'hit@1': value } }));
const difference = (first: readonly number[], second: readonly number[], rounds = 10_000) =>
  pairedDifference(scores(first), scores(second), 'hit@1', { rounds });

/** p by every relabelling there is. */
function exact(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
  let asLarge = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs += 1) {
    const total = differences.reduce(
      (sum, each, at) => sum + ((signs >> at) & 1 ? each : -each),
      0,
    );
    if (Math.abs(total) >= observed - 1e-9) asLarge += 1;
  }
  return asLarge / 2 ** differences.length;
}

describe('paired difference', () => {
  it('comes near the exact p of every relabelling', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(0, 0.25, 0.5, 1), fc.constantFrom(0, 0.25, 0.5, 1)), {
          minLength: 1,
          maxLength: 10,
        }),
        (pairs) => {
          const { p, difference: mean } = difference(
            pairs.map(([a]) => a),
            pairs.map(([, b]) => b),
          );
          assert.ok(Math.abs(p - exact(pairs.map(([a, b]) => b - a))) < 0.03);
          assert.ok(
            Math.abs(mean - pairs.reduce((sum, [a, b]) => sum + b - a, 0) / pairs.length) < 1e-12,
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is 1 for equal systems, and small where one is better on every question', () => {
    const { p, interval, differing } = difference(Array(40).fill(1), Array(40).fill(1), 200);
    assert.deepEqual({ p, interval, differing }, { p: 1, interval: [0, 0], differing: 0 });
    const better = difference(Array(40).fill(0), Array(40).fill(1), 999);
    assert.equal(better.p, 1 / 1000);
    assert.deepEqual(better.interval, [1, 1]);
  });

  it('turns its sign, not its p, with the order of the two', () => {
    const [a, b] = [
      [0, 0, 1, 0, 0.5, 0, 1],
      [1, 0, 1, 1, 0, 1, 1],
    ];
    const [there, back] = [difference(a, b), difference(b, a)];
    assert.equal(there.difference, -back.difference);
    assert.ok(Math.abs(there.p - back.p) < 0.02);
    assert.ok(there.interval[0] <= there.difference && there.difference <= there.interval[1]);
  });

  it('pairs by question id, and leaves out questions that one of them lacks', () => {
    const first: QueryScores[] = [
      { id: 'a', values: { mrr: 1 } },
      { id: 'b', values: { mrr: 0 } },
      { id: 'c', values: {} },
    ];
    const second = [
      { id: 'c', values: { mrr: 1 } },
      { id: 'b', values: { mrr: 1 } },
      { id: 'a', values: { mrr: 1 } },
      { id: 'd', values: { mrr: 0 } },
    ];
    const { queries, difference: mean } = pairedDifference(first, second, 'mrr', { rounds: 100 });
    assert.deepEqual([queries, mean], [2, 0.5]);
    assert.throws(() => pairedDifference(first, second, 'hit@1'), { code: 'ERR_INVALID_ARGUMENT' });
    assert.throws(() => pairedDifference(first, second, 'mrr', { rounds: 1.5 }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('draws the same whatever was tested before, and whether draws are held or not', () => {
    const scores = (count: number, step: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: `q${at}`,
        values: { mrr: ((at * step) % 7) / 7 },
      }));
    const test = (count: number, rounds: number) =>
      pairedDifference(scores(count, 3), scores(count, 5), 'mrr', { rounds, seed: 9 });
    const small = test(50, 300);
    test(80, 200);
    test(20, 900);
    assert.deepEqual(test(50, 300), small);
    // As many draws as are not held: by hand, with the generator that a seed stands for.
    const many = test(60_000, 300);
    const random = seededRandom(9, 'resampling');
    const differences = scores(60_000, 3).map(({ values }, at) => ((at * 5) % 7) / 7 - values.mrr);
    const means = Array.from({ length: 300 }, () => {
      let total = 0;
      for (let at = 0; at < 60_000; at += 1) total += differences[random.below(60_000)]!;
      return total / 60_000;
    }).sort((a, b) => a - b);
    assert.deepEqual(many.interval, [means[7], means[292]]);
  });
});
