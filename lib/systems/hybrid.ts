// Ours: relevance, constraint and mask in one exact pass over every sentence and passage; nothing is cut before time counts. What
// leads is then ranked by a small model over features that explain themselves.
import { read } from '../answer/reader.js';
import type { Asked } from '../candidates/candidate.js';
import { retrieveEither } from '../candidates/retrieveEither.js';
import type { Relevance } from '../candidates/search.js';
import { takeTop } from '../evidence/evidence.js';
import { publishedAsAsked } from '../scores/mask.js';
import { freshnessForm, namedTimeForm, persistenceForm, type PersistenceOptions } from '../scores/persistence.js';
import { embeddedRanker, readRanker } from '../scores/ranker/model.js';
import { rankByFeatures } from '../scores/ranker/rankByFeatures.js';
import { pipeline } from '../stage.js';
import { asksOfNow, jointConstraint } from '../time/question/joint.js';
import type { QuestionOptions } from '../time/question/question.js';
import { byContentAndYears } from './questions.js';
import { system, type Ask, type CommonOptions, type System } from './system.js';

export interface HybridOptions extends CommonOptions {
  /** Conventions of a data set that differ from ours, such as its parts of a decade. */
  question?: QuestionOptions;
  relevance?: Relevance;
  /** How dates before, inside and after the question's window count when passages are looked for. */
  persistence?: PersistenceOptions;
  /** A file of weights of your own training (`trainRanker`). Default: those of the package. */
  ranker?: string;
}

export function hybrid({ corpus, model, read: reading, question = {}, relevance = { semantic: 0.4, lexical: 0.6 }, persistence = {}, ranker }: HybridOptions): System {
  const weights = ranker === undefined ? embeddedRanker() : readRanker(ranker);
  const { lasting, named } = timeForms(persistence);
  const rows = { scope: 'all', pool: true, relevance, mask: publishedAsAsked } as const;
  const composition = pipeline<Ask>('hybrid')
    .then(byContentAndYears(question))
    .then(retrieveEither('scan(relevance x time, best row per passage)', [{ ...rows, n: 100, form: lasting }, { ...rows, n: 30, form: named }]))
    .then(rankByFeatures(weights, { relevance, mask: publishedAsAsked, form: lasting }))
    .then(takeTop())
    .then(read(reading, model));
  return system(composition.done(), corpus, { relevance, ranker: ranker ?? weights.id, ...persistence, ...question }, reading);
}

/** How rows are looked for: as states that last until another follows, and as what is told of the very time that the question names. */
function timeForms(persistence: PersistenceOptions) {
  const now = ({ parsed }: Asked) => freshnessForm(parsed.askedAt);
  return {
    lasting: (asked: Asked) => (asksOfNow(asked.parsed) ? now(asked) : persistenceForm(jointConstraint(asked.parsed), asked.parsed.askedAt, persistence)),
    named: (asked: Asked) => (asksOfNow(asked.parsed) ? now(asked) : namedTimeForm(jointConstraint(asked.parsed))),
  };
}
