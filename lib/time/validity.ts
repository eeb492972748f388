// Validity windows derived from a passage's metadata (published, updated, crawled) if none is given
// (re-implementation of MRAG, section 4.1), with the rule applied.
import { invalidArgument, mustBe } from '../errors.js';
import { dayMilliseconds as day } from './civil.js';
import type { Interval } from './interval.js';
import type { Window } from './constraint.js';

/** Times of a passage's metadata: epoch milliseconds, `validTo` exclusive. */
export interface PassageDates {
  publishedAt?: number | undefined;
  updatedAt?: number | undefined;
  crawledAt?: number | undefined;
  validFrom?: number | undefined;
  validTo?: number | undefined;
}

/**
 * Derivation rules. given: stated by the author. updated, published: open from that date; a crawl
 * after it ends the window, since the text is known to hold only until then. crawled: the only
 * date, open from it. superseded: ended by the next version of the document. none: no date.
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

/** A validity window and its derivation rule. */
export interface DerivedValidity {
  /** Half-open; an unknown end is open. Absent with rule none. */
  window?: Window | undefined;
  rule: ValidityRule;
  /** Contradictory dates that were ignored: an update before publication, a crawl before both. */
  ignored?: ('updatedAt' | 'crawledAt')[] | undefined;
}

/** A passage's validity as a system read it. */
export interface ReadValidity extends Partial<DerivedValidity> {
  /**
   * Whether the state holds at the time asked for. unknown: it began before and has no known end,
   * or its end alone is known, or it was published later. Absent where the question asks for no
   * state at a time: for the first one, for an event.
   */
  state?: 'holds' | 'ended' | 'not yet' | 'unknown' | undefined;
  /**
   * Ends of the window that no text states: `from` is the publication, before which it began at the
   * latest, `to` the start of the next known state, by which it had ended.
   */
  bounded?: ('from' | 'to')[] | undefined;
  /**
   * Clock of the score, where `rule` derives the window: stated validity, content times of the row,
   * the derived window, or none.
   */
  clock?: 'validity' | 'content' | 'derived' | 'none' | undefined;
}

/**
 * Whether a state may not be asserted for the time asked for: by its text or metadata it ended
 * before or begins after, or its end alone is known.
 */
export const isOver = ({ state, window, bounded = [] }: ReadValidity): boolean =>
  (state === 'ended' && !bounded.includes('to')) ||
  state === 'not yet' ||
  (state === 'unknown' && window?.start === -Infinity);

/**
 * Derives the window of a passage. It begins with the latest known change, since an earlier version
 * may have had another text. Always start <= end.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a date that is not a number, and for validTo before
 * validFrom.
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
 * The window cut at `next`, the start of the next version in epoch milliseconds; unchanged if that
 * does not lie inside, or if the window is given.
 */
export function endValidityAt(validity: DerivedValidity, next: number): DerivedValidity {
  const { window, rule } = validity;
  if (!window || rule === 'given' || !(window.start < next) || window.end <= next) return validity;
  return { ...validity, window: { start: window.start, end: next }, rule: 'superseded' };
}

/**
 * Days from publication to the nearest content time: 0 inside one, negative for the past. Undefined
 * without content times.
 */
export function eventGapDays(
  published: number,
  contentTimes: readonly Pick<Interval, 'start' | 'end'>[],
): number | undefined {
  mustBe('an array', { contentTimes });
  let gap: number | undefined;
  for (const { start, end } of contentTimes) {
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
