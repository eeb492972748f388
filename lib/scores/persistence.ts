// Ours: the temporal score of a statement about a state, as a form the scan evaluates. A state that is said to begin holds until
// another follows it, so a date before the question's window speaks for it too, the less the longer ago it is; a date
// inside the window fully; a date after it hardly. MRAG's spline knows only inside and outside (`spline.ts`).
import type { Clock, Constraint } from '../time/constraint.js';
import type { SplineLine, TemporalForm } from '../time/forms.js';
import type { Instant } from '../time/interval.js';
import { splineForm } from './spline.js';

export interface PersistenceOptions {
  /** What a date far before or after counts for. Default 0.6. */
  low?: number;
  /** What undated statements, and dates beyond every line, count for. Default 0.5. */
  outside?: number;
  /** What a date just before a window with two ends counts for; dates in the window count 1. Default 0.9. */
  before?: number;
  /** What a date just after the window counts for. Default 0.7. */
  after?: number;
}

const day = 86_400_000;
const year = 365.2425 * day;
// How a statement's weight falls with its age: steeply first, since of two that are old the older is not much worse.
const agesMs = [0, 30 * day, year, 3 * year, 10 * year, 50 * year];
const weights = [1, 0.92, 0.7, 0.45, 0.22, 0]; // 1 is full weight, 0 the floor

/** The form for a constraint; none where the question names no time and no order. */
export function persistenceForm(constraint: Constraint, askedAt: Instant, options: PersistenceOptions = {}): TemporalForm {
  const { low = 0.6, outside = 0.5, before = 0.9, after = 0.7 } = options;
  const { condition, relation, clock } = constraint;
  if (condition !== 'none' || relation === 'none') return splineForm(constraint, askedAt, { low, outside }); // an order is MRAG's question
  const window = constraint.window ?? constraint.interval; // `around` has no window
  if (!window) return { combine: 'none' };
  const form = (lines: SplineLine[]): TemporalForm => ({ combine: 'product', kind: 'spline', clock, lines, outside });
  const { start, end } = window;
  if (start === -Infinity) return form([...fading(end, -1, 1, low), ...fading(end, 1, after, outside, 2)]);
  if (end === Infinity) return form([...fading(start, 1, 1, low, 4), ...fading(start, -1, before, outside, 3)]);
  return form([{ window: { start, end }, atStart: 1, atEnd: 1 }, ...fading(start, -1, before, outside), ...fading(end, 1, after, outside, 2)]);
}

/** For questions that name no time: "now" is when they are asked, and of statements equally relevant the later published counts more. */
export function freshnessForm(askedAt: Instant, { low = 0.6, clock = 'published' }: { low?: number; clock?: Clock } = {}): TemporalForm {
  return { combine: 'product', kind: 'spline', clock, lines: fading(askedAt + 1, -1, 1, low), outside: low };
}

/** Lines away from `from`, into the past (-1) or the future (1), from `high` down to `low`; the last of fewer lines reaches the floor. */
function fading(from: Instant, direction: -1 | 1, high: number, low: number, count = agesMs.length - 1): SplineLine[] {
  const value = (at: number): number => (at === count ? low : low + (high - low) * weights[at]!);
  return Array.from({ length: count }, (_, at) => {
    const [near, far] = [from + direction * agesMs[at]!, from + direction * agesMs[at + 1]!];
    return direction === 1
      ? { window: { start: near, end: far }, atStart: value(at), atEnd: value(at + 1) }
      : { window: { start: far, end: near }, atStart: value(at + 1), atEnd: value(at) };
  });
}
