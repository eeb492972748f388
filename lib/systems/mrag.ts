// MRAG (arXiv 2412.15540): a question's main content finds passages, its temporal constraint ranks their sentences.
import { read } from '../answer/reader.js';
import { retrieve } from '../candidates/retrieve.js';
import type { Relevance } from '../candidates/search.js';
import { bestPerPassage, takeTop } from '../evidence/evidence.js';
import { publishedByThen } from '../scores/mask.js';
import { rank } from '../scores/rank.js';
import { splineForm, type SplineOptions } from '../scores/spline.js';
import { pipeline } from '../stage.js';
import type { Corpus } from '../store/corpus.js';
import { decompose } from './questions.js';
import { system, type Ask, type System } from './system.js';

export interface MragOptions {
  corpus: Corpus;
  /** Passages that the first stage keeps. Default 100, as in the paper (section 5.1). */
  depth?: number;
  /** How relevance is made of the two retrievers; the paper's hybrid first stage mixes both (section 5.1). */
  relevance?: Relevance;
  spline?: SplineOptions;
}

export function mrag({ corpus, depth = 100, relevance = { semantic: 0.5, lexical: 0.5 }, spline = {} }: MragOptions): System {
  const composition = pipeline<Ask>('mrag')
    .then(decompose()) // 4, question processing
    .then(retrieve(`retrieve(${depth})`, { n: depth, scope: 'passages', relevance, mask: publishedByThen }, 'MRAG 4, retrieval'))
    .then(
      rank('sentences(semantic x spline)', { scope: 'sentences', relevance, mask: publishedByThen, form: ({ parsed }) => splineForm(parsed.constraint, parsed.askedAt, spline) }, 'MRAG 4, hybrid ranking; appendix G'),
    )
    .then(bestPerPassage()) // 4: the passages that hold the highest-scoring sentences
    .then(takeTop())
    .then(read()); // 2.2, answer generation
  return system(composition.done(), corpus, { depth, relevance, ...spline });
}
