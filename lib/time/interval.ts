// Intervals: half-open stretches of UTC time with the granularity they were written in. Plain data
// and their algebra; reading them from text is the tagger's work.

/**
 * UTC epoch milliseconds, a number within +-8.64e15 (years -271821 to 275760, proleptic Gregorian);
 * +-Infinity is an open end.
 */
export type Instant = number;

/**
 * From fine to coarse; the order of this list is the order of coarseness, and its index is what
 * segment files store.
 */
export const granularities = [
  'millisecond',
  'second',
  'minute',
  'hour',
  'part-of-day',
  'day',
  'weekend',
  'week',
  'part-of-month',
  'month',
  'season-of-year',
  'quarter',
  'half-year',
  'part-of-year',
  'year',
  'part-of-decade',
  'decade',
  'part-of-century',
  'century',
  'millennium',
] as const;

/** How precise a time is said to be, from the finest to the coarsest. */
export type Granularity = (typeof granularities)[number];

/** [start, end): `end` is the first instant after it. Either end may be infinite. */
export interface Interval {
  start: Instant;
  end: Instant;
  granularity: Granularity;
}
