// TempRALM (arXiv 2401.13222): relevance plus standardised recency, passages of the future masked.
import { read } from '../answer/reader.js';
import type { Asked } from '../candidates/candidate.js';
import { retrieve } from '../candidates/retrieve.js';
import type { Relevance } from '../candidates/search.js';
import { takeTop } from '../evidence/evidence.js';
import { publishedByThen } from '../scores/mask.js';
import { rank } from '../scores/rank.js';
import { recencyForm } from '../scores/recency.js';
import { pipeline } from '../stage.js';
import { asAsked } from './questions.js';
import { system, type Ask, type CommonOptions, type System } from './system.js';

export interface TempralmOptions extends CommonOptions {
  /** Passages over-retrieved before time ranks them (section 3.4); 'corpus' ranks the whole corpus by both at once. Default 60. */
  overRetrieve?: number | 'corpus';
  /** Weight of the standardised temporal score; 1 is the paper. */
  weight?: number;
  /** Least difference of the two times, in days. Default 1. */
  floorDays?: number;
  relevance?: Relevance;
}

export function tempralm({ corpus, model, read: reading, overRetrieve = 60, weight = 1, floorDays = 1, relevance = { semantic: 0.2, lexical: 0.8 } }: TempralmOptions): System {
  const semantic = { scope: 'passages' as const, relevance, mask: publishedByThen }; // equations 1 and 5
  const timed = { ...semantic, n: 'k' as const, form: ({ parsed }: Asked) => recencyForm(parsed.askedAt, { weight, floorDays }) }; // equations 2 to 4
  const asked = pipeline<Ask>('tempralm').then(asAsked());
  const ranked =
    overRetrieve === 'corpus'
      ? asked.then(retrieve('retrieve(semantic + recency)', timed, 'TempRALM 3.3'))
      : asked
          .then(retrieve(`retrieve(${overRetrieve})`, { ...semantic, n: overRetrieve }, 'TempRALM 3.4'))
          .then(rank('rank(semantic + recency)', timed, 'TempRALM 3.3'));
  return system(ranked.then(takeTop()).then(read(reading, model)).done(), corpus, { overRetrieve, weight, floorDays, relevance }, reading);
}
