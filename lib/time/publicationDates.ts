// Words that make a date one of publication ("the forecast issued on", "reported by") rather than
// of what is told. Both the question's clock and the content clock of passages read them here, so
// that they agree.
import type { Interval } from './interval.js';

const reportNoun = new RegExp(
  String.raw`\b(?:forecasts?|outlooks?|reports?|estimates?|figures?|counts?|numbers?|statements?|articles?|bulletins?|warnings?|` +
    String.raw`advisor(?:y|ies)|predictions?|projections?|data|news|updates?|revisions?|versions?|totals?)\b`,
  'i',
);
const published =
  /\b(?:published|issued|released|announced|posted|updated)(?: (?:on|at|in|by|as|late|early))?,?\s*$/i;
const reported =
  /\b(?:reported|known|predicted|projected|forecasted|(?:as|was|were|been) (?:stated|given)),?\s*$/i;

/**
 * Whether the words right before an offset of `text` speak of issuing a report, in a text that
 * speaks of one.
 */
export function publicationDateTest(text: string): (start: number) => boolean {
  let reports: boolean | undefined; // looked for once: a passage may have many dates
  return (start) =>
    published.test(text.slice(Math.max(0, start - 24), start)) &&
    (reports ??= reportNoun.test(text));
}

export const isPublicationDate = (text: string, start: number): boolean =>
  publicationDateTest(text)(start);

/**
 * Words too common to tell a publication by themselves; a date of theirs is one where it is the
 * passage's own day of publication.
 */
const uttered =
  'said|says|told|stated|wrote|announced|published|issued|released|posted|updated|reported|predicted|projected|dated|filed|dispatched';
const dispatch =
  'bulletin|update|report|statement|forecast|outlook|advisory|warning|dispatch|release|notice|briefing|message|edition|revision|projection';
const saidOn = new RegExp(
  String.raw`\b(?:${uttered})(?: (?:late|early))?,?(?: (?:on|at|of))?[\s,(]*$`,
  'i',
);
const dispatchOf = new RegExp(String.raw`\b(?:${dispatch})s?,? (?:on|of|from)[\s,(]*$`, 'i');
const thenUpdate = new RegExp(String.raw`^[\s)-]{0,3}(?:${dispatch})\b`, 'i');
const dateline = /^\)?\s*[:–—]/;
const longestMonth = 31 * 86_400_000;

interface DatedSpan {
  start: number;
  end: number;
  interval: Interval;
}

/**
 * Whether a date of a passage is its own day of publication and only says when that was:
 * "forecasters said on 3 May that", "bulletin of 3 May", or a dateline ("3 May: rain on 4 May")
 * where another day is still to come. Its sentence dates something else too.
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
  if (saidOn.test(upTo(text, date)) || dispatchOf.test(upTo(text, date)) || thenUpdate.test(after))
    return true;
  return dateline.test(after) && days.some((other) => other.start >= date.interval.end);
}

/**
 * Whether a sentence's only date heads a passage of that day that tells of another: "Outlook of 3
 * May for Lohr. On 4 May expect rain."
 */
export function isHeadingDate(
  text: string,
  date: DatedSpan,
  publishedAt: number,
  elsewhere: readonly Interval[],
): boolean {
  if (
    !isDayOf(publishedAt, date.interval) ||
    !elsewhere.some((other) => isAnotherDay(other, date.interval))
  )
    return false;
  return (
    dispatchOf.test(upTo(text, date)) ||
    thenUpdate.test(text.slice(date.end, date.end + 24)) ||
    isPublicationDate(text, date.start)
  );
}

const earlier =
  /\bwhat (?:was|had been|has been) (?:said|stated|announced|reported|published|forecast|predicted)(?: (?:on|in|at))?\s*$/i;

/**
 * Whether a date is that of an earlier report, of which the passage only says that it was: "This
 * takes the place of what was said on 3 May."
 */
export function isEarlierReportDate(text: string, date: DatedSpan, publishedAt: number): boolean {
  return date.interval.end <= publishedAt && earlier.test(upTo(text, date));
}

const isDayOf = (instant: number, { start, end, granularity }: Interval): boolean =>
  granularity === 'day' && instant >= start && instant < end;

/** "Said on 3 May that the mill, built in 1911, is shut": a year takes no day's place. */
const isAnotherDay = (other: Interval, { start, end }: Interval): boolean =>
  (other.start !== start || other.end !== end) && other.end - other.start <= longestMonth;

/** The words before a date, and the preposition that it begins with. */
function upTo(text: string, { start, end }: DatedSpan): string {
  return `${text.slice(Math.max(0, start - 32), start)}${/^(?:on|at|from)\b/i.exec(text.slice(start, end))?.[0] ?? ''}`;
}

/** Whether they speak of what was reported or known at a time, as questions do. */
export function isKnowledgeDate(text: string, start: number): boolean {
  return reported.test(text.slice(Math.max(0, start - 24), start));
}

const count = /\b(?:how (?:many|much)|what (?:\w+ )?(?:total|number|count|sum|tally))\b/i;

/**
 * Whether a count is asked for that somebody "had reported on" a day: it is the count of that day,
 * whoever tells it and when.
 */
export function isCountDate(
  text: string,
  { start, end, relation }: { start: number; end: number; relation: string },
): boolean {
  const before = text.slice(0, start);
  return (
    relation === 'on' &&
    count.test(before) &&
    /\breported,?\s{0,3}$/i.test(before) &&
    !/^as\b/i.test(text.slice(start, end))
  );
}
