// How rare a term is in a corpus: the inverse document frequency that BM25 weighs it with, and the counts it is made of, read from the
// segments' dictionaries. For stages that compare a question with the few texts it found; searches look terms up natively.
import type { Snapshot, SnapshotSegment } from '../store/snapshot.js';

type Segment = SnapshotSegment['segment'];

/** ln(1 + (N - df + 0.5) / (df + 0.5)): 0 and more, the highest for a term that nothing holds. */
export function rarity(all: number, holding: number): number {
  return Math.log1p((all - holding + 0.5) / (holding + 0.5));
}

/** The rarity of each term over all rows of the corpus, hidden ones included. */
export function termWeights({ segments }: Pick<Snapshot, 'segments'>, terms: readonly string[]): Float64Array {
  const rows = segments.reduce((sum, each) => sum + each.rows, 0);
  return Float64Array.from(terms, (term) => {
    const holding = segments.map(({ segment }) => rowsWith(segment, term)).reduce((sum, { several, sentences }) => sum + several + sentences, 0);
    return rarity(rows, holding);
  });
}

/**
 * Rows of the segment that hold the term: whole passages of several sentences, and sentences. A binary search where the sorted
 * dictionary lies (native/index/lexical/postings_writer.hpp).
 */
export function rowsWith(segment: Segment, term: string): { several: number; sentences: number } {
  const wanted = Buffer.from(term, 'utf8');
  let low = 0;
  let high = Number((segment.read('lexical.counts', 1, 1) as BigUint64Array)[0]!);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [from, to] = segment.read('lexical.term_offset', middle, 2) as Uint32Array;
    const order = Buffer.compare(segment.read('lexical.term_bytes', from, to! - from!) as Uint8Array, wanted);
    if (order === 0) {
      const [several, single, inSeveral] = segment.read('lexical.term_df', 3 * middle, 3) as Uint32Array;
      return { several: several!, sentences: single! + inSeveral! };
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { several: 0, sentences: 0 };
}
