// Ours: relevance, constraint and mask in one exact pass over every sentence and passage; nothing is cut before time counts.
import { read } from '../answer/reader.js';
import type { Asked } from '../candidates/candidate.js';
import { retrieve } from '../candidates/retrieve.js';
import type { Relevance } from '../candidates/search.js';
import { takeTop } from '../evidence/evidence.js';
import { publishedByThen } from '../scores/mask.js';
import { freshnessForm, persistenceForm, type PersistenceOptions } from '../scores/persistence.js';
import { pipeline } from '../stage.js';
import type { Corpus } from '../store/corpus.js';
import { byContentAndYears } from './questions.js';
import { system, type Ask, type System } from './system.js';

export interface HybridOptions {
  corpus: Corpus;
  relevance?: Relevance;
  /** How dates before, inside and after the question's window count. */
  persistence?: PersistenceOptions;
}

export function hybrid({ corpus, relevance = { semantic: 0.5, lexical: 0.5 }, persistence = {} }: HybridOptions): System {
  const form = ({ parsed: { constraint, askedAt } }: Asked) =>
    constraint.relation === 'none' ? freshnessForm(askedAt) : persistenceForm(constraint, askedAt, persistence);
  const composition = pipeline<Ask>('hybrid')
    .then(byContentAndYears())
    .then(retrieve('scan(relevance x time, best row per passage)', { n: 'k', scope: 'all', pool: true, relevance, mask: publishedByThen, form }))
    .then(takeTop())
    .then(read());
  return system(composition.done(), corpus, { relevance, ...persistence });
}
