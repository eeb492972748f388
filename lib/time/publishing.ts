// Words that make a date one of publication ("the forecast issued on", "reported by") rather than of what is told. Both
// the question's clock and the content clock of passages read them here, so that they agree.
import type { Interval } from './interval.js';

const reportNoun = new RegExp(
  String.raw`\b(?:forecasts?|outlooks?|reports?|estimates?|figures?|counts?|numbers?|statements?|articles?|bulletins?|warnings?|` +
    String.raw`advisor(?:y|ies)|predictions?|projections?|data|news|updates?|revisions?|versions?|totals?)\b`,
  'i',
);
const published = /\b(?:published|issued|released|announced|posted|updated)(?: (?:on|at|in|by|as|late|early))?,?\s*$/i;
const reported = /\b(?:reported|known|predicted|projected|forecasted|(?:as|was|were|been) (?:stated|given)),?\s*$/i;

/** Whether the words right before an offset of `text` speak of issuing a report, in a text that speaks of one. */
export function publicationDates(text: string): (start: number) => boolean {
  let reports: boolean | undefined; // looked for once: a passage may have many dates
  return (start) => published.test(text.slice(Math.max(0, start - 24), start)) && (reports ??= reportNoun.test(text));
}

export const datesPublication = (text: string, start: number): boolean => publicationDates(text)(start);

/** Words too common to tell a publication by themselves; a date of theirs is one where it is the passage's own day of publication. */
const uttered = 'said|says|told|stated|wrote|announced|published|issued|released|posted|updated|reported|predicted|projected|dated|filed|dispatched';
const dispatch =
  'bulletin|update|report|statement|forecast|outlook|advisory|warning|dispatch|release|notice|briefing|message|edition|revision|projection';
const saidOn = new RegExp(
  String.raw`\b(?:(?:${uttered})(?: (?:late|early))?,?(?: (?:on|at|of))?|(?:${dispatch})s?,? (?:on|of|from))[\s,(]*$`,
  'i',
);
const thenUpdate = new RegExp(String.raw`^[\s)-]{0,3}(?:${dispatch})\b`, 'i');
const dateline = /^\)?\s*[:–—]/;
const longestMonth = 31 * 86_400_000;

/**
 * Whether a date of a passage is its own day of publication and only says when that was: "forecasters said on 3 May that", "bulletin
 * of 3 May", or a dateline ("3 May: rain on 4 May") where another day is still to come. Its sentence dates something else too.
 * @param others the intervals of the sentence
 */
export function datesIssue(
  text: string,
  date: { start: number; end: number; interval: Interval },
  publishedAt: number,
  others: readonly Interval[],
): boolean {
  const { start, end, granularity } = date.interval;
  if (granularity !== 'day' || publishedAt < start || publishedAt >= end) return false;
  // "Said on 3 May that the mill, built in 1911, is shut": a year takes no day's place.
  const days = others.filter((other) => (other.start !== start || other.end !== end) && other.end - other.start <= longestMonth);
  if (days.length === 0) return false;
  const preposition = /^(?:on|at|from)\b/i.exec(text.slice(date.start, date.end))?.[0] ?? '';
  if (saidOn.test(`${text.slice(Math.max(0, date.start - 32), date.start)}${preposition}`)) return true;
  const after = text.slice(date.end, date.end + 24);
  return thenUpdate.test(after) || (dateline.test(after) && days.some((other) => other.start >= end));
}

/** Whether they speak of what was reported or known at a time, as questions do. */
export function datesKnowledge(text: string, start: number): boolean {
  return reported.test(text.slice(Math.max(0, start - 24), start));
}

const count = /\b(?:how (?:many|much)|what (?:\w+ )?(?:total|number|count|sum|tally))\b/i;

/** Whether a count is asked for that somebody "had reported on" a day: it is the count of that day, whoever tells it and when. */
export function datesCount(text: string, { start, end, relation }: { start: number; end: number; relation: string }): boolean {
  const before = text.slice(0, start);
  return relation === 'on' && count.test(before) && /\breported,?\s{0,3}$/i.test(before) && !/^as\b/i.test(text.slice(start, end));
}
