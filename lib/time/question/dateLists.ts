// Lists of dates in a question: one constraint over all items, with alternatives if there are gaps.
// "Between" and "from" are intervals, not lists. Reads further days of one month ("May 7, 9 and 12,
// 2022") that the tagger does not.
import { dayMilliseconds } from '../civil.js';
import { granularities, type Instant, type Interval } from '../interval.js';
import type { QuestionDate } from './questionDate.js';

/** Merges listed dates into one constraint: "in the 1850s and 1860s", "on May 7 and on May 8". */
export function joinLists(text: string, dates: readonly QuestionDate[]): QuestionDate[] {
  const merged: QuestionDate[] = [];
  for (const date of dates) {
    const previous = merged.at(-1);
    const inYear = previous && inYearOf(text, previous, date);
    if (inYear) merged[merged.length - 1] = inYear;
    else if (previous && isListed(text, previous, date))
      merged[merged.length - 1] = hullOf(text, previous, date);
    else merged.push(date);
  }
  return merged;
}

/** "in May this year": year of the second date, unit of the first. */
function inYearOf(text: string, date: QuestionDate, year: QuestionDate): QuestionDate | undefined {
  const short = date.interval.end - date.interval.start < 100 * dayMilliseconds;
  if (
    !short ||
    year.interval.granularity !== 'year' ||
    /\d{3,4}/.test(date.text) ||
    !/^(?:this|last|next)\s+year$/i.test(year.text) ||
    text.slice(date.end, year.start).trim() !== ''
  )
    return undefined;
  const move = (instant: Instant): Instant =>
    new Date(instant).setUTCFullYear(new Date(instant).getUTCFullYear() + steps);
  const steps =
    new Date(year.interval.start).getUTCFullYear() - new Date(date.interval.start).getUTCFullYear();
  return {
    ...date,
    end: year.end,
    text: text.slice(date.start, year.end),
    interval: { ...date.interval, start: move(date.interval.start), end: move(date.interval.end) },
  };
}

const listable: readonly string[] = ['in', 'on', 'by', 'as of', 'until', 'from-to', 'between'];
const spans: readonly string[] = ['from-to', 'between'];
const whole = (date: QuestionDate): string => date.interval.granularity.replace('part-of-', '');

function isListed(text: string, previous: QuestionDate, date: QuestionDate): boolean {
  const between = text.slice(previous.end, date.start);
  if (!/^\s*(?:,|,?\s*(?:\b(?:and|or|as well as)\b(?:\s+also\b)?|&))\s*(?:the\s*)?$/i.test(between))
    return false;
  if (!listable.includes(previous.relation)) return false;
  return (
    (date.relation === 'none' || date.relation === previous.relation) &&
    whole(previous) === whole(date)
  );
}

function hullOf(text: string, first: QuestionDate, second: QuestionDate): QuestionDate {
  const granularity =
    granularities[
      Math.max(...[first, second].map((each) => granularities.indexOf(each.interval.granularity)))
    ]!;
  const interval = {
    start: Math.min(first.interval.start, second.interval.start),
    end: Math.max(first.interval.end, second.interval.end),
    granularity,
  };
  const { alternatives: _, ...rest } = first;
  const listed = [first, second]
    .flatMap((each) => each.alternatives ?? [each.interval])
    .sort((one, other) => one.start - other.start);
  return {
    ...rest,
    end: second.end,
    text: text.slice(first.start, second.end),
    interval,
    ...(spans.includes(first.relation) ? {} : withGaps(listed)),
  };
}

/** Intervals with a gap between them; for contiguous ones the hull suffices. */
function withGaps(listed: readonly Interval[]): Pick<QuestionDate, 'alternatives'> {
  const gap = listed.some((each, at) => at > 0 && each.start > listed[at - 1]!.end);
  return gap ? { alternatives: [...listed] } : {};
}

const dayOf = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const monthOf = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?`;
/** Further days alone, and the evidence that they are days: a year, or no noun. */
const furtherDays = new RegExp(
  String.raw`^((?:\s*,\s*${dayOf})*)\s*,?\s*(?:and|or|&)\s*(${dayOf})(?:(?:,\s*|\s+)(\d{4})\b|` +
    String.raw`(?=\s*(?:$|[?.!;)])))`,
  'i',
);
const monthFirst = new RegExp(String.raw`${monthOf}\s+(?:the\s+)?${dayOf}$`, 'i');

/**
 * Expands "January 7 and 8, 2022", which the tagger reads as an interval, and "January 7, 9 and 12,
 * 2022", of which it reads the first day alone, into days of that month.
 */
export function listOfDays(text: string, date: QuestionDate): QuestionDate {
  const { relation, interval } = date;
  if (interval.granularity !== 'day') return date;
  const days = Math.round((interval.end - interval.start) / dayMilliseconds);
  if (days > 1)
    return /^(?:from|between)\b/i.test(date.text) || !/\s(?:and|or)\s/i.test(date.text)
      ? date
      : endDays(date);
  const further =
    days === 1 && monthFirst.test(date.text) ? furtherDays.exec(text.slice(date.end)) : null;
  if (!further) return date;
  const first = new Date(interval.start);
  const year = further[3] === undefined ? first.getUTCFullYear() : Number(further[3]);
  const numbers = [first.getUTCDate(), ...`${further[1]} ${further[2]}`.match(/\d+/g)!.map(Number)];
  const starts = numbers.map((number) => Date.UTC(year, first.getUTCMonth(), number));
  if (
    starts.some(
      (start, at) =>
        new Date(start).getUTCDate() !== numbers[at]! || (at > 0 && start <= starts[at - 1]!),
    )
  )
    return date;
  const listed = starts.map(
    (start): Interval => ({ start, end: start + dayMilliseconds, granularity: 'day' }),
  );
  const end = date.end + further[0].length;
  return {
    ...date,
    end,
    text: text.slice(date.start, end),
    relation: relation === 'none' ? 'on' : relation,
    interval: { start: listed[0]!.start, end: listed.at(-1)!.end, granularity: 'day' },
    ...withGaps(listed),
  };
}

/** Both end days of an interval written as two days; one constraint if contiguous. */
function endDays(date: QuestionDate): QuestionDate {
  const { start, end, granularity } = date.interval;
  const relation =
    date.relation === 'from-to' ? (/^by\b/i.test(date.text) ? 'by' : 'on') : date.relation;
  const both = [
    { start, end: start + dayMilliseconds, granularity },
    { start: end - dayMilliseconds, end, granularity },
  ];
  return { ...date, relation, ...withGaps(both) };
}
