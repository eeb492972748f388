// A passage's window of validity where its author gave none, from the dates that its metadata has:
// published, updated, crawled (re-implementation of MRAG, section 4.1). It says by which rule; it
// replaces nothing that was given, and reads no text.
import { invalidArgument, mustBe } from '../errors.js';
import { dayMilliseconds as day } from './civil.js';
import type { Interval } from './interval.js';
import type { Window } from './constraint.js';

/** What a passage says of its own times: epoch milliseconds, `validTo` exclusive. */
export interface PassageDates {
  publishedAt?: number;
  updatedAt?: number;
  crawledAt?: number;
  validFrom?: number;
  validTo?: number;
}

/**
 * How a window came about. given: stated by the author. updated and published: open from that date.
 * A crawl bounds both: what was still there when it was seen is known to hold until then, and not
 * after. crawled: the only date, the text was there then. superseded: ended by the next version of
 * the same document. none: no date at all.
 */
export const validityRules = [
  'given',
  'published',
  'published to crawled',
  'updated',
  'updated to crawled',
  'crawled',
  'superseded',
  'none',
] as const;
export type ValidityRule = (typeof validityRules)[number];

/** When a passage holds, and by which rule that was read. */
export interface DerivedValidity {
  /** Half-open; an unknown end is open. Absent with rule none. */
  window?: Window;
  rule: ValidityRule;
  /**
   * Dates that contradict each other and were left out: an update before publication, a crawl
   * before both.
   */
  ignored?: ('updatedAt' | 'crawledAt')[];
}

/** The window of a passage and how it was read. */
export interface ReadValidity extends DerivedValidity {
  /**
   * The clock that gave the score: stated validity, the dates told in the row, the derived window,
   * or none.
   */
  clock: 'validity' | 'content' | 'derived' | 'none';
}

/**
 * The window of a passage. It begins with the latest change known: what stood there before it may
 * have been another text. Always start <= end.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a date that is not a number, and for a given end
 * before its start.
 */
export function deriveValidity(dates: PassageDates): DerivedValidity {
  mustBe('an object', { dates });
  const { publishedAt, updatedAt, crawledAt, validFrom, validTo } = dates;
  for (const [name, value] of Object.entries({
    publishedAt,
    updatedAt,
    crawledAt,
    validFrom,
    validTo,
  })) {
    if (value !== undefined && (typeof value !== 'number' || Number.isNaN(value)))
      throw invalidArgument(name, 'UTC epoch milliseconds', value);
  }
  if (validFrom !== undefined && validTo !== undefined && validTo < validFrom) {
    throw invalidArgument('validTo', 'an instant that is not before validFrom', validTo);
  }
  if (validFrom !== undefined || validTo !== undefined) {
    return { window: { start: validFrom ?? -Infinity, end: validTo ?? Infinity }, rule: 'given' };
  }
  const ignored: ('updatedAt' | 'crawledAt')[] = [];
  const early = updatedAt !== undefined && publishedAt !== undefined && updatedAt < publishedAt;
  if (early) ignored.push('updatedAt');
  const changed = early ? publishedAt : (updatedAt ?? publishedAt);
  if (changed === undefined) {
    return crawledAt === undefined
      ? { rule: 'none' }
      : { window: { start: crawledAt, end: Infinity }, rule: 'crawled' };
  }
  const by = changed === publishedAt ? 'published' : 'updated';
  if (crawledAt !== undefined && crawledAt < changed) ignored.push('crawledAt');
  const seen = crawledAt !== undefined && crawledAt >= changed;
  return {
    window: { start: changed, end: seen ? crawledAt : Infinity },
    rule: seen ? `${by} to crawled` : by,
    ...(ignored.length > 0 ? { ignored } : {}),
  };
}

/**
 * The window ended by the next version's start; a window that begins no earlier than that stays.
 * Given windows are never ended.
 */
export function endValidityAt(validity: DerivedValidity, next: number): DerivedValidity {
  const { window, rule } = validity;
  if (!window || rule === 'given' || !(window.start < next) || window.end <= next) return validity;
  return { ...validity, window: { start: window.start, end: next }, rule: 'superseded' };
}

/**
 * Days from a publication to the nearest time that the text tells of: 0 where it lies inside one,
 * below 0 where the text tells of the past, above 0 of the future. Undefined where the text tells
 * of none.
 */
export function eventGapDays(
  published: number,
  told: readonly Pick<Interval, 'start' | 'end'>[],
): number | undefined {
  mustBe('an array', { told });
  let gap: number | undefined;
  for (const { start, end } of told) {
    const away =
      published < start
        ? (start - published) / day
        : published >= end
          ? (end - 1 - published) / day
          : 0;
    if (gap === undefined || Math.abs(away) < Math.abs(gap)) gap = away;
  }
  return gap;
}
