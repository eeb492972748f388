// First-stage retrieval as a stage: the best passages or rows of the whole corpus.
import { stage, type Stage } from '../pipeline.js';
import type { Candidates } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { search, type Ranking } from './search.js';

/** Searches the whole corpus; `name` is how the composition prints it, such as "dense(100)". */
export function retrieve(
  name: string,
  ranking: Ranking,
  section?: string,
): Stage<QueryContext, Candidates> {
  return stage(
    name,
    async (query, { signal, note }) => {
      const hits = await search(query, ranking, signal);
      note('found', hits.length);
      return { query, hits };
    },
    section,
  );
}
