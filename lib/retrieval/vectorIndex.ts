// In-memory index of row vectors with their times, searched exactly.
import { binding, withCancellation } from '../binding.js';
import type { FieldColumn, MemoryRows, Storage } from '../../binding.js';
import {
  AsOfError,
  checkOptionNames,
  invalidArgument,
  mustBe,
  mustBeWhole,
  throwIfAborted,
} from '../errors.js';
import { fieldColumn } from '../store/fields/columns.js';
import {
  checkFields,
  fieldValue,
  type Fields,
  type FieldType,
  type FieldValue,
} from '../store/fields/types.js';
import { compileWhere, type Where } from '../store/fields/where.js';
import { checkDevice, type Device } from '../vectors/device.js';
import { scanFlat } from './flatScan.js';
import { scanReport, type ScanReport } from './scanReport.js';
import { SyncScanner } from './syncScan.js';
import {
  noOptions,
  parseTimes,
  scanOptions,
  scanQueries,
  type VectorSearchOptions,
} from './vectorTimes.js';

/**
 * Row vectors with their times, one per row in UTC epoch milliseconds; NaN is absent, infinities
 * are open ends.
 */
export interface VectorRows {
  /** d, from 1. */
  dimensions: number;
  /**
   * n * d finite numbers, row-major, copied. The score is the inner product: normalise the rows for
   * cosines.
   */
  vectors: Float32Array;
  /**
   * n publication times, for `asOf`. The first search by recency computes moments of all rows, 4 d
   * (d + 3) bytes, to standardise its scores.
   */
  publishedAt?: Float64Array | undefined;
  /**
   * Type of the quantized copy of the vectors, by which searches prune most rows; 'f32' is none.
   * Default 'int8', a quarter more memory. 'int4' takes as much and reads half of it: faster for
   * one query over many rows, a third slower for batches of more than eight.
   */
  storage?: Storage | undefined;
  /**
   * Device of searches; 'cuda' copies the rows to the first CUDA device at the first search
   * (docs/cuda.md). Default 'cpu'.
   */
  device?: Device | undefined;
  /** n each: validity, half-open. Both or neither. */
  validFrom?: Float64Array | undefined;
  validTo?: Float64Array | undefined;
  /** n each: content time, half-open. Both or neither. */
  contentFrom?: Float64Array | undefined;
  contentTo?: Float64Array | undefined;
  /**
   * Fields of the rows, for `where`: the type of each and n values, undefined where a row has none.
   */
  fields?: Readonly<Record<string, { type: FieldType; values: readonly unknown[] }>> | undefined;
}

/** Query q's hits are entries [offsets[q], offsets[q + 1]), best first; equal scores by row. */
export interface VectorHits {
  offsets: Uint32Array;
  row: Uint32Array;
  /** The similarity combined with time. */
  score: Float64Array;
  /** The inner product, exact to float32's rounding. */
  similarity: Float32Array;
  /** The value of the decay or spline, or the standardised recency; NaN without a form. */
  temporal: Float64Array;
  /** The report of each query's scan. */
  scans: ScanReport[];
}

/**
 * Row vectors in memory, searched exactly: the top k of all unmasked rows.
 * @example using index = new VectorIndex({ dimensions: 384, vectors, publishedAt });
 *   const { row, score } = await index.searchBatch(query, 10, { asOf: '2021-05-06' });
 */
export class VectorIndex {
  readonly dimensions: number;
  /** n */
  readonly size: number;
  readonly device: Device;
  private readonly fields: Fields;
  private rows: MemoryRows | undefined;
  private readonly syncScanner = new SyncScanner();
  /** Bytes that a scan reads of a pruned row. */
  private readonly rowBytes: number;

  /** @throws AsOfError ERR_INVALID_ARGUMENT, ERR_OUT_OF_MEMORY */
  constructor(data: VectorRows) {
    checkOptionNames('VectorIndex', data, [
      'dimensions',
      'vectors',
      'storage',
      'device',
      'fields',
      ...columns,
    ]);
    const { dimensions, vectors, storage = 'int8', device = 'cpu' } = data;
    mustBeWhole({ dimensions }, 1);
    if (!(vectors instanceof Float32Array) || vectors.length % dimensions !== 0) {
      throw invalidArgument(
        'vectors',
        `a Float32Array of n * ${dimensions}`,
        vectors,
        'Concatenate the rows.',
      );
    }
    this.dimensions = dimensions;
    this.device = checkDevice(device);
    this.size = vectors.length / dimensions;
    this.rowBytes = dimensions * bytesRead[storage];
    checkFinite(vectors, dimensions);
    const content = intervalColumns(data, 'contentFrom', 'contentTo', this.size);
    const validity = intervalColumns(data, 'validFrom', 'validTo', this.size);
    const published = column(data, 'publishedAt', this.size);
    const columnsOfFields = fieldColumns(data.fields ?? {}, this.size);
    this.fields = columnsOfFields.types;
    this.rows = new binding.MemoryRows({
      passages: this.size,
      multiSentence: 0,
      dimensions,
      vectors,
      storage,
      rowPassage: Uint32Array.from({ length: this.size }, (_, row) => row),
      fields: columnsOfFields.columns,
      ...(published ? { published } : {}),
      ...(validity ? { validStart: validity[0], validEnd: validity[1] } : {}),
      ...(content ? contentLists(...content) : {}),
    });
  }

  get isOpen(): boolean {
    return this.rows !== undefined;
  }

  /**
   * The best k rows for each query vector (count * d numbers, concatenated as by an encoder), in
   * one pass over the rows: a batch is much faster than its queries one by one.
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
        'Expected an open VectorIndex, received one that was closed. Create it again.',
      );
    const { rows, device, dimensions, size, rowBytes } = this;
    const times = parseTimes(vectors, dimensions, options);
    const { signal, where, exactness = 'certified' } = options;
    throwIfAborted(signal);
    const sync =
      device === 'cpu' && where === undefined
        ? this.syncScanner.tryScan({
            rows,
            size,
            rowBytes,
            vectors,
            dimensions,
            times,
            k,
            exactness,
          })
        : undefined;
    if (sync) return sync;
    const liveDocs = where && (await this.passing(rows, where, signal));
    const segment = liveDocs ? { rows, liveDocs } : { rows };
    const result = await scanFlat([segment], scanQueries(vectors, dimensions, times), {
      ...scanOptions(k, options),
      device,
    });
    const { offsets, row, score, similarity, temporal } = result;
    const scans = Array.from({ length: offsets.length - 1 }, (_, q) => scanReport(result, q));
    return { offsets, row, score, similarity, temporal, scans };
  }

  private passing(
    rows: MemoryRows,
    where: Where,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const filter = compileWhere(where, { fields: this.fields });
    return withCancellation(signal, (cancellation) =>
      binding.filterPassages(rows, filter, cancellation),
    );
  }

  /** Frees the rows after running searches have ended. Closing again does nothing. */
  close(): void {
    this.rows?.close();
    this.rows = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function fieldColumns(
  given: NonNullable<VectorRows['fields']>,
  size: number,
): { types: Fields; columns: FieldColumn[] } {
  mustBe('an object', { fields: given });
  const entries = Object.entries(given);
  const types = Object.fromEntries(entries.map(([name, field]) => [name, field?.type]));
  checkFields(types);
  const columns = entries.map(([name, { type, values }]) => {
    if (!Array.isArray(values) || values.length !== size)
      throw invalidArgument(`fields.${name}.values`, `an array of ${size}, one per row`, values);
    const read = (value: unknown, row: number): FieldValue =>
      fieldValue({ name, type }, value, (expected, remedy) =>
        invalidArgument(`fields.${name}.values[${row}]`, expected, value, remedy),
      );
    return fieldColumn(type, values.map(read));
  });
  return { types, columns };
}

// Per component of a pruned row.
const bytesRead: Record<Storage, number> = { int4: 0.5, int8: 1, bf16: 2, f32: 4 };

const vectorRemedy =
  'Omit the row, or check its source: an encoder that failed, or a division by a length of 0.';

/** A component that is not finite would rank its row last or first for every query. */
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

const columns = ['publishedAt', 'validFrom', 'validTo', 'contentFrom', 'contentTo'] as const;
type Column = (typeof columns)[number];

function column(data: VectorRows, name: Column, size: number): Float64Array | undefined {
  const values = data[name];
  if (values === undefined) return undefined;
  if (!(values instanceof Float64Array) || values.length !== size)
    throw invalidArgument(name, `a Float64Array of ${size}, one per row`, values);
  return values;
}

function intervalColumns(
  data: VectorRows,
  from: Column,
  to: Column,
  size: number,
): [Float64Array, Float64Array] | undefined {
  const [starts, ends] = [column(data, from, size), column(data, to, size)];
  if (starts === undefined && ends === undefined) return undefined;
  if (starts === undefined || ends === undefined) {
    throw invalidArgument(
      starts ? to : from,
      `present together with ${starts ? from : to}`,
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

/** Content times in lists of one or none per row. */
function contentLists(
  starts: Float64Array,
  ends: Float64Array,
): { contentOffset: Uint32Array; contentStart: Float64Array; contentEnd: Float64Array } {
  const contentOffset = new Uint32Array(starts.length + 1);
  starts.forEach(
    (start, row) => (contentOffset[row + 1] = contentOffset[row]! + (Number.isNaN(start) ? 0 : 1)),
  );
  const isPresent = (_: number, row: number): boolean => !Number.isNaN(starts[row]!);
  return {
    contentOffset,
    contentStart: starts.filter(isPresent),
    contentEnd: ends.filter(isPresent),
  };
}
