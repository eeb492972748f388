// Dates of the fact tables: a day, a month or a year, as it is known, and how it is said in words.
// A date is never made finer than it is known; `publicationDay` is the first day on which all of it
// is past.

/** "2019-07-24", "1994-10" or "1987". */
export type Known = string;

/** The facts are those of the end of this day. */
export const edge = '2025-01-31';

const months = [
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
] as const;

export function isDate(text: string): boolean {
  return /^\d{4}(-\d\d(-\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

export const isDay = (date: Known): boolean => date.length === 10;
export const yearOf = (date: Known): number => Number(date.slice(0, 4));

/** "24 July 2019", "October 1994", "1987"; American: "July 24, 2019". */
export function spell(date: Known, american = false): string {
  const [year, month, day] = date.split('-');
  if (month === undefined) return year!;
  const name = months[Number(month) - 1]!;
  if (day === undefined) return `${name} ${year}`;
  return american ? `${name} ${Number(day)}, ${year}` : `${Number(day)} ${name} ${year}`;
}

/** "on 24 July 2019", "in October 1994", "in 1987". */
export function on(date: Known, american = false): string {
  return `${isDay(date) ? 'on' : 'in'} ${spell(date, american)}`;
}

/** Its first day as an instant. */
export const startOf = (date: Known): number => Date.parse(date);

/** The whole years from one date to another, by their first days. */
export function yearsBetween(from: Known, to: Known): number {
  return Math.floor((startOf(to) - startOf(from)) / (365.2425 * 86_400_000) + 0.001);
}

export const addYears = (day: Known, years: number): Known =>
  `${yearOf(day) + years}${day.slice(4)}`;

/** The day itself, or the day after a month or year has ended. */
export function publicationDay(date: Known): string {
  if (isDay(date)) return date;
  const [year, month] = date.split('-');
  if (month === undefined || month === '12') return `${Number(year) + 1}-01-01`;
  return `${year}-${String(Number(month) + 1).padStart(2, '0')}-01`;
}
