// Document frequencies of terms and their inverse (the IDF of BM25), from the segments'
// dictionaries, with a cache per segment. For stages that score few texts; searches look terms up
// natively.
import type { Segment } from '../../binding.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { GenerationalCache } from '../runtime/generationalCache.js';
import type { Snapshot, SnapshotSegment } from '../store/snapshot.js';

/** ln(1 + (N - df + 0.5) / (df + 0.5)): 0 and more, greatest for a term in no row. */
export function inverseDocumentFrequency(rows: number, frequency: number): number {
  return Math.log1p((rows - frequency + 0.5) / (frequency + 0.5));
}

/** The IDF of each term over all rows of the corpus, including deleted ones. */
export function idfWeights(
  { segments }: Pick<Snapshot, 'segments'>,
  terms: readonly string[],
): Float64Array {
  const rows = segments.reduce((sum, each) => sum + each.rows, 0);
  const dictionaries = segments.map(({ caches }) => caches.get(termDictionary));
  return Float64Array.from(terms, (term) => {
    const frequency = dictionaries
      .map((each) => each.frequency(term))
      .reduce((sum, { multiSentence, sentences }) => sum + multiSentence + sentences, 0);
    return inverseDocumentFrequency(rows, frequency);
  });
}

/** Rows of a segment with a term: passages of several sentences, and sentences. */
export interface DocumentFrequency {
  multiSentence: number;
  sentences: number;
}

export function documentFrequency(
  { caches }: Pick<SnapshotSegment, 'caches'>,
  term: string,
): DocumentFrequency {
  return caches.get(termDictionary).frequency(term);
}

const termDictionary: CacheSpec<TermDictionary, Segment> = {
  name: 'term dictionary',
  create: (segment) => new TermDictionary(segment),
};

/** Terms of the upper levels of the binary search that are cached. */
const cachedTerms = 1024;
/** Frequencies that are cached: questions share most of their words. */
const cachedFrequencies = 32_768;

/** A segment's sorted term dictionary (native/index/lexical/postings_writer.hpp). */
class TermDictionary {
  private readonly frequencies = new GenerationalCache<DocumentFrequency>({
    capacity: cachedFrequencies,
  });
  private readonly upperTerms = new Map<number, Uint8Array>();
  private readonly terms: number;

  constructor(private readonly segment: Segment) {
    this.terms = Number((segment.read('lexical.counts', 1, 1) as BigUint64Array)[0]!);
  }

  frequency(term: string): DocumentFrequency {
    let frequency = this.frequencies.get(term);
    if (frequency === undefined) {
      frequency = this.read(term);
      this.frequencies.set(term, frequency, 1);
    }
    return frequency;
  }

  private read(term: string): DocumentFrequency {
    const ordinal = this.ordinal(Buffer.from(term, 'utf8'));
    if (ordinal < 0) return { multiSentence: 0, sentences: 0 };
    const [multiSentence, single, inMultiSentence] = this.segment.read(
      'lexical.term_df',
      3 * ordinal,
      3,
    ) as Uint32Array;
    return { multiSentence: multiSentence!, sentences: single! + inMultiSentence! };
  }

  /** The term's ordinal, or -1: a binary search of the mapped file. */
  private ordinal(key: Buffer): number {
    let low = 0;
    let high = this.terms;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = Buffer.compare(this.term(middle, high - low), key);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  /** @param range how many terms the search has left; wide ranges are its upper levels */
  private term(ordinal: number, range: number): Uint8Array {
    const cached = this.upperTerms.get(ordinal);
    if (cached) return cached;
    const [from, to] = this.segment.read('lexical.term_offset', ordinal, 2) as Uint32Array;
    const term = this.segment.read('lexical.term_bytes', from, to! - from!) as Uint8Array;
    if (cachedTerms * range >= this.terms && this.upperTerms.size < cachedTerms)
      this.upperTerms.set(ordinal, term);
    return term;
  }
}
