// Times at an offset from a date: "two weeks before 3 May 2021", "twelve months earlier than May
// 2011", "going back 25 years from 2010", "exactly a year ago". As long as the date that they are
// counted from; "within five years after 1969" and "the two weeks before" are intervals and stay
// unchanged.
import { dayMilliseconds } from '../civil.js';
import type { Granularity, Instant, Interval } from '../interval.js';
import type { QuestionDate } from './questionDate.js';
import { numeral, numeralValue } from './numerals.js';

/** Units in days or months. */
const units = {
  day: { days: 1, months: 0 },
  week: { days: 7, months: 0 },
  fortnight: { days: 14, months: 0 },
  month: { days: 0, months: 1 },
  quarter: { days: 0, months: 3 },
  year: { days: 0, months: 12 },
  decade: { days: 0, months: 120 },
  century: { days: 0, months: 1200 },
} as const;
type Unit = keyof typeof units;

const unit = String.raw`(days?|weeks?|fortnights?|months?|quarters?|years?|decades?|century|centuries)`;
const count = String.raw`(half an?|${numeral}|an?)`;

/** Words between the offset and its date. */
const backward =
  'before|prior to|earlier than|previous to|ahead of|preceding|back from|back of|short of';
const forward = 'after|following|later than|subsequent to|on from|past|from';
const link = new RegExp(String.raw`\b(?:(${backward})|${forward})\s+(?:the\s+)?$`, 'i');

const distance = new RegExp(
  String.raw`(?:\b(?:exactly|precisely|just)\s+)?(\b(?:going|go|looking|counting)\s+back\s+)?` +
    String.raw`\b${count}[\s-]+${unit}\s+(?:later\s+)?$`,
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

/** Largest granularity of a date that can be shifted by days: "a week before May 2021" is no day. */
const dayGranular: readonly Granularity[] = ['day'];
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
  const match = next ? [next[0], undefined, 'one', next[2]!] : distance.exec(head);
  if (!match) return date;
  const start = relation.index - match[0]!.length;
  if (!next && match[1] === undefined && notExact.test(text.slice(0, start))) return date;
  const step = units[singular(match[3]!)];
  const { granularity } = date.interval;
  const countable = step.days
    ? dayGranular.includes(granularity)
    : step.months * countOf(match[2]!) >= (countableMonths[granularity] ?? Infinity);
  // "from" alone counts back only after "going back", and forward only after "later" or "on".
  const isFrom = /^from\b/i.test(relation[0]);
  if (!countable || (isFrom && match[1] === undefined)) return date;
  const back = relation[1] !== undefined || match[1] !== undefined;
  return shiftedDate(text, date, {
    start,
    interval: movedBy(date.interval, step, countOf(match[2]!) * (back ? -1 : 1)),
  });
}

/** "exactly a year ago" is a day; "a year ago" is that year, the tagger's. */
function exactlyAgo(
  text: string,
  date: QuestionDate,
  reference: Instant,
): QuestionDate | undefined {
  const exact = /\b(?:exactly|precisely|to the day)\s+$/i.exec(text.slice(0, date.start));
  const ago = new RegExp(String.raw`^${count}[\s-]+${unit}\s+ago$`, 'i').exec(date.text);
  if (!exact || !ago) return undefined;
  const start = Math.floor(reference / dayMilliseconds) * dayMilliseconds;
  const today: Interval = { start, end: start + dayMilliseconds, granularity: 'day' };
  return shiftedDate(text, date, {
    start: exact.index,
    interval: movedBy(today, units[singular(ago[2]!)], -countOf(ago[1]!)),
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
    interval,
    relation: interval.granularity === 'day' ? 'on' : 'in',
  };
}

const singular = (word: string): Unit =>
  (/^centur/i.test(word) ? 'century' : word.toLowerCase().replace(/s$/, '')) as Unit;

const countOf = (word: string): number =>
  /^half/i.test(word) ? 0.5 : Math.max(numeralValue(word), 1);

function movedBy(
  { start, end, granularity }: Interval,
  { days, months }: (typeof units)[Unit],
  by: number,
): Interval {
  const move = (instant: Instant): Instant =>
    months === 0
      ? instant + Math.round(by * days) * dayMilliseconds
      : byMonths(instant, Math.round(by * months));
  const moved = move(start);
  return {
    start: moved,
    end: granularity === 'day' ? moved + dayMilliseconds : move(end),
    granularity,
  };
}

/** A month after 31 January is the last of February. */
function byMonths(instant: Instant, months: number): Instant {
  const moved = new Date(instant);
  const day = moved.getUTCDate();
  moved.setUTCMonth(moved.getUTCMonth() + months, 1);
  const lastDay = new Date(moved).setUTCMonth(moved.getUTCMonth() + 1, 0);
  return moved.setUTCDate(Math.min(day, new Date(lastDay).getUTCDate()));
}
