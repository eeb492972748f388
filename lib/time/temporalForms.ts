// Masks and temporal score forms of the fused scan, as plain data. ranking/ builds them from a
// question; the native scan evaluates them.
import type { Clock, Window } from './constraint.js';
import type { Instant } from './interval.js';

/** Filter of rows. Rows without the clock pass `publishedUntil` and fail `window`. */
export interface Mask {
  /** Rows published after this instant are excluded (inclusive bound). */
  publishedUntil?: Instant;
  window?: Window & { clock: Clock; relation: 'overlaps' | 'within' | 'contains' };
}

/** A straight line over a window; constant if the window has an open end. Values from 0 to 2. */
export interface SplineLine {
  window: Window;
  atStart: number;
  atEnd: number;
  /**
   * Longest interval on the line, in milliseconds: a span that ended does not bear on later times.
   * Default: unlimited.
   */
  longestMs?: number | undefined;
}

/** Most lines of a form. */
export const maxSplineLines = 8;

/**
 * A spline: 1 to 8 lines, `outside` elsewhere and for rows without the clock. MRAG's six splines
 * (section 4, appendix G) are one line each. A row scores the maximum over its intervals and the
 * lines.
 */
export interface SplineForm {
  kind: 'spline';
  /**
   * 'validity or content' (or published): the validity of rows that have one, else the other clock.
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

export const decayShapes = ['exponential', 'gaussian', 'linear'] as const;

/**
 * A decay (lib/time/decay.ts): the value at the distance in milliseconds between `at` and the
 * nearest of the row's times, not below `floor`; `outside` for rows without the clock.
 */
export interface DecayForm {
  kind: 'decay';
  shape: (typeof decayShapes)[number];
  clock: Clock;
  at: Instant;
  halfLifeMs: number;
  offsetMs: number;
  floor: number;
  outside: number;
}

/** No form, or a spline that multiplies. */
export type SplineFactor = { combine: 'none' } | ({ combine: 'product' } & SplineForm);

/**
 * Combination of relevance s and temporal value c: `product` is s c for s >= 0 and s (2 - c) below;
 * `sum` adds weight times the value.
 */
export type TemporalForm =
  | SplineFactor
  | ({ combine: 'product' } & DecayForm)
  | ({ combine: 'sum'; weight: number } & (RecencyForm | DecayForm));
