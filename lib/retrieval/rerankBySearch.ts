// Reranking stage, the second of the papers: a search restricted to the candidates' passages, with
// other weights, rows or times.
import { passageKey, type Candidates } from './candidate.js';
import { search, type Ranking } from './search.js';
import { stage, type Stage } from '../pipeline.js';

/**
 * Reranks the candidates' passages by their rows' scores; the previous score of a passage becomes
 * the column `retrieval`. A form is standardised over these rows only, as in the papers, which
 * truncate first.
 */
export function rerankBySearch(name: string, ranking: Ranking): Stage<Candidates, Candidates> {
  return stage(name, async ({ query, hits }, { signal }) => {
    const retrieval = new Map(hits.map((each) => [passageKey(each), each.score]));
    const ranked = await search(query, ranking, signal, hits);
    for (const each of ranked)
      each.scores = { retrieval: retrieval.get(passageKey(each))!, ...each.scores };
    return { query, hits: ranked };
  });
}
