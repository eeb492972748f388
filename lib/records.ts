// Records that all folders share: passages, questions, progress. Plain data without behaviour.

/**
 * A passage as input. Times are ISO 8601 strings, epoch milliseconds or Dates; a date alone is that
 * UTC day.
 */
export interface Passage {
  /** Unique in the corpus. Adding an id again replaces the passage. */
  id: string;
  text: string;
  title?: string;
  /**
   * Publication time, which the publication mask compares. A date alone is the start of that day.
   */
  publishedAt?: TimeInput;
  /** Start of validity, inclusive. */
  validFrom?: TimeInput;
  /** End of validity; a date alone includes that whole day. */
  validTo?: TimeInput;
  /** Stored and returned unchanged; JSON values only. */
  metadata?: Record<string, unknown>;
}

/**
 * A time as input: an ISO 8601 date or date-time (years -271821 to 275760), UTC epoch milliseconds,
 * or a Date.
 */
export type TimeInput = string | number | Date;

/** A stored passage: times are UTC epoch milliseconds, `validTo` is exclusive. */
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
 * A question. `askedAt` is the reference time of "now" and relative dates and the limit of the
 * publication mask; default: the current time.
 */
export interface Question {
  text: string;
  askedAt?: TimeInput;
}

/** Progress of a task; `total` is Infinity if unknown in advance. */
export interface Progress {
  done: number;
  total: number;
}

/** Options of every long-running function. */
export interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}
