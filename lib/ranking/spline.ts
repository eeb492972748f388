// MRAG's temporal score (section 4, appendix G) as a form of the scan: six shapes over a window,
// with the published values at day resolution. The paper gives no formula; official/coefficient.ts
// is the published code's.
import type { Constraint, Window } from '../time/constraint.js';
import {
  maxSplineLines,
  type SplineForm,
  type SplineLine,
  type TemporalForm,
} from '../time/temporalForms.js';
import type { Instant } from '../time/interval.js';
import type { JointConstraint } from '../time/question/jointConstraint.js';

export interface SplineOptions {
  /** The shape's lower end. Published code: 0.6. */
  low?: number;
  /** What rows outside the window or without a date score. Published code: 0.5. */
  outside?: number;
  /**
   * How far the shape reaches before or after a constraint with one end, in years. Published code:
   * 50.
   */
  spanYears?: number;
  /**
   * How the score falls with the distance from the end that is wanted, where the window has one
   * end: `curve` steeply at first and then slowly, so that of two recent dates the later clearly
   * wins, and not beyond the day of asking; `line` evenly, as published. Default curve.
   */
  shape?: 'curve' | 'line';
  /**
   * What a question without "first" or "last" wants of a window: `state` the latest of what came
   * before a date and anything alike between two dates or after one; `last` the latest always, as
   * published. Default state.
   */
  unordered?: 'state' | 'last';
}

const none: TemporalForm = { combine: 'none' };

/**
 * The curve: what is left of the way from low to 1 after so many years, in straight pieces. Its
 * last stretch ends at spanYears.
 */
const agesYears = [0, 1, 3, 10];
const leftAfter = [1, 0.7, 0.45, 0.22];

/**
 * The form for a constraint; no form where the question constrains nothing, except that "last" and
 * "latest" without a date mean the last before the question was asked.
 */
export function splineForm(
  constraint: JointConstraint,
  askedAt: Instant,
  options: SplineOptions = {},
): TemporalForm {
  const {
    low = 0.6,
    outside = 0.5,
    spanYears = 50,
    shape = 'curve',
    unordered = 'state',
  } = options;
  const { window, interval, condition, relation } = constraint;
  const first = condition === 'first' || condition === 'earliest';
  const anyAlike = condition === 'none' && unordered === 'state';
  const formOf = (lines: readonly SplineLine[]): TemporalForm => ({
    combine: 'product',
    kind: 'spline',
    clock: actsOn(constraint),
    lines,
    outside,
  });
  const flat = (windows: readonly Window[]): TemporalForm =>
    formOf(windows.map(({ start, end }) => ({ window: { start, end }, atStart: 1, atEnd: 1 })));
  const evenly = (start: Instant, end: Instant): TemporalForm =>
    formOf([{ window: { start, end }, atStart: first ? 1 : low, atEnd: first ? low : 1 }]);
  const oneEnded = (start: Instant, end: Instant): TemporalForm =>
    shape === 'line' ? evenly(start, end) : formOf(curve({ start, end }, first, low));
  switch (relation) {
    case 'as of':
    case 'until':
    case 'by':
    case 'before':
      return window ? oneEnded(addYears(window.end, -spanYears), window.end) : none;
    case 'after':
    case 'since': {
      if (!window) return none;
      const far = addYears(window.start, spanYears);
      const end = shape === 'curve' && askedAt > window.start && askedAt < far ? askedAt + 1 : far;
      return anyAlike ? flat([{ start: window.start, end }]) : oneEnded(window.start, end);
    }
    case 'between':
    case 'from-to':
      if (!window) return none;
      return anyAlike ? flat([window]) : evenly(window.start, window.end);
    case 'in':
    case 'on':
    case 'around':
      // Of stretches that serve as well as each other, each has its line.
      if (constraint.alternatives && constraint.alternatives.length <= maxSplineLines)
        return flat(constraint.alternatives);
      return interval ? flat([interval]) : none;
    case 'none': {
      const last = condition === 'last' || condition === 'latest';
      return last ? oneEnded(addYears(askedAt, -spanYears), askedAt) : none;
    }
  }
}

/**
 * The curve over a window, from 1 at the end that is wanted down to `low` at the other, in as many
 * pieces as the window is long.
 */
function curve({ start, end }: Window, first: boolean, low: number): SplineLine[] {
  const value = (left: number): number => low + (1 - low) * left;
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
    const [atNear, atFar] = [value(leftAfter[at]!), value(leftAfter[at + 1] ?? 0)];
    lines.push(
      first
        ? { window: { start: near, end: far }, atStart: atNear, atEnd: atFar }
        : { window: { start: far, end: near }, atStart: atFar, atEnd: atNear },
    );
  });
  return lines;
}

/**
 * The same date so many years away, no further than dates reach; 29 February becomes 1 March. An
 * infinite instant stays.
 */
export function addYears(instant: Instant, years: number): Instant {
  if (!Number.isFinite(instant)) return instant;
  const date = new Date(instant);
  const moved = date.setUTCFullYear(date.getUTCFullYear() + years);
  return Number.isNaN(moved) ? Math.sign(years) * 8.64e15 : moved;
}

/**
 * A constraint acts on what passages say of their own validity, else on what they speak of, unless
 * the question names another clock.
 */
export function actsOn({ clock }: Pick<Constraint, 'clock'>): SplineForm['clock'] {
  return clock === 'content' ? 'validity or content' : clock;
}
