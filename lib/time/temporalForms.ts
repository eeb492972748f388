// The masks and temporal scores that the fused scan evaluates for every row, as plain data.
// Building them from a question is `scores/`'s work; evaluating them is the native scan's.
import type { Clock, Window } from './constraint.js';
import type { Instant } from './interval.js';

/**
 * Rows that a question may not see. A row without the clock in question is kept by `publishedUntil`
 * and excluded by `window`.
 */
export interface Mask {
  /** Rows published after this instant are hidden (inclusive bound). */
  publishedUntil?: Instant;
  window?: Window & { clock: Clock; relation: 'overlaps' | 'within' | 'contains' };
}

/**
 * A straight line over a window; its limit where the window has an open end. Values from 0 to 2.
 */
export interface SplineLine {
  window: Window;
  atStart: number;
  atEnd: number;
  /**
   * Intervals longer than this, in milliseconds, are not on the line: a span that ended says
   * nothing of later. Default: none is too long.
   */
  longestMs?: number;
}

/** As many lines as a form may have. */
export const maxSplineLines = 8;

/**
 * A spline: 1 to 8 lines, `outside` where no line is and for rows without the clock. MRAG's six
 * (section 4, appendix G) are one line each. Of a row's several intervals the best instant of the
 * best interval counts, on the line that is best there.
 */
export interface SplineForm {
  kind: 'spline';
  /**
   * 'validity or content' (or published): rows that say when they hold are read by that alone, the
   * others by the other clock.
   */
  clock: Clock | 'validity or content' | 'validity or published';
  lines: readonly SplineLine[];
  outside: number;
}

/**
 * TempRALM's recency (equations 2 to 4): 1 / days between `at` and the row's publication, floored
 * at `floorDays`, standardised over the unmasked rows scanned to the mean and deviation of the
 * relevance scores, times `weight`. A row without the clock, and every row where the deviation is
 * zero, gets the mean.
 */
export interface RecencyForm {
  kind: 'recency';
  clock: Clock;
  at: Instant;
  floorDays: number;
  weight: number;
}

/**
 * How a row's time enters its score: `product` is s c for s >= 0 and s (2 - c) below; `sum` adds.
 */
export type TemporalForm =
  | { combine: 'none' }
  | ({ combine: 'product' } & SplineForm)
  | ({ combine: 'sum' } & RecencyForm);
