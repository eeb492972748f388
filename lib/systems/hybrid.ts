// Ours: relevance, constraint and mask in one exact pass over every sentence and passage; nothing is cut before time counts.
import { read } from '../answer/reader.js';
import type { Asked } from '../candidates/candidate.js';
import { retrieve } from '../candidates/retrieve.js';
import type { Relevance } from '../candidates/search.js';
import { takeTop } from '../evidence/evidence.js';
import { publishedAsAsked } from '../scores/mask.js';
import { freshnessForm, persistenceForm, type PersistenceOptions } from '../scores/persistence.js';
import { latestOfEquals } from '../scores/latest.js';
import { pipeline } from '../stage.js';
import { asksOfNow, jointConstraint } from '../time/question/joint.js';
import type { QuestionOptions } from '../time/question/question.js';
import { byContentAndYears } from './questions.js';
import { system, type Ask, type CommonOptions, type System } from './system.js';

export interface HybridOptions extends CommonOptions {
  /** Conventions of a data set that differ from ours, such as its parts of a decade. */
  question?: QuestionOptions;
  relevance?: Relevance;
  /** How dates before, inside and after the question's window count. */
  persistence?: PersistenceOptions;
  /** Of passages that score at least this share of the best the latest published comes first; 1 switches that off. Default 0.95. */
  equal?: number;
}

export function hybrid({ corpus, model, read: reading, question = {}, relevance = { semantic: 0.4, lexical: 0.6 }, persistence = {}, equal = 0.95 }: HybridOptions): System {
  const form = ({ parsed }: Asked) =>
    asksOfNow(parsed) ? freshnessForm(parsed.askedAt) : persistenceForm(jointConstraint(parsed), parsed.askedAt, persistence);
  const composition = pipeline<Ask>('hybrid')
    .then(byContentAndYears(question))
    .then(retrieve('scan(relevance x time, best row per passage)', { n: 'k', atLeast: 50, scope: 'all', pool: true, relevance, mask: publishedAsAsked, form }))
    .then(latestOfEquals(equal))
    .then(takeTop())
    .then(read(reading, model));
  return system(composition.done(), corpus, { relevance, equal, ...persistence, ...question }, reading);
}
