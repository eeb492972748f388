// MRAG's temporal score by option (section 4, appendix G): the published shapes, or state decay,
// and the gain of statements with exactly the question's time.
import type { QueryContext } from '../retrieval/queryContext.js';
import type { SplineFactor } from '../time/temporalForms.js';
import type { Interval } from '../time/interval.js';
import { jointConstraint, type JointConstraint } from '../time/question/jointConstraint.js';
import { stateDecayForm } from './stateDecay.js';
import { splineForm, type SplineOptions } from './spline.js';

export interface TemporalOptions extends Omit<SplineOptions, 'shape'> {
  /**
   * `states` (default): state decay; a date before the question's time counts by its age, since a
   * state lasts until superseded, and a span that ended before counts little. `curve` and `line`
   * only distinguish inside and outside of a window, with decay in one-sided ones (`SplineOptions`,
   * whose `spanYears` and `unordered` apply to these two); `line` is as published.
   */
  shape?: 'states' | 'curve' | 'line';
  /**
   * Gain of statements with exactly the question's time, as a share of their temporal score, 0 to
   * 1. 0 is the paper. Default 0.4.
   */
  named?: number;
}

/** Value of distant dates and undated statements with `states`; orders have other values. */
const stateOutside = 0.4;

export function temporalForm(
  { parsed }: Pick<QueryContext, 'parsed'>,
  { shape = 'states', named: _, ...options }: TemporalOptions,
): SplineFactor {
  const constraint = jointConstraint(parsed);
  if (shape !== 'states') return splineForm(constraint, parsed.askedAt, { ...options, shape });
  const { low, outside = constraint.condition === 'none' ? stateOutside : undefined } = options;
  return stateDecayForm(constraint, parsed.askedAt, {
    ...(low === undefined ? {} : { low }),
    ...(outside === undefined ? {} : { outside }),
  });
}

/** Match of dates with the question's exact time. */
export interface ExactTimeMatch {
  /** 0 to 1. */
  of: (dates: readonly Interval[]) => number;
  /**
   * The question's time. Dates score 0 unless one has the same start and one the same end; with
   * `eitherEnd`, one of both suffices.
   */
  interval: Pick<Interval, 'start' | 'end'>;
  eitherEnd: boolean;
}

/**
 * 1 for a date with the same start and end as the question's time; for a two-sided time ("from 1811
 * to 1827"), half for each matching end. Undefined without a time, or with a time that is itself
 * excluded ("before 1811").
 */
export function exactTimeMatch({
  interval,
  window = interval,
  relation,
}: JointConstraint): ExactTimeMatch | undefined {
  if (!interval || !window || interval.start < window.start || interval.end > window.end)
    return undefined;
  const eitherEnd = relation === 'from-to' || relation === 'between';
  const of = (dates: readonly Interval[]): number => {
    let [begins, ends] = [false, false];
    for (const { start, end } of dates) {
      const [sameStart, sameEnd] = [start === interval.start, end === interval.end];
      if (sameStart && sameEnd) return 1;
      begins ||= sameStart;
      ends ||= sameEnd;
    }
    return eitherEnd ? (Number(begins) + Number(ends)) / 2 : 0;
  };
  return { of, interval, eitherEnd };
}
