// The texts of candidates, for stages that score words: read from the store once a passage, however
// many of its rows are among the candidates and whichever stages look at it. A row's text is what
// was encoded: its title stands before it.
import type { StoredPassage } from '../records.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { GenerationalCache } from '../runtime/generationalCache.js';
import { sentenceOf } from '../store/rowTimes.js';
import { sentenceText, passageText } from '../store/rows.js';
import { placeOf, type Asked, type Candidate } from './candidate.js';

export interface CandidateTexts {
  passage(candidate: Pick<Candidate, 'segment' | 'passage'>): StoredPassage;
  /** The candidate's sentence behind its title, or the whole passage where it is that. */
  row(candidate: Pick<Candidate, 'segment' | 'passage' | 'row'>): string;
}

/** Records shared between stages and questions, weighed by their characters. */
const recordCache: CacheSpec<GenerationalCache<StoredPassage>> = {
  name: 'passage records',
  create: () => new GenerationalCache({ capacity: 1_000_000, maxEntryWeight: 31_250 }),
};

/**
 * The record of a candidate's passage, to be read and not changed: other stages and questions get
 * the same one.
 */
export function recordOf(
  snapshot: Asked['snapshot'],
  { segment, passage }: Pick<Candidate, 'segment' | 'passage'>,
): StoredPassage {
  const cache = snapshot.caches.get(recordCache);
  const key = `${snapshot.segments[segment]!.number}/${passage}`;
  let record = cache.get(key);
  if (record === undefined) {
    record = snapshot.passage(segment, passage);
    cache.set(key, record, 64 + record.text.length);
  }
  return record;
}

export function textsOf({ snapshot }: Pick<Asked, 'snapshot'>): CandidateTexts {
  const passages = new Map<string, StoredPassage>();
  const passage = (candidate: Pick<Candidate, 'segment' | 'passage'>): StoredPassage => {
    const place = placeOf(candidate);
    let read = passages.get(place);
    if (!read) passages.set(place, (read = recordOf(snapshot, candidate)));
    return read;
  };
  return {
    passage,
    row(candidate) {
      const whole = passage(candidate);
      const { start, end } = sentenceOf(snapshot.segments[candidate.segment]!, candidate.row);
      if (start === 0 && end === whole.text.length) return passageText(whole);
      return sentenceText(whole.title, whole.text.slice(start, end));
    },
  };
}
