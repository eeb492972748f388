// Contract of the test addon, asof_test.node, in addition to binding.d.ts: process controls and
// kernel families for tests and benchmarks (test/boundary/contract.test.ts). Arrays are copied;
// matrices are row-major and compact; NaN and infinities are ordinary values unless the family's
// contract (native/kernels/<family>/contract.hpp) says otherwise.
import type {
  Cancellation,
  PassageHandle,
  PassagesToRead,
  StaticEncoderHandle,
  TimeColumns,
  TimeEncoderHandle,
} from '../../../binding.js';

// ---- allocations.cpp

/**
 * From now on counts allocations of the addon, of all threads, and refuses the one of the number
 * `failing` (0: none); where it is `lasting`, all after it too. Counts nothing but on Linux.
 */
export function watchAllocations(failing: number, lasting: boolean): void;
/** Ends that. `kept` of all allocations that were ever watched have not been freed. */
export function watchedAllocations(): { made: number; failed: number; kept: number };

// ---- process.cpp

/** Threads of later native work, the caller's included; 0 restores the default. */
export function setThreadCount(count: number): void;
/**
 * The levels this machine runs, worst first: "reference" (scalar code), then "x86-64-v2",
 * "x86-64-v3", "x86-64-v4", or "neon"; then levels with an extension that some families use:
 * "x86-64-v4+vnni", "x86-64-v4+bf16", "x86-64-v4+amx", "neon+dotprod".
 */
export function isaLevels(): string[];
/** Level of work that starts later, in the whole process; '' restores the default. */
export function setIsa(name: string): void;

// ---- kernels.cpp

/** Pairs whose product is at least the query's threshold, in no order. */
export function thresholdProducts(
  queries: Float32Array,
  rows: Float32Array,
  dimensions: number,
  thresholds: Float32Array,
  cancellation?: Cancellation,
): Promise<{ query: Uint32Array; row: Uint32Array; product: Float32Array }>;

/** The k best scores, descending, ties to the lower index; NaN is never selected. */
export function topK(
  scores: Float32Array,
  k: number,
  cancellation?: Cancellation,
): Promise<{ indices: Uint32Array; scores: Float32Array }>;

/**
 * Rows of Euclidean length 1. A zero row stays; a row with a NaN or an infinity is returned
 * unchanged and its norm is NaN.
 */
export function normalize(
  rows: Float32Array,
  dimensions: number,
  cancellation?: Cancellation,
): Promise<{ rows: Float32Array; norms: Float64Array }>;

/** Rows of bytes, as many as weights, times their weights, summed by component. */
export function rowSum(rows: Int8Array, weights: Float32Array): Float32Array;

export interface FilmRequest {
  /** rows * dimensions; so are gamma and beta. */
  x: Float32Array;
  gamma: Float32Array;
  beta: Float32Array;
  alpha: number;
  /** One a row: 0 returns the row bit for bit. */
  timed: Uint8Array;
  dimensions: number;
}
/**
 * Re3's FiLM fusion (section 3.3, equation 9) and normalization. A row that holds a NaN or an
 * infinity comes back bit for bit, with refused[r] = 1.
 */
export function film(
  request: FilmRequest,
  cancellation?: Cancellation,
): Promise<{ rows: Float32Array; refused: Uint8Array }>;

// ---- quantized.cpp: rows as panels of 16, with certified bounds of their products
// (native/kernels/quantized/contract.hpp).

export type QuantizedStorage = 'bf16' | 'int8' | 'int4';
/** Packed rows. */
export interface QuantizedRowsHandle {
  readonly quantizedRowsHandle: unique symbol;
}
/** At most 65536 dimensions. */
export function packQuantized(
  rows: Float32Array,
  dimensions: number,
  storage: QuantizedStorage,
  cancellation?: Cancellation,
): Promise<QuantizedRowsHandle>;
/** Bytes of the panels, 64 floats of record a panel, and the centre of int4 rows (d). */
export function quantizedPanels(rows: QuantizedRowsHandle): {
  panels: Uint8Array;
  records: Float32Array;
  centre?: Float32Array;
};
/** out[i * n + j] = approximate product of query i and row j. */
export function quantizedProducts(
  rows: QuantizedRowsHandle,
  queries: Float32Array,
  cancellation?: Cancellation,
): Promise<Float32Array>;
export interface SurvivorsRequest {
  queries: Float32Array;
  /** One a query. */
  thresholds: Float32Array;
  /** Row filter: bit r % 64 of word r / 64. */
  considered?: BigUint64Array | undefined;
}
/** In no order. `most` is the certified upper bound of the exact product. */
export interface QuantizedSurvivors {
  query: Uint32Array;
  row: Uint32Array;
  product: Float32Array;
  most: Float32Array;
}
/** Rows that threshold pruning keeps: their upper bound reaches the query's threshold. */
export function quantizedSurvivors(
  rows: QuantizedRowsHandle,
  request: SurvivorsRequest,
  cancellation?: Cancellation,
): Promise<QuantizedSurvivors>;

// ---- time_kernels.cpp

/**
 * Milliseconds (NaN absent, infinities open ends), or ticks of a packed column with their
 * TickScale.
 */
export type Instants = Float64Array | Int32Array | BigInt64Array;
/**
 * milliseconds = originMs + tick * unitMs; the lowest tick is absent, the one above it the infinite
 * past, the highest the infinite future.
 */
export interface TickScale {
  unitMs: number;
  originMs: number;
}

/**
 * A line over the window [start, end) from atStart in its first unit to atEnd in its last;
 * `outside` elsewhere.
 */
export interface SplineLine {
  start: number;
  end: number;
  atStart: number;
  atEnd: number;
  outside: number;
  /** Length of the window's unit; 86400000 is a day. */
  unitMs: number;
}
export interface SplineRequest {
  /** Intervals [starts[i], ends[i]). */
  starts: Instants;
  ends: Instants;
  /** Row r has the intervals offsets[r] to offsets[r + 1]; without offsets, interval r. */
  offsets?: Uint32Array | undefined;
  line: SplineLine;
  /** Of ticks. */
  scale?: TickScale | undefined;
}
/** The best value of each row over its intervals. */
export function spline(request: SplineRequest, cancellation?: Cancellation): Promise<Float32Array>;

/** Upper bounds of the decays of rows; `ends` may be the same array as `starts`. */
export function decay(request: {
  starts: Int32Array | BigInt64Array;
  ends: Int32Array | BigInt64Array;
  offsets?: Uint32Array | undefined;
  /** As in FlatRequest: formKind, and the numbers of that kind. */
  kind: number;
  numbers: Float64Array;
  scale: TickScale;
}): Float32Array;

/** Count, mean and sum of squared differences from the mean, of values that are not NaN. */
export interface Moments {
  count: number;
  mean: number;
  squares: number;
}
export function moments(values: Float32Array, cancellation?: Cancellation): Promise<Moments>;
export function mergeMoments(a: Moments, b: Moments): Moments;
/**
 * (x - mean) / deviation of `from`, times the deviation of `to`, plus its mean; that mean where x
 * is NaN or the deviation of `from` is zero.
 */
export function standardize(
  values: Float32Array,
  from: Moments,
  to: Moments,
  cancellation?: Cancellation,
): Promise<Float32Array>;

/** Calendar components of each instant, 0 where masked. */
export interface CalendarParts extends TimeColumns {
  /**
   * 4 per instant: sine and cosine of the month (of 12), sine and cosine of the day of year (of
   * 366); zeros where masked.
   */
  features: Float32Array;
}
/** `granularities`: indices in lib/time/interval.ts. */
export function calendar(
  instants: Float64Array,
  granularities: Uint8Array,
  cancellation?: Cancellation,
): Promise<CalendarParts>;

// ---- text.cpp

/** In NFC. */
export function composed(text: string): string;
export function lowerCase(text: string): string;
/** The term of a word in lower case; '' of a stop word. */
export function stemOf(word: string): string;
/** False of texts that may not be in NFC. */
export function isComposed(text: string): boolean;
/** Spans of the written words of a text, start and end in turn. */
export function writtenWords(text: string): Uint32Array;

// ---- encoder.cpp

/** Token ids of a text without special tokens: lines of the model's vocabulary, from 0. */
export function tokenizeText(encoder: StaticEncoderHandle, text: string): Uint32Array;
/**
 * The time vector of each date: `dimensions` components for film and concatenated, 8 for direct, 64
 * for absolute.
 */
export function timeVectors(encoder: TimeEncoderHandle, dates: TimeColumns): Promise<Float32Array>;

// ---- timetag.cpp

/**
 * What the words around the first mention of each year in a sentence say of a state: 0 nothing, 1
 * that it ends then ("until 1934"), 2 that it lasts ("2011–present").
 */
export function stateCues(sentence: string, years: Int32Array): Uint8Array;

// ---- facts.cpp

/** The passage as if each of its statements spoke of these times, five numbers each. */
export function withTimes(passage: PassageHandle, times: Float64Array): PassageHandle;

/** Windows are start and end in turn; of `window`, `named` and `held` there is none or one. */
export interface PreferenceRequest {
  /** Start and end in turn, NaN for none. */
  times: Float64Array;
  /** 1 of those that name both of their ends. */
  ranges: Uint8Array;
  /** Instants; NaN without. */
  published: Float64Array;
  /** 0 latest, 1 first, 2 any. */
  order: number;
  /** From 1. */
  place: number;
  askedAt: number;
  isEvent: boolean;
  window: Float64Array;
  alternatives: Float64Array;
  named: Float64Array;
  held: Float64Array;
  longest: number;
}
/** Places of the times by preference, and the rank of each (native/facts/order.hpp). */
export function preferenceOf(request: PreferenceRequest): {
  order: Uint32Array;
  ranks: Int32Array;
};

// ---- reading.cpp

/** Spans by UTF-16 offsets; forms as in native/reading/spans.hpp. */
export interface AnswerSpans {
  starts: Uint32Array;
  ends: Uint32Array;
  forms: Uint8Array;
}
/** The spans of a sentence, in which `times` stand, start and end in turn. */
export function spansOf(text: string, times: Uint32Array): AnswerSpans;

/** Offsets are those of a passage with its title before its text. */
export interface AnswerCandidates extends AnswerSpans {
  handle: object;
  texts: string[];
  passages: Uint32Array;
  /** Those of a candidate end at its place in `featureEnds`; names are readerFeatures().ofSpans. */
  featureEnds: Uint32Array;
  features: Uint16Array;
  values: Float64Array;
}
export function candidatesOf(request: PassagesToRead): AnswerCandidates;
/** The best by their scores, and the features that its probability depends on. */
export function bestSpan(
  candidates: object,
  scores: Float64Array,
): { candidate: number; features: Float64Array } | undefined;
