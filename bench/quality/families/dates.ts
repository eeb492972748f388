// Dates in words, arithmetic on ISO days, and capitals.
import type { Random } from './family.js';

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const msPerDay = 86_400_000;

export const two = (value: number): string => String(value).padStart(2, '0');
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const yearOf = (date: string): string => date.slice(0, 4);
export const monthName = (date: string): string => months[Number(date.slice(5, 7)) - 1]!;
const dayOf = (date: string): number => Number(date.slice(8, 10));

/** "6 May 2021" */
export const british = (date: string): string => `${dayOf(date)} ${monthYear(date)}`;

/** "May 6, 2021" */
export const american = (date: string): string =>
  `${monthName(date)} ${dayOf(date)}, ${yearOf(date)}`;

/** "May 2021" */
export const monthYear = (date: string): string => `${monthName(date)} ${yearOf(date)}`;

const dateForms = (date: string): string[] => [british(date), american(date), date];

export const anyDate = (date: string, random: Random): string => random.pick(dateForms(date));

/** The forms of a day, and that with a short month, "6 Aug 2021". */
export const dayAnswers = (date: string): string[] => [
  ...dateForms(date),
  `${dayOf(date)} ${monthName(date).slice(0, 3)} ${yearOf(date)}`,
];

export const anyDay = (date: string, random: Random): string => random.pick(dayAnswers(date));

/** A year, a month (2020-04) or a day in words; `form` is the index in `dateForms` of a day. */
export function spell(date: string, form = 0): string {
  if (/^\d{3,4}$/.test(date)) return date;
  return date.length === 7 ? monthYear(date) : dateForms(date)[form % 3]!;
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date.slice(0, 10)) + days * msPerDay).toISOString().slice(0, 10);

/** Days from `one` to `other`; negative where `other` is earlier. */
export const daysBetween = (one: string, other: string): number =>
  (Date.parse(other) - Date.parse(one)) / msPerDay;
