// MRAG's temporal score by option (section 4, appendix G): the published shapes, or state decay,
// and the gain of statements with exactly the question's time.
import type { QueryContext } from '../retrieval/queryContext.js';
import type { TemporalForm } from '../time/temporalForms.js';
import type { Interval } from '../time/interval.js';
import { jointConstraint, type JointConstraint } from '../time/question/jointConstraint.js';
import { stateDecayForm } from './stateDecay.js';
import { splineForm, type SplineOptions } from './spline.js';

export interface TemporalOptions extends Omit<SplineOptions, 'shape'> {
  /**
   * `states` (default): a date before the time asked for counts too, the less the longer ago, since
   * what began holds until something follows; a span that ended before counts little. `spanYears`
   * and `unordered` are of the other two: `curve` and `line` know inside and outside of a window
   * alone, and how the score falls where it has one end (`SplineOptions`); `line` is as published.
   */
  shape?: 'states' | 'curve' | 'line';
  /**
   * What a statement of exactly the time that the question names gains, as a share of its temporal
   * score, 0 to 1. 0 is the paper. Default 0.4.
   */
  named?: number;
}

/**
 * What dates far from the time asked for, and undated statements, count for as states; an order has
 * values of its own.
 */
const stateOutside = 0.4;

export function temporalForm(
  { parsed }: Pick<QueryContext, 'parsed'>,
  { shape = 'states', named: _, ...options }: TemporalOptions,
): TemporalForm {
  const constraint = jointConstraint(parsed);
  if (shape !== 'states') return splineForm(constraint, parsed.askedAt, { ...options, shape });
  const { low, outside = constraint.condition === 'none' ? stateOutside : undefined } = options;
  return stateDecayForm(constraint, parsed.askedAt, {
    ...(low === undefined ? {} : { low }),
    ...(outside === undefined ? {} : { outside }),
  });
}

/** How exactly dates are the time that a question names. */
export interface ExactTimeMatch {
  /** 0 to 1. */
  of: (dates: readonly Interval[]) => number;
  /**
   * The time named. Dates score 0 unless one of them begins as it does and one ends as it does; or,
   * by `eitherEnd`, one does either.
   */
  interval: Pick<Interval, 'start' | 'end'>;
  eitherEnd: boolean;
}

/**
 * 1 for a date that begins and ends as the time named does; of a time with two ends that the
 * question gives ("from 1811 to 1827"), half for each end that a date begins or ends with.
 * Undefined where no time is named, or one that is not itself asked for ("before 1811").
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
