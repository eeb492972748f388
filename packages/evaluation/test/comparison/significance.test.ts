// Corrections against values worked out by hand and against their own properties; which pairs are
// tested.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { correctPValues, testRuns, type SystemScores } from '../../lib/comparison/significance.js';
import { pairedDifference, type QueryScores } from '../../lib/index.js';
import { corrections } from '../../lib/comparison/result.js';
import { assertEach } from '../../../../test/assertEach.js';

const near = (actual: readonly number[], expected: readonly number[]): void =>
  expected.forEach((value, at) =>
    assert.ok(
      Math.abs(actual[at]! - value) < 1e-12,
      `${actual.join(', ')} for ${expected.join(', ')}`,
    ),
  );
const scored = (system: string, values: readonly (number | undefined)[]): SystemScores => ({
  system,
  queries: values.map(
    (value, at): QueryScores => ({
      id: `q${at}`,
      values: value === undefined ? {} : { mrr: value },
    }),
  ),
});
const options = {
  baseline: 'a',
  test: 'randomisation',
  correction: 'holm',
  rounds: 500,
  seed: 1,
} as const;

describe('corrections of significance', () => {
  it('give the values worked out by hand, in the order given', () => {
    const values = [0.04, 0.01, 0.03];
    near(correctPValues(values, 'holm'), [0.06, 0.03, 0.06]); // 3 x .01; 2 x .03; .04 is below it
    near(correctPValues(values, 'bonferroni'), [0.12, 0.03, 0.09]);
    // .04; .03 x 3/2 is above it; .01 x 3
    near(correctPValues(values, 'benjamini-hochberg'), [0.04, 0.03, 0.04]);
    near(correctPValues(values, 'none'), values);
    assert.deepEqual(correctPValues([], 'holm'), []);
  });

  it('never lower a p, never exceed 1 and keep the order; Holm lies between the others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
        (values) => {
          const [holm, bonferroni, benjamini] = corrections.map((each) =>
            correctPValues(values, each),
          ) as [number[], number[], number[]];
          values.forEach((p, at) => {
            const rising = [p, benjamini[at]!, holm[at]!, bonferroni[at]!, 1];
            rising.forEach((value, place) =>
              assert.ok(place === 0 || value >= rising[place - 1]! - 1e-12, rising.join(' <= ')),
            );
            values.forEach((other, beside) =>
              assert.ok(p > other || holm[at]! <= holm[beside]! + 1e-12),
            );
          });
        },
      ),
    );
  });
});

describe('tests of one set', () => {
  it('compare each system with the baseline and the best two, by metric', async () => {
    const systems = [
      scored('a', Array(12).fill(0)),
      scored('b', Array(12).fill(1)),
      scored('c', Array(12).fill(0.5)),
    ];
    const found = await testRuns('s', ['mrr'], systems, options);
    assert.deepEqual(
      found.map(({ system, against, pair, difference }) => [system, against, pair, difference]),
      [
        ['b', 'a', 'baseline', 1],
        ['c', 'a', 'baseline', 0.5],
        ['b', 'c', 'best two', 0.5],
      ],
    );
    const least = Math.min(...found.map(({ p }) => p));
    assert.ok(
      found.every(
        ({ corrected, n, low, high }) => corrected >= least * 3 - 1e-12 && n === 12 && low <= high,
      ),
    );
  });

  it('take the best two by less where less is better', async () => {
    const of = (system: string, value: number) => ({
      system,
      queries: [0, 1, 2].map((at) => ({ id: `q${at}`, values: { 'future@5': value } })),
    });
    const found = await testRuns(
      's',
      ['future@5'],
      [of('a', 0.9), of('b', 0.1), of('c', 0.2)],
      options,
    );
    assertEach(found, ({ system, against }) => `${system} ${against}`, ['b a', 'c a', 'b c']);
  });

  it('leave out a metric that nobody has and pairs without a common question', async () => {
    const none = await testRuns(
      's',
      ['map', 'mrr'],
      [scored('a', [1, undefined]), scored('b', [undefined, 1])],
      options,
    );
    assert.deepEqual(none, []);
  });

  it('find by the bootstrap what the randomisation finds, where samples are large', () => {
    const of = (values: readonly number[]) =>
      values.map((value, at) => ({ id: `q${at}`, values: { mrr: value } }));
    const first = of(Array.from({ length: 200 }, (_, at) => ((at * 7) % 10) / 10));
    const second = of(
      Array.from(
        { length: 200 },
        (_, at) => ((at * 7) % 10) / 10 + (at % 5 === 0 ? 0.1 : at % 7 === 0 ? -0.09 : 0),
      ),
    );
    const [byLabels, byDraws] = (['randomisation', 'bootstrap'] as const).map(
      (test) => pairedDifference(first, second, 'mrr', { test }).p,
    );
    assert.ok(Math.abs(byLabels! - byDraws!) < 0.02, `${byLabels}, ${byDraws}`);
    assert.equal(pairedDifference(first, first, 'mrr', { test: 'bootstrap', rounds: 100 }).p, 1);
    assert.throws(
      () => pairedDifference(first, first, 'mrr', { test: 'sign' as never }),
      /Expected test to be randomisation or bootstrap/,
    );
  });
});
