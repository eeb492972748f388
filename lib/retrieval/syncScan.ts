// Searches of a few thousand rows in memory, done where they are asked, on the JS thread. A scan
// that reads more than the processor's nearer caches hold leaves nothing else in them, so that what
// Node adds to it is what has to be fetched anew: hence nothing is made for the addon, which reads
// and writes numbers in arrays that the next search uses again. It decides nothing about how long
// is short (runtime/eventLoop.ts).
import { binding } from '../binding.js';
import type { MemoryRows } from '../../binding.js';
import {
  checkVectors,
  checkLimits,
  formNumbers,
  packForm,
  packMask,
  decodeReport,
  type Exactness,
  type ScanQuery,
  type ScanReport,
  type TimeColumns,
} from './flatScan.js';
import { runInline } from '../runtime/eventLoop.js';

/** Query q's results are entries [offsets[q], offsets[q + 1]). */
export interface SyncScanHits {
  offsets: Uint32Array;
  row: Uint32Array;
  score: Float64Array;
  similarity: Float32Array;
  temporal: Float64Array;
  scans: ScanReport[];
}

export interface SyncScanRequest {
  rows: MemoryRows;
  /** How many there are, and of how many bytes a scan reads for each. */
  size: number;
  rowBytes: number;
  /** count * d */
  vectors: Float32Array;
  dimensions: number;
  /** One a query, or one of all. */
  times: readonly Pick<ScanQuery, 'mask' | 'form'>[];
  k: number;
  exactness: Exactness;
}

/** What is never done at once: more would keep more memory than it saves time. */
const maxResults = 1000,
  maxQueries = 64;

/**
 * What a search writes and the addon reads, and the other way round, for as many queries and
 * results as the search before.
 */
interface ScanBuffers extends TimeColumns {
  count: number;
  most: number;
  numbers: Float64Array;
  found: Float64Array;
}
let buffers: ScanBuffers | undefined;

/**
 * Undefined where the search would not be short, or this turn of the event loop has no room for it.
 */
export function trySyncScan(scan: SyncScanRequest): SyncScanHits | undefined {
  const { size, rowBytes, vectors, dimensions, times, k } = scan;
  const count = vectors.length / dimensions;
  // Recencies read the times of all rows before.
  if (
    !(k * count <= maxResults) ||
    count > maxQueries ||
    times.some(({ form }) => form?.combine === 'sum')
  )
    return undefined;
  return runInline(count * size * rowBytes, () => search(scan, count, Math.min(k, size) * count));
}

function search(
  { rows, vectors, dimensions, times, k, exactness }: SyncScanRequest,
  count: number,
  most: number,
): SyncScanHits {
  const used =
    buffers?.count === count && buffers.most === most
      ? buffers
      : (buffers = allocateBuffers(count, most));
  const { numbers, found, publishedUntil, windowKind, formKind } = used;
  numbers[1] = checkLimits(k, exactness);
  numbers[0] = k;
  checkVectors(vectors, dimensions);
  for (let q = 0; q < count; q += 1) {
    const { mask, form } = times.length === 1 ? times[0]! : times[q]!;
    publishedUntil[q] = Infinity;
    windowKind[q] = formKind[q] = 0;
    if (mask) packMask(used, mask, q);
    if (form) packForm(used, form, q);
  }
  const n = binding.searchFlatSync(rows, vectors, numbers, found);
  const offsets = new Uint32Array(count + 1),
    scans: ScanReport[] = [];
  for (let q = 0, at = 4 * most; q < count; q += 1, at += 1) {
    offsets[q + 1] = found[at]!;
    scans.push(decodeReport(found[at + count]!, found[at + 2 * count]!, found[at + 3 * count]!, 0));
  }
  const row = new Uint32Array(n),
    score = new Float64Array(n),
    similarity = new Float32Array(n),
    temporal = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    row[i] = found[i]!;
    score[i] = found[most + i]!;
    similarity[i] = found[2 * most + i]!;
    temporal[i] = found[3 * most + i]!;
  }
  return { offsets, row, score, similarity, temporal, scans };
}

function allocateBuffers(count: number, most: number): ScanBuffers {
  const numbers = new Float64Array(2 + (5 + formNumbers) * count);
  let used = 2;
  const next = (each: number): Float64Array => numbers.subarray(used, (used += each * count));
  return {
    count,
    most,
    numbers,
    found: new Float64Array(4 * (most + count)),
    publishedUntil: next(1),
    windowKind: next(1),
    formKind: next(1),
    window: next(2),
    form: next(formNumbers),
  };
}
