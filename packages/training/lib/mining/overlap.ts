// Overlap and distance of a passage's times and a question's window, and the graded margin
// (re-implementation, section 6).
import type { Window } from 'asof/time';

export const dayMilliseconds = 86_400_000;
/** A mean Gregorian year. */
export const yearMilliseconds = 365.2425 * dayMilliseconds;

export const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();

/**
 * |intersection| / the shorter of interval and window, 0 to 1: 1 if one contains the other, so that
 * "from 1942 to 1946" covers 1944. Two with open ends on one side cover each other.
 */
export function coverage(interval: Window, window: Window): number {
  const common = Math.min(interval.end, window.end) - Math.max(interval.start, window.start);
  if (!(common > 0)) return 0;
  const shorter = Math.min(interval.end - interval.start, window.end - window.start);
  return shorter === Infinity ? 1 : Math.min(1, common / shorter);
}

/** Gap between an interval and a window in years, 0 if they overlap. */
export function gapYears(interval: Window, window: Window): number {
  return Math.max(0, window.start - interval.end, interval.start - window.end) / yearMilliseconds;
}

/**
 * A passage's times against a window: the best coverage and the least gap over its intervals.
 * Without intervals, none and Infinity.
 */
export function relationOf(
  intervals: readonly Window[],
  window: Window,
): { coverage: number; gapYears: number } {
  return intervals.reduce(
    (best, interval) => ({
      coverage: Math.max(best.coverage, coverage(interval, window)),
      gapYears: Math.min(best.gapYears, gapYears(interval, window)),
    }),
    { coverage: 0, gapYears: Infinity },
  );
}

/** Distance at which the margin is halfway between its minimum and maximum. */
const halfwayYears = 2;
const leastShare = 0.25;

/**
 * Graded margin of a negative: the full margin far away in time, a quarter of it next to the
 * window, and proportionally less for partial coverage, so that near misses are separated less.
 */
export function gradedMargin(
  margin: number,
  negative: { coverage: number; gapYears: number },
): number {
  const far = Number.isFinite(negative.gapYears)
    ? negative.gapYears / (negative.gapYears + halfwayYears)
    : 1;
  return margin * (1 - negative.coverage) * (leastShare + (1 - leastShare) * far);
}
