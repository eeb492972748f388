// Texts of candidates for stages that read words, with a cache of passage records. A row's text is
// the encoded text: title and sentence.
import type { StoredPassage } from '../records.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { GenerationalCache } from '../runtime/generationalCache.js';
import { sentenceOf } from '../store/views/rowTimes.js';
import { sentenceText, passageText } from '../store/writing/rows.js';
import { passageKey, type Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';

export interface PassageTexts {
  passage(candidate: Pick<Candidate, 'segment' | 'passage'>): StoredPassage;
  /** Title and sentence of the candidate, or title and text of the whole passage. */
  row(candidate: Pick<Candidate, 'segment' | 'passage' | 'row'>): string;
}

/** Records shared between stages and questions, weighed by their characters. */
const recordCache: CacheSpec<GenerationalCache<StoredPassage>> = {
  name: 'passage records',
  create: () => new GenerationalCache({ capacity: 1_000_000, maxEntryWeight: 31_250 }),
};

/** The record of a candidate's passage, shared with other stages and questions: read-only. */
export function passageRecord(
  snapshot: QueryContext['snapshot'],
  { segment, passage }: Pick<Candidate, 'segment' | 'passage'>,
): StoredPassage {
  const cache = snapshot.caches.get(recordCache);
  const key = `${snapshot.segments[segment]!.identity}/${passage}`;
  let record = cache.get(key);
  if (record === undefined) {
    record = snapshot.passage(segment, passage);
    cache.set(key, record, 64 + record.text.length);
  }
  return record;
}

/** The texts of one stage's candidates; each passage is read once. */
export function passageTexts({ snapshot }: Pick<QueryContext, 'snapshot'>): PassageTexts {
  const passages = new Map<string, StoredPassage>();
  const passage = (candidate: Pick<Candidate, 'segment' | 'passage'>): StoredPassage => {
    const key = passageKey(candidate);
    let record = passages.get(key);
    if (!record) passages.set(key, (record = passageRecord(snapshot, candidate)));
    return record;
  };
  return {
    passage,
    row(candidate) {
      const record = passage(candidate);
      const { start, end } = sentenceOf(snapshot.segments[candidate.segment]!, candidate.row);
      if (start === 0 && end === record.text.length) return passageText(record);
      return sentenceText(record.title, record.text.slice(start, end));
    },
  };
}
