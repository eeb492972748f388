// A time mentioned in a text, as the tagger returns it. Plain data.
import type { Relation } from './constraint.js';
import type { Interval } from './interval.js';

/** The order of this list is what the native tagger counts by. */
export const timexTypes = ['DATE', 'TIME', 'DURATION', 'SET'] as const;
/** TIMEX3's types: DATE, TIME, DURATION and SET. */
export type TimexType = (typeof timexTypes)[number];

/** A TIMEX3 expression: the date, length or repetition itself, without a preposition. */
export interface Timex {
  /** UTF-16 offsets into the text, half-open. */
  start: number;
  end: number;
  type: TimexType;
  /** "1998-05", "P3D", "PAST_REF", ... */
  value: string;
}

/** A time that a text mentions. */
export interface Mention {
  /** UTF-16 offsets into the text, half-open; a preposition that belongs to it is included. */
  start: number;
  end: number;
  text: string;
  relation: Relation | 'none';
  /**
   * What it speaks of; absent for durations and sets, and where the text does not say enough ("in
   * May", with nothing to refer to).
   */
  interval?: Interval;
  /** Of the first of `timexes`. */
  timexType: TimexType;
  /** Of all of `timexes`, with "/" between. */
  timexValue: string;
  /** One, or the two ends of a range as written: "1914" and "18" in "1914-18". */
  timexes: Timex[];
  /** 0 to 1. */
  confidence: number;
}

/**
 * How a text's relative and incomplete dates were read: against its publication, or against the
 * last date mentioned.
 */
export type ReadMode = 'news' | 'narrative';

/** What the tagger finds in one text. */
export interface TaggedText {
  mode: ReadMode;
  /** In order, without overlap. */
  mentions: Mention[];
}
