// Value of a spline for intervals known in JavaScript, such as a summary's; the scan's kernel is
// native/kernels/spline, at unit 0.
import type { SplineForm, SplineLine } from '../time/temporalForms.js';
import type { Interval } from '../time/interval.js';

/**
 * The highest value over the intervals and which of them has it (-1: `outside`, which also stands
 * for none).
 */
export function splineValue(
  { lines, outside }: Pick<SplineForm, 'lines' | 'outside'>,
  intervals: readonly Pick<Interval, 'start' | 'end'>[],
): { value: number; interval: number } {
  let best = { value: -Infinity, interval: -1 };
  intervals.forEach((interval, at) => {
    const met = lines
      .map((line) => lineValue(line, interval))
      .filter((value) => value !== undefined);
    const value = met.length > 0 ? Math.max(...met) : outside;
    if (value > best.value) best = { value, interval: met.length > 0 ? at : -1 };
  });
  return best.value === -Infinity ? { value: outside, interval: -1 } : best;
}

/**
 * The best of the line over what the interval shares with its window; undefined where they share
 * nothing.
 */
function lineValue(
  { window, atStart, atEnd, longestMs = Infinity }: SplineLine,
  { start, end }: Pick<Interval, 'start' | 'end'>,
): number | undefined {
  if (end - start > longestMs) return undefined;
  const from = Math.max(start, window.start);
  const to = Math.min(end, window.end);
  const meets = start === end ? start >= window.start && start < window.end : from < to;
  if (!meets) return undefined;
  if (!Number.isFinite(window.start)) return atEnd;
  if (!Number.isFinite(window.end)) return atStart;
  const at = (instant: number): number => {
    const place = Math.min(1, Math.max(0, (instant - window.start) / (window.end - window.start)));
    return (1 - place) * atStart + place * atEnd;
  };
  return Math.max(at(from), at(Math.max(from, to)));
}
