// Inverse document frequencies of terms (the IDF of BM25), from the segments' dictionaries. For
// stages that score few texts; searches look terms up themselves.
import { binding } from '../binding.js';
import type { Snapshot } from '../store/views/snapshot.js';

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
  // Passages of several sentences, of one, and sentences.
  const rows = segments.reduce((sum, { segment, countedDocs }) => {
    const [wholes, singles, sentences] = binding.rowCounts(segment, countedDocs);
    return sum + wholes! + singles! + sentences!;
  }, 0);
  return (term) => {
    let value = known.get(term);
    if (value === undefined) {
      const frequency = segments.reduce((sum, { segment, countedDocs }) => {
        const [wholes, sentences] = binding.documentFrequencies(segment, [term], countedDocs);
        return sum + wholes! + sentences!;
      }, 0);
      known.set(term, (value = idf(rows, frequency)));
    }
    return value;
  };
}
