// The order of a series by the operator of a question: ranks against an oracle that compares times
// by pairs, and the cases that the words of questions are about.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { preferenceOf, type Order } from '../../../lib/facts/series/order.js';
import type { StatedTime } from '../../../lib/facts/series/statements.js';
import type { Window } from '../../../lib/time/constraint.js';
import type { Interval } from '../../../lib/time/interval.js';

const time = (start: number, end: number, range = false): StatedTime => ({
  start,
  end,
  range,
  source: 'own',
});
/** A state of which only the end is known. */
const until = (end: number): StatedTime => time(-Infinity, end, true);
const unit = (start: number, end: number): Interval => ({ start, end, granularity: 'year' });
const always: Window = { start: -Infinity, end: Infinity };
const ranksOf = (
  times: readonly (StatedTime | undefined)[],
  order: Order,
  askedAt = 1e9,
): number[] => [...preferenceOf(times, order, askedAt).ranks];

/** Whether two stretches share a moment: counted on a scale of halves, not by their ends. */
function meet(one: Window, other: Window): boolean {
  for (let moment = -0.5; moment < 32; moment += 0.5)
    if (one.start <= moment && moment < one.end && other.start <= moment && moment < other.end)
      return true;
  return false;
}

/** Whether it was over before the window, or ends after its beginning and nobody knows its own. */
function mayHoldAtStart(each: StatedTime, window: Window): boolean {
  if (window.start === -Infinity) return false;
  const hasOnlyEnd = each.start === -Infinity && each.end !== Infinity;
  return hasOnlyEnd || !meet(each, { start: window.start, end: Infinity });
}

/** 0 for a time that satisfies the operator, 1 for a state that may still hold, 2 for others. */
function tierOf(each: StatedTime | undefined, operator: Order, askedAt: number): 0 | 1 | 2 {
  const { order, window, alternatives } = operator;
  const isUnbounded = window.start === -Infinity && window.end === Infinity;
  if (each === undefined) return order === 'any' && isUnbounded ? 0 : 2;
  if (mayHoldAtStart(each, window)) return 1;
  const end = order === 'latest' ? Math.min(window.end, askedAt) : window.end;
  const satisfies =
    meet(each, { start: window.start, end }) &&
    (alternatives === undefined || alternatives.some((other) => meet(each, other)));
  return satisfies ? 0 : 2;
}

/** When a state of which only the end is known began: as long before a moment as it lasts on. */
const mirrored = ({ end }: StatedTime, moment: number): number => moment - (end - moment);

/** Whether one of two times that satisfy the operator answers rather than the other. */
function isPreferred(
  one: StatedTime,
  other: StatedTime,
  { order, window, time: named }: Order,
  askedAt: number,
): boolean {
  if (order === 'any') {
    const isClosed = window.start > -Infinity && window.end < Infinity;
    if (isClosed) return false;
    // "Since August" asks for what began in August.
    const beginsThen = ({ start }: StatedTime): boolean =>
      named?.start === window.start && meet({ start, end: start + 0.5 }, named);
    if (beginsThen(one) || beginsThen(other)) return beginsThen(one) && !beginsThen(other);
    // Of a window that is open at one side, what begins or ends nearest to its bound.
    if (window.start > -Infinity)
      return Math.max(one.start, window.start) < Math.max(other.start, window.start);
    if (window.end < Infinity)
      return Math.min(one.end, window.end) > Math.min(other.end, window.end);
    return false;
  }
  if (order === 'first') {
    // What has begun before the window, or nobody knows when, counts from where it ends.
    const from = ({ start, end }: StatedTime): number =>
      start >= window.start && start > -Infinity ? start : end;
    return from(one) < from(other);
  }
  const last = Math.min(window.end, askedAt);
  // A stretch is as late as it reaches within the window, a date as its beginning.
  const reached = (each: StatedTime): number => {
    const { start, end, range } = each;
    if (start === -Infinity && end >= last && end < Infinity)
      return Math.min(last - 1, mirrored(each, last));
    return !range ? start : end >= last ? last - 1 : end;
  };
  return reached(one) > reached(other);
}

/** By time, the number of distinct places before it. */
function oracle(
  times: readonly (StatedTime | undefined)[],
  order: Order,
  askedAt: number,
): number[] {
  const isBefore = (one: StatedTime | undefined, other: StatedTime | undefined): boolean => {
    const [x, y] = [tierOf(one, order, askedAt), tierOf(other, order, askedAt)];
    if (x !== y) return x < y;
    if (x === 2 || !one || !other) return false;
    if (x === 0) return isPreferred(one, other, order, askedAt);
    const from = order.window.start;
    const began = (each: StatedTime): number =>
      each.start === -Infinity && each.end > from ? mirrored(each, from) : each.start;
    return began(one) > began(other);
  };
  return times.map((each) => {
    const better = times.filter((other) => isBefore(other, each));
    // Ties share a rank: of those before it, count one for each that none ties with earlier.
    const distinct = better.filter(
      (one, at) =>
        !better.slice(0, at).some((other) => !isBefore(one, other) && !isBefore(other, one)),
    );
    return distinct.length;
  });
}

describe('preferenceOf', () => {
  it('ranks last, for the latest, what was reported after the window was over', () => {
    const window = { start: -Infinity, end: 15 };
    const times = [time(10, 20), time(5, 10), time(10, 20), time(10, 20, true)];
    const published = [25, 11, 40, 25];
    const ranks = (order: Order['order']): number[] => [
      ...preferenceOf(times, { order, window }, 1e9, (at) => published[at]).ranks,
    ];
    const [report, older, retrospect, state] = ranks('latest') as [number, number, number, number];
    assert.ok(report > older && retrospect < older && state < older);
    assert.equal(ranks('any')[0], ranks('any')[2]);
  });

  const spans = fc
    .tuple(fc.nat(28), fc.integer({ min: 1, max: 8 }))
    .map(([start, length]): Window => ({ start, end: Math.min(30, start + length) }))
    .filter(({ start, end }) => start < end);
  const windows = fc.oneof(
    spans,
    spans.map(({ start }): Window => ({ start, end: Infinity })),
    spans.map(({ end }): Window => ({ start: -Infinity, end })),
    fc.constant(always),
  );
  const orders = fc
    .record({
      order: fc.constantFrom('latest', 'first', 'any'),
      window: windows,
      alternatives: fc.option(fc.array(spans, { minLength: 1, maxLength: 3 }), { nil: undefined }),
      // The unit of "since 5" begins with the window, that of "after 5" ends where it begins.
      named: fc.option(fc.tuple(fc.constantFrom(0, -3), fc.integer({ min: 1, max: 8 })), {
        nil: undefined,
      }),
    })
    .map(({ alternatives, named, ...rest }): Order => {
      const { start, end } = rest.window;
      const from = (named?.[0] ?? 0) + (Number.isFinite(start) ? start : Math.min(end, 30) - 3);
      return {
        ...rest,
        ...(alternatives && { alternatives }),
        ...(named && { time: unit(from, from + named[1]) }),
      };
    });
  const times = fc
    .array(
      fc.option(
        fc.oneof(
          { weight: 6, arbitrary: fc.tuple(spans, fc.boolean()) },
          // Of these, one end is not known.
          { weight: 1, arbitrary: spans.map(({ end }) => [{ start: -Infinity, end }, true]) },
          { weight: 1, arbitrary: spans.map(({ start }) => [{ start, end: Infinity }, true]) },
        ) as fc.Arbitrary<[Window, boolean]>,
        { nil: undefined, freq: 8 },
      ),
      { maxLength: 8 },
    )
    .map((all) => all.map((each) => each && time(each[0].start, each[0].end, each[1])));
  // Two cases that tests of their own are about.
  it('ranks as comparison by pairs does, for every operator, window and list', () => {
    fc.assert(
      fc.property(times, orders, fc.integer({ min: 1, max: 31 }), (all, order, askedAt) => {
        fc.pre(askedAt > order.window.start);
        assert.deepEqual(ranksOf(all, order, askedAt), oracle(all, order, askedAt));
      }),
      { numRuns: 500 },
    );
  });

  it('gives ranks from 0 without gaps, the same whatever the order of the list', () => {
    fc.assert(
      fc.property(times, orders, fc.integer({ min: 1, max: 31 }), (all, order, askedAt) => {
        const ranks = ranksOf(all, order, askedAt);
        const used = new Set(ranks);
        assert.deepEqual(
          [...used].sort((a, b) => a - b),
          [...used.keys()].map((_, at) => at),
        );
        assert.deepEqual(ranksOf([...all].reverse(), order, askedAt), ranks.reverse());
      }),
    );
  });

  const [old, middle, recent] = [time(1, 2), time(5, 6), time(9, 10)];

  it('ranks the latest, the first or all alike', () => {
    const all = [middle, old, recent];
    assert.deepEqual(ranksOf(all, { order: 'latest', window: always }), [1, 2, 0]);
    assert.deepEqual(ranksOf(all, { order: 'first', window: always }), [1, 0, 2]);
    assert.deepEqual(ranksOf(all, { order: 'any', window: always }), [0, 0, 0]);
  });

  it('puts no time last, unless nothing is asked of times', () => {
    const all = [undefined, old, recent];
    assert.deepEqual(ranksOf(all, { order: 'latest', window: always }), [2, 1, 0]);
    assert.deepEqual(ranksOf(all, { order: 'first', window: always }), [2, 0, 1]);
    assert.deepEqual(ranksOf(all, { order: 'any', window: always }), [0, 0, 0]);
    const window = { start: 5, end: Infinity };
    assert.deepEqual(ranksOf(all, { order: 'any', window }), [2, 1, 0]);
  });

  it('puts what is after the window last, whose ends are half-open', () => {
    const window = { start: 2, end: 9 };
    for (const order of ['latest', 'first', 'any'] as const)
      assert.deepEqual(ranksOf([recent, old, undefined, middle], { order, window }), [2, 1, 2, 0]);
    const alternatives = [{ start: 2, end: 5 }];
    const all = [recent, old, middle, time(4, 5)];
    assert.deepEqual(ranksOf(all, { order: 'any', window, alternatives }), [2, 1, 2, 0]);
  });

  it('puts behind the window the states that may hold, the latest first, for every order', () => {
    const window = { start: 5, end: 9 };
    const all = [recent, old, time(3, 5), middle, time(3, 4), time(1, 5, true)];
    for (const order of ['latest', 'first', 'any'] as const)
      assert.deepEqual(ranksOf(all, { order, window }), [3, 2, 1, 0, 1, 2], order);
    assert.deepEqual(ranksOf(all, { order: 'latest', window }, 6), [3, 2, 1, 0, 1, 2]);
  });

  it('takes a state of which only the end is known to have begun as far from the window', () => {
    const window = { start: 10, end: 14 };
    // They began at 8 and at 2; of one that was over nobody knows.
    const all = [time(3, 5), until(12), until(18), until(10), time(13, 14)];
    for (const order of ['latest', 'first', 'any'] as const)
      assert.deepEqual(ranksOf(all, { order, window }), [2, 1, 3, 4, 0], order);
    assert.deepEqual(ranksOf([until(12), time(8, 9)], { order: 'any', window }), [0, 0]);
    // What has no end is no state that ends.
    const lasting = time(-Infinity, Infinity, true);
    assert.deepEqual(ranksOf([until(12), lasting], { order: 'any', window }), [1, 0]);
  });

  it('takes of states as of a time the one that ends soonest after it, as if it began then', () => {
    const window = { start: -Infinity, end: 8 };
    const order = 'latest';
    assert.deepEqual(ranksOf([until(14), until(9), until(11)], { order, window }), [2, 0, 1]);
    // They began at 5 and 2: what began between is preferred to one of them.
    assert.deepEqual(ranksOf([until(11), time(3, 4), until(14)], { order, window }), [0, 1, 2]);
    // One that is known to hold is preferred to both, and one that was over counts from its end.
    const all = [until(11), time(1, 9, true), until(4)];
    assert.deepEqual(ranksOf(all, { order, window }), [1, 0, 2]);
    assert.deepEqual(ranksOf([until(8), time(1, 8, true)], { order, window }), [0, 0]);
  });

  it('counts a state of which only the end is known from its end, for the first', () => {
    assert.deepEqual(ranksOf([until(3), middle], { order: 'first', window: always }), [0, 1]);
    assert.deepEqual(ranksOf([until(12), middle], { order: 'first', window: always }), [1, 0]);
  });

  it('prefers what began in the unit that "since" names to what began before or later', () => {
    const window = { start: 5, end: Infinity };
    const all = [time(7, 8), time(1, 6, true), time(9, 10), time(5, 6), time(8, 9)];
    assert.deepEqual(ranksOf(all, { order: 'any', window, time: unit(5, 8) }), [0, 1, 3, 0, 2]);
    assert.deepEqual(ranksOf(all, { order: 'any', window }), [1, 0, 3, 0, 2]);
    // "After 4" names a unit from before its window.
    const after = { order: 'any', window, time: unit(3, 5) } as const;
    assert.deepEqual(ranksOf(all, after), [1, 0, 3, 0, 2]);
    assert.deepEqual(ranksOf([time(3, 6, true), middle], after), [0, 0]);
  });

  it('takes all in a closed window alike, also those that began before the unit it names', () => {
    const window = { start: 5, end: 9 };
    const all = [time(1, 12, true), middle, time(8, 9)];
    assert.deepEqual(ranksOf(all, { order: 'any', window, time: unit(5, 9) }), [0, 0, 0]);
    assert.deepEqual(ranksOf(all, { order: 'any', window, time: unit(5, 6) }), [0, 0, 0]);
  });

  it('takes of a list of windows what is in any of them', () => {
    const alternatives = [
      { start: 1, end: 3 },
      { start: 9, end: 12 },
    ];
    const window = { start: 1, end: 12 };
    const all = [old, middle, recent];
    assert.deepEqual(ranksOf(all, { order: 'latest', window, alternatives }), [1, 2, 0]);
    assert.deepEqual(ranksOf(all, { order: 'any', window, alternatives }), [0, 1, 0]);
  });

  it('prefers a range that holds at the end of the window to what began later', () => {
    const window = { start: -Infinity, end: 8 };
    const [holds, over] = [time(1, 12, true), time(1, 6, true)];
    assert.deepEqual(ranksOf([old, middle, holds], { order: 'latest', window }), [2, 1, 0]);
    assert.deepEqual(ranksOf([over, time(7, 8), middle], { order: 'latest', window }), [1, 0, 2]);
    // A month is no range: it says when, not for how long.
    assert.deepEqual(ranksOf([time(1, 12), middle], { order: 'latest', window }), [1, 0]);
    assert.deepEqual(ranksOf([holds, time(1, 8, true)], { order: 'latest', window }), [0, 0]);
  });

  it('counts what began before the window from its end, for the first', () => {
    const window = { start: 4, end: 20 };
    assert.deepEqual(ranksOf([time(1, 8, true), middle], { order: 'first', window }), [1, 0]);
    assert.deepEqual(ranksOf([time(1, 8, true), recent], { order: 'first', window }), [0, 1]);
  });

  it('shares a rank among equal times, and counts on without a gap', () => {
    const all = [middle, time(9, 12), recent, middle, old];
    assert.deepEqual(ranksOf(all, { order: 'latest', window: always }), [1, 0, 0, 1, 2]);
  });

  it('takes nothing after the time of asking for the latest, but for the first or any', () => {
    const all = [old, middle, recent];
    assert.deepEqual(ranksOf(all, { order: 'latest', window: always }, 9), [1, 0, 2]);
    assert.deepEqual(ranksOf(all, { order: 'latest', window: always }, 10), [2, 1, 0]);
    assert.deepEqual(ranksOf(all, { order: 'first', window: always }, 5), [0, 1, 2]);
    assert.deepEqual(ranksOf(all, { order: 'any', window: always }, 5), [0, 0, 0]);
  });
});
