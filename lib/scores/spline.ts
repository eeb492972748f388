// MRAG's temporal score (section 4, appendix G) as a form the scan evaluates: six lines over a window of time. Ours keeps
// the published shapes (0.6 to 1 over fifty years or over the interval, 0.5 outside) at day resolution on intervals.
import type { Constraint, Window } from '../time/constraint.js';
import { mostSplineLines, type SplineForm, type SplineLine, type TemporalForm } from '../time/forms.js';
import type { Instant } from '../time/interval.js';
import type { JointConstraint } from '../time/question/joint.js';

export interface SplineOptions {
  /** The line's lower end. Published code: 0.6. */
  low?: number;
  /** What rows outside the window or without a date score. Published code: 0.5. */
  outside?: number;
  /** How far the line reaches before or after a constraint with one end, in years. Published code: 50. */
  spanYears?: number;
}

const none: TemporalForm = { combine: 'none' };

/**
 * The form for a constraint; no form where the question constrains nothing, except that "last" and "latest" without a
 * date mean the last before the question was asked.
 */
export function splineForm(constraint: JointConstraint, askedAt: Instant, options: SplineOptions = {}): TemporalForm {
  const { low = 0.6, outside = 0.5, spanYears = 50 } = options;
  const first = constraint.condition === 'first' || constraint.condition === 'earliest';
  const rising = first ? { atStart: 1, atEnd: low } : { atStart: low, atEnd: 1 };
  const formOf = (windows: readonly Window[], line: Omit<SplineLine, 'window'>): TemporalForm => ({
    combine: 'product', kind: 'spline', clock: actsOn(constraint), lines: windows.map(({ start, end }) => ({ window: { start, end }, ...line })), outside,
  });
  const form = (start: Instant, end: Instant, line: Omit<SplineLine, 'window'>): TemporalForm => formOf([{ start, end }], line);
  const { window, interval } = constraint;
  switch (constraint.relation) {
    case 'as of': case 'until': case 'by': case 'before':
      return window ? form(addYears(window.end, -spanYears), window.end, rising) : none;
    case 'after': case 'since':
      return window ? form(window.start, addYears(window.start, spanYears), rising) : none;
    case 'between': case 'from-to':
      if (!window) return none;
      return form(window.start, window.end, rising);
    case 'in': case 'on': case 'around':
      // Of stretches that serve as well as each other, each has its line.
      if (constraint.alternatives && constraint.alternatives.length <= mostSplineLines) return formOf(constraint.alternatives, { atStart: 1, atEnd: 1 });
      return interval ? form(interval.start, interval.end, { atStart: 1, atEnd: 1 }) : none;
    case 'none': {
      const last = constraint.condition === 'last' || constraint.condition === 'latest';
      return last ? form(addYears(askedAt, -spanYears), askedAt, rising) : none;
    }
  }
}

/** The same date so many years away, no further than dates reach; 29 February becomes 1 March. An infinite instant stays. */
export function addYears(instant: Instant, years: number): Instant {
  if (!Number.isFinite(instant)) return instant;
  const date = new Date(instant);
  const moved = date.setUTCFullYear(date.getUTCFullYear() + years);
  return Number.isNaN(moved) ? Math.sign(years) * 8.64e15 : moved;
}

/** A constraint acts on what passages say of their own validity, else on what they speak of, unless the question names another clock. */
export function actsOn({ clock }: Pick<Constraint, 'clock'>): SplineForm['clock'] {
  return clock === 'content' ? 'validity or content' : clock;
}
