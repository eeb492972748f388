// Detection of publication dates ("the forecast issued on", "reported by") as opposed to content
// dates, for the passages' content clock.
import type { Interval } from './interval.js';

const reportNoun = new RegExp(
  String.raw`\b(?:forecasts?|outlooks?|reports?|estimates?|figures?|counts?|numbers?|` +
    String.raw`statements?|articles?|bulletins?|warnings?|` +
    String.raw`advisor(?:y|ies)|predictions?|projections?|data|news|updates?|revisions?|` +
    String.raw`versions?|totals?)\b`,
  'i',
);
const published =
  /\b(?:published|issued|released|announced|posted|updated)(?: (?:on|at|in|by|as|late|early))?,?\s*$/i;
/** Whether the words right before an offset say that a report was issued. */
export function publicationDateTest(text: string): (start: number) => boolean {
  let reports: boolean | undefined; // evaluated once: a passage may have many dates
  return (start) =>
    published.test(text.slice(Math.max(0, start - 24), start)) &&
    (reports ??= reportNoun.test(text));
}

export const isPublicationDate = (text: string, start: number): boolean =>
  publicationDateTest(text)(start);

/** Too common alone: their date is one only on the passage's own publication day. */
const reportVerbs =
  'said|says|told|stated|wrote|announced|published|issued|released|posted|updated|' +
  'reported|predicted|projected|dated|filed|dispatched';
const reportNouns =
  'bulletin|update|report|statement|forecast|outlook|advisory|warning|dispatch|release|notice|' +
  'briefing|message|edition|revision|projection';
const afterReportVerb = new RegExp(
  String.raw`\b(?:${reportVerbs})(?: (?:late|early))?,?(?: (?:on|at|of))?[\s,(]*$`,
  'i',
);
const afterReportNoun = new RegExp(
  String.raw`\b(?:${reportNouns})s?,? (?:on|of|from)[\s,(]*$`,
  'i',
);
const beforeReportNoun = new RegExp(String.raw`^[\s)-]{0,3}(?:${reportNouns})\b`, 'i');
const dateline = /^\)?\s*[:–—]/;
/** Of a zone whose clock was put back in it by two hours at most. */
const longestMonth = 31 * 86_400_000 + 2 * 3_600_000;

interface DatedSpan {
  start: number;
  end: number;
  interval: Interval;
}

/**
 * Whether a date is the passage's publication day and only states it: "officials said on 3 May
 * that", "bulletin of 3 May", or a dateline ("3 May: rain on 4 May") before a later day. The
 * sentence has another date.
 * @param others the intervals of the sentence
 */
export function isIssueDate(
  text: string,
  date: DatedSpan,
  publishedAt: number,
  others: readonly Interval[],
): boolean {
  if (!isDayOf(publishedAt, date.interval)) return false;
  const days = others.filter((other) => isAnotherDay(other, date.interval));
  if (days.length === 0) return false;
  const after = text.slice(date.end, date.end + 24);
  if (
    afterReportVerb.test(upTo(text, date)) ||
    afterReportNoun.test(upTo(text, date)) ||
    beforeReportNoun.test(after)
  )
    return true;
  return dateline.test(after) && days.some((other) => other.start >= date.interval.end);
}

/**
 * Whether a sentence's only date is the publication day as heading of a passage about another day:
 * "Outlook of 3 May for Lohr. On 4 May expect rain."
 * @param days `daysAmong` the intervals of the passage
 */
export function isHeadingDate(
  text: string,
  date: DatedSpan,
  publishedAt: number,
  days: readonly Interval[],
): boolean {
  if (
    !isDayOf(publishedAt, date.interval) ||
    !days.some((other) => isAnotherDay(other, date.interval))
  )
    return false;
  return (
    afterReportNoun.test(upTo(text, date)) ||
    beforeReportNoun.test(text.slice(date.end, date.end + 24)) ||
    isPublicationDate(text, date.start)
  );
}

const earlier =
  /\bwhat (?:was|had been|has been) (?:said|stated|announced|reported|published|forecast|predicted)(?: (?:on|in|at))?\s*$/i;

/** "This takes the place of what was said on 3 May." */
export function isEarlierReportDate(text: string, date: DatedSpan, publishedAt: number): boolean {
  return date.interval.end <= publishedAt && earlier.test(upTo(text, date));
}

const isDayOf = (instant: number, { start, end, granularity }: Interval): boolean =>
  granularity === 'day' && instant >= start && instant < end;

/**
 * A different interval of at most a month: in "Said on 3 May that the mill, built in 1911, is shut"
 * the year is no other day.
 */
const isAnotherDay = (other: Interval, { start, end }: Interval): boolean =>
  (other.start !== start || other.end !== end) && isDayOrMonth(other);

const isDayOrMonth = ({ start, end }: Interval): boolean => end - start <= longestMonth;

/**
 * The first two distinct intervals of at most a month: they tell of any day whether there is
 * another one, as all of a long passage would.
 */
export function daysAmong(intervals: readonly Interval[]): Interval[] {
  const first = intervals.find(isDayOrMonth);
  const second = first && intervals.find((each) => isAnotherDay(each, first));
  return second ? [first, second] : first ? [first] : [];
}

/** The words before a date and its leading preposition. */
function upTo(text: string, { start, end }: DatedSpan): string {
  const preposition = /^(?:on|at|from)\b/i.exec(text.slice(start, end))?.[0] ?? '';
  return text.slice(Math.max(0, start - 32), start) + preposition;
}
