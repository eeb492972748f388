// Written forms of a record's date (Re3 appendix A: date variants and temporal masking): full,
// relative to a reference day, or coarser than known.
import { seededRandom, type Random } from 'asof/kit';
import { formatDay } from 'asof/time';
import {
  monthNames,
  civilFromDays,
  dayMilliseconds,
  daysFromCivil,
  daysInMonth,
} from '../calendar.js';

/** A date of the records: a whole day, month or year. */
export interface RecordDate {
  /** Days since 1970-01-01 of its first day. */
  day: number;
  granularity: 'day' | 'month' | 'year';
}

export const dateForms = {
  /** Complete dates. */
  full: [
    'iso',
    'us',
    'long',
    'abbreviated',
    'ordinal',
    'day-first',
    'weekday',
    'month-year',
    'year-alone',
  ],
  /** Dates relative to the day of writing. */
  relative: ['yearless', 'weekday-only', 'counted'],
  /** Dates coarser than known. */
  coarse: ['part-of-month', 'month', 'year'],
} as const;
export type DateForm = (typeof dateForms)[keyof typeof dateForms][number];

export interface WrittenDate {
  form: DateForm;
  /** With its preposition: "on 2022-01-14", "next Friday", "in early May 2020". */
  on: string;
  /** As a noun: "2022-01-14", "next Friday", "early May 2020". */
  when: string;
  /** The days [from, to) that the form denotes, which include the record's date. */
  from: number;
  to: number;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];

/** Years with an unambiguous form of four digits. */
const plainYears = { first: 1000, last: 2999 };

/** The first day after the date. */
export function dayAfter({ day, granularity }: RecordDate): number {
  const { year, month } = civilFromDays(day);
  if (granularity === 'day') return day + 1;
  return granularity === 'month'
    ? day + daysInMonth(year, month)
    : daysFromCivil({ year: year + 1, month: 1, day: 1 });
}

/** 2022-01-14, 2022-01 or 2022. */
export function isoDate({ day, granularity }: RecordDate): string {
  const whole = formatDay(day * dayMilliseconds);
  return granularity === 'day' ? whole : whole.slice(0, granularity === 'month' ? -3 : -6);
}

/** A full date in a random form. */
export function fullDate(date: RecordDate, random: Random): WrittenDate {
  const { year } = civilFromDays(date.day);
  const iso = isoDate(date);
  const written = (form: DateForm, when: string, on: string): WrittenDate => ({
    form,
    on: `${on} ${when}`,
    when,
    from: date.day,
    to: dayAfter(date),
  });
  if (date.granularity === 'year') return written('year-alone', iso, 'in');
  const { month, day } = civilFromDays(date.day);
  const name = monthNames[month - 1]!;
  const plain = year >= plainYears.first && year <= plainYears.last;
  if (date.granularity === 'month')
    return plain
      ? written('month-year', `${random.pick([name, name.slice(0, 3)])} ${year}`, 'in')
      : written('iso', iso, 'in');
  if (!plain) return written('iso', iso, 'on');
  const forms: readonly (() => WrittenDate)[] = [
    () => written('iso', iso, 'on'),
    () => written('us', `${two(month)}/${two(day)}/${year}`, 'on'),
    () => written('long', `${name} ${day}, ${year}`, 'on'),
    () => written('abbreviated', `${name.slice(0, 3)} ${day}, ${year}`, 'on'),
    () => written('ordinal', `${name} ${ordinal(day)}, ${year}`, 'on'),
    () => written('day-first', `${day} ${name} ${year}`, 'on'),
    () => written('weekday', `${weekdays[weekdayOf(date.day)]}, ${name} ${day}, ${year}`, 'on'),
  ];
  return random.pick(forms)();
}

/**
 * A date relative to the day `reference`; undefined without an unambiguous form ("on Friday" months
 * away).
 */
export function relativeDate(
  date: RecordDate,
  reference: number,
  random: Random,
): WrittenDate | undefined {
  if (date.granularity !== 'day') return undefined;
  const away = date.day - reference;
  const written = (form: DateForm, when: string, on = when): WrittenDate => ({
    form,
    on,
    when,
    from: date.day,
    to: date.day + 1,
  });
  const choices: WrittenDate[] = [];
  const { month, day } = civilFromDays(date.day);
  const name = monthNames[month - 1]!;
  // A date without a year means the nearest one, at most half a year away.
  if (Math.abs(away) <= 150) {
    for (const when of [`${name} ${day}`, `${name} ${ordinal(day)}`, `${day} ${name}`])
      choices.push(written('yearless', when, `on ${when}`));
  }
  const weekday = weekdays[weekdayOf(date.day)]!;
  const weeks = Math.floor((date.day + 3) / 7) - Math.floor((reference + 3) / 7);
  // "Next Friday" is ambiguous between this week's and the next one's, and on a Sunday "next
  // Monday" is hardly tomorrow: used only for unambiguous days.
  if (weeks === 0 && away > 0) choices.push(written('weekday-only', `this ${weekday}`));
  if (weeks === 1 && away >= 3 && away <= 7)
    choices.push(written('weekday-only', `next ${weekday}`));
  if (weeks === -1 && away >= -7) choices.push(written('weekday-only', `last ${weekday}`));
  if (weeks === 0 && away >= 2) choices.push(written('weekday-only', `this coming ${weekday}`));
  if (away >= -1 && away <= 1)
    choices.push(written('counted', ['yesterday', 'today', 'tomorrow'][away + 1]!));
  if (away === 2) choices.push(written('counted', 'the day after tomorrow'));
  if (away <= -2 && away >= -6) choices.push(written('counted', `${numbers[-away]} days ago`));
  return choices.length === 0 ? undefined : random.pick(choices);
}

/** Forms coarser than the date itself. */
export function coarseDates(date: RecordDate): WrittenDate[] {
  const { year, month, day } = civilFromDays(date.day);
  if (date.granularity === 'year' || year < plainYears.first || year > plainYears.last) return [];
  const name = monthNames[month - 1]!;
  const first = daysFromCivil({ year, month, day: 1 });
  const year1 = daysFromCivil({ year, month: 1, day: 1 });
  const year2 = daysFromCivil({ year: year + 1, month: 1, day: 1 });
  const written = (form: DateForm, when: string, from: number, to: number): WrittenDate => ({
    form,
    on: `in ${when}`,
    when,
    from,
    to,
  });
  const coarse = [written('year', String(year), year1, year2)];
  if (date.granularity === 'month') return coarse;
  const next = first + daysInMonth(year, month);
  const parts = [
    ['early', first, first + 10],
    ['mid', first + 10, first + 20],
    ['late', first + 20, next],
  ] as const;
  const [part, from, to] = parts[day <= 10 ? 0 : day <= 20 ? 1 : 2];
  coarse.push(written('month', `${name} ${year}`, first, next));
  coarse.push(
    written('part-of-month', `${part}${part === 'mid' ? '-' : ' '}${name} ${year}`, from, to),
  );
  return coarse;
}

/** Two dates of one question: joined, as a noun and with prepositions, and each by itself. */
export interface WrittenPair {
  on: string;
  when: string;
  first: string;
  second: string;
}

/**
 * Two dates in one form, full or relative to `reference`: "on May 3 and on May 5, 2021", "today and
 * tomorrow". Dates of the same month may share it: "on 3 and 5 May 2021".
 */
export function bothDates(
  dates: readonly [RecordDate, RecordDate],
  reference: number,
  random: Random,
): WrittenPair {
  const joined = ([a, b]: readonly [WrittenDate, WrittenDate]): WrittenPair => {
    const on = random.pick([
      `${a.on} and ${b.on}`,
      `${a.on} and ${b.when}`,
      `${a.on} as well as ${b.on}`,
    ]);
    return { on, when: `${a.when} and ${b.when}`, first: a.on, second: b.on };
  };
  const [a, b] = dates;
  if (random.next() < 0.2) {
    const relative = dates.map((date) => relativeDate(date, reference, random));
    if (relative[0] && relative[1]) return joined([relative[0], relative[1]]);
  }
  // The same seed gives both dates the same form.
  const form = random.below(2 ** 30);
  const full = dates.map((date) => fullDate(date, seededRandom(form, 'form'))) as [
    WrittenDate,
    WrittenDate,
  ];
  const [one, other] = [civilFromDays(a.day), civilFromDays(b.day)];
  const sharesMonth =
    a.granularity === 'day' &&
    b.granularity === 'day' &&
    one.year === other.year &&
    one.month === other.month;
  if (
    sharesMonth &&
    (full[0].form === 'long' || full[0].form === 'day-first') &&
    random.next() < 0.5
  ) {
    const [name, days] = [monthNames[one.month - 1]!, `${one.day} and ${other.day}`];
    const when =
      full[0].form === 'long' ? `${name} ${days}, ${one.year}` : `${days} ${name} ${one.year}`;
    return { on: `on ${when}`, when, first: full[0].on, second: full[1].on };
  }
  return joined(full);
}

export function isMasked({ form }: WrittenDate): boolean {
  return !(dateForms.full as readonly string[]).includes(form);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** 0 is Monday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function ordinal(day: number): string {
  const teen = day >= 11 && day <= 13;
  return `${day}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
}
