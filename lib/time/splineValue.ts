// Value of a spline, for pages too. The scan's: native/temporal/forms.hpp.
import type { Clock, Window } from './constraint.js';
import type { Interval } from './interval.js';

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

/** A row's value, before it is standardised, and which of its times decided it; -1: none. */
export interface FormValue {
  value: number;
  interval: number;
}

/** The highest value and its interval (-1: `outside`, also without intervals). */
export function splineValue(
  { lines, outside }: Pick<SplineForm, 'lines' | 'outside'>,
  intervals: readonly Pick<Interval, 'start' | 'end'>[],
): FormValue {
  let best = { value: -Infinity, interval: -1 };
  intervals.forEach((interval, at) => {
    const values = lines
      .map((line) => lineValue(line, interval))
      .filter((value) => value !== undefined);
    const value = values.length > 0 ? Math.max(...values) : outside;
    if (value > best.value) best = { value, interval: values.length > 0 ? at : -1 };
  });
  return best.value === -Infinity ? { value: outside, interval: -1 } : best;
}

/** The maximum over the intersection of interval and window; undefined if disjoint. */
function lineValue(
  { window, atStart, atEnd, longestMs = Infinity }: SplineLine,
  { start, end }: Pick<Interval, 'start' | 'end'>,
): number | undefined {
  if (end - start > longestMs) return undefined;
  const from = Math.max(start, window.start);
  const to = Math.min(end, window.end);
  const intersects = start === end ? start >= window.start && start < window.end : from < to;
  if (!intersects) return undefined;
  if (!Number.isFinite(window.start)) return atEnd;
  if (!Number.isFinite(window.end)) return atStart;
  const at = (instant: number): number => {
    const place = Math.min(1, Math.max(0, (instant - window.start) / (window.end - window.start)));
    return (1 - place) * atStart + place * atEnd;
  };
  return Math.max(at(from), at(Math.max(from, to)));
}
