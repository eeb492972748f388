// MRAG's temporal score (section 4, appendix G) as a form of the scan: six shapes over a window,
// with the published values at day resolution. The paper gives no formula; official/coefficient.ts
// is that of the published code.
import type { Constraint, Window } from '../time/constraint.js';
import {
  maxSplineLines,
  type SplineForm,
  type SplineLine,
  type SplineFactor,
} from '../time/temporalForms.js';
import type { Instant } from '../time/interval.js';
import type { JointConstraint } from '../time/question/jointConstraint.js';

export interface SplineOptions {
  /** Lowest value of the shape. Published code: 0.6. */
  low?: number;
  /** Value of rows outside the window or without a date. Published code: 0.5. */
  outside?: number;
  /** Length of the shape before or after a one-sided constraint, in years. Published code: 50. */
  spanYears?: number;
  /**
   * Decay from the preferred end of a one-sided window: `curve`, steep at first and then slow, so
   * that the later of two recent dates clearly wins, and not beyond the query time; `line`, linear
   * as published. Default curve.
   */
  shape?: 'curve' | 'line';
  /**
   * Preference of a question without "first" or "last": `state`, the latest before a date, and no
   * preference between two dates or after one; `last`, always the latest, as published. Default
   * state.
   */
  unordered?: 'state' | 'last';
}

const none: SplineFactor = { combine: 'none' };

/**
 * The curve, piecewise linear: fraction of the way from low to 1 at each age. The last piece ends
 * at spanYears.
 */
const agesYears = [0, 1, 3, 10];
const fractionAtAge = [1, 0.7, 0.45, 0.22];

/**
 * The form of a constraint; none without a constraint, except that "last" and "latest" without a
 * date mean the last before the query time.
 */
export function splineForm(
  constraint: JointConstraint,
  askedAt: Instant,
  options: SplineOptions = {},
): SplineFactor {
  const {
    low = 0.6,
    outside = 0.5,
    spanYears = 50,
    shape = 'curve',
    unordered = 'state',
  } = options;
  const { window, interval, condition, relation } = constraint;
  const first = condition === 'first' || condition === 'earliest';
  const noPreference = condition === 'none' && unordered === 'state';
  const formOf = (lines: readonly SplineLine[]): SplineFactor => ({
    combine: 'product',
    kind: 'spline',
    clock: constraintClock(constraint),
    lines,
    outside,
  });
  const flat = (windows: readonly Window[]): SplineFactor =>
    formOf(windows.map(({ start, end }) => ({ window: { start, end }, atStart: 1, atEnd: 1 })));
  const linear = (start: Instant, end: Instant): SplineFactor =>
    formOf([{ window: { start, end }, atStart: first ? 1 : low, atEnd: first ? low : 1 }]);
  const oneSided = (start: Instant, end: Instant): SplineFactor =>
    shape === 'line' ? linear(start, end) : formOf(curve({ start, end }, first, low));
  switch (relation) {
    case 'as of':
    case 'until':
    case 'by':
    case 'before':
      return window ? oneSided(addYears(window.end, -spanYears), window.end) : none;
    case 'after':
    case 'since': {
      if (!window) return none;
      const far = addYears(window.start, spanYears);
      const end = shape === 'curve' && askedAt > window.start && askedAt < far ? askedAt + 1 : far;
      return noPreference ? flat([{ start: window.start, end }]) : oneSided(window.start, end);
    }
    case 'between':
    case 'from-to':
      if (!window) return none;
      return noPreference ? flat([window]) : linear(window.start, window.end);
    case 'in':
    case 'on':
    case 'around':
      // One line per alternative.
      if (constraint.alternatives && constraint.alternatives.length <= maxSplineLines)
        return flat(constraint.alternatives);
      return interval ? flat([interval]) : none;
    case 'none': {
      const last = condition === 'last' || condition === 'latest';
      return last ? oneSided(addYears(askedAt, -spanYears), askedAt) : none;
    }
  }
}

/**
 * The curve over a window, from 1 at the preferred end down to `low` at the other, in as many
 * pieces as the window is long.
 */
function curve({ start, end }: Window, first: boolean, low: number): SplineLine[] {
  const value = (fraction: number): number => low + (1 - low) * fraction;
  const lines: SplineLine[] = [];
  agesYears.forEach((age, at) => {
    const near = first ? addYears(start, age) : addYears(end, -age);
    if (first ? near >= end : near <= start) return;
    const next = agesYears[at + 1];
    const far =
      next === undefined
        ? first
          ? end
          : start
        : first
          ? Math.min(end, addYears(start, next))
          : Math.max(start, addYears(end, -next));
    const [atNear, atFar] = [value(fractionAtAge[at]!), value(fractionAtAge[at + 1] ?? 0)];
    lines.push(
      first
        ? { window: { start: near, end: far }, atStart: atNear, atEnd: atFar }
        : { window: { start: far, end: near }, atStart: atFar, atEnd: atNear },
    );
  });
  return lines;
}

/**
 * The same date `years` years away, within the range of dates; 29 February becomes 1 March.
 * Infinite instants are unchanged.
 */
export function addYears(instant: Instant, years: number): Instant {
  if (!Number.isFinite(instant)) return instant;
  const date = new Date(instant);
  const moved = date.setUTCFullYear(date.getUTCFullYear() + years);
  return Number.isNaN(moved) ? Math.sign(years) * 8.64e15 : moved;
}

/**
 * Clock of a constraint: the passages' stated validity, else their content times, unless the
 * question names another clock.
 */
export function constraintClock({ clock }: Pick<Constraint, 'clock'>): SplineForm['clock'] {
  return clock === 'content' ? 'validity or content' : clock;
}
