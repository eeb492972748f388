// Sampling and formatting of dates for a constraint: whole years, months and days around the time
// at which an answer holds.
import { type Random } from 'asof/kit';
import type { Relation, Instant, Interval } from 'asof/time';
import type { Span } from './answerPreservation.js';
import { monthNames, yearOf, civilFromDays, dayMilliseconds, calendarUnit } from '../calendar.js';

/** Granularity of a perturbed date. */
export const dateGranularities = ['year', 'month', 'day'] as const;
export type DateGranularity = (typeof dateGranularities)[number];

/** Years with an unambiguous form of four digits. */
const writtenYears = { first: 1000, last: 2999 };
const yearMilliseconds = 365.25 * dayMilliseconds;

/** The year, month or day of an instant as an interval. */
export const unitAround = (instant: Instant, granularity: DateGranularity): Interval => ({
  ...calendarUnit(instant, granularity),
  granularity,
});

export interface DateRange {
  first: Interval;
  /** Second date of from-to and between. */
  second?: Interval;
}

/**
 * The literal interval of a constraint: from the start of its date to the end of it, or of its
 * second one.
 */
export function intervalOf({ first, second }: DateRange): Interval {
  return { ...first, end: (second ?? first).end };
}

export interface DateChoice {
  /** Validity of the answer, within and around which dates are sampled. */
  answer: Span;
  /** Latest end of a date. */
  until: Instant;
  /** Excluded years. */
  avoided: ReadonlySet<number>;
}

/** A random date, or two, for a relation; undefined for an unusable draw. */
export function sampleDates(
  relation: Relation,
  granularity: DateGranularity,
  choice: DateChoice,
  random: Random,
): DateRange | undefined {
  const first = sampleUnit(granularity, choice, random);
  if (!first) return undefined;
  if (relation !== 'between' && relation !== 'from-to') return { first };
  const second = sampleUnit(granularity, choice, random);
  if (!second || second.start === first.start) return undefined;
  return first.start < second.start ? { first, second } : { first: second, second: first };
}

function sampleUnit(
  granularity: DateGranularity,
  { answer, until, avoided }: DateChoice,
  random: Random,
): Interval | undefined {
  const start = Number.isFinite(answer.start)
    ? answer.start
    : Math.min(answer.end, until) - 20 * yearMilliseconds;
  const end = Number.isFinite(answer.end)
    ? Math.min(answer.end, until)
    : Math.min(start + 20 * yearMilliseconds, until);
  const reach = Math.min(30 * yearMilliseconds, Math.max(4 * yearMilliseconds, end - start));
  const [low, high] = random.next() < 0.5 ? [start, end] : [start - reach, end + reach];
  const unit = unitAround(low + random.next() * (high - low), granularity);
  const year = yearOf(unit.start);
  const usable =
    unit.end <= until &&
    year >= writtenYears.first &&
    year <= writtenYears.last &&
    !avoided.has(year);
  return usable ? unit : undefined;
}

/** The date in a random form, the same for both ends of a range. */
export function formatDates(
  { first, second }: DateRange,
  granularity: DateGranularity,
  relation: Relation,
  random: Random,
): string {
  const form = random.below(granularity === 'year' ? 1 : granularity === 'month' ? 2 : 3);
  const spell = ({ start }: Interval): string => {
    const { year, month, day } = civilFromDays(start / dayMilliseconds);
    const name = monthNames[month - 1]!;
    if (granularity === 'year') return String(year);
    if (granularity === 'month') return `${form === 0 ? name : name.slice(0, 3)} ${year}`;
    return form === 0
      ? `${name} ${day}, ${year}`
      : form === 1
        ? `${day} ${name} ${year}`
        : `${name.slice(0, 3)} ${day}, ${year}`;
  };
  if (!second) return `${relation} ${spell(first)}`;
  return relation === 'between'
    ? `between ${spell(first)} and ${spell(second)}`
    : `from ${spell(first)} to ${spell(second)}`;
}
