// A fixed pool of candidates: the corpus as if it held only the passages named. Where they stand is
// looked up once for a list and a generation of the corpus, since evaluation asks a thousand
// questions of one pool. BM25's statistics stay the corpus's.
import { invalidArgument } from '../errors.js';
import type { Corpus } from '../store/corpus.js';
import { idKey } from '../store/passages.js';
import type { PassagePlace, Snapshot } from '../store/snapshot.js';

interface Found {
  corpus: Corpus;
  generation: number;
  places: PassagePlace[];
}

const known = new WeakMap<readonly string[], Found>();

/** The snapshot with only those passages; ids that it lacks are passed over. */
export function onlyAmong(corpus: Corpus, snapshot: Snapshot, ids: readonly string[]): Snapshot {
  if (!Array.isArray(ids)) throw invalidArgument('among', 'an array of passage ids', ids);
  const { generation } = snapshot;
  let found = known.get(ids);
  if (!found || found.corpus !== corpus || found.generation !== generation) {
    const places = ids.map((id) =>
      snapshot.find(
        idKey(id, (expected, remedy) => invalidArgument('an id in among', expected, id, remedy)),
      ),
    );
    known.set(
      ids,
      (found = { corpus, generation, places: places.filter((place) => place !== undefined) }),
    );
  }
  return snapshot.restrictedTo(found.places);
}
