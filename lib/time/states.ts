// Intervals for which a sentence states that something held: an end date ("until 1934") extends
// back to the date of the beginning.
import { binding } from '../binding.js';
import { yearMilliseconds as year } from './civil.js';
import type { Interval } from './interval.js';
import { toWallClock } from './timeZone.js';

/** How far a state is assumed to reach back if only its end is stated. */
export const reachedBack = 5 * year;

/** When a state ends that is said to last ("2011–present"): no passage tells of a later time. */
const notYetOver = Date.UTC(2100, 0, 1);

/** The addon's: that a state ends with a date, or lasts from it. */
const [ends, lasts] = [1, 2];

/**
 * The dates of a sentence in their order, then a stretch for each that ends a state or begins one
 * that is said to last. The date stays with its stretch, since "cases up to 5 April" are counted
 * on that day. Years are read in `timeZone`, default UTC.
 */
export function statesIn(
  text: string,
  dates: readonly Interval[],
  timeZone?: string,
): readonly Interval[] {
  if (dates.length === 0) return dates;
  const yearOf = (instant: number): number =>
    new Date(toWallClock(instant, timeZone)).getUTCFullYear();
  const years = dates.map(({ start }) => yearOf(start));
  const cues = binding.stateCues(text, Int32Array.from(years));
  const stretches = dates.flatMap((date, at): Interval[] => {
    if (cues[at] === lasts && date.start < notYetOver) return [{ ...date, end: notYetOver }];
    if (cues[at] !== ends || yearOf(date.end - 1) !== years[at]) return [];
    const before = dates
      .filter(({ start, end }) => end <= date.start && end - start <= 1.1 * year)
      .map(({ start }) => start);
    return [
      {
        start: before.length > 0 ? Math.max(...before) : date.start - reachedBack,
        end: date.end,
        granularity: date.granularity,
      },
    ];
  });
  return stretches.length > 0 ? [...dates, ...stretches] : dates;
}
