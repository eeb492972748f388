// Whether what a statement says of a time holds in a window: the truth table of validity, which the
// order of members, their features and the evidence share.
import type { Window } from '../../time/constraint.js';
import type { StatedTime } from '../statements/statements.js';

/** `unknown`: it began before and has no known end, or only its end is known. */
export type Holding = 'yes' | 'ended' | 'not yet' | 'unknown';

export interface HoldingContext {
  /** Whether it is an event: nothing before a window holds in it. */
  isEvent?: boolean | undefined;
  /** The longest known state of the series, in milliseconds. Default 0: none is known. */
  longest?: number | undefined;
}

/**
 * | stated                      | window before it          | over it | after it           |
 * | --------------------------- | ------------------------- | ------- | ------------------ |
 * | event, both ends of a state | not yet                   | yes     | ended              |
 * | only the beginning          | not yet                   | yes     | unknown            |
 * | only the end                | within `longest`: yes,    | yes     | ended              |
 * |                             | else unknown              |         |                    |
 */
export function holdingIn(
  { start, end, range }: Pick<StatedTime, 'start' | 'end' | 'range'>,
  window: Window,
  { isEvent = false, longest = 0 }: HoldingContext = {},
): Holding {
  if (start >= window.end) return 'not yet';
  if (end <= window.start) return isEvent || range ? 'ended' : 'unknown';
  const isBefore = start === -Infinity && window.end < end && end < Infinity;
  return isBefore && end - window.end >= longest ? 'unknown' : 'yes';
}
