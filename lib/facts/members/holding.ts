// Whether what a statement says of a time holds in a window: the truth table of validity, which the
// order of members, their features and the evidence share.
import { binding } from '../../binding.js';
import type { Window } from '../../time/constraint.js';
import type { ReadValidity } from '../../time/validity.js';
import type { StatedTime } from '../../statements/statements.js';

export interface HoldingContext {
  /** Whether it is an event: nothing before a window holds in it. */
  isEvent?: boolean | undefined;
  /** The longest known state of the series, in milliseconds. Default 0: none is known. */
  longest?: number | undefined;
}

/**
 * | stated                      | window before it              | over it | after it |
 * | --------------------------- | ----------------------------- | ------- | -------- |
 * | event, both ends of a state | not yet                       | holds   | ended    |
 * | the beginning alone         | not yet                       | holds   | unknown  |
 * | the end alone               | by less than `longest`: holds | holds   | ended    |
 * |                             | otherwise: unknown            |         |          |
 */
export function holdingIn(
  { start, end, range, until = NaN }: Pick<StatedTime, 'start' | 'end' | 'range' | 'until'>,
  window: Window,
  { isEvent = false, longest = 0 }: HoldingContext = {},
): NonNullable<ReadValidity['state']> {
  const time = Float64Array.of(start, end, until, Number(range));
  return states[
    binding.holdingIn(time, Float64Array.of(window.start, window.end), isEvent, longest)
  ]!;
}

const states = ['holds', 'ended', 'not yet', 'unknown'] as const;
