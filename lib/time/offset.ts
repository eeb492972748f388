// Times of day that say their offset from UTC: "22:15 GMT", "8 p.m. EST", 2021-05-05T14:30+09:00.
import type { Mention } from './mention.js';

/** Names of UTC, whose times look like those without an offset. */
const zeroOffset = /\b(?:GMT|UTC|WET|ZULU|Z)\b|\dZ\b|\bGreenwich\b|[+-]00:?00$/;

/** A time on the clock, of a year of four digits. */
const clockTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
/** Of an hour, a minute and a second: no offset is a difference of two of them. */
const lengths = [3_600_000, 60_000, 1000];

/**
 * Whether a mention says its offset, so that its interval is the same in all zones. The tagger's
 * values are times on the clock, its intervals what these are in UTC.
 */
export function hasOffset({ text, timexes, interval, start: from }: Mention): boolean {
  if (!interval) return false;
  for (const { type, value, start, end } of timexes) {
    if (type !== 'TIME') continue;
    if (zeroOffset.test(text.slice(start - from, end - from))) return true;
    if (!clockTime.test(value)) continue;
    const shown = Date.parse(`${value}Z`);
    if (shown !== interval.start && !lengths.includes(interval.end - shown)) return true;
  }
  return false;
}
