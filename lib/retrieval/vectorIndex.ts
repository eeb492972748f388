// Exact search by vectors that the caller has already: over rows in memory with their times, or
// over a corpus on disk. It is the contract that a framework's retriever builds on
// (docs/guide/vectors.md). It encodes nothing and reads no text; the scan does the rest.
import { binding } from '../binding.js';
import type { FlatResult, MemoryRows, Storage } from '../../binding.js';
import { AsOfError, checkOptionNames, invalidArgument, throwIfAborted } from '../errors.js';
import type { TimeInput } from '../records.js';
import type { Corpus } from '../store/corpus.js';
import type { Clock, Window } from '../time/constraint.js';
import type { Mask, TemporalForm } from '../time/temporalForms.js';
import { parseAskedAt } from '../time/instant.js';
import { checkDevice, type Device } from '../vectors/device.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import {
  hitOrder,
  scanReport,
  scanFlat,
  type Exactness,
  type ScanOptions,
  type ScanQuery,
  type ScanReport,
} from './flatScan.js';
import { PassageColumnsBuilder, type PassageColumns } from './passageColumns.js';
import { trySyncScan } from './syncScan.js';

/**
 * Rows of one matrix, and when each holds. Times are UTC epoch milliseconds, one a row; NaN is
 * none, infinities are open ends.
 */
export interface VectorRows {
  /** d, from 1. */
  dimensions: number;
  /**
   * n * d finite numbers, row after row. Copied. Normalise them where cosines are wanted: the score
   * is the inner product.
   */
  vectors: Float32Array;
  /**
   * n: what `asOf` reads. The first search by recency measures all rows once, and keeps 4 d (d + 3)
   * bytes that standardise its scores.
   */
  publishedAt?: Float64Array;
  /**
   * The type that vectors are kept in a second time, for searches to leave most rows unread; 'f32':
   * none. Default 'int8', a quarter more memory. 'int4' takes as much, and suits searches of one
   * query over many rows, which read half of it; batches of more than eight take a third longer.
   */
  storage?: Storage;
  /**
   * Where searches run: 'cuda' copies the rows to the first CUDA device when they are first
   * searched (docs/cuda.md). Default 'cpu'.
   */
  device?: Device;
  /** n each: validity, half-open. Both or neither. */
  validFrom?: Float64Array;
  validTo?: Float64Array;
  /** n each: the time a row speaks of, half-open. Both or neither. */
  contentFrom?: Float64Array;
  contentTo?: Float64Array;
}

/** When what is found has to hold. */
export interface VectorTimes {
  /**
   * Rows published after this instant are hidden; a date alone counts to its end. Rows without a
   * publication stay. Default: none hidden.
   */
  asOf?: TimeInput;
  /**
   * Only rows whose `clock` stands in this relation to the interval (half-open, epoch
   * milliseconds). Rows without that clock are hidden.
   */
  interval?: Window;
  /** Default 'overlaps'. */
  relation?: 'overlaps' | 'within' | 'contains';
  /** Default 'content'. */
  clock?: Clock;
  /**
   * How time enters the score: a spline that multiplies, or a recency that is added. Default: not
   * at all.
   */
  form?: TemporalForm;
}

export interface VectorSearchOptions extends VectorTimes {
  /** Instead of one for the whole batch: the times of each query. */
  each?: readonly VectorTimes[];
  /**
   * 'rescored' orders the best 4 k of the smaller type by f32, 'raw' gives its best k as they are.
   * Default 'certified': exact.
   */
  exactness?: Exactness;
  signal?: AbortSignal;
}

/** Of searchVectors: its results as columns. */
export interface ColumnSearchOptions extends VectorSearchOptions {
  as: 'columns';
}

/** Query q's hits are entries [offsets[q], offsets[q + 1]), best first; equal scores by row. */
export interface VectorHits {
  offsets: Uint32Array;
  row: Uint32Array;
  /** The similarity with its time. */
  score: Float64Array;
  /** The inner product, exact to float32's rounding. */
  similarity: Float32Array;
  /** The spline's value or the standardised recency; NaN without a form. */
  temporal: Float64Array;
  /** How each query's rows were read. */
  scans: ScanReport[];
}

/** A passage of a corpus that was found by its vector. */
export interface PassageHit {
  id: string;
  score: number;
  similarity: number;
  /** Absent without a form. */
  temporal?: number;
}

/** What one query found, best first. */
export interface PassageHits extends Array<PassageHit> {
  /**
   * How the corpus was read for it: in which type, how many rows were scored by their f32 vectors
   * after that, and whether that is exact.
   */
  readonly scan: ScanReport;
}

/**
 * Rows in memory, searched exactly: every query's best k of all rows that its times admit.
 * @example using index = new VectorIndex({ dimensions: 384, vectors, publishedAt });
 *   const { row, score } = await index.searchBatch(query, 10, { asOf: '2021-05-06' });
 */
export class VectorIndex {
  readonly dimensions: number;
  /** n */
  readonly size: number;
  readonly device: Device;
  private rows: MemoryRows | undefined;
  /** What a scan reads of most rows. */
  private readonly rowBytes: number;

  /** @throws AsOfError ERR_INVALID_ARGUMENT, ERR_OUT_OF_MEMORY */
  constructor(given: VectorRows) {
    checkOptionNames('VectorIndex', given, [
      'dimensions',
      'vectors',
      'storage',
      'device',
      ...columns,
    ]);
    const { dimensions, vectors, storage = 'int8', device = 'cpu' } = given;
    if (!Number.isInteger(dimensions) || dimensions < 1)
      throw invalidArgument('dimensions', 'a whole number of at least 1', dimensions);
    if (!(vectors instanceof Float32Array) || vectors.length % dimensions !== 0) {
      throw invalidArgument(
        'vectors',
        `a Float32Array of n * ${dimensions}`,
        vectors,
        'Put the rows one after another.',
      );
    }
    this.dimensions = dimensions;
    this.device = checkDevice(device);
    this.size = vectors.length / dimensions;
    this.rowBytes = dimensions * bytesRead[storage];
    checkFinite(vectors, dimensions);
    const content = intervalColumns(given, 'contentFrom', 'contentTo', this.size);
    const validity = intervalColumns(given, 'validFrom', 'validTo', this.size);
    const published = column(given, 'publishedAt', this.size);
    this.rows = new binding.MemoryRows({
      passages: this.size,
      whole: 0,
      dimensions,
      vectors,
      storage,
      rowPassage: Uint32Array.from({ length: this.size }, (_, row) => row),
      ...(published ? { published } : {}),
      ...(validity ? { validStart: validity[0], validEnd: validity[1] } : {}),
      ...(content ? contentLists(...content) : {}),
    });
  }

  get isOpen(): boolean {
    return this.rows !== undefined;
  }

  /**
   * The best k rows for each of the queries' vectors (count * d, one after another, as an encoder
   * gives them), in one pass over the rows: a batch costs far less than its queries one by one.
   * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ABORTED, ERR_CLOSED, ERR_DEVICE_UNAVAILABLE
   */
  async searchBatch(
    vectors: Float32Array,
    k: number,
    options: VectorSearchOptions = noOptions,
  ): Promise<VectorHits> {
    if (!this.rows)
      throw new AsOfError(
        'ERR_CLOSED',
        'Expected an open VectorIndex, received one that was closed. Make it again.',
      );
    const { rows, device, dimensions, size, rowBytes } = this;
    const times = parseTimes(vectors, dimensions, options);
    const { signal, exactness = 'certified' } = options;
    throwIfAborted(signal);
    const short =
      device === 'cpu'
        ? trySyncScan({ rows, size, rowBytes, vectors, dimensions, times, k, exactness })
        : undefined;
    if (short) return short;
    const found = await scanFlat([{ rows }], scanQueries(vectors, dimensions, times), {
      ...scanOptions(k, options),
      device,
    });
    const { offsets, row, score, similarity, temporal } = found;
    const scans = Array.from({ length: offsets.length - 1 }, (_, q) => scanReport(found, q));
    return { offsets, row, score, similarity, temporal, scans };
  }

  /** Frees the rows once searches that are running have ended. Closing again does nothing. */
  close(): void {
    this.rows?.close();
    this.rows = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * The best k passages of a corpus for each vector (count * d numbers, as the corpus's encoder gives
 * them), in one pass over its files. Ties are broken by id; each query's list says how it was
 * `scan`ned. With `as: 'columns'` the same as columns of numbers, which take a quarter of the
 * memory: for results by the hundred thousand.
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ABORTED, ERR_CLOSED, ERR_DEVICE_UNAVAILABLE
 */
export function searchVectors(
  corpus: Corpus,
  vectors: Float32Array,
  k: number,
  options: ColumnSearchOptions,
): Promise<PassageColumns>;
export function searchVectors(
  corpus: Corpus,
  vectors: Float32Array,
  k: number,
  options?: VectorSearchOptions,
): Promise<PassageHits[]>;
export async function searchVectors(
  corpus: Corpus,
  vectors: Float32Array,
  k: number,
  given: VectorSearchOptions & { as?: 'columns' } = {},
): Promise<PassageHits[] | PassageColumns> {
  if (typeof corpus?.snapshot !== 'function')
    throw invalidArgument(
      'corpus',
      'a Corpus',
      corpus,
      "Open one: await Corpus.open('wiki.asof').",
    );
  if (typeof given !== 'object' || given === null)
    throw invalidArgument('options', 'an object { asOf, each, signal, ... }', given);
  const { as, ...options } = given;
  if (as !== undefined && as !== 'columns')
    throw invalidArgument('as', "'columns'", as, 'Leave it out for a list of hits for each query.');
  using snapshot = corpus.snapshot();
  const { dimensions } = snapshot.manifest.encoder;
  const queries = scanQueries(vectors, dimensions, parseTimes(vectors, dimensions, options));
  const segments = snapshot.segments.map(({ segment, liveDocs }) => ({
    rows: segment,
    ...(liveDocs ? { visible: liveDocs } : {}),
  }));
  const passages = snapshot.segments.reduce((sum, each) => sum + each.passages, 0);
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const scanning: ScanOptions = {
    ...scanOptions(k, options),
    device: snapshot.device,
    scope: 'passages',
  };
  const lists: PassageHits[] = [];
  let columns: PassageColumnsBuilder | undefined;
  for (const part of snapshot.device === 'cpu' ? splitBatch(queries, k, passages) : [queries]) {
    const found: FlatResult = await scanFlat(segments, part, scanning);
    // (scanFlat checked k)
    if (as)
      columns ??= new PassageColumnsBuilder(queries.length, Math.min(k, passages) * queries.length);
    for (let q = 0; q < part.length; q += 1) {
      // A large batch has tens of thousands of ids to read: timers and other searches get their
      // turns meanwhile.
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(options.signal);
      const best = hitOrder(found, q, k, idOf);
      const [segment, passage] = [
        best.map((i) => found.segment[i]!),
        best.map((i) => found.passage[i]!),
      ];
      if (columns) columns.add(found, q, best, snapshot.idBytes(segment, passage));
      else lists.push(passageHits(found, q, best, snapshot.ids(segment, passage)));
    }
  }
  return columns?.finish() ?? lists;
}

function passageHits(
  found: FlatResult,
  q: number,
  best: readonly number[],
  ids: readonly string[],
): PassageHits {
  const hits = best.map((i, at): PassageHit => {
    const [id, score, similarity, temporal] = [
      ids[at]!,
      found.score[i]!,
      found.similarity[i]!,
      found.temporal[i]!,
    ];
    return Number.isNaN(temporal) ? { id, score, similarity } : { id, score, similarity, temporal };
  });
  return Object.defineProperty(hits, 'scan', { value: scanReport(found, q) }) as PassageHit[] & {
    scan: ScanReport;
  };
}

/**
 * Results that are kept as numbers before they are passages: about as many as a scan takes together
 * of queries that want a thousand each.
 */
const maxBatchResults = 48_000;

/**
 * The queries in parts of like size; one of all where `k` of `passages` each are few, or no number
 * of results.
 */
function splitBatch(queries: readonly ScanQuery[], k: number, passages: number): ScanQuery[][] {
  const results = Number.isInteger(k) ? Math.min(k, passages) * queries.length : 0;
  const parts = Math.max(1, Math.min(queries.length, Math.ceil(results / maxBatchResults)));
  const begin = (part: number): number => Math.round((part * queries.length) / parts);
  return Array.from({ length: parts }, (_, part) => queries.slice(begin(part), begin(part + 1)));
}

// of a component, of most rows
const bytesRead: Record<Storage, number> = { int4: 0.5, int8: 1, bf16: 2, f32: 4 };

const vectorRemedy =
  'Leave the row out, or look at what made it: an encoder that failed on a text, or a division by a length of 0.';

/** One number that is none makes its row unfindable, or first for every query. */
function checkFinite(vectors: Float32Array, dimensions: number): void {
  for (let start = 0; start < vectors.length; start += dimensions) {
    let sum = 0;
    for (let i = start; i < start + dimensions; i += 1) sum += vectors[i]! * 0;
    if (sum === 0) continue;
    const at = vectors
      .subarray(start, start + dimensions)
      .findIndex((value) => !Number.isFinite(value));
    throw invalidArgument(
      'vectors',
      'finite numbers',
      vectors[start + at],
      `Component ${at} of row ${start / dimensions} is not. ${vectorRemedy}`,
    );
  }
}

/** Vectors whose buffer went to another thread look like none, for which nothing would be found. */
function checkAttached(vectors: Float32Array): void {
  try {
    new Uint8Array(vectors.buffer);
  } catch {
    throw invalidArgument(
      'vectors',
      'a Float32Array whose buffer is attached',
      vectors,
      'Its buffer was transferred: pass a copy.',
    );
  }
}

function scanOptions(
  k: number,
  { exactness = 'certified', signal }: VectorSearchOptions,
): ScanOptions {
  return { k, exactness, ...(signal ? { signal } : {}) };
}

type QueryTimes = Pick<ScanQuery, 'mask' | 'form'>;

const noOptions: VectorSearchOptions = {};
const noTimes: readonly QueryTimes[] = [{}];

/** One a query, or one of all. */
function parseTimes(
  vectors: Float32Array,
  dimensions: number,
  options: VectorSearchOptions,
): readonly QueryTimes[] {
  if (!(vectors instanceof Float32Array) || vectors.length % dimensions !== 0) {
    throw invalidArgument(
      'vectors',
      `a Float32Array of count * ${dimensions}`,
      vectors,
      'Encode the queries as the rows were.',
    );
  }
  if (vectors.length === 0) checkAttached(vectors);
  if (options === noOptions) return noTimes;
  const count = vectors.length / dimensions;
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { asOf, each, signal, ... }', options);
  const { each, exactness, signal, ...shared } = options;
  checkOptionNames('a search by vectors', shared, each === undefined ? timeNames : []);
  if (each !== undefined && (!Array.isArray(each) || each.length !== count)) {
    throw invalidArgument('each', `an array of ${count}, the times of each query`, each);
  }
  each?.forEach((times, q) => checkOptionNames(`each[${q}]`, times, timeNames));
  return each ? each.map(parseQueryTimes) : [parseQueryTimes(shared)];
}

function scanQueries(
  vectors: Float32Array,
  dimensions: number,
  times: readonly QueryTimes[],
): ScanQuery[] {
  const count = vectors.length / dimensions;
  return Array.from(
    { length: count },
    (_, q): ScanQuery => ({
      vector: vectors.subarray(q * dimensions, (q + 1) * dimensions),
      ...(times.length === 1 ? times[0] : times[q]),
    }),
  );
}

const timeNames = ['asOf', 'interval', 'relation', 'clock', 'form'];

function parseQueryTimes({
  asOf,
  interval,
  relation = 'overlaps',
  clock = 'content',
  form,
}: VectorTimes): Pick<ScanQuery, 'mask' | 'form'> {
  const mask: Mask = {
    ...(asOf === undefined ? {} : { publishedUntil: parseAskedAt(asOf, 'asOf') }),
    ...(interval === undefined ? {} : { window: { ...interval, relation, clock } }),
  };
  return { mask, ...(form ? { form } : {}) };
}

const columns = ['publishedAt', 'validFrom', 'validTo', 'contentFrom', 'contentTo'] as const;
type Column = (typeof columns)[number];

function column(given: VectorRows, name: Column, size: number): Float64Array | undefined {
  const values = given[name];
  if (values === undefined) return undefined;
  if (!(values instanceof Float64Array) || values.length !== size)
    throw invalidArgument(name, `a Float64Array of ${size}, one a row`, values);
  return values;
}

function intervalColumns(
  given: VectorRows,
  from: Column,
  to: Column,
  size: number,
): [Float64Array, Float64Array] | undefined {
  const [starts, ends] = [column(given, from, size), column(given, to, size)];
  if (starts === undefined && ends === undefined) return undefined;
  if (starts === undefined || ends === undefined) {
    throw invalidArgument(
      starts ? to : from,
      `given where ${starts ? from : to} is`,
      undefined,
      'Write an open end as an infinity.',
    );
  }
  const wrong = starts.findIndex(
    (start, row) => Number.isNaN(start) !== Number.isNaN(ends[row]!) || start > ends[row]!,
  );
  if (wrong >= 0) {
    const received = `${starts[wrong]} to ${ends[wrong]} of row ${wrong}`;
    throw invalidArgument(
      `${from} and ${to}`,
      'a start that is not after its end, or NaN for both',
      received,
    );
  }
  return [starts, ends];
}

/** The lists of content times where a row has one or none. */
function contentLists(
  starts: Float64Array,
  ends: Float64Array,
): { contentOffset: Uint32Array; contentStart: Float64Array; contentEnd: Float64Array } {
  const contentOffset = new Uint32Array(starts.length + 1);
  starts.forEach(
    (start, row) => (contentOffset[row + 1] = contentOffset[row]! + (Number.isNaN(start) ? 0 : 1)),
  );
  const there = (_: number, row: number): boolean => !Number.isNaN(starts[row]!);
  return { contentOffset, contentStart: starts.filter(there), contentEnd: ends.filter(there) };
}
