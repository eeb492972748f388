// Calendar days, months and years that contain an instant, and the English names of months.
import { civilFromDays, dayMilliseconds, daysFromCivil, daysInMonth } from './civil.js';
import type { Instant } from './interval.js';

export type CalendarUnit = 'day' | 'month' | 'year';

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The astronomical year of an instant. */
export const yearOf = (instant: Instant): number =>
  civilFromDays(Math.floor(instant / dayMilliseconds)).year;

/** The day, month or year of an instant, half-open. */
export function calendarUnit(
  instant: Instant,
  unit: CalendarUnit,
): { start: Instant; end: Instant } {
  const { year, month, day } = civilFromDays(Math.floor(instant / dayMilliseconds));
  const first = daysFromCivil({
    year,
    month: unit === 'year' ? 1 : month,
    day: unit === 'day' ? day : 1,
  });
  const end =
    unit === 'year'
      ? daysFromCivil({ year: year + 1, month: 1, day: 1 })
      : first + (unit === 'month' ? daysInMonth(year, month) : 1);
  return { start: first * dayMilliseconds, end: end * dayMilliseconds };
}
