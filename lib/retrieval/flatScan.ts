// The exact fused scan: checks and packs a batch of queries for the addon.
import { binding, withCancellation } from '../binding.js';
import type { FlatRequest, FlatResult, MemoryRows, Segment } from '../../binding.js';
import { invalidArgument, mustBeWhole, throwIfAborted } from '../errors.js';
import { checkDevice, deviceNames, type Device } from '../vectors/device.js';
import {
  scopes,
  type CollectionStatistics,
  type PlanQuery,
  type QueryStatistics,
  type ScorePlan,
  type Scope,
} from '../store/scorePlan.js';
import { checkBm25, packCollection } from './bm25.js';
import { exactnesses, type Exactness } from './scanReport.js';
import { finite } from '../time/temporalForms.js';
import { formNumbers, packForm, packMask } from './timeColumns.js';

export interface ScanSegment {
  rows: Segment | MemoryRows;
  /**
   * Bit p % 8 of byte p >> 3 is set where passage p is visible; or the numbers of the visible
   * passages, if few. Default: all.
   */
  liveDocs?: Uint8Array | Uint32Array;
  /** Bitmap of the passages that BM25's statistics count. Default: all. */
  countedDocs?: Uint8Array;
  /** A file whose vectors replace the segment's, row by row. */
  vectors?: Segment;
}

/** A query of a plan with what it is normalised by, or with lexical scores of its own. */
export interface ScanQuery extends PlanQuery, QueryStatistics {
  /** Instead of terms: an array of row scores for each segment; undefined for zeros. Copied. */
  lexical?: readonly (Float32Array | undefined)[];
}

export interface ScanOptions extends Omit<ScorePlan, 'queries' | 'scope'> {
  /** Default 'all'. */
  scope?: Scope;
  /** BM25's statistics. Default: those of the segments. */
  collection?: CollectionStatistics | undefined;
  /** Default 'certified'. */
  exactness?: Exactness;
  /** Device of the scan. Default 'cpu'. */
  device?: Device;
  signal?: AbortSignal;
}

/** Exact under any mask and form. binding.d.ts describes the columns. */
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

const mostResults = 4_294_967_295;

function limitOf({ k }: ScanQuery, most: number): number {
  if (k === undefined) return most;
  mustBeWhole({ k }, 0, mostResults);
  return Math.min(k, most);
}

/** Checks k and exactness; returns the code of exactness. */
export function checkLimits(k: number, exactness: Exactness): 0 | 1 | 2 {
  mustBeWhole({ k }, 0, mostResults);
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
    liveDocs: segments.map(({ liveDocs }) => liveDocs ?? null),
    countedDocs: segments.map(({ countedDocs }) => countedDocs ?? null),
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
    collection: packCollection(options.collection),
    k1,
    b,
    lexical: queries.some(({ lexical }) => lexical)
      ? queries.flatMap(({ lexical }) => segments.map((_, s) => lexical?.[s] ?? null))
      : null,
  } satisfies FlatRequest;
  queries.forEach((query, q) => {
    packVector(request, query, q, together === undefined);
    packMask(request, query.mask ?? {}, q);
    packForm(request, query.form ?? { combine: 'none' }, q, query.moments);
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
    request.maxLexical[q] = finite('maxLexical', query.maxLexical ?? 0);
    request.limits[q] = limitOf(query, k);
  });
  return request;
}

/**
 * The queries' vectors without a copy, if they are contiguous parts of one array: copying a batch
 * takes as long as the host's part of a search on a device. Shared memory is copied, since it may
 * change after the check.
 */
function contiguousVectors(
  queries: readonly ScanQuery[],
  dimensions: number,
): Float32Array | undefined {
  const first = queries[0]?.vector;
  if (!(first instanceof Float32Array) || !(first.buffer instanceof ArrayBuffer)) return undefined;
  const { buffer, byteOffset } = first;
  const isContiguous = ({ vector }: ScanQuery, q: number): boolean =>
    vector instanceof Float32Array &&
    vector.buffer === buffer &&
    vector.byteOffset === byteOffset + 4 * q * dimensions;
  const length = queries.length * dimensions;
  if (byteOffset + 4 * length > buffer.byteLength || !queries.every(isContiguous)) return undefined;
  return new Float32Array(buffer, byteOffset, length);
}

/** A request's columns in one buffer: a buffer for each costs more than a small scan. */
function allocateColumns(count: number, dimensions: number, vectors: Float32Array | undefined) {
  const doubles = 7 + formNumbers;
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
    maxLexical: numbers(count),
    limits: numbers(count),
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

function packVector(
  request: FlatRequest,
  { vector, onlyMatching = false }: ScanQuery,
  q: number,
  copy: boolean,
): void {
  if (vector === undefined) return void (request.hasVector[q] = onlyMatching ? 2 : 0);
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
  if (copy) request.vectors.set(vector, q * request.dimensions);
  request.hasVector[q] = 1;
}

/** Throws ERR_INVALID_ARGUMENT for components that are not finite in concatenated query vectors. */
export function checkVectors(vectors: Float32Array, dimensions: number): void {
  // Four independent sums, for instruction-level parallelism.
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
  const remedy =
    `Component ${wrong % dimensions}${of} is not. ` +
    'Check its source: an encoder that failed, or a division by a length of 0.';
  throw invalidArgument('vector', 'finite numbers', vectors[wrong], remedy);
}
