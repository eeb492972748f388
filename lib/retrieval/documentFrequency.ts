// Inverse document frequencies of terms (the IDF of BM25), from the segments' dictionaries. For
// stages that score few texts; searches look terms up themselves.
import { binding } from '../binding.js';
import type { Snapshot } from '../store/views/snapshot.js';

/** ln(1 + (N - df + 0.5) / (df + 0.5)) over all rows, by term; `terms` will be looked up. */
export async function idfLookup(
  { segments, remote }: Pick<Snapshot, 'segments' | 'remote'>,
  terms: () => Iterable<string>,
  signal?: AbortSignal,
): Promise<(terms: readonly string[]) => Float64Array> {
  const idf = (rows: number, frequency: number): number =>
    Math.log1p((rows - frequency + 0.5) / (frequency + 0.5));
  if (remote) {
    const { rows, frequencies } = await remote.statistics([...new Set(terms())], 'all', signal);
    return (asked) => Float64Array.from(asked, (term) => idf(rows, frequencies.get(term) ?? 0));
  }
  // Passages of several sentences, of one, and sentences.
  const rows = segments.reduce((sum, { segment, countedDocs }) => {
    const [wholes, singles, sentences] = binding.rowCounts(segment, countedDocs);
    return sum + wholes! + singles! + sentences!;
  }, 0);
  return (asked) => {
    const frequencies = new Float64Array(asked.length);
    for (const { segment, countedDocs } of segments) {
      const counts = binding.documentFrequencies(segment, asked, countedDocs);
      asked.forEach((_, at) => (frequencies[at]! += counts[2 * at]! + counts[2 * at + 1]!));
    }
    return frequencies.map((frequency) => idf(rows, frequency));
  };
}
