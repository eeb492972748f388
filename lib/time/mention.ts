// Time mentions as the tagger returns them. Plain data.
import type { Relation } from './constraint.js';
import type { Interval } from './interval.js';

/** TIMEX3 types in the order of the native tagger's codes. */
export const timexTypes = ['DATE', 'TIME', 'DURATION', 'SET'] as const;
/** TIMEX3's types: DATE, TIME, DURATION and SET. */
export type TimexType = (typeof timexTypes)[number];

/** A TIMEX3 expression: a date, duration or set without its preposition. */
export interface Timex {
  /** UTF-16 offsets into the text, half-open. */
  start: number;
  end: number;
  type: TimexType;
  /** "1998-05", "P3D", "PAST_REF", ... */
  value: string;
}

/** A time mention. */
export interface Mention {
  /** UTF-16 offsets into the text, half-open, the preposition included. */
  start: number;
  end: number;
  text: string;
  relation: Relation | 'none';
  /** Absent for durations and sets, and for incomplete dates without a reference ("in May"). */
  interval?: Interval | undefined;
  /** Of the first of `timexes`. */
  timexType: TimexType;
  /** Of all of `timexes`, with "/" between. */
  timexValue: string;
  /** One, or the two ends of a range: "1914" and "18" in "1914-18". */
  timexes: Timex[];
  /** 0 to 1. */
  confidence: number;
}

/** Reference of relative and incomplete dates: the publication time, or the last date mentioned. */
export type ReadMode = 'news' | 'narrative';

/** The tagger's result for one text. */
export interface TaggedText {
  mode: ReadMode;
  /** In order, not overlapping. */
  mentions: Mention[];
}
