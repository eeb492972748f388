// A time mentioned in a text, as the tagger returns it. Plain data.
import type { Relation } from './constraint.js';
import type { Interval } from './interval.js';

/** The order of this list is what the native tagger counts by. */
export const timexTypes = ['DATE', 'TIME', 'DURATION', 'SET'] as const;
export type TimexType = (typeof timexTypes)[number];

export interface Mention {
  /** UTF-16 offsets into the text, half-open; a preposition that belongs to it is included. */
  start: number;
  end: number;
  text: string;
  relation: Relation | 'none';
  /** What it speaks of; absent for durations and sets, and where the text does not say enough ("in May", with nothing to refer to). */
  interval?: Interval;
  timexType: TimexType;
  timexValue: string;
  /** 0 to 1. */
  confidence: number;
}
