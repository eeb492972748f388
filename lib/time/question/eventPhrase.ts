// The event or state that a question names in place of a date ("when the wall fell", "before the
// merger"), and the question with a date in its place, as its asker might have written it.
// facts/members/eventTime.ts finds the date.
import type { Question } from '../../records.js';
import { dayMilliseconds, monthNames } from '../civil.js';
import type { Neighbour } from './operator.js';
import { readQuestion, type AnchorEvent, type QuestionReading } from './reading.js';

/** The offsets are of the phrase with its relation. */
export interface EventPhrase extends Pick<AnchorEvent, 'start' | 'end' | 'course' | 'unit'> {
  side: Neighbour['side'];
  /** The event's words. */
  words: string;
  /** The same with the question's names, where its subject is a pronoun or missing. */
  about: string;
  /** The distance of the time that is meant from the event's: "two years after". */
  shift: QuestionReading['shift'];
}

const nameWord = String.raw`\p{Lu}[\p{L}\p{M}\p{N}.’'-]*`;
const names = new RegExp(
  String.raw`(?<=[^.?!]\s)${nameWord}(?:\s+(?:(?:of|the|de)\s+)?${nameWord})*`,
  'gu',
);
/**
 * The event of a question that states no date and is not about now; undefined where it names none.
 * Another neighbour than an event ("the mayor after X") is a member of the question's own series.
 * @example readEvent({ text: 'Who led it when the wall fell?' })?.words // 'the wall fell'
 */
export function readEvent(question: Question): EventPhrase | undefined {
  const { text, anchor, relation, order, asks, time, shift } = readQuestion(question);
  if (!anchor || time || asks !== 'thing') return undefined;
  const side = order === 'next' ? 'after' : order === 'previous' ? 'before' : sideOf(relation);
  const { start, end, isClause, lacksSubject, course, unit, clause } = anchor.event;
  const isMember = side === 'before' || side === 'after';
  if (side === undefined || (isMember && anchor.kind !== 'event' && !isClause)) return undefined;
  const rest = `${text.slice(0, start)} ${text.slice(end)}`;
  if (!/[\p{L}\p{N}]{2}/u.test(rest)) return undefined;
  const subjects = lacksSubject ? (rest.match(names) ?? []) : [];
  const about = [...subjects, clause].join(' ');
  return { side, start, end, words: anchor.text, about, course, unit, shift };
}

const sideOf = (relation: QuestionReading['relation']): EventPhrase['side'] | undefined =>
  relation === 'none'
    ? undefined
    : relation === 'between' || relation === 'around'
      ? 'at'
      : relation;

/**
 * The question with the days of its event in place of the event: "who led it when the wall fell?"
 * as "who led it on 9 November 1989?". Days are on the wall clock, the end exclusive.
 */
export function withDate(
  text: string,
  { side, start, end, shift }: Pick<EventPhrase, 'side' | 'start' | 'end' | 'shift'>,
  days: { start: number; end: number },
): string {
  const words = dateWords(side, shift ? shiftedBy(days.start, shift) : days);
  const opening = /^\P{L}*$/u.test(text.slice(0, start));
  const written = opening ? words[0]!.toUpperCase() + words.slice(1) : words;
  return text.slice(0, start) + written + text.slice(end);
}

const months: Readonly<Record<string, number>> = {
  month: 1,
  quarter: 3,
  season: 3,
  year: 12,
  decade: 120,
  century: 1200,
};
const lengths: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** The day at a distance of days or weeks, the month or the year at one of months or years. */
function shiftedBy(
  from: number,
  { count, unit }: NonNullable<EventPhrase['shift']>,
): { start: number; end: number } {
  const steps = months[unit];
  if (steps === undefined) {
    const start = from + Math.trunc(count * (lengths[unit] ?? 0)) * dayMilliseconds;
    return { start, end: start + dayMilliseconds };
  }
  const at = new Date(from);
  const month = at.getUTCMonth() + Math.trunc(count * steps);
  const [first, length] = steps < 12 ? [month, 1] : [12 * Math.floor(month / 12), 12];
  const dayOf = (of: number): number => new Date(from).setUTCFullYear(at.getUTCFullYear(), of, 1);
  return { start: dayOf(first), end: dayOf(first + length) };
}

function dateWords(side: EventPhrase['side'], days: { start: number; end: number }): string {
  const first = unitText(days.start, days.end, 'start');
  const last = unitText(days.start, days.end, 'end');
  switch (side) {
    case 'at':
      if (first !== last) return `between ${first} and ${last}`;
      return days.end - days.start === dayMilliseconds ? `on ${first}` : `in ${first}`;
    case 'before':
    case 'until':
    case 'since':
      return `${side} ${first}`;
    case 'after':
      return `after ${last}`;
  }
}

/** The day at one end, or the month or year if the days are made of whole ones. */
function unitText(start: number, end: number, which: 'start' | 'end'): string {
  const [from, to] = [new Date(start), new Date(end)];
  const at = which === 'start' ? from : new Date(end - dayMilliseconds);
  const year = yearText(at.getUTCFullYear());
  const isWhole = from.getUTCDate() === 1 && to.getUTCDate() === 1;
  if (isWhole && from.getUTCMonth() === 0 && to.getUTCMonth() === 0) return year;
  const month = `${monthNames[at.getUTCMonth()]} ${year}`;
  return isWhole ? month : `${at.getUTCDate()} ${month}`;
}

const yearText = (year: number): string => (year > 0 ? String(year) : `${1 - year} BC`);
