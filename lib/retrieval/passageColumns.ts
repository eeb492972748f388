// Results of a vector search in a corpus as columns, for results by the hundred thousand: a quarter
// of the memory of objects. Ids are kept as bytes and decoded on access.
import { invalidArgument } from '../errors.js';
import type { FlatResult } from '../../binding.js';
import type { IdBytes } from '../store/format/openSegments.js';
import { scanReport, type ScanReport } from './scanReport.js';

/** Query q's hits are entries [offsets[q], offsets[q + 1]), best first; equal scores by id. */
export interface PassageColumns {
  offsets: Uint32Array;
  /** The similarity combined with time. */
  score: Float64Array;
  /** The inner product, exact to float32's rounding. */
  similarity: Float32Array;
  /** The spline's value or the standardised recency; NaN without a form. */
  temporal: Float64Array;
  /** The report of each query's scan. */
  scans: ScanReport[];
  /**
   * The id of the passage of entry i, also after the corpus is closed. @throws AsOfError
   * ERR_INVALID_ARGUMENT if i is out of range
   */
  id(i: number): string;
}

/** Builder of the columns, query by query. */
export class PassageColumnsBuilder implements PassageColumns {
  readonly offsets: Uint32Array;
  score: Float64Array;
  similarity: Float32Array;
  temporal: Float64Array;
  readonly scans: ScanReport[] = [];
  /** Ids by query. */
  private readonly ids: IdBytes[] = [];

  /** @param maxHits bound on the hits of all queries */
  constructor(queries: number, maxHits: number) {
    const capacity = Math.min(maxHits, 1 << 20);
    this.offsets = new Uint32Array(queries + 1);
    [this.score, this.similarity, this.temporal] = [
      new Float64Array(capacity),
      new Float32Array(capacity),
      new Float64Array(capacity),
    ];
  }

  /** Appends the hits of query q of a scan: their indices in the scan's columns, and their ids. */
  add(result: FlatResult, q: number, best: readonly number[], ids: IdBytes): void {
    const number = this.scans.length,
      begin = this.offsets[number]!;
    if (begin + best.length > this.score.length) this.resize(2 * (begin + best.length));
    for (let i = 0; i < best.length; i += 1) {
      this.score[begin + i] = result.score[best[i]!]!;
      this.similarity[begin + i] = result.similarity[best[i]!]!;
      this.temporal[begin + i] = result.temporal[best[i]!]!;
    }
    this.offsets[number + 1] = begin + best.length;
    this.ids.push(ids);
    this.scans.push(scanReport(result, q));
  }

  /** Frees unused capacity. */
  finish(): PassageColumns {
    const n = this.offsets.at(-1)!;
    if (n < this.score.length) this.resize(n);
    return this;
  }

  private resize(capacity: number): void {
    const resized = <Column extends Float64Array | Float32Array>(
      to: Column,
      from: Column,
    ): Column => {
      to.set(from.subarray(0, capacity));
      return to;
    };
    this.score = resized(new Float64Array(capacity), this.score);
    this.similarity = resized(new Float32Array(capacity), this.similarity);
    this.temporal = resized(new Float64Array(capacity), this.temporal);
  }

  id(i: number): string {
    const n = this.score.length;
    if (!Number.isInteger(i) || i < 0 || i >= n)
      throw invalidArgument('i', `a whole number below the ${n} entries`, i);
    let [q, after] = [0, this.scans.length]; // the last query that begins at i or before
    while (after - q > 1) {
      const middle = (q + after) >> 1;
      if (this.offsets[middle]! <= i) q = middle;
      else after = middle;
    }
    const { bytes, ends } = this.ids[q]!,
      at = i - this.offsets[q]!;
    return bytes.toString('utf8', at === 0 ? 0 : ends[at - 1]!, ends[at]);
  }
}
