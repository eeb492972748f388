// Nearest passages of a snapshot by the vectors of whole passages alone, for who mines a corpus.
import type { Snapshot } from '../store/views/snapshot.js';
import { scanFlat } from './flatScan.js';
import { scanHits } from './scanHits.js';

/** Queries of one scan. */
const queriesAtOnce = 64;

/** The `depth` nearest passages to each vector (row-major) by the inner product, best first. */
export async function nearestPassages(
  snapshot: Snapshot,
  vectors: Float32Array,
  depth: number,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<{ segment: number; passage: number }[][]> {
  const { dimensions } = snapshot.manifest.encoder;
  const segments = snapshot.segments.map(({ segment, liveDocs }) =>
    liveDocs ? { rows: segment, liveDocs } : { rows: segment },
  );
  const queries = Array.from({ length: vectors.length / dimensions }, (_, i) => ({
    vector: vectors.slice(i * dimensions, (i + 1) * dimensions),
  }));
  const found: { segment: number; passage: number }[][] = [];
  for (let from = 0; from < queries.length; from += queriesAtOnce) {
    const some = queries.slice(from, from + queriesAtOnce);
    const result = await scanFlat(segments, some, {
      k: depth,
      scope: 'passages',
      device: snapshot.device,
      ...options,
    });
    const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
    some.forEach((_, q) => found.push(scanHits(result, q, depth, idOf)));
  }
  return found;
}
