// How rare a term is in a corpus: the inverse document frequency that BM25 weighs it with, and the
// counts it is made of, read from the segments' dictionaries. For stages that compare a question
// with the few texts it found; searches look terms up natively.
import type { Snapshot, SnapshotSegment } from '../store/snapshot.js';
import { numberOf, Recent } from './recent.js';

type Segment = SnapshotSegment['segment'];

/** ln(1 + (N - df + 0.5) / (df + 0.5)): 0 and more, the highest for a term that nothing holds. */
export function inverseDocumentFrequency(all: number, holding: number): number {
  return Math.log1p((all - holding + 0.5) / (holding + 0.5));
}

/** The rarity of each term over all rows of the corpus, hidden ones included. */
export function idfWeights(
  { segments }: Pick<Snapshot, 'segments'>,
  terms: readonly string[],
): Float64Array {
  const rows = segments.reduce((sum, each) => sum + each.rows, 0);
  return Float64Array.from(terms, (term) => {
    const holding = segments
      .map(({ segment }) => documentFrequency(segment, term))
      .reduce((sum, { several, sentences }) => sum + several + sentences, 0);
    return inverseDocumentFrequency(rows, holding);
  });
}

/** How many rows of a segment hold a term: whole passages of several sentences, and sentences. */
export interface DocumentFrequency {
  several: number;
  sentences: number;
}

const recent = new Recent<DocumentFrequency>(32_768);

/**
 * Rows of the segment that hold the term. What the last questions asked is remembered: they share
 * most of their words.
 */
export function documentFrequency(segment: Segment, term: string): DocumentFrequency {
  const key = `${numberOf(segment)} ${term}`;
  let found = recent.get(key);
  if (!found) {
    const at = termOrdinal(segment, Buffer.from(term, 'utf8'));
    const [several, single, inSeveral] =
      at < 0 ? [0, 0, 0] : (segment.read('lexical.term_df', 3 * at, 3) as Uint32Array);
    found = { several: several!, sentences: single! + inSeveral! };
  }
  recent.keep(key, found, 1);
  return found;
}

/**
 * The upper levels of every search in a segment's dictionary: as many terms of it are remembered,
 * by their place.
 */
const remembered = 1024;
const upperTerms = new WeakMap<Segment, { terms: number; read: Map<number, Uint8Array> }>();

/**
 * A term's place in the segment's sorted dictionary, -1 where it has none:
 * a binary search where it lies (native/index/lexical/postings_writer.hpp).
 */
function termOrdinal(segment: Segment, wanted: Buffer): number {
  let upper = upperTerms.get(segment);
  if (!upper)
    upperTerms.set(
      segment,
      (upper = {
        terms: Number((segment.read('lexical.counts', 1, 1) as BigUint64Array)[0]!),
        read: new Map(),
      }),
    );
  let low = 0;
  let high = upper.terms;
  while (low < high) {
    const middle = (low + high) >>> 1;
    let term = upper.read.get(middle);
    if (!term) {
      const [from, to] = segment.read('lexical.term_offset', middle, 2) as Uint32Array;
      term = segment.read('lexical.term_bytes', from, to! - from!) as Uint8Array;
      if (remembered * (high - low) >= upper.terms && upper.read.size < remembered)
        upper.read.set(middle, term);
    }
    const order = Buffer.compare(term, wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}
