// MRAG (arXiv 2412.15540): a question's main content finds passages, its temporal constraint ranks their sentences.
import { read } from '../answer/reader.js';
import type { Asked } from '../candidates/candidate.js';
import { retrieve } from '../candidates/retrieve.js';
import type { Relevance } from '../candidates/search.js';
import { takeTop } from '../evidence/evidence.js';
import { publishedAsAsked } from '../scores/mask.js';
import { rank } from '../scores/rank.js';
import { splineForm, type SplineOptions } from '../scores/spline.js';
import { pipeline } from '../stage.js';
import { jointConstraint } from '../time/question/joint.js';
import type { QuestionOptions } from '../time/question/question.js';
import { decompose } from './questions.js';
import { system, type Ask, type CommonOptions, type System } from './system.js';

export interface MragOptions extends CommonOptions {
  /** Conventions of a data set that differ from ours, such as its parts of a decade. */
  question?: QuestionOptions;
  /** Passages that the first stage keeps. Default 1,000, as in the paper (section 3.3). */
  depth?: number;
  /** How relevance is made of the two retrievers; the paper's hybrid first stage mixes both (section 5.1). */
  relevance?: Relevance;
  spline?: SplineOptions;
}

export function mrag({ corpus, model, read: reading, question = {}, depth = 1000, relevance = { semantic: 0.35, lexical: 0.65 }, spline = {} }: MragOptions): System {
  const seen = { relevance, mask: publishedAsAsked };
  const form = ({ parsed }: Asked) => splineForm(jointConstraint(parsed), parsed.askedAt, spline);
  const composition = pipeline<Ask>('mrag')
    .then(decompose(question)) // 4, question processing
    .then(retrieve(`retrieve(${depth})`, { ...seen, n: depth, scope: 'passages' }, 'MRAG 4, retrieval'))
    // the passages that hold the highest-scoring sentences
    .then(rank('bestSentence(semantic x spline)', { ...seen, n: 'k', scope: 'sentences', pool: true, form }, 'MRAG 4, hybrid ranking; appendix G'))
    .then(takeTop())
    .then(read(reading, model)); // 2.2, answer generation
  return system(composition.done(), corpus, { depth, relevance, ...spline, ...question }, reading);
}
