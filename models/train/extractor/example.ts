// A text to train the extractor on, with what it tells of its time. Plain data.
import type { TextKind } from '../../../lib/time/timeExtractor.js';
import type { Told } from './expressions.js';

export interface Example {
  text: string;
  kind: TextKind;
  /** Days since 1970-01-01. */
  reference: number | undefined;
  told: Told;
}
