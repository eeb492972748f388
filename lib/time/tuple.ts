// Re3's time tuple T = (y, m, dom, v) (section 3.2), year, month and day of month with a mask of
// known components, and its computation from an interval. timeExtractor.ts selects the interval.
import { invalidArgument, mustBe } from '../errors.js';
import { civilFromDays, dayMilliseconds, daysInMonth, type CivilDate } from './civil.js';
import type { Instant, Interval } from './interval.js';

/** Masked components are 0, so that equal tuples are equal in every field. */
export interface TimeTuple {
  /** Astronomical: 0 is 1 BC, -43 is 44 BC. */
  year: number;
  /** 1 to 12. */
  month: number;
  /** 1 to 31. */
  dayOfMonth: number;
  /**
   * v = (v_y, v_m, v_dom): 1 where the component is known. A month comes with a year, a day with
   * both.
   */
  mask: readonly [0 | 1, 0 | 1, 0 | 1];
}

/** The tuple of a text that names no time. */
export const noTime: TimeTuple = Object.freeze({
  year: 0,
  month: 0,
  dayOfMonth: 0,
  mask: Object.freeze([0, 0, 0] as const),
});

const longestMonth = 31 * dayMilliseconds;

/**
 * The tuple of an interval. A component is known if the interval is no longer than its unit: the
 * month for weeks and parts of months, the day for days and less. Longer intervals have a
 * representative as in the paper ("the 1990s" is 1995): the year of their middle, and for a week
 * across two months the month of its middle. An interval with an open end is the day at its closed
 * end.
 * @example timeTupleOf(parseQuestion({ text: 'Who led it in May 2024?' }).constraint.interval!) //
 * { year: 2024, month: 5, dayOfMonth: 0, mask: [1, 1, 0] }
 */
export function timeTupleOf(interval: Pick<Interval, 'start' | 'end'>): TimeTuple {
  mustBe('an object', { interval });
  const { start, end } = interval;
  if (!(start < end))
    throw invalidArgument(
      'interval',
      'an interval that starts before it ends',
      `${start} to ${end}`,
    );
  if (!Number.isFinite(start) && !Number.isFinite(end)) return noTime;
  if (!Number.isFinite(start)) return timeTupleOf({ start: end - dayMilliseconds, end });
  if (!Number.isFinite(end)) return timeTupleOf({ start, end: start + dayMilliseconds });
  const length = end - start;
  if (length <= dayMilliseconds) {
    const { year, month, day } = civilOf(start);
    return { year, month, dayOfMonth: day, mask: [1, 1, 1] };
  }
  const middle = civilOf(start + Math.floor(length / 2));
  if (length <= longestMonth)
    return { year: middle.year, month: middle.month, dayOfMonth: 0, mask: [1, 1, 0] };
  const first = civilOf(start).year;
  const last = civilOf(end - 1).year;
  // Middle by years, not milliseconds: leap days would move the middle of the 2000s into 2004.
  const year = last - first > 1 ? Math.floor((first + last + 1) / 2) : middle.year;
  return { year, month: 0, dayOfMonth: 0, mask: [1, 0, 0] };
}

function civilOf(instant: Instant): CivilDate {
  return civilFromDays(Math.floor(instant / dayMilliseconds));
}

/** Validates a tuple of a custom extractor or a file. Errors: ERR_INVALID_ARGUMENT. */
export function checkTuple(tuple: unknown, name = 'the time tuple'): asserts tuple is TimeTuple {
  const { year, month, dayOfMonth, mask } = (tuple ?? {}) as TimeTuple;
  const expected =
    'a tuple { year, month, dayOfMonth, mask } of whole numbers, masked components 0';
  const reject = (received: unknown): never => {
    throw invalidArgument(
      name,
      expected,
      received,
      'The mask is [1, 1, 1], [1, 1, 0], [1, 0, 0] or [0, 0, 0].',
    );
  };
  if (
    ![year, month, dayOfMonth].every(Number.isInteger) ||
    !Array.isArray(mask) ||
    mask.length !== 3
  )
    return reject(tuple);
  const [years, months, days] = mask;
  const whole = mask.every((each) => each === 0 || each === 1) && years >= months && months >= days;
  const inRange =
    (years === 1 ? Math.abs(year) <= 275_760 : year === 0) &&
    (months === 1 ? month >= 1 && month <= 12 : month === 0) &&
    (days === 1 ? dayOfMonth >= 1 && dayOfMonth <= daysInMonth(year, month) : dayOfMonth === 0);
  if (!whole || !inRange) reject(`${year}, ${month}, ${dayOfMonth}, mask ${mask.join(' ')}`);
}
