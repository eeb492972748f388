// Dates in several written forms and the choice among templates, shared by the families of this
// folder.
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

const partsOf = (iso: string): [year: string, month: number, day: number] => [
  iso.slice(0, 4),
  Number(iso.slice(5, 7)),
  Number(iso.slice(8, 10)),
];

/** "6 May 2021" */
export function british(iso: string): string {
  const [year, month, day] = partsOf(iso);
  return `${day} ${months[month - 1]} ${year}`;
}

/** "May 6, 2021" */
export function american(iso: string): string {
  const [year, month, day] = partsOf(iso);
  return `${months[month - 1]} ${day}, ${year}`;
}

/** "May 2021" */
export function monthYear(iso: string): string {
  const [year, month] = partsOf(iso);
  return `${months[month - 1]} ${year}`;
}

export const dateForms = (iso: string): string[] => [british(iso), american(iso), iso];

export function anyDate(iso: string, random: Random): string {
  return random.pick(dateForms(iso));
}

export function addDays(iso: string, days: number): string {
  const day = new Date(`${iso}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** The same day of the month some months later, or the last of a shorter month. */
export function addMonths(iso: string, count: number): string {
  const [year, month, day] = partsOf(iso);
  const first = new Date(Date.UTC(Number(year), month - 1 + count, 1)).toISOString().slice(0, 10);
  const last = Number(monthEnd(first).slice(8));
  return `${first.slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}`;
}

/** The last day of the month of a day. */
export function monthEnd(iso: string): string {
  const [year, month] = partsOf(iso);
  return new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Goes round the items in an order of its own, so that each is used about equally often. */
export function rotation<Item>(items: readonly Item[], random: Random): () => Item {
  const order = random.sample(items, items.length);
  let next = 0;
  return () => order[next++ % order.length]!;
}
