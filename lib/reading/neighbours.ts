// Neighbours of evidence: the chunks before and after it in its document.
import { chunkId, chunkNumber } from '../store/passages/chunkField.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { Evidence } from './evidence.js';

/**
 * The evidence with the text of the `count` chunks on either side. They are of the same version of
 * the document, by its time of publication, and of the snapshot, so that what a mask or a pool
 * hides stays hidden.
 */
export async function withNeighbours(
  snapshot: Snapshot,
  evidence: readonly Evidence[],
  count: number,
  signal?: AbortSignal,
): Promise<Evidence[]> {
  if (count === 0) return [...evidence];
  const idsOf = evidence.map((each) => neighbourIds(each, count));
  await snapshot.remote?.fetchIds(idsOf.flat(), signal);
  return evidence.map((each, at) => {
    if (!each.chunk) return each;
    const { parent } = each.chunk;
    const neighbours: Evidence['neighbours'] = [];
    for (const place of snapshot.findEach(idsOf[at]!)) {
      if (!place) continue;
      const { id, text, chunk, publishedAt } = snapshot.passage(place.segment, place.passage);
      if (chunk?.parent !== parent || publishedAt !== each.publishedAt) continue;
      neighbours.push({ id, start: chunk.start, end: chunk.end, text });
    }
    return { ...each, neighbours };
  });
}

function neighbourIds({ id, chunk }: Evidence, count: number): string[] {
  if (!chunk) return [];
  const number = chunkNumber(id, chunk.parent)!;
  const ids: string[] = [];
  for (let n = Math.max(0, number - count); n <= number + count; n += 1)
    if (n !== number) ids.push(chunkId(chunk.parent, n));
  return ids;
}
