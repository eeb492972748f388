// Restriction of a snapshot to a fixed candidate pool, with a cache of resolved ids, since
// evaluation runs a thousand questions over one pool. BM25 statistics stay those of the corpus.
import { invalidArgument } from '../errors.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { checkId } from '../store/passages.js';
import type { PassagePlace, Snapshot } from '../store/snapshot.js';

interface ResolvedIds {
  generation: number;
  places: PassagePlace[];
}

const resolvedIds: CacheSpec<WeakMap<readonly string[], ResolvedIds>> = {
  name: 'candidate ids',
  create: () => new WeakMap(),
};

/** The snapshot with only those passages; unknown ids are ignored. */
export function restrictToIds(snapshot: Snapshot, ids: readonly string[]): Snapshot {
  if (!Array.isArray(ids)) throw invalidArgument('candidateIds', 'an array of passage ids', ids);
  const { caches, generation } = snapshot;
  const cache = caches.get(resolvedIds);
  let resolved = cache.get(ids);
  if (resolved?.generation !== generation) {
    for (const id of ids)
      checkId(id, (expected, remedy) =>
        invalidArgument('an id in candidateIds', expected, id, remedy),
      );
    const places = snapshot.findEach(ids);
    resolved = { generation, places: places.filter((place) => place !== undefined) };
    cache.set(ids, resolved);
  }
  return snapshot.restrictedTo(resolved.places);
}
