// The exact fused scan: packs a batch of queries for the addon, checks what they mean, and breaks
// ties between segments by passage id. It knows rows and segments; passages' texts and questions
// are its callers' business.
import { binding, withCancellation } from '../binding.js';
import type { FlatRequest, FlatResult, MemoryRows, Segment, Storage } from '../../binding.js';
import { describe, invalidArgument, throwIfAborted } from '../errors.js';
import type { Clock } from '../time/constraint.js';
import { deviceNames, checkDevice, type Device } from '../vectors/device.js';
import { maxSplineLines, type Mask, type TemporalForm } from '../time/temporalForms.js';

export interface ScanSegment {
  rows: Segment | MemoryRows;
  /**
   * Bit p % 8 of byte p >> 3 is set where passage p is visible: what neither deletion nor a
   * metadata filter hides; or the numbers of the few passages that are. Absent shows all.
   */
  visible?: Uint8Array | Uint32Array;
  /** A file whose vectors stand in for the segment's own, row by row. */
  vectors?: Segment;
}

/**
 * relevance = semanticWeight * similarity + lexicalWeight * lexical; the form makes the score of it
 * (lib/time/forms.ts).
 */
export interface ScanQuery {
  /** Absent: every similarity is 0. */
  vector?: Float32Array;
  /** Default 1. */
  semanticWeight?: number;
  /**
   * Analyzed terms: the lexical part is their BM25, divided by its best over the rows that this
   * query may see. For segments.
   */
  terms?: readonly string[];
  /**
   * Instead of terms: one array a segment with a score for each of its rows; undefined stands for
   * zeros. Copied.
   */
  lexical?: readonly (Float32Array | undefined)[];
  /** Default 1 where there are lexical scores. */
  lexicalWeight?: number;
  /**
   * What may not be found. Instants may be infinite; a window whose ends are equal is that instant.
   */
  mask?: Mask;
  /**
   * A spline's line over a window with an open end is its limit: atEnd where the start is open,
   * atStart where the end is. Recency of a row with intervals counts from the end of the latest.
   */
  form?: TemporalForm;
}

/**
 * Of segments that hold their vectors in few bits too. certified: the best k of the f32 vectors,
 * all others being left by a bound that holds. rescored: the best 4 k by the few bits, scored and
 * ordered by their f32 vectors. raw: the best k by the few bits, with scores of those.
 */
export const exactnesses = ['certified', 'rescored', 'raw'] as const;
/** See `exactnesses`. */
export type Exactness = (typeof exactnesses)[number];

/** How a query's rows were read. */
export interface ScanReport {
  /** What of most rows was read first: their f32 vectors, or the same in fewer bits. */
  storage: Storage;
  /** Rows that were scored by their f32 vectors after that; 0 where all were from the start. */
  rescored: number;
  /**
   * Whether the result is sure to be that of the f32 vectors. False promises nothing: of few rows
   * an inexact search may read those vectors too.
   */
  exact: boolean;
  /**
   * Where they were. What a device would not do faster is the CPU's: a query without a vector, one
   * of few passages, one of over 4,096 results.
   */
  device: Device;
}

const storages = ['f32', 'bf16', 'int8', 'int4'] as const;

type ReportColumns = Pick<FlatResult, 'storage' | 'rescored' | 'exact' | 'device'>;

export function scanReport(
  { storage, rescored, exact, device }: ReportColumns,
  q: number,
): ScanReport {
  return decodeReport(storage[q]!, rescored[q]!, exact[q]!, device[q]!);
}

/** Of the addon's codes. */
export function decodeReport(
  storage: number,
  rescored: number,
  exact: number,
  device: number,
): ScanReport {
  return {
    storage: storages[storage]!,
    rescored,
    exact: exact === 1,
    device: deviceNames[device]!,
  };
}

/**
 * Of several scans together: the type of the fewest bits, all rows that were rescored, whether all
 * are exact, and the device where any was there.
 */
export function mergeReports(readings: readonly ScanReport[]): ScanReport | undefined {
  if (readings.length === 0) return undefined;
  const storage = storages[Math.max(...readings.map((each) => storages.indexOf(each.storage)))]!;
  const device = readings.some((each) => each.device === 'cuda') ? 'cuda' : 'cpu';
  return {
    storage,
    rescored: readings.reduce((sum, each) => sum + each.rescored, 0),
    exact: readings.every(({ exact }) => exact),
    device,
  };
}

export interface ScanOptions extends Bm25Parameters {
  /** Results a query, from 0. */
  k: number;
  /** Whole passages, sentences (a passage of one sentence is both), or all rows. Default 'all'. */
  scope?: 'passages' | 'sentences' | 'all';
  /** One result a passage: its best row; k distinct passages. Default false. */
  pool?: boolean;
  /** Default 'certified'. */
  exactness?: Exactness;
  /** Where it runs. Default 'cpu'. */
  device?: Device;
  signal?: AbortSignal;
}

/** A row that was found, with its score and what it is made of. */
export interface ScanHit {
  /** Index in the segments that were searched, and the row and local passage number in it. */
  segment: number;
  row: number;
  passage: number;
  score: number;
  similarity: number;
  lexical: number;
  /** The spline's c, or the standardised recency before its weight; absent without a form. */
  temporal?: number;
  /** Which of the row's content times decided, an index in its own list; absent where none did. */
  mention?: number;
}

const clocks: readonly Clock[] = ['content', 'published', 'validity'];
const relations = ['overlaps', 'within', 'contains'] as const;
/** What may be found, in the order of their codes. */
export const scopes = ['passages', 'sentences', 'all'] as const;

/** Parameters of BM25 (Robertson and Zaragoza 2009, as Lucene computes it). */
export interface Bm25Parameters {
  /** How fast repetition of a term saturates, from 0 (only presence counts). Default 0.9. */
  k1?: number;
  /** How much long rows are held back, 0 to 1. Default 0.4. */
  b?: number;
}

export function checkBm25({ k1, b }: Required<Bm25Parameters>): void {
  if (!Number.isFinite(k1) || k1 < 0)
    throw invalidArgument('k1', 'a finite number of at least 0', k1);
  if (!(b >= 0 && b <= 1)) throw invalidArgument('b', 'a number from 0 to 1', b);
}

/**
 * Searches every row of the segments for every query; exact whatever the mask and the form. See
 * binding.d.ts for the columns.
 */
export async function scanFlat(
  segments: readonly ScanSegment[],
  queries: readonly ScanQuery[],
  options: ScanOptions,
): Promise<FlatResult> {
  const { signal } = options;
  throwIfAborted(signal);
  const request = packRequest(segments, queries, options);
  return signal
    ? withCancellation(signal, (cancellation) => binding.searchFlat(request, cancellation))
    : binding.searchFlat(request);
}

/** What flat and lexical results have in common, and what only the scan gives. */
type HitColumns = Pick<FlatResult, 'offsets' | 'segment' | 'row' | 'passage' | 'score'> &
  Partial<Pick<FlatResult, 'similarity' | 'lexical' | 'temporal' | 'mention'>>;

/**
 * Query q's best k hits, ties broken by passage id: `idOf` gives the id of a segment's passage and
 * is called for tied rows only.
 */
export function scanHits(
  result: HitColumns,
  q: number,
  k: number,
  idOf: (segment: number, passage: number) => string,
): ScanHit[] {
  return hitOrder(result, q, k, idOf).map((i) => {
    const hit: ScanHit = {
      segment: result.segment[i]!,
      row: result.row[i]!,
      passage: result.passage[i]!,
      score: result.score[i]!,
      similarity: result.similarity?.[i] ?? 0,
      lexical: result.lexical?.[i] ?? 0,
    };
    const [temporal, mention] = [result.temporal?.[i] ?? NaN, result.mention?.[i] ?? -1];
    if (!Number.isNaN(temporal)) hit.temporal = temporal;
    if (mention >= 0) hit.mention = mention;
    return hit;
  });
}

/**
 * The same as places in the result's columns: for large batches, whose hits would be garbage
 * several times the size of what is made of them.
 */
export function hitOrder(
  result: HitColumns,
  q: number,
  k: number,
  idOf: (segment: number, passage: number) => string,
): number[] {
  const { segment, passage, row, score } = result;
  const best: number[] = [];
  for (let i = result.offsets[q]!; i < result.offsets[q + 1]!; i += 1) best.push(i);
  for (let first = 0, next: number; first < best.length; first = next) {
    next = first + 1;
    while (next < best.length && score[best[next]!] === score[best[first]!]) next += 1;
    // Within one segment the order is right already: passage numbers follow ids.
    if (segment[best[next - 1]!] === segment[best[first]!]) continue;
    const tied = best.slice(first, next).map((i) => ({ i, id: idOf(segment[i]!, passage[i]!) }));
    tied.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : row[a.i]! - row[b.i]!));
    tied.forEach(({ i }, at) => void (best[first + at] = i));
  }
  return best.slice(0, k);
}

/** How many are wanted, and how exactly: gives the code of that. */
export function checkLimits(k: number, exactness: Exactness): 0 | 1 | 2 {
  if (!Number.isInteger(k) || k < 0 || k > 0xffffffff)
    throw invalidArgument('k', 'a whole number from 0 to 4,294,967,295', k);
  if (!exactnesses.includes(exactness))
    throw invalidArgument('exactness', `one of ${exactnesses.join(', ')}`, exactness);
  return exactnesses.indexOf(exactness) as 0 | 1 | 2;
}

function packRequest(
  segments: readonly ScanSegment[],
  queries: readonly ScanQuery[],
  options: ScanOptions,
): FlatRequest {
  const {
    k,
    scope = 'all',
    pool = false,
    exactness = 'certified',
    device = 'cpu',
    k1 = 0.9,
    b = 0.4,
  } = options;
  checkBm25({ k1, b });
  const exactnessCode = checkLimits(k, exactness);
  if (!scopes.includes(scope)) throw invalidArgument('scope', `one of ${scopes.join(', ')}`, scope);
  const count = queries.length;
  const dimensions = queries.find(({ vector }) => vector)?.vector?.length ?? 0;
  const together = contiguousVectors(queries, dimensions);
  const request = {
    segments: segments.map(({ rows }) => rows),
    liveDocs: segments.map(({ visible }) => visible ?? null),
    rowVectors: segments.some(({ vectors }) => vectors)
      ? segments.map(({ vectors }) => vectors ?? null)
      : null,
    count,
    dimensions,
    k,
    pool,
    scope: scopes.indexOf(scope) as 0 | 1 | 2,
    exactness: exactnessCode,
    device: deviceNames.indexOf(checkDevice(device)) as 0 | 1,
    ...allocateColumns(count, dimensions, together),
    terms: queries.some(({ terms }) => terms) ? queries.map(({ terms }) => terms ?? []) : null,
    k1,
    b,
    lexical: queries.some(({ lexical }) => lexical)
      ? queries.flatMap(({ lexical }) => segments.map((_, s) => lexical?.[s] ?? null))
      : null,
  } satisfies FlatRequest;
  queries.forEach((query, q) => {
    packVector(request, query, q, together === undefined);
    packMask(request, query.mask ?? {}, q);
    packForm(request, query.form ?? { combine: 'none' }, q);
    if (query.lexical && query.lexical.length !== segments.length) {
      throw invalidArgument(
        'lexical',
        `one array for each of ${segments.length} segments`,
        query.lexical,
      );
    }
    request.semanticWeight[q] = finite('semanticWeight', query.semanticWeight ?? 1);
    request.lexicalWeight[q] = finite(
      'lexicalWeight',
      query.lexicalWeight ?? ((query.lexical ?? query.terms) ? 1 : 0),
    );
  });
  return request;
}

/**
 * The vectors as they lie, where they are parts of one array, each behind the one before: a copy of
 * a batch takes as long as what the host does around its search on a device. Memory that threads
 * share is copied: it may change after its check.
 */
function contiguousVectors(
  queries: readonly ScanQuery[],
  dimensions: number,
): Float32Array | undefined {
  const first = queries[0]?.vector;
  if (!(first instanceof Float32Array) || !(first.buffer instanceof ArrayBuffer)) return undefined;
  const { buffer, byteOffset } = first;
  const lies = ({ vector }: ScanQuery, q: number): boolean =>
    vector instanceof Float32Array &&
    vector.buffer === buffer &&
    vector.byteOffset === byteOffset + 4 * q * dimensions;
  const length = queries.length * dimensions;
  if (byteOffset + 4 * length > buffer.byteLength || !queries.every(lies)) return undefined;
  return new Float32Array(buffer, byteOffset, length);
}

/**
 * A request's columns of numbers, side by side in one buffer: a buffer each costs more than a small
 * scan.
 */
function allocateColumns(count: number, dimensions: number, vectors: Float32Array | undefined) {
  const doubles = 5 + formNumbers;
  const buffer = new ArrayBuffer(count * (8 * doubles + (vectors ? 0 : 4 * dimensions) + 3));
  let used = 0;
  const next = <Column>(bytes: number, make: (at: number) => Column): Column => {
    const column = make(used);
    used += bytes;
    return column;
  };
  const numbers = (length: number): Float64Array =>
    next(8 * length, (at) => new Float64Array(buffer, at, length));
  const codes = (): Uint8Array => next(count, (at) => new Uint8Array(buffer, at, count));
  return {
    semanticWeight: numbers(count),
    lexicalWeight: numbers(count),
    publishedUntil: numbers(count).fill(Infinity),
    window: numbers(2 * count),
    form: numbers(formNumbers * count),
    vectors:
      vectors ??
      next(4 * count * dimensions, (at) => new Float32Array(buffer, at, count * dimensions)),
    hasVector: codes(),
    windowKind: codes(),
    formKind: codes(),
  };
}

function packVector(request: FlatRequest, { vector }: ScanQuery, q: number, copies: boolean): void {
  if (vector === undefined) return;
  if (!(vector instanceof Float32Array) || vector.length === 0) {
    throw invalidArgument(
      'vector',
      'a Float32Array that is not empty',
      vector,
      'Encode the text first.',
    );
  }
  if (vector.length !== request.dimensions) {
    const expected = `a Float32Array of ${request.dimensions}, like the first of its batch`;
    throw invalidArgument('vector', expected, vector, 'Encode all texts with one encoder.');
  }
  checkVectors(vector, request.dimensions);
  if (copies) request.vectors.set(vector, q * request.dimensions);
  request.hasVector[q] = 1;
}

/** Vectors of queries, one after another. */
export function checkVectors(vectors: Float32Array, dimensions: number): void {
  // Four sums, of which each waits for its own last addition alone.
  const { length } = vectors;
  const fours = length - (length % 4);
  let a = 0,
    b = 0,
    c = 0,
    d = 0;
  for (let i = 0; i < fours; i += 4) {
    a += vectors[i]! * 0;
    b += vectors[i + 1]! * 0;
    c += vectors[i + 2]! * 0;
    d += vectors[i + 3]! * 0;
  }
  for (let i = fours; i < length; i += 1) a += vectors[i]! * 0;
  const wrong = a + b + c + d === 0 ? -1 : vectors.findIndex((each) => !Number.isFinite(each));
  if (wrong < 0) return;
  const of = vectors.length > dimensions ? ` of vector ${Math.floor(wrong / dimensions)}` : '';
  const remedy = `Component ${wrong % dimensions}${of} is not. Look at what made it: an encoder that failed, or a division by a length of 0.`;
  throw invalidArgument('vector', 'finite numbers', vectors[wrong], remedy);
}

/** When each query's rows have to hold, in the codes of FlatRequest. */
export interface TimeColumns {
  publishedUntil: Float64Array;
  windowKind: Uint8Array | Float64Array;
  window: Float64Array;
  formKind: Uint8Array | Float64Array;
  form: Float64Array;
}

/** Writes query q's mask into the columns that every search of the addon shares. */
export function packMask(
  columns: Pick<TimeColumns, 'publishedUntil' | 'windowKind' | 'window'>,
  mask: Mask,
  q: number,
): void {
  const { publishedUntil = Infinity, window } = mask;
  columns.publishedUntil[q] = instant('publishedUntil', publishedUntil);
  if (window === undefined) return;
  const relation = relations.indexOf(window.relation);
  if (relation < 0)
    throw invalidArgument('window.relation', `one of ${relations.join(', ')}`, window.relation);
  columns.windowKind[q] = 1 + 3 * clockCode(window.clock) + relation;
  columns.window.set(checkedWindow(window), 2 * q);
}

/** Numbers a query's form takes: see FlatRequest. */
export const formNumbers = 2 + 5 * maxSplineLines;

export function packForm(
  request: Pick<TimeColumns, 'formKind' | 'form'>,
  form: TemporalForm,
  q: number,
): void {
  if (form.combine === 'none') return;
  if (form.combine === 'product') {
    const { lines, outside } = form;
    if (!Array.isArray(lines) || lines.length < 1 || lines.length > maxSplineLines) {
      throw invalidArgument("a spline's lines", `an array of 1 to ${maxSplineLines}`, lines);
    }
    const orElse =
      form.clock === 'validity or content'
        ? 0
        : form.clock === 'validity or published'
          ? 1
          : undefined;
    request.formKind[q] = orElse === undefined ? 1 + clockCode(form.clock as Clock) : 7 + orElse;
    const numbers = lines.flatMap(({ window, atStart, atEnd, longestMs = Infinity }) => {
      if (!(longestMs >= 0))
        throw invalidArgument('longestMs', 'a number of milliseconds from 0', longestMs);
      return [...checkedWindow(window), splineValue(atStart), splineValue(atEnd), longestMs];
    });
    request.form.set([splineValue(outside), lines.length, ...numbers], formNumbers * q);
  } else if (form.combine === 'sum') {
    if (!(form.floorDays > 0 && form.floorDays < Infinity))
      throw invalidArgument('floorDays', 'a finite number above 0', form.floorDays);
    request.formKind[q] = 4 + clockCode(form.clock);
    request.form.set(
      [finite('at', form.at), form.floorDays, finite('weight', form.weight)],
      formNumbers * q,
    );
  } else {
    throw invalidArgument(
      'form.combine',
      "'none', 'product' or 'sum'",
      (form as { combine: unknown }).combine,
    );
  }
}

function splineValue(value: number): number {
  if (value >= 0 && value <= 2) return value;
  throw invalidArgument(
    "a spline's values",
    'numbers from 0 to 2',
    value,
    'Above 2 a better time would lower a negative score.',
  );
}

function clockCode(clock: Clock): number {
  const code = clocks.indexOf(clock);
  if (code < 0) throw invalidArgument('clock', `one of ${clocks.join(', ')}`, clock);
  return code;
}

function checkedWindow({ start, end }: { start: number; end: number }): [number, number] {
  if (
    !(instant('window.start', start) <= instant('window.end', end)) ||
    start === Infinity ||
    end === -Infinity
  ) {
    throw invalidArgument(
      'window',
      'a start that is not after its end',
      `${describe(start)} to ${describe(end)}`,
    );
  }
  return [start, end];
}

/** Epoch milliseconds or an open end. */
function instant(name: string, value: number): number {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw invalidArgument(name, 'UTC epoch milliseconds or an infinity', value);
  return value;
}

function finite(name: string, value: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidArgument(name, 'a finite number', value);
  return value;
}
