// Order of the members of a series by a question's operator on time.
import type { TimeOperator } from '../../time/question/operator.js';
import type { StatedTime } from '../statements/statements.js';

export interface Order extends Pick<TimeOperator, 'order' | 'window' | 'alternatives' | 'time'> {
  /** Whether an event is asked for: nothing before the window holds in it. */
  isEvent?: boolean;
}

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
    if (isLatest) publications[at] = -(publishedAt(at) ?? -Infinity);
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
  { order, window, alternatives, time: named, isEvent }: Order,
  until: number,
): readonly [tier: number, key: number] {
  const isBounded = Number.isFinite(window.start) || Number.isFinite(window.end);
  if (!time) return order === 'any' && !isBounded ? [0, 0] : last;
  const end = order === 'latest' ? Math.min(window.end, until) : window.end;
  if (!isEvent && mayHold(time, window.start)) return [1, -beginning(time, window.start)];
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

/**
 * Whether a state may hold at the beginning of a window: it began before, or only its end is known.
 */
export const mayHold = ({ start, end }: StatedTime, at: number): boolean =>
  end <= at || (start === -Infinity && at > -Infinity && end < Infinity);

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
