// Times at an offset from a date: "two weeks before 3 May 2021", "twelve months earlier than May
// 2011", "going back 25 years from 2010", "exactly a year ago". As long as the date that they are
// counted from; "within five years after 1969" and "the two weeks before" are intervals and stay
// unchanged.
import { dayMilliseconds } from '../civil.js';
import type { Granularity, Instant, Interval } from '../interval.js';
import type { QuestionDate } from './questionDate.js';
import { numeral, numeralValue } from './numerals.js';

/** In days or months. */
export const calendarUnits = {
  day: { days: 1, months: 0 },
  week: { days: 7, months: 0 },
  fortnight: { days: 14, months: 0 },
  month: { days: 0, months: 1 },
  quarter: { days: 0, months: 3 },
  year: { days: 0, months: 12 },
  decade: { days: 0, months: 120 },
  century: { days: 0, months: 1200 },
} as const;
type Unit = keyof typeof calendarUnits;

const unit = String.raw`(days?|weeks?|fortnights?|months?|quarters?|years?|decades?|century|centuries)`;
const count = String.raw`(half an?|${numeral}|an?)`;

/** Words between the offset and its date. */
const backward =
  'before|prior to|earlier than|previous to|ahead of|preceding|back from|back of|short of';
const forward = 'after|following|later than|subsequent to|on from|past|from';
const link = new RegExp(String.raw`\b(?:(${backward})|${forward})\s+(?:the\s+)?$`, 'i');

/** The same expression without its groups. */
const ungrouped = (pattern: string): string => pattern.replace(/\((?!\?)/g, '(?:');
const term = String.raw`\b${count}(\s+and\s+a\s+half)?[\s-]+${unit}`;
const terms = String.raw`${ungrouped(term)}(?:(?:,|,?\s+and)\s+${ungrouped(term)})?`;
const distance = new RegExp(
  String.raw`(?:\b(?:exactly|precisely|just)\s+)?` +
    String.raw`(\b(?:(?:go|count|look|step|mov)(?:e|ing)?\s+(?:back|backwards)|rewind(?:ing)?)\s+)?` +
    String.raw`(${terms})\s+(?:later\s+)?$`,
  'i',
);

/** "(in) the year after 2003" is the next year; "the years after 2003" is an interval. */
const nextTo = new RegExp(
  String.raw`(?:\b(?:in|on|during)\s+)?\b(the)\s+${unit.replaceAll('s?', '').replace('|centuries', '')}` +
    String.raw`\s+(?:immediately\s+|right\s+|just\s+)?$`,
  'i',
);

/** Words that make the offset a duration, or inexact. */
const notExact = new RegExp(
  String.raw`\b(?:within|in|for|over|during|throughout|the|first|last|next|past|these|those|than|` +
    String.raw`least|most|to|or|and|about|around|nearly|almost|` +
    String.raw`some|roughly|approximately|every|under|lasted|took|after|before|of)\s+$`,
  'i',
);

/** Least months by which a date can be shifted; "a week before May 2021" is no day. */
const countableMonths: Partial<Record<Granularity, number>> = {
  day: 1,
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
  century: 1200,
};

/** The date shifted by the offset words before it, if any; else the date itself. */
export function withOffset(text: string, date: QuestionDate, reference: Instant): QuestionDate {
  const exact = exactlyAgo(text, date, reference);
  if (exact) return exact;
  const words = new RegExp(String.raw`^(?:${backward}|${forward})\s+(?:the\s+)?`, 'i').exec(
    date.text,
  );
  const before = text.slice(0, date.start + (words?.[0].length ?? 0));
  const relation = link.exec(before);
  if (!relation) return date;
  const head = before.slice(0, relation.index);
  const next = nextTo.exec(head);
  const match = next ?? distance.exec(head);
  if (!match) return date;
  const start = relation.index - match[0].length;
  const goesBack = !next && match[1] !== undefined;
  if (!next && !goesBack && notExact.test(text.slice(0, start))) return date;
  const steps = stepsOf(next ? `one ${next[2]!}` : match[2]!);
  const { granularity } = date.interval;
  const smallest = countableMonths[granularity] ?? Infinity;
  const countable = steps.every(({ days, months }) =>
    days ? granularity === 'day' : months >= smallest,
  );
  // "from" alone counts back only after "going back", and forward only as "on from".
  if (!countable || (/^from\b/i.test(relation[0]) && !goesBack)) return date;
  const sign = relation[1] !== undefined || goesBack ? -1 : 1;
  return shiftedDate(text, date, { start, interval: movedBy(date.interval, steps, sign) });
}

interface Step {
  days: number;
  months: number;
}

/** "three years and two months", "two and a half years" as days and months. */
export function stepsOf(words: string): Step[] {
  return [...words.matchAll(new RegExp(term, 'gi'))].map(([, number, half, name]) => {
    const by =
      (/^half/i.test(number!) ? 0.5 : Math.max(numeralValue(number!), 1)) + (half ? 0.5 : 0);
    const { days, months } = calendarUnits[singular(name!)];
    return { days: Math.round(by * days), months: Math.round(by * months) };
  });
}

/** "exactly a year ago" is a day; "a year ago" is that year, the tagger's. */
function exactlyAgo(
  text: string,
  date: QuestionDate,
  reference: Instant,
): QuestionDate | undefined {
  const exact = /\b(?:exactly|precisely|to the day)\s+$/i.exec(text.slice(0, date.start));
  const ago = new RegExp(String.raw`^(${terms})\s+ago$`, 'i').exec(date.text);
  if (!exact || !ago) return undefined;
  const start = Math.floor(reference / dayMilliseconds) * dayMilliseconds;
  const today: Interval = { start, end: start + dayMilliseconds, granularity: 'day' };
  return shiftedDate(text, date, {
    start: exact.index,
    interval: movedBy(today, stepsOf(ago[1]!), -1),
  });
}

function shiftedDate(
  text: string,
  date: QuestionDate,
  { start, interval }: { start: number; interval: Interval },
): QuestionDate {
  if (!Number.isFinite(interval.start) || !Number.isFinite(interval.end)) return date;
  return {
    ...date,
    start,
    text: text.slice(start, date.end),
    shifted: true,
    interval,
    relation: interval.granularity === 'day' ? 'on' : 'in',
  };
}

const singular = (word: string): Unit =>
  (/^centur/i.test(word) ? 'century' : word.toLowerCase().replace(/s$/, '')) as Unit;

/** The interval moved by steps in turn, backward with sign -1. */
export function movedBy(
  { start, end, granularity }: Interval,
  steps: readonly Step[],
  sign: 1 | -1,
): Interval {
  const move = (instant: Instant): Instant =>
    steps.reduce(
      (at, { days, months }) => byMonths(at, sign * months) + sign * days * dayMilliseconds,
      instant,
    );
  const moved = move(start);
  return {
    start: moved,
    end: granularity === 'day' ? moved + dayMilliseconds : move(end),
    granularity,
  };
}

/** A month after 31 January is the last of February. */
export function byMonths(instant: Instant, months: number): Instant {
  const moved = new Date(instant);
  const day = moved.getUTCDate();
  moved.setUTCMonth(moved.getUTCMonth() + months, 1);
  const lastDay = new Date(moved).setUTCMonth(moved.getUTCMonth() + 1, 0);
  return moved.setUTCDate(Math.min(day, new Date(lastDay).getUTCDate()));
}
