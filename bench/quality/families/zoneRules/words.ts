// Offsets and days in the words of passages and answers.
import { american, british, daysBetween } from '../dates.js';
import type { Random } from '../family.js';

const numbers = [
  'no hours',
  'one hour',
  'two hours',
  'three hours',
  'four hours',
  'five hours',
  'six hours',
  'seven hours',
  'eight hours',
  'nine hours',
  'ten hours',
  'eleven hours',
  'twelve hours',
  'thirteen hours',
  'fourteen hours',
  'fifteen hours',
];

const two = (value: number): string => String(value).padStart(2, '0');

/** "+05:30" */
export function signed(seconds: number): string {
  const size = Math.abs(seconds);
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  const clock = `${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${rest}`;
  return `${seconds < 0 ? '-' : '+'}${clock}`;
}

/** "five and a half hours", "4 h 16 min 48 s" */
export function duration(seconds: number): string {
  const size = Math.abs(seconds);
  const [hours, minutes] = [Math.floor(size / 3600), Math.floor(size / 60) % 60];
  if (size % 60 === 0 && minutes === 0) return numbers[hours]!;
  if (size % 60 === 0 && minutes === 30 && hours > 1)
    return numbers[hours]!.replace(' hours', ' and a half hours');
  if (size % 60 === 0 && hours > 0) return `${numbers[hours]} and ${minutes} minutes`;
  return `${hours} h ${minutes} min${size % 60 === 0 ? '' : ` ${size % 60} s`}`;
}

/** "five hours behind Greenwich" */
export function relative(seconds: number): string {
  if (seconds === 0) return 'level with Greenwich';
  return `${duration(seconds)} ${seconds < 0 ? 'behind' : 'ahead of'} Greenwich`;
}

export const offsetAnswers = (seconds: number): string[] => [signed(seconds), relative(seconds)];

/** "UTC+05:30" or "five and a half hours ahead of Greenwich" */
export const anyOffset = (seconds: number, random: Random): string =>
  random.next() < 0.55 ? `UTC${signed(seconds)}` : relative(seconds);

/** "15 August" */
export const dayMonth = (day: string): string => british(day).replace(/ \d{4}$/, '');

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const weekday = (day: string): string => weekdays[new Date(day).getUTCDay()]!;

/** A day up to six days before another, counted from there. */
export function backFrom(published: string, day: string): string {
  const days = daysBetween(day, published);
  if (days === 0) return 'today';
  return days === 1 ? 'yesterday' : `last ${weekday(day)}`;
}

/** Day forms of which no answer to a question about a day lacks all. */
export const eventAnswers = (day: string): string[] => [
  british(day),
  american(day),
  day,
  dayMonth(day),
];

/** The place without its country, and both. */
export const shortPlace = (place: string): string => place.split(', ')[0]!;
