// Dates and distances of time in words.
import { counted, dateText } from '@asof/pages/format';
import type { Stretch } from '@asof/pages/times';
import { formatDay } from '@asof/pages/asof';
import type { DatedStretch, Row } from './rows.js';

const day = 86_400_000;
const names =
  'January February March April May June July August September October November December';
const months = names.split(' ');

/** "6 May 2021" of 2021-05-06; other texts as they are. */
export function dayWords(iso: string): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(iso) ?? [];
  return year === undefined ? iso : `${Number(date)} ${months[Number(month) - 1]} ${year}`;
}

/** "May 2021" of 2021-05-06. */
export const monthWords = (iso: string): string => dayWords(iso.slice(0, 10)).replace(/^\d+ /, '');

/** A date alone where it is the end of its day, else with the time in UTC. */
export function askedWords(instant: number, timeZone?: string): string {
  const isEnd = formatDay(instant, timeZone) !== formatDay(instant + 1, timeZone);
  const words = dayWords(formatDay(instant, isEnd ? timeZone : undefined));
  return isEnd ? words : `${words}, ${new Date(instant).toISOString().slice(11, 16)} UTC`;
}

/** A publication or bound of a validity as it was received: a day, or an instant. */
export const timeWords = (iso: string): string =>
  /T/.test(iso)
    ? `${dayWords(iso.slice(0, iso.indexOf('T')))}, ${iso.replace(/^.*T(\d\d:\d\d).*$/, '$1')} UTC`
    : dayWords(iso);

/** "valid from 13 July 2016 until 24 July 2019", "valid from 13 July 2016, ended 24 July 2019". */
export function validWords({ fromText, toText, ended }: NonNullable<Row['valid']>): string {
  if (fromText !== null && fromText === toText) return `valid on ${timeWords(fromText)}`;
  if (ended && toText !== null) {
    const began = fromText === null ? '' : `valid from ${timeWords(fromText)}, `;
    return `${began}ended ${timeWords(toText)}`;
  }
  const from = fromText === null ? '' : ` from ${timeWords(fromText)}`;
  const to = toText === null ? '' : ` until ${timeWords(toText)}`;
  return `valid${from}${to}`;
}

/** A date that a passage speaks of, at its granularity. */
export function dateWords({ from, to, granularity }: DatedStretch, timeZone?: string): string {
  const [start, end] = [
    from === null ? null : formatDay(from, timeZone),
    to === null ? null : formatDay(to - 1, timeZone),
  ];
  const text = dateText({ start, end, granularity });
  return text.split(' – ').map(dayWords).join(' to ');
}

const units: readonly (readonly [days: number, one: string])[] = [
  [365.25, 'year'],
  [30.44, 'month'],
  [7, 'week'],
  [1, 'day'],
];

/** "3 days"; from two of a unit on. */
export function distanceWords(milliseconds: number): string {
  const days = Math.abs(milliseconds) / day;
  const [length, one] = units.find(([each]) => days >= 2 * each) ?? [1, 'day'];
  const number = Math.floor(days / length);
  return number === 0 ? 'less than a day' : counted(number, one, `${one}s`);
}

/** Where a date lies relative to a window. */
export function placeWords(date: Stretch, window: Stretch): string {
  const [from, to] = [date.from ?? -Infinity, date.to ?? Infinity];
  const [start, end] = [window.from ?? -Infinity, window.to ?? Infinity];
  if (to <= start) return 'is over before the window';
  if (from >= end) return 'begins after the window';
  if (from >= start && to <= end) return 'lies inside the window';
  return from <= start && to >= end ? 'covers the window' : 'overlaps the window';
}
