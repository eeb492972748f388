// MRAG's temporal score (section 4, appendix G) as a form of the scan: the six shapes of figure 7
// over a window, with the values of the published code at day resolution. The paper gives no
// formula; that of the published code is officialCoefficient in lib/papers/mrag/official/mrag.ts.
import type { Constraint, Window } from './constraint.js';
import {
  maxSplineLines,
  type SplineForm,
  type SplineLine,
  type SplineFactor,
} from './temporalForms.js';
import type { Instant } from './interval.js';
import type { JointConstraint } from './question/jointConstraint.js';

export interface SplineOptions {
  /** Lowest value of the shape. Default 0.6, the published code's. */
  low?: number | undefined;
  /** Value of rows outside the window or without a date. Default 0.5, the published code's. */
  outside?: number | undefined;
  /** Length of the line before or after a one-sided constraint, in years. Default 50, the same. */
  spanYears?: number | undefined;
}

const none: SplineFactor = { combine: 'none' };

/** A form that multiplies the relevance. */
export const splineOf = (
  clock: SplineForm['clock'],
  lines: readonly SplineLine[],
  outside: number,
): SplineFactor => ({ combine: 'product', kind: 'spline', clock, lines, outside });

/** 1 over a window. */
export const flatLine = ({ start, end }: Window): SplineLine => ({
  window: { start, end },
  atStart: 1,
  atEnd: 1,
});

/**
 * The form of a constraint: a line from 1 at the wanted end of its window to `low` at the other,
 * where a question without "first" wants the last; 1 inside a named time ("in", "on", "around"),
 * of which the paper has no shape. None without a constraint, except that "last" and "latest"
 * without a date mean the last before the query time.
 */
export function splineForm(
  constraint: JointConstraint,
  askedAt: Instant,
  { low = 0.6, outside = 0.5, spanYears = 50 }: SplineOptions = {},
): SplineFactor {
  const { window, interval, condition, relation } = constraint;
  const first = condition === 'first' || condition === 'earliest';
  const formOf = (lines: readonly SplineLine[]): SplineFactor =>
    splineOf(constraintClock(constraint), lines, outside);
  const line = (start: Instant, end: Instant): SplineFactor =>
    formOf([{ window: { start, end }, atStart: first ? 1 : low, atEnd: first ? low : 1 }]);
  switch (relation) {
    case 'as of':
    case 'until':
    case 'by':
    case 'before':
      return window ? line(addYears(window.end, -spanYears), window.end) : none;
    case 'after':
    case 'since':
      return window ? line(window.start, addYears(window.start, spanYears)) : none;
    case 'between':
    case 'from-to':
      return window ? line(window.start, window.end) : none;
    case 'in':
    case 'on':
    case 'around':
      // One line per alternative.
      if (constraint.alternatives && constraint.alternatives.length <= maxSplineLines)
        return formOf(constraint.alternatives.map(flatLine));
      return interval ? formOf([flatLine(interval)]) : none;
    case 'none': {
      const last = condition === 'last' || condition === 'latest';
      return last ? line(addYears(askedAt, -spanYears), askedAt) : none;
    }
  }
}

/** 29 February becomes 1 March; within the range of dates. Infinite ones stay. */
export function addYears(instant: Instant, years: number): Instant {
  if (!Number.isFinite(instant)) return instant;
  const date = new Date(instant);
  const moved = date.setUTCFullYear(date.getUTCFullYear() + years);
  return Number.isNaN(moved) ? Math.sign(years) * 8.64e15 : moved;
}

/** Stated validity, else content times, unless the question names another clock. */
export function constraintClock({ clock }: Pick<Constraint, 'clock'>): SplineForm['clock'] {
  return clock === 'content' ? 'validity or content' : clock;
}
