// The order of a series by the operator of a question: ranks against an oracle that compares times
// by pairs, and the cases that the words of questions are about.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { preferenceRanks, type Order } from '../../../lib/facts/series/order.js';
import type { StatedTime } from '../../../lib/facts/series/statements.js';
import type { Window } from '../../../lib/time/constraint.js';

const time = (start: number, end: number, range = false): StatedTime => ({
  start,
  end,
  range,
  source: 'own',
});
const always: Window = { start: -Infinity, end: Infinity };
const ranksOf = (
  times: readonly (StatedTime | undefined)[],
  order: Order,
  until = 1e9,
): number[] => [...preferenceRanks(times, order, until)];

/** Whether two stretches share a moment: counted on a scale of halves, not by their ends. */
function meet(one: Window, other: Window): boolean {
  for (let moment = -0.5; moment < 32; moment += 0.5)
    if (one.start <= moment && moment < one.end && other.start <= moment && moment < other.end)
      return true;
  return false;
}

/** Whether a time satisfies the operator; no time does where nothing is asked of it. */
function satisfies(
  each: StatedTime | undefined,
  { order, window, alternatives }: Order,
  until: number,
): boolean {
  if (!each) return order === 'any' && window.start === -Infinity && window.end === Infinity;
  const end = order === 'latest' ? Math.min(window.end, until) : window.end;
  return (
    meet(each, { start: window.start, end }) &&
    (alternatives === undefined || alternatives.some((other) => meet(each, other)))
  );
}

/** Whether one answers rather than other. */
function isPreferred(
  one: StatedTime | undefined,
  other: StatedTime | undefined,
  operator: Order,
  until: number,
): boolean {
  const { order, window } = operator;
  const [a, b] = [one, other].map((each) => satisfies(each, operator, until));
  if (a !== b) return a!;
  if (!a) {
    // Of a window without an order, what was over before it may hold on: the later, the likelier.
    const over = (each: StatedTime | undefined): each is StatedTime =>
      order === 'any' && each !== undefined && !meet(each, { start: window.start, end: Infinity });
    return over(one) && (!over(other) || one.start > other.start);
  }
  if (order === 'any') {
    if (!one || !other) return false;
    // Of a window that is open at one side, what begins or ends nearest to its bound.
    if (window.start > -Infinity && window.end === Infinity)
      return Math.max(one.start, window.start) < Math.max(other.start, window.start);
    if (window.start === -Infinity && window.end < Infinity)
      return Math.min(one.end, window.end) > Math.min(other.end, window.end);
    return false;
  }
  if (order === 'first') {
    // What has begun before the window counts from where it ends.
    const from = ({ start, end }: StatedTime): number => (start >= window.start ? start : end);
    return from(one!) < from(other!);
  }
  const last = Math.min(window.end, until);
  // A stretch is as late as it reaches within the window, a date as its beginning.
  const reached = ({ start, end, range }: StatedTime): number =>
    !range ? start : end >= last ? last - 1 : end;
  return reached(one!) > reached(other!);
}

/** By time, the number of distinct places before it. */
/** 0 for a time that satisfies the operator, 1 for a state that may still hold, 2 for others. */
function tierOf(each: StatedTime | undefined, order: Order, until: number): number {
  const { window, alternatives } = order;
  const isUnbounded = window.start === -Infinity && window.end === Infinity;
  if (each === undefined) return order.order === 'any' && isUnbounded ? 0 : 2;
  const end = order.order === 'latest' ? Math.min(window.end, until) : window.end;
  const satisfies =
    meet(each, { start: window.start, end }) &&
    (alternatives === undefined || alternatives.some((other) => meet(each, other)));
  if (satisfies) return 0;
  return order.order === 'any' && each.end <= window.start ? 1 : 2;
}

function oracle(times: readonly (StatedTime | undefined)[], order: Order, until: number): number[] {
  const isBefore = (one: StatedTime | undefined, other: StatedTime | undefined): boolean => {
    const [x, y] = [tierOf(one, order, until), tierOf(other, order, until)];
    if (x !== y) return x < y;
    if (x === 2 || !one || !other) return false;
    return x === 1 ? one.start > other.start : isPreferred(one, other, order, until);
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

describe('preferenceRanks', () => {
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
    })
    .map(
      ({ alternatives, ...rest }): Order => ({ ...rest, ...(alternatives && { alternatives }) }),
    );
  const times = fc.array(
    fc.option(
      fc.tuple(spans, fc.boolean()).map(([{ start, end }, range]) => time(start, end, range)),
      { nil: undefined, freq: 8 },
    ),
    { maxLength: 8 },
  );

  it('ranks as comparison by pairs does, for every operator, window and list', () => {
    fc.assert(
      fc.property(times, orders, fc.integer({ min: 1, max: 31 }), (all, order, until) => {
        fc.pre(until > order.window.start);
        assert.deepEqual(ranksOf(all, order, until), oracle(all, order, until));
      }),
      { numRuns: 500 },
    );
  });

  it('gives ranks from 0 without gaps, the same whatever the order of the list', () => {
    fc.assert(
      fc.property(times, orders, fc.integer({ min: 1, max: 31 }), (all, order, until) => {
        const ranks = ranksOf(all, order, until);
        const used = new Set(ranks);
        assert.deepEqual(
          [...used].sort((a, b) => a - b),
          [...used.keys()].map((_, at) => at),
        );
        assert.deepEqual(ranksOf([...all].reverse(), order, until), ranks.reverse());
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

  it('puts what is outside the window last, whose ends are half-open', () => {
    const window = { start: 2, end: 9 };
    for (const order of ['latest', 'first'] as const)
      assert.deepEqual(ranksOf([old, middle, recent], { order, window }), [1, 0, 1]);
  });

  it('puts behind a window without an order the states that may hold, the latest first', () => {
    const window = { start: 5, end: 9 };
    const all = [recent, old, time(3, 5), middle, time(3, 4)];
    assert.deepEqual(ranksOf(all, { order: 'any', window }), [3, 2, 1, 0, 1]);
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
