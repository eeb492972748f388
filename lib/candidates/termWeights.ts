// How rare a term is in a corpus: the inverse document frequency that BM25 weighs it with, read from the segments' dictionaries.
// For stages that compare a question with the few texts it found; searches look terms up natively.
import type { Snapshot, SnapshotSegment } from '../store/snapshot.js';

type Segment = SnapshotSegment['segment'];

/** ln(1 + (N - df + 0.5) / (df + 0.5)) of each term over all rows of the corpus, hidden ones included; the highest for a term it lacks. */
export function termWeights({ segments }: Pick<Snapshot, 'segments'>, terms: readonly string[]): Float64Array {
  const rows = segments.reduce((sum, each) => sum + each.rows, 0);
  return Float64Array.from(terms, (term) => {
    const wanted = Buffer.from(term, 'utf8');
    const holding = segments.reduce((sum, { segment }) => sum + rowsWith(segment, wanted), 0);
    return Math.log1p((rows - holding + 0.5) / (holding + 0.5));
  });
}

/** Rows of the segment that hold the term: a binary search in its sorted dictionary. */
function rowsWith(segment: Segment, wanted: Buffer): number {
  let low = 0;
  let high = Number((segment.read('lexical.counts', 1, 1) as BigUint64Array)[0]!);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [from, to] = segment.read('lexical.term_offset', middle, 2) as Uint32Array;
    const order = Buffer.compare(segment.read('lexical.term_bytes', from, to! - from!) as Uint8Array, wanted);
    if (order === 0) return (segment.read('lexical.term_df', 3 * middle, 3) as Uint32Array).reduce((sum, each) => sum + each, 0);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return 0;
}
