// Document frequencies of terms and their inverse (the IDF of BM25), from the segments'
// dictionaries, with a cache per segment. For stages that score few texts; searches look terms up
// themselves.
import { binding } from '../binding.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { GenerationalCache } from '../runtime/generationalCache.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { SnapshotSegment } from '../store/views/snapshotSegment.js';

/** ln(1 + (N - df + 0.5) / (df + 0.5)) over all rows; `terms` will be looked up. */
export async function idfLookup(
  { segments, remote }: Pick<Snapshot, 'segments' | 'remote'>,
  terms: () => Iterable<string>,
  signal?: AbortSignal,
): Promise<(term: string) => number> {
  const known = new Map<string, number>();
  const idf = (rows: number, frequency: number): number =>
    Math.log1p((rows - frequency + 0.5) / (frequency + 0.5));
  if (remote) {
    const { rows, frequencies } = await remote.statistics([...new Set(terms())], 'all', signal);
    return (term) => idf(rows, frequencies.get(term) ?? 0);
  }
  const rows = segments.reduce((sum, each) => sum + rowCount(each), 0);
  return (term) => {
    let value = known.get(term);
    if (value === undefined) {
      const frequency = segments.reduce((sum, each) => sum + documentFrequency(each, term), 0);
      known.set(term, (value = idf(rows, frequency)));
    }
    return value;
  };
}

/** Rows of a segment that statistics count: passages of several sentences, and sentences. */
function rowCount(each: CountedSegment): number {
  const statistics = statisticsOf(each);
  if (statistics.rows === undefined) {
    const counts = binding.rowCounts(each.segment, each.countedDocs);
    statistics.rows = counts[0]! + counts[1]! + counts[2]!;
  }
  return statistics.rows;
}

function documentFrequency(each: CountedSegment, term: string): number {
  const { segment, countedDocs } = each;
  return statisticsOf(each).frequencies.getOrCompute(term, 1, () => {
    const [multiSentence, sentences] = binding.documentFrequencies(segment, [term], countedDocs);
    return multiSentence! + sentences!;
  });
}

type CountedSegment = Pick<SnapshotSegment, 'segment' | 'caches' | 'countedDocs'>;

/** Statistics of all passages of a segment, or of a bitmap of them. */
interface Statistics {
  rows?: number;
  /** Questions share most of their words. */
  frequencies: GenerationalCache<number>;
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
