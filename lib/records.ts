// The records that cross every folder: what a user adds to a corpus and what a question is. Plain
// data, no behaviour.

/**
 * A passage as its author gives it. Times are ISO 8601 strings, epoch milliseconds or Dates; a date
 * alone is that UTC day.
 */
export interface Passage {
  /** Unique in the corpus. Adding an id again replaces the passage. */
  id: string;
  text: string;
  title?: string;
  /**
   * When it was published: what the publication mask reads. A date alone is the start of that day.
   */
  publishedAt?: TimeInput;
  /** From when the passage holds, inclusive. */
  validFrom?: TimeInput;
  /** Until when the passage holds; a date alone includes that whole day. */
  validTo?: TimeInput;
  /** Kept and given back as it is; JSON values only. */
  metadata?: Record<string, unknown>;
}

/**
 * A time as users give it: an ISO 8601 date or date-time (years -271821 to 275760), UTC epoch
 * milliseconds, or a Date.
 */
export type TimeInput = string | number | Date;

/** A passage as the corpus keeps it: times are UTC epoch milliseconds, `validTo` is exclusive. */
export interface StoredPassage {
  id: string;
  text: string;
  title?: string;
  publishedAt?: number;
  validFrom?: number;
  validTo?: number;
  metadata?: Record<string, unknown>;
}

/**
 * A question. `askedAt` is what "now" and relative words refer to and what the publication mask
 * reads; none means now.
 */
export interface Question {
  text: string;
  askedAt?: TimeInput;
}

/** How much of a task is done; `total` is Infinity where that is not known beforehand. */
export interface Progress {
  done: number;
  total: number;
}

/** What everything that takes time accepts. */
export interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}
