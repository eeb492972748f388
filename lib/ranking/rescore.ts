// Ranking what was found: the same search, restricted to the passages of the candidates, with other
// weights, rows or time.
import { passageKey, type Candidates } from '../retrieval/candidate.js';
import { search, type Ranking } from '../retrieval/search.js';
import { stage, type Stage } from '../pipeline.js';

/**
 * Scores the rows of the candidates' passages anew. The score a passage came with is kept as the
 * column `retrieval`. A temporal form's standardisation is over these rows only: cutting first, as
 * the papers do.
 */
export function rescore(
  name: string,
  ranking: Ranking,
  section?: string,
): Stage<Candidates, Candidates> {
  return stage(
    name,
    async ({ query, hits }, { signal }) => {
      const retrieval = new Map(hits.map((each) => [passageKey(each), each.score]));
      const ranked = await search(query, ranking, signal, hits);
      for (const each of ranked)
        each.scores = { retrieval: retrieval.get(passageKey(each))!, ...each.scores };
      return { query, hits: ranked };
    },
    section,
  );
}
