// First-stage retrieval as a stage: the best passages or rows of the whole corpus.
import { stage, type Stage } from '../pipeline.js';
import type { Asked, Candidates } from './candidate.js';
import { search, type Ranking } from './search.js';

/** Searches the whole corpus; `name` is how the composition prints it, such as "dense(100)". */
export function retrieve(
  name: string,
  ranking: Ranking,
  section?: string,
): Stage<Asked, Candidates> {
  return stage(
    name,
    async (asked, { signal, note }) => {
      const found = await search(asked, ranking, signal);
      note('found', found.length);
      return { asked, found };
    },
    section,
  );
}
