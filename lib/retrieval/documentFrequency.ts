// Document frequencies of terms and their inverse (the IDF of BM25), from the segments'
// dictionaries, with a cache per segment. For stages that score few texts; searches look terms up
// themselves.
import { binding } from '../binding.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { GenerationalCache } from '../runtime/generationalCache.js';
import type { Snapshot, SnapshotSegment } from '../store/views/snapshot.js';

/** ln(1 + (N - df + 0.5) / (df + 0.5)): 0 and more, greatest for a term in no row. */
export function inverseDocumentFrequency(rows: number, frequency: number): number {
  return Math.log1p((rows - frequency + 0.5) / (frequency + 0.5));
}

/** The IDF of each term over all rows that statistics count. */
export function idfWeights(
  { segments }: Pick<Snapshot, 'segments'>,
  terms: readonly string[],
): Float64Array {
  const rows = segments.reduce((sum, each) => sum + rowCounts(each).rows, 0);
  return Float64Array.from(terms, (term) => {
    const frequency = segments
      .map((segment) => documentFrequency(segment, term))
      .reduce((sum, { multiSentence, sentences }) => sum + multiSentence + sentences, 0);
    return inverseDocumentFrequency(rows, frequency);
  });
}

/** Rows and terms of a segment that statistics count, and of its sentences alone. */
export interface RowCounts {
  rows: number;
  sentences: number;
  tokens: number;
  sentenceTokens: number;
}

export function rowCounts(each: CountedSegment): RowCounts {
  const statistics = statisticsOf(each);
  return (statistics.counts ??= countRows(each));
}

function countRows({ segment, countedDocs }: CountedSegment): RowCounts {
  const [multiSentence, single, inside, ...tokens] = Array.from(
    binding.rowCounts(segment, countedDocs),
  ) as [number, number, number, number, number, number];
  return {
    rows: multiSentence + single + inside,
    sentences: single + inside,
    tokens: tokens[0] + tokens[1] + tokens[2],
    sentenceTokens: tokens[1] + tokens[2],
  };
}

/** Rows of a segment with a term: passages of several sentences, and sentences. */
export interface DocumentFrequency {
  multiSentence: number;
  sentences: number;
}

export function documentFrequency(each: CountedSegment, term: string): DocumentFrequency {
  const { segment, countedDocs } = each;
  return statisticsOf(each).frequencies.getOrCompute(term, 1, () => {
    const [multiSentence, sentences] = binding.documentFrequencies(segment, [term], countedDocs);
    return { multiSentence: multiSentence!, sentences: sentences! };
  });
}

type CountedSegment = Pick<SnapshotSegment, 'segment' | 'caches' | 'countedDocs'>;

/** Statistics of all passages of a segment, or of a bitmap of them. */
interface Statistics {
  counts?: RowCounts;
  /** Questions share most of their words. */
  frequencies: GenerationalCache<DocumentFrequency>;
}

const statisticsCache: CacheSpec<Statistics> = {
  name: 'statistics of words',
  create: () => ({ frequencies: new GenerationalCache({ capacity: 32_768 }) }),
};
/** Questions about one time share a bitmap. */
const ofBitmaps = new WeakMap<Uint8Array, Statistics>();

function statisticsOf({ caches, countedDocs }: CountedSegment): Statistics {
  if (!countedDocs) return caches.get(statisticsCache);
  let statistics = ofBitmaps.get(countedDocs);
  if (!statistics) ofBitmaps.set(countedDocs, (statistics = statisticsCache.create(undefined)));
  return statistics;
}
