// Calendar components at every level against JavaScript's Date over its whole range, masks by
// granularity, and Re3's cyclic features.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import { granularities, type Granularity } from '../../lib/time/interval.js';
import * as oracle from '../oracle/components.js';
import { atEveryLevel, awkwardSizes, floatUnit, random } from './levels.js';

const day = 86_400_000;
const edge = 8.64e15;
const index = (granularity: Granularity) => granularities.indexOf(granularity);

/**
 * Leap days, ends of years and centuries, the edges of the range, and the milliseconds around them.
 */
const awkwardInstants = [
  1970, 2000, 1900, 2024, 2023, 1600, 4, 1, 0, -1, -4, -43, -400, -4712, 9999, 10000, 275759,
  -271820,
]
  .flatMap((year) =>
    [
      [0, 1],
      [1, 28],
      [2, 0],
      [2, 1],
      [11, 31],
    ].map(([month, date]) => new Date(0).setUTCFullYear(year, month, date)),
  )
  .flatMap((instant) => [
    instant - 1,
    instant,
    instant + 1,
    instant + day - 1,
    instant + day,
    instant - 0.001,
    instant + 0.5,
  ])
  .concat([edge, -edge, edge - 1, -edge + 1, 0, -0, -1, -0.25]);

async function assertComponents(instants: Float64Array, granularity: Granularity): Promise<void> {
  const parts = await addon.calendar(
    instants,
    new Uint8Array(instants.length).fill(index(granularity)),
  );
  const [hasMonth, hasDay] = [
    index(granularity) <= index('month'),
    index(granularity) <= index('day'),
  ];
  instants.forEach((instant, at) => {
    const expected = oracle.components(instant);
    const found = {
      year: parts.year[at],
      month: parts.month[at],
      day: parts.day[at],
      dayOfYear: parts.dayOfYear[at],
      mask: parts.mask[at],
    };
    const [month, date, dayOfYear] = expected
      ? [hasMonth ? expected.month : 0, hasDay ? expected.day : 0, hasDay ? expected.dayOfYear : 0]
      : [0, 0, 0];
    const mask = expected ? 1 + (hasMonth ? 2 : 0) + (hasDay ? 12 : 0) : 0;
    assert.deepEqual(
      found,
      { year: expected?.year ?? 0, month, day: date, dayOfYear, mask },
      `instant ${instant} by ${granularity}`,
    );
    const features = [
      ...(month ? oracle.cyclic(month, 12) : [0, 0]),
      ...(dayOfYear ? oracle.cyclic(dayOfYear, 366) : [0, 0]),
    ];
    features.forEach((exact, side) =>
      assert.ok(
        Math.abs(parts.features[4 * at + side]! - exact) <= floatUnit * Math.abs(exact) + 2 ** -52,
      ),
    );
  });
}

describe('calendar', () => {
  atEveryLevel(() => {
    it('agrees with Date on leap days, ends of years and the edges of its range', () =>
      assertComponents(Float64Array.from(awkwardInstants), 'day'));

    for (const n of awkwardSizes) {
      it(`agrees with Date for ${n} instants of any time`, async () => {
        const next = random(n);
        await assertComponents(
          Float64Array.from({ length: n }, () =>
            Math.floor((next() * 2 - 1) * (next() < 0.5 ? edge : 4e12)),
          ),
          'second',
        );
      });
    }

    it('agrees with Date on every day of four centuries', () =>
      assertComponents(
        Float64Array.from({ length: 146_097 }, (_, at) => Date.UTC(1800, 0, 1) + at * day),
        'day',
      ));

    it('masks by granularity', async () => {
      for (const granularity of granularities) {
        await assertComponents(
          Float64Array.of(Date.UTC(2021, 4, 6), Date.UTC(1995, 11, 31), NaN),
          granularity,
        );
      }
    });

    it('has no component of what is no instant', async () => {
      const instants = Float64Array.of(NaN, Infinity, -Infinity, edge + 1, -edge - 1, 1e300, 0);
      const parts = await addon.calendar(instants, new Uint8Array(7));
      assert.deepEqual([...parts.mask], [0, 0, 0, 0, 0, 0, 15]);
      assert.deepEqual([...parts.year], [0, 0, 0, 0, 0, 0, 1970]);
      assert.ok(parts.features.subarray(0, 24).every((value) => value === 0));
    });
  });

  it('moves by a day when the instant does', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: -99_999_999, max: 99_999_998 }), async (days) => {
        const parts = await addon.calendar(
          Float64Array.of(days * day, (days + 1) * day),
          new Uint8Array(2),
        );
        const [before, after] = [0, 1].map(
          (at) => [parts.year[at]!, parts.dayOfYear[at]!] as const,
        );
        if (after![1] === 1)
          assert.ok(before![0] === after![0] - 1 && before![1] >= 365 && before![1] <= 366);
        else assert.deepEqual(after, [before![0], before![1] + 1]);
      }),
    ));

  it('refuses a granularity that does not exist', () => {
    assert.throws(() => addon.calendar(new Float64Array(1), Uint8Array.of(granularities.length)), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
