// Hits of a query from the columns of a scan or a lexical search, with ties between segments broken
// by passage id.
import type { FlatResult } from '../../binding.js';

/** A row with its score and the parts of it. */
export interface ScanHit {
  /** Index of the searched segment; row and passage are numbers in it. */
  segment: number;
  row: number;
  passage: number;
  score: number;
  similarity: number;
  lexical: number;
  /** Value of the decay or spline, or the standardised recency; without weight. Absent: no form. */
  temporal?: number;
  /** Index of the content interval that decided; absent if none did. */
  mention?: number;
}

/** Columns of flat and lexical results; the optional ones are of flat scans. */
export type HitColumns = Pick<FlatResult, 'offsets' | 'segment' | 'row' | 'passage' | 'score'> &
  Partial<Pick<FlatResult, 'similarity' | 'lexical' | 'temporal' | 'mention'>>;

/** Query q's best k hits; `idOf` breaks ties, and is called for tied rows only. */
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

/** The same as indices into the result's columns, without an object a hit: for large batches. */
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
    // Within a segment rows are in the order of their passage ids.
    if (segment[best[next - 1]!] === segment[best[first]!]) continue;
    const tied = best.slice(first, next).map((i) => ({ i, id: idOf(segment[i]!, passage[i]!) }));
    tied.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : row[a.i]! - row[b.i]!));
    tied.forEach(({ i }, at) => void (best[first + at] = i));
  }
  return best.slice(0, k);
}
