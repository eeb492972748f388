// State decay (ours): the temporal score of statements about states that last until superseded.
// Dates before the question's window count by their age, dates inside fully, dates after it little.
import { dayMilliseconds as day, yearMilliseconds as year } from '../time/civil.js';
import {
  maxSplineLines,
  type SplineForm,
  type SplineLine,
  type TemporalForm,
} from '../time/temporalForms.js';
import type { Instant } from '../time/interval.js';
import type { JointConstraint } from '../time/question/jointConstraint.js';
import { actsOn, splineForm } from './spline.js';

export interface StateDecayOptions {
  /**
   * What a date far before or after counts for. Default 0.6, and 0.3 where the question asks for
   * the first or the last.
   */
  low?: number;
  /**
   * What undated statements, and dates beyond every line, count for. Default 0.5, and 0.3 with such
   * an order.
   */
  outside?: number;
  /**
   * What a date just before a window with two ends counts for; dates in the window count 1. Default
   * 0.9, and 0.75 for a day.
   */
  before?: number;
  /**
   * What a date just before (or after) the named one counts for inside a window with one end.
   * Default 0.92.
   */
  near?: number;
  /**
   * What a date three years after the named one or later counts for in a window without an end
   * ("since 2010"), without an order. Default 0.75.
   */
  later?: number;
  /** What a date just after the window counts for. Default 0.7. */
  after?: number;
}

// How a statement's weight falls with its age: steeply first, since of two that are old the older
// is not much worse.
const agesMs = [0, 30 * day, year, 3 * year, 10 * year, 50 * year];
const weights = [1, 0.92, 0.7, 0.45, 0.22, 0]; // 1 is full weight, 0 the floor

/** The form for a constraint; none where the question names neither a time nor "last". */
export function stateDecayForm(
  constraint: JointConstraint,
  askedAt: Instant,
  options: StateDecayOptions = {},
): TemporalForm {
  // Of days, one that is near is another day; of years it is likely the same state. A question for
  // the first or the last asks for an order: dates decide more, and a statement without one less.
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
      ? recencyDecayForm(askedAt, { low, clock: actsOn(constraint) })
      : { combine: 'none' };
  const window = constraint.window ?? constraint.interval; // `around` has no window
  if (!window) return { combine: 'none' };
  const form = (lines: SplineLine[]): TemporalForm => ({
    combine: 'product',
    kind: 'spline',
    clock: actsOn(constraint),
    lines,
    outside,
  });
  const { start, end } = window;
  // An order that asks for the far end of the window is MRAG's line: the first before, the last
  // after, either between.
  const first = condition !== 'none' && !last;
  if (start === -Infinity ? first : end === Infinity ? last : first || last)
    return splineForm(constraint, askedAt, { low, outside, shape: 'line' });
  // The date that the question names counts fully where the window has it ("by 3 May": a statement
  // of that very day), and so does a span across the window's end.
  const flat = ({ start, end }: { start: Instant; end: Instant }): SplineLine => ({
    window: { start, end },
    atStart: 1,
    atEnd: 1,
  });
  const named = constraint.interval!;
  if (start === -Infinity) {
    const within = named.end === end; // as of, by, until, not before
    const inside = within
      ? [flat(named), ...decayLines(named.start, -1, near, low)]
      : [flat({ start: end - 1, end }), ...decayLines(end, -1, 1, low)];
    return form([...inside, ...decayLines(end, 1, after, outside, 2)]);
  }
  if (end === Infinity) {
    const within = named.start === start; // since, not after
    const [from, high, lead] = within
      ? [named.end, near, flat(named)]
      : [start, 1, flat({ start, end: start + 1 })];
    // "First" wants the nearest of what came after, and what came before not at all.
    if (order) return form([lead, ...decayLines(from, 1, high, low)]);
    // What began inside the window is in it, however much later, and so is a span that began there.
    const inside = decayLines(from, 1, high, later, 3).map((line) => ({
      ...line,
      longestMs: Infinity,
    }));
    const onwards = {
      window: { start: inside.at(-1)!.window.end, end: Infinity },
      atStart: later,
      atEnd: later,
    };
    return form([lead, ...inside, onwards, ...decayLines(start, -1, before, outside, 3)]);
  }
  // Of many stretches only the hull has a line left.
  const { alternatives = [] } = constraint;
  const inside =
    alternatives.length > 1 && alternatives.length <= maxSplineLines - 4
      ? alternatives.map(flat)
      : [flat(window)];
  const past = Math.min(agesMs.length - 1, maxSplineLines - 2 - inside.length);
  return form([
    ...inside,
    ...decayLines(start, -1, before, outside, past),
    ...decayLines(end, 1, after, outside, 2),
  ]);
}

/**
 * Beside the form of persisting states: the named time alone. Statements of that very time count
 * fully and all others little, so that of many statements alike, each of another day, those of the
 * day asked for are found. None where no time is named.
 */
export function exactTimeForm({
  interval,
  alternatives = [],
  ...constraint
}: JointConstraint): TemporalForm {
  if (!interval) return { combine: 'none' };
  const named =
    alternatives.length > 1 && alternatives.length <= maxSplineLines ? alternatives : [interval];
  const lines = named.map(({ start, end }) => ({ window: { start, end }, atStart: 1, atEnd: 1 }));
  return { combine: 'product', kind: 'spline', clock: actsOn(constraint), lines, outside: 0.3 };
}

/**
 * For questions that name no time: "now" is when they are asked. Statements that say they hold then
 * count fully; of the others that are equally relevant the later published counts more.
 */
export function recencyDecayForm(
  askedAt: Instant,
  {
    low = 0.6,
    clock = 'validity or published',
  }: { low?: number; clock?: SplineForm['clock'] } = {},
): TemporalForm {
  const now = { window: { start: askedAt, end: askedAt + 1 }, atStart: 1, atEnd: 1 };
  return {
    combine: 'product',
    kind: 'spline',
    clock,
    lines: [now, ...decayLines(askedAt + 1, -1, 1, low)],
    outside: low,
  };
}

/**
 * Lines away from `from`, into the past (-1) or the future (1), from `high` down to `low`; the last
 * of fewer lines reaches the floor.
 */
// A year, or "early in the 1990s": a date. What is longer is a span that the text closes itself.
const longestMs = 4 * year;

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
