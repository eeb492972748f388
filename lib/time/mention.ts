// A time mentioned in a text, as the tagger returns it. Plain data.
import type { Relation } from './constraint.js';
import type { Interval } from './interval.js';

export type TimexType = 'DATE' | 'TIME' | 'DURATION' | 'SET';

export interface Mention {
  /** UTF-16 offsets into the text, half-open; a preposition that belongs to it is included. */
  start: number;
  end: number;
  text: string;
  relation: Relation | 'none';
  /** What it speaks of; absent for durations and sets. */
  interval?: Interval;
  timexType: TimexType;
  timexValue: string;
  /** 0 to 1. */
  confidence: number;
}
