// Temporal features: the relation of a sentence's best date to the question's time, as overlap and
// logarithmic distances in years.
import { yearMilliseconds as year } from '../../time/civil.js';
import type { Window } from '../../time/constraint.js';
import type { Interval } from '../../time/interval.js';
import type { QuestionTime } from './question.js';

/** Years between, on a scale where the first few count most; the sign is kept. */
export const yearsScaled = (milliseconds: number): number =>
  Math.sign(milliseconds) * Math.log1p(Math.abs(milliseconds) / year);

const overlapOf = (a: Window, b: Window): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));

/**
 * Milliseconds from the end of `a` to the start of `b`; 0 where they touch or a is not before b.
 */
const gapBefore = (a: Window, b: Window): number => Math.max(0, b.start - a.end);

/** Which of the named times, or stretches, a date is about: the one that it fits best. */
export interface BestDate {
  date: Interval;
  named: Window;
  fit: number;
}

/**
 * The date of a row that best fits what is asked; none where the row has no dates or the question
 * no time.
 */
export function bestDate(
  dates: readonly Interval[],
  { named, window, order }: QuestionTime,
): BestDate | undefined {
  let best: BestDate | undefined;
  for (const date of dates) {
    for (const each of named) {
      const fit = fitOf(date, each, window ?? each, order);
      if (!best || fit > best.fit) best = { date, named: each, fit };
    }
  }
  return best;
}

/**
 * 2 to 3 for a date that shares time with the named one, 1 to 2 in the window, below 1 outside,
 * where earlier is better than later.
 */
function fitOf(date: Interval, named: Window, window: Window, order: number): number {
  const shared = overlapOf(date, named);
  if (overlapOf(date, window) > 0 && order !== 0)
    return 1 + reached(order < 0 ? date.start : date.end, window, order);
  if (shared > 0)
    return 2 + shared / (Math.max(date.end, named.end) - Math.min(date.start, named.start));
  if (overlapOf(date, window) > 0)
    return 1 + 1 / (1 + (gapBefore(date, named) + gapBefore(named, date)) / year);
  const before = gapBefore(date, window);
  return before > 0
    ? 1 / (1 + before / (5 * year))
    : 0.8 / (1 + gapBefore(window, date) / (3 * year));
}

/**
 * How near an instant of the window comes to the end that an order reaches for: 0 to 1. An open end
 * is ages away.
 */
function reached(at: number, { start, end }: Window, order: number): number {
  const far = order < 0 ? start : end;
  if (Number.isFinite(far))
    return 1 / (1 + Math.abs(Math.max(start, Math.min(at, end)) - far) / year);
  return 1 / (1 + Math.exp((-order * at) / (50 * year)));
}

/** A date that names both its ends, rather than one unit of the calendar. */
const spans = ({ start, end, granularity }: Interval): boolean =>
  end - start > 1.6 * (unitYears[granularity] ?? 0.003) * year;
const unitYears: Partial<Record<Interval['granularity'], number>> = {
  month: 1 / 12,
  'season-of-year': 0.25,
  quarter: 0.25,
  'half-year': 0.5,
  'part-of-year': 0.4,
  year: 1,
  'part-of-decade': 4,
  decade: 10,
  'part-of-century': 34,
  century: 100,
  millennium: 1000,
};

export const dateFeatureNames = [
  'sharedOfDate',
  'sharedOfNamed',
  'inWindow',
  'gapBefore',
  'gapAfter',
  'startsAfter',
  'endsAfter',
  'dateLength',
  'equal',
  'holds',
  'interim',
  'span',
] as const;

/**
 * Puts the relation of a date to what is asked into `values` from `at` on, and gives the place
 * behind it. `others` are the dates next to it, which may bound it: a date before the named time
 * holds until the next one. `holds` is 1 where the date overlaps the named time; before it, 0 for a
 * span, which has ended, and for another date 0.5 without a next one, 0.8 where the next one begins
 * at or after the start of the named time, 0.2 where it begins earlier; -0.5 where the date begins
 * after the named time.
 */
export function putDateFeatures(
  values: Float32Array | Float64Array,
  at: number,
  { date, named }: BestDate,
  window: Window,
  others: readonly Interval[],
): number {
  const shared = overlapOf(date, named);
  let between: Set<number> | undefined; // of few there are any
  let nextStart = Infinity;
  for (const { start } of others) {
    if (start < date.end || start === date.start) continue;
    nextStart = Math.min(nextStart, start);
    if (start < named.start) (between ??= new Set()).add(start);
  }
  const span = spans(date);
  const past = date.end <= named.start;
  values[at] = shared / (date.end - date.start);
  values[at + 1] = shared / (named.end - named.start);
  values[at + 2] = share(overlapOf(date, window), date.end - date.start);
  values[at + 3] = yearsScaled(gapBefore(date, named));
  values[at + 4] = yearsScaled(gapBefore(named, date));
  values[at + 5] = yearsScaled(date.start - named.start);
  values[at + 6] = yearsScaled(date.end - named.end);
  values[at + 7] = Math.log1p((date.end - date.start) / year);
  values[at + 8] = Number(date.start === named.start && date.end === named.end);
  values[at + 9] =
    date.start > named.end
      ? -0.5
      : !past
        ? 1
        : span
          ? 0
          : nextStart === Infinity
            ? 0.5
            : nextStart >= named.start
              ? 0.8
              : 0.2;
  values[at + 10] = between ? Math.log1p(between.size) : 0;
  values[at + 11] = Number(span);
  return at + dateFeatureNames.length;
}

const share = (part: number, all: number): number => (all > 0 ? part / all : 0);
