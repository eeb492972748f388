// Order of the members of a series by a question's operator on time.
import type { TimeOperator } from '../../time/question/operator.js';
import type { StatedTime } from '../statements/statements.js';
import { holdingIn, type HoldingContext } from './holding.js';

export interface Order
  extends Pick<TimeOperator, 'order' | 'place' | 'window' | 'alternatives' | 'time' | 'held'>,
    HoldingContext {}

/** Times by preference. */
export interface Preference {
  /** Their places, the best first; of equal ones the earlier place. */
  order: number[];
  /** By place, 0 the best; equal times share one. */
  ranks: Int32Array;
}

/**
 * Ranks times by preference. Without an order all times in a
 * closed window have rank 0, and those in an open one stand by their distance from its bound;
 * behind them stand the states that may still hold, what began latest before the window first.
 * Times that the operator excludes come last, and no time does unless the operator takes any.
 * Nothing after `until` is the latest; of equal times the latest is what was published last.
 */
export function preferenceOf(
  times: readonly (StatedTime | undefined)[],
  order: Order,
  until: number,
  publishedAt: (at: number) => number | undefined = () => undefined,
): Preference {
  const isLatest = order.order === 'latest';
  const count = times.length;
  // Smaller is preferred; an earlier column decides before a later one.
  const tiers = new Uint8Array(count);
  const [keys, publications] = [new Float64Array(count), new Float64Array(count)];
  times.forEach((time, at) => {
    const isLater = isLatest && isLaterReport(time, order, publishedAt(at));
    [tiers[at], keys[at]] = preferenceKey(isLater ? undefined : time, order, until);
    if (isLatest && order.place === 1) publications[at] = -(publishedAt(at) ?? -Infinity);
  });
  const compareAt = (a: number, b: number): number =>
    tiers[a]! - tiers[b]! ||
    compare(keys[a]!, keys[b]!) ||
    compare(publications[a]!, publications[b]!);
  const sorted = Array.from({ length: count }, (_, at) => at).sort(compareAt);
  const ranks = new Int32Array(count);
  let rank = 0;
  sorted.forEach((at, place) => {
    if (place > 0 && compareAt(sorted[place - 1]!, at) !== 0) rank += 1;
    ranks[at] = rank;
  });
  return { order: sorted, ranks };
}

const compare = (x: number, y: number): number => (x === y ? 0 : x < y ? -1 : 1);
const last: readonly [number, number] = [2, 0];

function preferenceKey(
  time: StatedTime | undefined,
  asked: Order,
  until: number,
): readonly [tier: number, key: number] {
  const { order, window, alternatives, time: named, held = window } = asked;
  const isBounded = Number.isFinite(window.start) || Number.isFinite(window.end);
  if (!time) return order === 'any' && !isBounded ? [0, 0] : last;
  const end = order === 'latest' ? Math.min(window.end, until) : window.end;
  const holding = holdingIn(time, held, asked);
  if (holding === 'ended') return last;
  // Of what began before the time as of which a state is asked for, the latest holds.
  if (holding === 'unknown' && (held === window || time.start === -Infinity))
    return [1, -beginning(time, held.start)];
  const isInside =
    time.start < end &&
    time.end > window.start &&
    (!alternatives || alternatives.some((each) => time.start < each.end && time.end > each.start));
  return isInside ? [0, orderKey(time, order, window.start, end, named)] : last;
}

/** A later publication looks back on a unit: the average of a year, as of its January. */
export function isLaterReport(
  time: StatedTime | undefined,
  { window }: Pick<Order, 'window'>,
  publishedAt: number | undefined,
): boolean {
  if (!time || time.range || publishedAt === undefined) return false;
  const { start, end } = time;
  const isBeyond = start < window.end && end > window.end && publishedAt >= window.end;
  return isBeyond && publishedAt < end + (end - start);
}

/** Where only its end is known, a state is taken to have begun as long before as it lasts on. */
const beginning = ({ start, end }: StatedTime, at: number): number =>
  start === -Infinity && end > at ? 2 * at - end : start;

function orderKey(
  { start, end, range }: StatedTime,
  order: Order['order'],
  from: number,
  until: number,
  named: Order['time'],
): number {
  if (order === 'any') {
    // "Since August" asks for what began then.
    const isSince = until === Infinity && named?.start === from;
    if (isSince && start >= from && start < named.end) return -Infinity;
    // Of what is open at one side, what is nearest to the bound.
    if (Number.isFinite(from) === Number.isFinite(until)) return 0;
    return Number.isFinite(from) ? Math.max(start, from) : -Math.min(end, until);
  }
  if (order === 'first') return start < from || start === -Infinity ? end : start;
  // A stretch that reaches the end of the window holds there.
  if (start === -Infinity && end >= until && end < Infinity)
    return Math.max(1 - until, end - 2 * until);
  if (range && end >= until) return 1 - until;
  return range ? -Math.min(end, until) : -start;
}
