// What a passage's sentences say of time, as the content clock that segments store. Publication and validity are given by
// the passage's author and are never derived here.
import type { Interval } from './interval.js';
import type { Mention } from './mention.js';

/** Below this a mention is more likely no time at all. */
const leastConfidence = 0.5;

/**
 * The content clock of a sentence: the literal intervals of its mentions, without repetitions, in order of appearance.
 *
 * A relation does not stretch its interval: "since 2010" is the year 2010, "until 2005" the year 2005, "before 1945" the
 * year 1945. An open end would make a sentence about one founding year match every later date; the sentence's words
 * vouch for the unit they name, and for a whole stretch only where they name both of its ends.
 */
export function contentIntervals(mentions: readonly Mention[]): Interval[] {
  const intervals: Interval[] = [];
  for (const { interval, confidence } of mentions) {
    if (!interval || confidence < leastConfidence) continue;
    const known = intervals.some((other) => other.start === interval.start && other.end === interval.end);
    if (!known) intervals.push(interval);
  }
  return intervals;
}
