// The order of a series by the operator of a question: ranks against an oracle that compares times
// by pairs. What the words of questions mean is in rankBySeries.test.ts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Order } from '../../../lib/facts/members/order.js';
import { orders } from '../../../lib/facts/question/plainQuestion.js';
import type { StatedTime } from '../../../lib/statements/statements.js';
import type { Window } from '../../../lib/time/constraint.js';
import type { Interval } from '../../../lib/time/interval.js';
import { addon } from '../../addon.js';

const time = (start: number, end: number, range = false): StatedTime => ({
  start,
  end,
  range,
  source: 'own',
});
const unit = (start: number, end: number): Interval => ({ start, end, granularity: 'year' });
const always: Window = { start: -Infinity, end: Infinity };
const columnOf = (windows: readonly (Window | undefined)[]): Float64Array =>
  Float64Array.from(windows.flatMap((each) => (each ? [each.start, each.end] : [])));
/** Ranks of times where nothing from `until` on is the latest. */
function ranksOf(
  times: readonly (StatedTime | undefined)[],
  { order, place, window, alternatives = [], time: named, held, isEvent, longest }: Order,
  until = 1e9,
  published: readonly number[] = [],
): number[] {
  const { ranks, order: places } = addon.preferenceOf({
    times: columnOf(times.map((each) => each ?? { start: NaN, end: NaN })),
    ranges: Uint8Array.from(times, (each) => Number(each?.range ?? false)),
    published: Float64Array.from(times, (_, at) => published[at] ?? NaN),
    order: orders.indexOf(order),
    place,
    askedAt: until - 1,
    isEvent: isEvent ?? false,
    window: columnOf([window]),
    alternatives: columnOf(alternatives),
    named: columnOf([named]),
    held: columnOf([held]),
    longest: longest ?? 0,
  });
  // Places stand by rank, of equal ones the earlier first.
  const byRank = [...times.keys()].sort((a, b) => ranks[a]! - ranks[b]! || a - b);
  assert.deepEqual([...places], byRank);
  return [...ranks];
}

/** Whether two stretches share a moment: counted on a scale of halves, not by their ends. */
function meet(one: Window, other: Window): boolean {
  for (let moment = -0.5; moment < 32; moment += 0.5)
    if (one.start <= moment && moment < one.end && other.start <= moment && moment < other.end)
      return true;
  return false;
}

/** What is known of whether it holds in some moment of a stretch, moment by moment. */
function holdsIn(each: StatedTime, asked: Window, { isEvent, longest = 0 }: Order): boolean | null {
  const isOver = asked.start >= each.end;
  if (isOver) return isEvent || each.range ? false : null;
  // Of what only an end is known, the moments just before it are sure.
  const isSure =
    isEvent || asked.end >= each.end || each.end === Infinity || each.start > -Infinity;
  return isSure || each.end - asked.end < longest ? meet(each, asked) : null;
}

/** 0 for a time that satisfies the operator, 1 for a state that may still hold, 2 for others. */
function tierOf(each: StatedTime | undefined, operator: Order, askedAt: number): 0 | 1 | 2 {
  const { order, window, alternatives } = operator;
  const isUnbounded = window.start === -Infinity && window.end === Infinity;
  if (each === undefined) return order === 'any' && isUnbounded ? 0 : 2;
  // The greater part of a unit lies after the window.
  const isOpen = each.start < window.end && !each.range && window.end < Infinity;
  if (order === 'latest' && isOpen && each.start + each.end > 2 * window.end) return 2;
  const holds = holdsIn(each, operator.held ?? window, operator);
  if (holds === null && (!operator.held || each.start === -Infinity)) return 1;
  if (holds === false && operator.held && each.end <= operator.held.start) return 2;
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
    // What has begun before the window, or nobody knows when, counts from where it ends, and a unit
    // as well, since nobody knows when in it.
    const from = ({ start, end, range }: StatedTime): number =>
      range && start >= window.start && start > -Infinity ? start : end;
    return from(one) < from(other);
  }
  const last = Math.min(window.end, askedAt);
  // A stretch is as late as it reaches within the window, a date as its beginning, and so is a
  // stretch whose end nobody knows.
  const reached = (each: StatedTime): number => {
    const { start, end, range } = each;
    if (start === -Infinity && end >= last && end < Infinity)
      return Math.min(last - 1, mirrored(each, last));
    if (!range || end === Infinity) return start;
    return end >= last ? last - 1 : end;
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
    const from = (order.held ?? order.window).start;
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

describe('preference_of', () => {
  it('ranks last, for the latest, what was reported after the window was over', () => {
    const window = { start: -Infinity, end: 15 };
    const times = [time(10, 20), time(5, 10), time(10, 20), time(10, 20, true)];
    const published = [25, 11, 40, 25];
    const ranks = (order: Order['order']): number[] =>
      ranksOf(times, { order, place: 1, window }, 1e9, published);
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
      isEvent: fc.boolean(),
      longest: fc.constantFrom(0, 4),
      // As of the end of a window.
      held: fc.option(fc.constantFrom(1, 4), { nil: undefined }),
      alternatives: fc.option(fc.array(spans, { minLength: 1, maxLength: 3 }), { nil: undefined }),
      // The unit of "since 5" begins with the window, that of "after 5" ends where it begins.
      named: fc.option(fc.tuple(fc.constantFrom(0, -3), fc.integer({ min: 1, max: 8 })), {
        nil: undefined,
      }),
    })
    .map(({ alternatives, named, held, ...rest }): Order => {
      const { start, end } = rest.window;
      const from = (named?.[0] ?? 0) + (Number.isFinite(start) ? start : Math.min(end, 30) - 3);
      return {
        ...rest,
        place: 1,
        ...(held ? { held: { start: Math.min(end, 30) - held, end: Math.min(end, 30) } } : {}),
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
});
