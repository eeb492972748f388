// The truth table of what holds, by cases and by moments.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holdingIn } from '../../../lib/facts/members/holding.js';
import type { ReadValidity } from '../../../lib/time/validity.js';

type Holding = NonNullable<ReadValidity['state']>;

const whole = (start: number, end: number) => ({ start, end, range: true });
const unit = (start: number, end: number) => ({ start, end, range: false });

describe('holdingIn', () => {
  const [before, over, after] = [
    { start: 2, end: 4 },
    { start: 18, end: 22 },
    { start: 40, end: 42 },
  ];
  const table: [string, Parameters<typeof holdingIn>[0], Holding[], object?][] = [
    ['both ends', whole(10, 20), ['not yet', 'holds', 'ended']],
    ['the beginning alone', unit(10, 20), ['not yet', 'holds', 'unknown']],
    ['a beginning that lasts', whole(10, Infinity), ['not yet', 'holds', 'holds']],
    ['the end alone', whole(-Infinity, 20), ['unknown', 'holds', 'ended']],
    [
      'the end of a long series',
      whole(-Infinity, 20),
      ['holds', 'holds', 'ended'],
      { longest: 17 },
    ],
    [
      'the end of a short one',
      whole(-Infinity, 20),
      ['unknown', 'holds', 'ended'],
      { longest: 16 },
    ],
    ['an event', unit(10, 20), ['not yet', 'holds', 'ended'], { isEvent: true }],
    ['no end at all', whole(-Infinity, Infinity), ['holds', 'holds', 'holds']],
  ];
  for (const [name, time, expected, context] of table)
    it(`reads ${name} before, over and after`, () => {
      assert.deepEqual(
        [before, over, after].map((window) => holdingIn(time, window, context)),
        expected,
      );
    });

  it('knows of stretches with both ends whether any moment is common', () => {
    const stretch = fc
      .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 8 }))
      .map(([start, length]) => ({ start, end: start + length }));
    fc.assert(
      fc.property(stretch, stretch, fc.nat(9), (time, window, longest) => {
        const moments = [...Array(60).keys()].map((at) => at / 2);
        const isIn = (moment: number, { start, end }: typeof time): boolean =>
          start <= moment && moment < end;
        const common = moments.some((moment) => isIn(moment, time) && isIn(moment, window));
        const holding = holdingIn({ ...time, range: true }, window, { longest });
        assert.equal(holding === 'holds', common);
        assert.ok(common || holding === (time.start >= window.end ? 'not yet' : 'ended'));
      }),
    );
  });
});
