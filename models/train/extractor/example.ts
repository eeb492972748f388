// A labelled training text of the temporal extractor. Plain data.
import type { TextKind } from '../../../lib/time/timeExtractor.js';
import type { TimeLabel } from './expressions.js';

export interface Example {
  text: string;
  kind: TextKind;
  /** Days since 1970-01-01. */
  reference: number | undefined;
  label: TimeLabel;
}
