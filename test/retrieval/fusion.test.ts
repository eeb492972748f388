// Rank and score fusion by definition and by properties: order of lists, absent passages, ties,
// bounds.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  normalisedSum,
  reciprocalRankFusion,
  type RankedPassage,
} from '../../lib/retrieval/fusion.js';

const list = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom(...'abcdefghij'),
      score: fc.integer({ min: 0, max: 50_000 }).map((each) => each / 1000),
    }),
    {
      selector: (each) => each.id,
    },
  )
  .map((items) => items.sort((a, b) => b.score - a.score));
const lists = fc.array(list, { minLength: 1, maxLength: 4 });
const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-12;

describe('fusion', () => {
  it('by reciprocal ranks is the sum of 1 / (60 + rank)', () => {
    const first: RankedPassage[] = [
      { id: 'x', score: 9 },
      { id: 'y', score: 1 },
    ];
    const second: RankedPassage[] = [
      { id: 'y', score: 0.5 },
      { id: 'z', score: 0.4 },
    ];
    const fused = reciprocalRankFusion([first, second]);
    assert.deepEqual(
      fused.map(({ id }) => id),
      ['y', 'x', 'z'],
    );
    assert.ok(
      close(fused[0]!.score, 1 / 62 + 1 / 61) &&
        close(fused[1]!.score, 1 / 61) &&
        close(fused[2]!.score, 1 / 62),
    );
    assert.deepEqual(fused[1]!.parts, [9, undefined]);
  });

  it('by normalised sum is a convex combination of min-max scores', () => {
    const fused = normalisedSum(
      [
        [
          { id: 'x', score: 10 },
          { id: 'y', score: 5 },
        ],
        [{ id: 'y', score: 0.5 }],
      ],
      { weights: [0.2, 0.8], minima: [0, -1], maxima: [20, 1] },
    );
    assert.deepEqual(
      fused.map(({ id }) => id),
      ['y', 'x'],
    );
    assert.ok(close(fused[0]!.score, 0.2 * 0.25 + 0.8 * 0.75) && close(fused[1]!.score, 0.2 * 0.5));
  });

  it('has every passage once, best first, ties by id, within its bounds', () => {
    fc.assert(
      fc.property(lists, (given) => {
        for (const fused of [reciprocalRankFusion(given), normalisedSum(given)]) {
          const ids = new Set(given.flat().map(({ id }) => id));
          assert.deepEqual(new Set(fused.map(({ id }) => id)), ids);
          assert.equal(fused.length, ids.size);
          for (let i = 1; i < fused.length; i++) {
            const [a, b] = [fused[i - 1]!, fused[i]!];
            assert.ok(a.score > b.score || (a.score === b.score && a.id < b.id));
          }
        }
        for (const { score } of normalisedSum(given)) assert.ok(score >= 0 && score <= 1 + 1e-12);
        for (const { score } of reciprocalRankFusion(given))
          assert.ok(score > 0 && score <= given.length / 61 + 1e-12);
      }),
    );
  });

  it('keeps the order of a list fused alone, and does not depend on the order of lists', () => {
    fc.assert(
      fc.property(list, lists, (alone, several) => {
        assert.deepEqual(
          reciprocalRankFusion([alone]).map(({ id }) => id),
          alone.map(({ id }) => id),
        );
        const scores = new Map(normalisedSum(several).map(({ id, score }) => [id, score]));
        for (const { id, score } of normalisedSum([...several].reverse()))
          assert.ok(close(score, scores.get(id)!));
      }),
    );
  });

  it('ignores the scale of a list in the normalised sum', () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0.5, max: 8, noNaN: true }), (given, factor) => {
        const scaled = given.map((one, i) =>
          i === 0 ? one.map(({ id, score }) => ({ id, score: score * factor })) : one,
        );
        const scores = new Map(normalisedSum(given).map(({ id, score }) => [id, score]));
        for (const { id, score } of normalisedSum(scaled))
          assert.ok(Math.abs(score - scores.get(id)!) < 1e-9);
      }),
    );
  });

  it('rejects invalid scores, and returns nothing for no lists', () => {
    assert.deepEqual(reciprocalRankFusion([]), []);
    assert.deepEqual(normalisedSum([[], []]), []);
    const one = [[{ id: 'x', score: 1 }]];
    for (const bad of [
      () => reciprocalRankFusion(one, { k: -1 }),
      () => reciprocalRankFusion(one, { weights: [1, 2] }),
      () => reciprocalRankFusion([[{ id: 'x', score: Number.NaN }]]),
      () => normalisedSum([[{ id: 'x', score: Infinity }]]),
      () => normalisedSum(one, { weights: [0] }),
      () => normalisedSum(one, { minima: [Number.NaN] }),
      () => normalisedSum(one, { maxima: [] }),
    ]) {
      assert.throws(bad, { code: 'ERR_INVALID_ARGUMENT' });
    }
  });
});
