// Ours: relevance, constraint and mask in one exact pass over every sentence and passage; nothing is cut before time counts.
import { read } from '../answer/reader.js';
import { retrieve } from '../candidates/retrieve.js';
import type { Asked } from '../candidates/candidate.js';
import type { Relevance } from '../candidates/search.js';
import { takeTop } from '../evidence/evidence.js';
import { publishedByThen } from '../scores/mask.js';
import { freshnessForm, type FreshnessOptions } from '../scores/recency.js';
import { splineForm, type SplineOptions } from '../scores/spline.js';
import { pipeline } from '../stage.js';
import type { Corpus } from '../store/corpus.js';
import { asAsked } from './questions.js';
import { system, type Ask, type System } from './system.js';

export interface HybridOptions {
  corpus: Corpus;
  relevance?: Relevance;
  spline?: SplineOptions;
  /** How much later publication counts where the question names no time. */
  freshness?: FreshnessOptions;
}

export function hybrid({ corpus, relevance = { semantic: 0.5, lexical: 0.5 }, spline = { between: 'flat' }, freshness = {} }: HybridOptions): System {
  const form = ({ parsed }: Asked) =>
    parsed.constraint.relation === 'none' ? freshnessForm(parsed.askedAt, freshness) : splineForm(parsed.constraint, parsed.askedAt, spline);
  const composition = pipeline<Ask>('hybrid')
    .then(asAsked())
    .then(retrieve('scan(relevance x spline, best row per passage)', { n: 'k', scope: 'all', pool: true, relevance, mask: publishedByThen, form }))
    .then(takeTop())
    .then(read());
  return system(composition.done(), corpus, { relevance, ...spline, freshness });
}
