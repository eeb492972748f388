// Ours: relevance, constraint and mask in one exact pass over every sentence and passage; nothing is cut before time counts. What
// leads is then ranked by a small model over features that explain themselves.
import { read } from '../answer/reader.js';
import { bridge, type BridgeOptions } from '../candidates/bridge.js';
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
  /** How a word of the question that no passage found has is answered by one that they have; false leaves it missing. */
  bridge?: BridgeOptions | false;
  /** A file of weights of your own training (`trainRanker`). Default: those of the package. */
  ranker?: string;
}

export function hybrid(options: HybridOptions): System {
  const { corpus, model, read: reading, question = {}, relevance = { semantic: 0.4, lexical: 0.6 } } = options;
  const { persistence = {}, bridge: bridging = {}, ranker } = options;
  const weights = ranker === undefined ? embeddedRanker() : readRanker(ranker);
  const { lasting, named } = timeForms(persistence);
  const rows = { scope: 'all', pool: true, relevance, mask: publishedAsAsked } as const;
  const scan = retrieveEither('scan(relevance x time, best row per passage)', [{ ...rows, n: 100, form: lasting }, { ...rows, n: 30, form: named }]);
  const scanned = pipeline<Ask>('hybrid').then(byContentAndYears(question)).then(scan);
  const composition = (bridging ? scanned.then(bridge(scan, { ...rows, form: lasting }, bridging)) : scanned)
    .then(rankByFeatures(weights, { relevance, mask: publishedAsAsked, form: lasting }))
    .then(takeTop())
    .then(read(reading, model));
  return system(composition.done(), corpus, { relevance, ranker: ranker ?? weights.id, bridge: bridging, ...persistence, ...question }, reading);
}

/** How rows are looked for: as states that last until another follows, and as what is told of the very time that the question names. */
function timeForms(persistence: PersistenceOptions) {
  const now = ({ parsed }: Asked) => freshnessForm(parsed.askedAt);
  return {
    lasting: (asked: Asked) => (asksOfNow(asked.parsed) ? now(asked) : persistenceForm(jointConstraint(asked.parsed), asked.parsed.askedAt, persistence)),
    named: (asked: Asked) => (asksOfNow(asked.parsed) ? now(asked) : namedTimeForm(jointConstraint(asked.parsed))),
  };
}
