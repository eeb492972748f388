/**
 * UTC epoch milliseconds, a number within +-8.64e15 (years -271821 to 275760, proleptic Gregorian);
 * +-Infinity is an open end.
 */
export type Instant = number;
/** Largest absolute instant, the limit of a JavaScript Date. */
export declare const lastInstant = 8640000000000000;
/** Granularities from fine to coarse. Segment files store the index into this list. */
export declare const granularities: readonly ['millisecond', 'second', 'minute', 'hour', 'part-of-day', 'day', 'weekend', 'week', 'part-of-month', 'month', 'season-of-year', 'quarter', 'half-year', 'part-of-year', 'year', 'part-of-decade', 'decade', 'part-of-century', 'century', 'millennium'];
/** Precision of a time in the text. */
export type Granularity = (typeof granularities)[number];
/** [start, end): `end` is the first instant after it. Either end may be infinite. */
export interface Interval {
    start: Instant;
    end: Instant;
    granularity: Granularity;
}
