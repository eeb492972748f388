// Dates in words, and arithmetic on ISO days.
import type { Random } from './family.js';

export const months = [
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

const msPerDay = 86_400_000;

export const yearOf = (date: string): number => Number(date.slice(0, 4));
export const monthOf = (date: string): number => Number(date.slice(5, 7));
export const quarterOf = (date: string): number => Math.ceil(monthOf(date) / 3);
export const monthName = (date: string): string => months[monthOf(date) - 1]!;
const dayOf = (date: string): number => Number(date.slice(8, 10));

/** "6 May 2021" */
export const british = (date: string): string => `${dayOf(date)} ${monthYear(date)}`;

/** "May 6, 2021" */
export const american = (date: string): string =>
  `${monthName(date)} ${dayOf(date)}, ${date.slice(0, 4)}`;

/** "May 2021" */
export const monthYear = (date: string): string => `${monthName(date)} ${date.slice(0, 4)}`;

/** "the spring of 2021"; December counts as the winter of its year. */
export const season = (date: string): string =>
  `the ${['winter', 'spring', 'summer', 'autumn'][Math.floor((monthOf(date) % 12) / 3)]!} of ` +
  date.slice(0, 4);

export const dateForms = (date: string): string[] => [british(date), american(date), date];

export const anyDate = (date: string, random: Random): string => random.pick(dateForms(date));

/** `dateForms` and the form with a short month, "6 Aug 2021". */
export const dayAnswers = (date: string): string[] => [
  ...dateForms(date),
  `${dayOf(date)} ${monthName(date).slice(0, 3)} ${date.slice(0, 4)}`,
];

export const anyDay = (date: string, random: Random): string => random.pick(dayAnswers(date));

/** A year, a month (2020-04) or a day in words; `form` is the index in `dateForms` of a day. */
export function spell(date: string, form = 0): string {
  if (/^\d{3,4}$/.test(date)) return date;
  return date.length === 7 ? monthYear(date) : dateForms(date)[form % 3]!;
}

/** A day in words, or the end of its month or year: the text and the day that it means. */
export function dayOrPeriodEnd(date: string, random: Random): { day: string; text: string } {
  const roll = random.next();
  if (roll < 0.6) return { day: date, text: anyDay(date, random) };
  if (roll < 0.8) return { day: monthEnd(date), text: `the end of ${monthYear(date)}` };
  return { day: `${date.slice(0, 4)}-12-31`, text: `the end of ${date.slice(0, 4)}` };
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date.slice(0, 10)) + days * msPerDay).toISOString().slice(0, 10);

/** The same day of the month `count` months later, or the last day of a shorter month. */
export function addMonths(date: string, count: number): string {
  const first = new Date(Date.UTC(yearOf(date), monthOf(date) - 1 + count, 1)).toISOString();
  const day = Math.min(dayOf(date), dayOf(monthEnd(first)));
  return `${first.slice(0, 8)}${String(day).padStart(2, '0')}`;
}

export const addYears = (date: string, years: number): string =>
  `${String(yearOf(date) + years).padStart(4, '0')}${date.slice(4)}`;

/** The last day of the month of a day. */
export const monthEnd = (date: string): string =>
  new Date(Date.UTC(yearOf(date), monthOf(date), 0)).toISOString().slice(0, 10);

/** Days from `one` to `other`; negative where `other` is earlier. */
export const daysBetween = (one: string, other: string): number =>
  (Date.parse(other) - Date.parse(one)) / msPerDay;
