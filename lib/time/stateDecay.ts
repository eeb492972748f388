// State decay (ours): the temporal score of statements about states that last until superseded.
// Dates before the question's window count by their age, dates inside fully, dates after it little.
import { dayMilliseconds as day, yearMilliseconds as year } from './civil.js';
import {
  maxSplineLines,
  type SplineForm,
  type SplineLine,
  type SplineFactor,
} from './temporalForms.js';
import type { Instant } from './interval.js';
import {
  type JointConstraint,
  contentOutsideConstraints,
  jointConstraint,
} from './question/jointConstraint.js';
import { constraintClock, flatLine, splineForm, splineOf } from './spline.js';
import type { ParsedQuestion } from './constraint.js';

export interface StateDecayOptions {
  /**
   * Value of a date far before or after. Default 0.6, or 0.3 if the question asks for the first or
   * the last.
   */
  low?: number | undefined;
  /**
   * Value of undated statements and of dates beyond every line. Default 0.5, or 0.3 with such an
   * order.
   */
  outside?: number | undefined;
  /**
   * Value of a date just before a two-sided window; dates in the window count 1. Default 0.9, or
   * 0.75 for a day.
   */
  before?: number | undefined;
  /**
   * Value of a date just before (or after) the question's time inside a one-sided window. Default
   * 0.92.
   */
  near?: number | undefined;
  /**
   * Value of a date at least three years after the question's time in a window without an end
   * ("since 2010"), without an order. Default 0.75.
   */
  later?: number | undefined;
  /** Value of a date just after the window. Default 0.7. */
  after?: number | undefined;
}

// Weight of a statement by its age: steep at first, since of two old statements the older is not
// much worse.
const agesMs = [0, 30 * day, year, 3 * year, 10 * year, 50 * year];
const weights = [1, 0.92, 0.7, 0.45, 0.22, 0]; // 1 is full weight, 0 the floor

/** The form of a constraint; none without a time or "last". */
export function stateDecayForm(
  constraint: JointConstraint,
  askedAt: Instant,
  options: StateDecayOptions = {},
): SplineFactor {
  // An adjacent day is another day, whereas an adjacent year is likely the same state. For the
  // first or the last, dates decide more, and undated statements count less.
  const order = constraint.condition !== 'none';
  const {
    low = order ? 0.3 : 0.6,
    outside = order ? 0.3 : 0.5,
    near = 0.92,
    later = 0.75,
  } = options;
  const {
    before = order ? outside : constraint.interval?.granularity === 'day' ? 0.75 : 0.9,
    after = order ? outside : 0.7,
  } = options;
  const { condition, relation } = constraint;
  const last = condition === 'last' || condition === 'latest';
  if (relation === 'none')
    return last
      ? recencyDecayForm(askedAt, { low, clock: constraintClock(constraint) })
      : { combine: 'none' };
  const window = constraint.window ?? constraint.interval; // `around` has no window
  if (!window) return { combine: 'none' };
  const form = (lines: SplineLine[]): SplineFactor =>
    splineOf(constraintClock(constraint), lines, outside);
  const { start, end } = window;
  // An order that prefers the far end of the window is MRAG's line: the first before, the last
  // after, either between.
  const first = condition !== 'none' && !last;
  if (start === -Infinity ? first : end === Infinity ? last : first || last)
    return splineForm(constraint, askedAt, { low, outside });
  // The question's date counts fully if the window contains it ("by 3 May": a statement of that
  // day), and so does a span across the window's end.
  const stated = constraint.interval!;
  if (start === -Infinity) {
    const within = stated.end === end; // as of, by, until, not before
    const inside = within
      ? [flatLine(stated), ...decayLines(stated.start, -1, near, low)]
      : [flatLine({ start: end - 1, end }), ...decayLines(end, -1, 1, low)];
    return form([...inside, ...decayLines(end, 1, after, outside, 2)]);
  }
  if (end === Infinity) {
    const within = stated.start === start; // since, not after
    const [from, high, head] = within
      ? [stated.end, near, flatLine(stated)]
      : [start, 1, flatLine({ start, end: start + 1 })];
    // "First" prefers the nearest after the date, and nothing before it.
    if (order) return form([head, ...decayLines(from, 1, high, low)]);
    // A state that began inside the window is in it, however much later, and so is a span that
    // began there.
    const inside = decayLines(from, 1, high, later, 3).map((line) => ({
      ...line,
      longestMs: Infinity,
    }));
    const onwards = {
      window: { start: inside.at(-1)!.window.end, end: Infinity },
      atStart: later,
      atEnd: later,
    };
    return form([head, ...inside, onwards, ...decayLines(start, -1, before, outside, 3)]);
  }
  // With many alternatives, lines suffice for the hull only.
  const { alternatives = [] } = constraint;
  const inside =
    alternatives.length > 1 && alternatives.length <= maxSplineLines - 4
      ? alternatives.map(flatLine)
      : [flatLine(window)];
  const past = Math.min(agesMs.length - 1, maxSplineLines - 2 - inside.length);
  return form([
    ...inside,
    ...decayLines(start, -1, before, outside, past),
    ...decayLines(end, 1, after, outside, 2),
  ]);
}

/**
 * The form of the question's exact time alone, in addition to state decay: statements of that time
 * count fully and all others little, so that of many similar statements of different days those of
 * the requested day rank first. None without a time.
 */
export function exactTimeForm({
  interval,
  alternatives = [],
  ...constraint
}: JointConstraint): SplineFactor {
  if (!interval) return { combine: 'none' };
  const stated =
    alternatives.length > 1 && alternatives.length <= maxSplineLines ? alternatives : [interval];
  return splineOf(constraintClock(constraint), stated.map(flatLine), 0.3);
}

/** Statements valid now count fully; of others the later published count more. */
export function recencyDecayForm(
  askedAt: Instant,
  {
    low = 0.6,
    clock = 'validity or published',
  }: { low?: number; clock?: SplineForm['clock'] } = {},
): SplineFactor {
  const now = flatLine({ start: askedAt, end: askedAt + 1 });
  return splineOf(clock, [now, ...decayLines(askedAt + 1, -1, 1, low)], low);
}

// Longest date (a year, "early in the 1990s"); a longer interval is a span with its own end.
const longestMs = 4 * year;

/** Into the past (-1) or the future (1); the last of fewer lines reaches the floor. */
function decayLines(
  from: Instant,
  direction: -1 | 1,
  high: number,
  low: number,
  count = agesMs.length - 1,
): SplineLine[] {
  const value = (at: number): number => (at === count ? low : low + (high - low) * weights[at]!);
  return Array.from({ length: count }, (_, at) => {
    const [near, far] = [from + direction * agesMs[at]!, from + direction * agesMs[at + 1]!];
    return direction === 1
      ? { window: { start: near, end: far }, atStart: value(at), atEnd: value(at + 1), longestMs }
      : { window: { start: far, end: near }, atStart: value(at + 1), atEnd: value(at), longestMs };
  });
}

/** The joint constraint of a question, its words besides, its decay of states, and MRAG's line. */
export function questionForms(parsed: ParsedQuestion): {
  constraint: JointConstraint;
  content: string;
  states: SplineFactor;
  line: SplineFactor;
} {
  const constraint = jointConstraint(parsed);
  const { askedAt } = parsed;
  return {
    constraint,
    content: contentOutsideConstraints(parsed),
    states: stateDecayForm(constraint, askedAt),
    line: splineForm(constraint, askedAt),
  };
}
