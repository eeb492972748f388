// Times at an offset from a date: "two weeks before 3 May 2021", "five years after 1969". As long
// as the date that they are counted from; "within five years after 1969" and "the two weeks before"
// are intervals and stay unchanged.
import { dayMilliseconds } from '../civil.js';
import type { Granularity, Instant, Interval } from '../interval.js';
import type { QuestionDate } from './questionDate.js';
import { numberWords } from './deicticDates.js';

const steps = ['day', 'week', 'month', 'year', 'decade'] as const;
type Step = (typeof steps)[number];

const distance = new RegExp(
  String.raw`(?:\bexactly\s+)?\b(an?|${numberWords.slice(1).join('|')}|` +
    String.raw`\d{1,3})\s+(${steps.join('|')})s?\s+(?:later\s+)?$`,
  'i',
);

/** "(in) the year after 2003" is the next year; "the years after 2003" is an interval. */
const nextTo = new RegExp(
  String.raw`(?:\b(?:in|on|during)\s+)?\b(the)\s+(${steps.join('|')})\s+(?:immediately\s+|` +
    String.raw`right\s+)?$`,
  'i',
);

/** Words that make the offset a duration, or inexact. */
const notExact = new RegExp(
  String.raw`\b(?:within|in|for|over|during|throughout|the|first|last|next|past|these|those|than|` +
    String.raw`least|most|to|or|and|about|around|nearly|almost|` +
    String.raw`some|roughly|approximately|every|under|lasted|took|after|before|of)\s+$`,
  'i',
);

/**
 * Steps by which a date of a granularity can be offset: "two weeks before May 2021" gives no day.
 */
const countable: Partial<Record<Granularity, readonly Step[]>> = {
  day: steps,
  month: ['month', 'year', 'decade'],
  quarter: ['year', 'decade'],
  year: ['year', 'decade'],
  decade: ['decade'],
};

/** The date shifted by the offset words before it, if any; else the date itself. */
export function withOffset(text: string, date: QuestionDate): QuestionDate {
  const { interval, relation } = date;
  if (
    (relation !== 'before' && relation !== 'after') ||
    !/^(?:before|after|prior to|following)\b/i.test(date.text)
  )
    return date;
  const before = text.slice(0, date.start);
  const next = nextTo.exec(before);
  const match = next ?? distance.exec(before);
  const step = match?.[2]!.toLowerCase() as Step | undefined;
  if (!match || !step || !countable[interval.granularity]?.includes(step)) return date;
  if (!next && notExact.test(text.slice(0, match.index))) return date;
  const moved = movedBy(interval, step, numberOf(match[1]!) * (relation === 'before' ? -1 : 1));
  if (!Number.isFinite(moved.start) || !Number.isFinite(moved.end)) return date;
  return {
    ...date,
    start: match.index,
    text: text.slice(match.index, date.end),
    interval: moved,
    relation: interval.granularity === 'day' ? 'on' : 'in',
  };
}

const numberOf = (word: string): number =>
  /^\d/.test(word) ? Number(word) : Math.max(1, numberWords.indexOf(word.toLowerCase()));

function movedBy({ start, end, granularity }: Interval, step: Step, by: number): Interval {
  const move = (instant: Instant): Instant => {
    if (step === 'day' || step === 'week')
      return instant + by * dayMilliseconds * (step === 'week' ? 7 : 1);
    return byMonths(instant, by * { month: 1, year: 12, decade: 120 }[step]);
  };
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
