// Synchronous scan: small in-memory searches on the JavaScript thread, without a task or
// allocations for the addon, which would evict what Node needs from the processor's caches.
import { binding } from '../binding.js';
import type { MemoryRows } from '../../binding.js';
import { checkVectors, checkLimits, type ScanQuery } from './flatScan.js';
import { formNumbers, packForm, packMask, type QueryTimeColumns } from './timeColumns.js';
import { decodeReport, type Exactness, type ScanReport } from './scanReport.js';
import { normalizes } from '../time/temporalForms.js';
import { runInline } from '../runtime/eventLoop.js';

/** Query q's hits are entries [offsets[q], offsets[q + 1]). */
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
  /** n, and the bytes that a scan reads of each row. */
  size: number;
  rowBytes: number;
  /** count * d */
  vectors: Float32Array;
  dimensions: number;
  /** One per query, or one for all. */
  times: readonly Pick<ScanQuery, 'mask' | 'form'>[];
  k: number;
  exactness: Exactness;
}

/** Limits of a scan on the JavaScript thread, which bound its buffers. */
const maxResults = 1000;
const maxQueries = 64;

/** Shared memory of a scan and the addon, for a number of queries and results. */
interface ScanBuffers extends QueryTimeColumns {
  count: number;
  results: number;
  /** Input: k, exactness, and the time columns. */
  numbers: Float64Array;
  /** Output: rows, scores, similarities, temporal scores, and a report per query. */
  output: Float64Array;
}

/** Scans with reused buffers, which the next scan of the same shape overwrites. */
export class SyncScanner {
  private buffers: ScanBuffers | undefined;

  /** Undefined if the scan is too long, or this turn of the event loop has no budget left. */
  tryScan(request: SyncScanRequest): SyncScanHits | undefined {
    const { size, rowBytes, vectors, dimensions, times, k } = request;
    const count = vectors.length / dimensions;
    if (
      !(k * count <= maxResults) ||
      count > maxQueries ||
      times.some(({ form }) => normalizes(form))
    )
      return undefined;
    return runInline(count * size * rowBytes, () =>
      this.scan(request, count, Math.min(k, size) * count),
    );
  }

  private scan(
    { rows, vectors, dimensions, times, k, exactness }: SyncScanRequest,
    count: number,
    results: number,
  ): SyncScanHits {
    const buffers = this.buffersFor(count, results);
    const { numbers, output, publishedUntil, windowKind, formKind } = buffers;
    numbers[1] = checkLimits(k, exactness);
    numbers[0] = k;
    checkVectors(vectors, dimensions);
    for (let q = 0; q < count; q += 1) {
      const { mask, form } = times.length === 1 ? times[0]! : times[q]!;
      publishedUntil[q] = Infinity;
      windowKind[q] = formKind[q] = 0;
      if (mask) packMask(buffers, mask, q);
      if (form) packForm(buffers, form, q);
    }
    const n = binding.searchFlatSync(rows, vectors, numbers, output);
    return readOutput(output, n, count, results);
  }

  private buffersFor(count: number, results: number): ScanBuffers {
    if (this.buffers?.count !== count || this.buffers.results !== results)
      this.buffers = allocateBuffers(count, results);
    return this.buffers;
  }
}

/** Copies n hits of `count` queries out of the buffer, which has room for `results`. */
function readOutput(output: Float64Array, n: number, count: number, results: number): SyncScanHits {
  const offsets = new Uint32Array(count + 1);
  const scans: ScanReport[] = [];
  for (let q = 0, at = 4 * results; q < count; q += 1, at += 1) {
    offsets[q + 1] = output[at]!;
    scans.push(
      decodeReport(output[at + count]!, output[at + 2 * count]!, output[at + 3 * count]!, 0),
    );
  }
  const row = new Uint32Array(n);
  const score = new Float64Array(n);
  const similarity = new Float32Array(n);
  const temporal = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    row[i] = output[i]!;
    score[i] = output[results + i]!;
    similarity[i] = output[2 * results + i]!;
    temporal[i] = output[3 * results + i]!;
  }
  return { offsets, row, score, similarity, temporal, scans };
}

function allocateBuffers(count: number, results: number): ScanBuffers {
  const numbers = new Float64Array(2 + (5 + formNumbers) * count);
  let used = 2;
  const next = (each: number): Float64Array => numbers.subarray(used, (used += each * count));
  return {
    count,
    results,
    numbers,
    output: new Float64Array(4 * (results + count)),
    publishedUntil: next(1),
    windowKind: next(1),
    formKind: next(1),
    window: next(2),
    form: next(formNumbers),
  };
}
