// Conversion between day numbers and civil dates in the proleptic Gregorian calendar, over
// +-271,821 years. Years are astronomical (0 is 1 BC); Julian dates are never converted.

export const dayMilliseconds = 86_400_000;
/** Mean Gregorian year, for durations in years. */
export const yearMilliseconds = 365.2425 * dayMilliseconds;

export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

export interface CivilDate {
  year: number;
  /** 1 to 12. */
  month: number;
  /** 1 to 31. */
  day: number;
}

/** Days since 1970-01-01 of a civil date; NaN beyond those of a Date. */
export const daysFromCivil = ({ year, month, day }: CivilDate): number =>
  new Date(0).setUTCFullYear(year, month - 1, day) / dayMilliseconds;

export function civilFromDays(days: number): CivilDate {
  const date = new Date(days * dayMilliseconds);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The calendar repeats after 400 years: a Date has no last month of its last year. */
export const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
