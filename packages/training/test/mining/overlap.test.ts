// Coverage, distance and the graded margin: the laws that mining relies on.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { yearMilliseconds } from '../../../../lib/time/civil.js';
import { coverage, gapYears, gradedMargin, relationOf } from '../../lib/mining/overlap.js';

const years = (start: number, end: number) => ({
  start: start * yearMilliseconds,
  end: end * yearMilliseconds,
});
const interval = fc
  .tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: 1, max: 50 }))
  .map(([start, length]) => years(start, start + length));

describe('overlap of times', () => {
  it('a span covers what lies inside it, and half of what half lies outside', () => {
    assert.equal(coverage(years(1942, 1947), years(1944, 1945)), 1);
    assert.equal(coverage(years(1944, 1945), years(1942, 1947)), 1);
    assert.equal(coverage(years(0, 10), years(5, 15)), 0.5);
    assert.equal(coverage(years(0, 10), years(10, 15)), 0, 'half-open: they only touch');
    assert.equal(coverage({ start: -Infinity, end: 5 }, { start: -Infinity, end: 3 }), 1);
    assert.equal(gapYears(years(0, 10), years(13, 14)), 3);
    assert.deepEqual(relationOf([], years(0, 1)), { coverage: 0, gapYears: Infinity });
    assert.deepEqual(relationOf([years(0, 1), years(9, 12)], years(10, 11)), {
      coverage: 1,
      gapYears: 0,
    });
  });

  it('is symmetrical, between 0 and 1, and either covers or lies apart', () =>
    fc.assert(
      fc.property(interval, interval, (a, b) => {
        const covered = coverage(a, b);
        assert.equal(covered, coverage(b, a));
        assert.ok(covered >= 0 && covered <= 1);
        if (covered > 0) assert.equal(gapYears(a, b), 0);
      }),
    ));

  it('the margin grows with distance, never above what was asked', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 300, noNaN: true }),
        fc.double({ min: 0, max: 300, noNaN: true }),
        (a, b) => {
          const margin = (gap: number) => gradedMargin(1, { coverage: 0, gapYears: gap });
          assert.ok(margin(a) >= 0.25 && margin(a) <= 1);
          if (a < b) assert.ok(margin(a) <= margin(b));
          assert.equal(gradedMargin(0.5, { coverage: 0, gapYears: Infinity }), 0.5);
          assert.equal(gradedMargin(1, { coverage: 1, gapYears: 0 }), 0);
        },
      ),
    ));
});
