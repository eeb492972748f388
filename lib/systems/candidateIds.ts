// Restriction of a snapshot to a fixed candidate pool. BM25 statistics stay those of the corpus.
import { invalidArgument, mustBe } from '../errors.js';
import { checkId } from '../store/passages/passages.js';
import type { Snapshot } from '../store/views/snapshot.js';

/** The snapshot with only those passages; unknown ids are ignored. */
export function restrictToIds(snapshot: Snapshot, candidateIds: readonly string[]): Snapshot {
  mustBe('an array', { candidateIds });
  for (const id of candidateIds)
    checkId(id, (expected, remedy) =>
      invalidArgument('an id in candidateIds', expected, id, remedy),
    );
  return snapshot.restrictedToIds(candidateIds);
}
