// Calendar days, months and years in UTC, by Date: the proleptic Gregorian calendar, with
// astronomical years.

export const dayMilliseconds = 86_400_000;

export const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Days from 1970-01-01 to a date; months and days beyond their range are those that follow. */
export const daysFromCivil = ({
  year,
  month,
  day,
}: {
  year: number;
  month: number;
  day: number;
}): number => new Date(0).setUTCFullYear(year, month - 1, day) / dayMilliseconds;

export function civilFromDays(days: number): { year: number; month: number; day: number } {
  const date = new Date(days * dayMilliseconds);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export const daysInMonth = (year: number, month: number): number =>
  civilFromDays(daysFromCivil({ year, month: month + 1, day: 0 })).day;

export const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();

/** The day, month or year of an instant, half-open. */
export function calendarUnit(
  instant: number,
  unit: 'day' | 'month' | 'year',
): { start: number; end: number } {
  const { year, month, day } = civilFromDays(Math.floor(instant / dayMilliseconds));
  const startOf = (next: 0 | 1): number =>
    dayMilliseconds *
    daysFromCivil(
      unit === 'year'
        ? { year: year + next, month: 1, day: 1 }
        : unit === 'month'
          ? { year, month: month + next, day: 1 }
          : { year, month, day: day + next },
    );
  return { start: startOf(0), end: startOf(1) };
}
