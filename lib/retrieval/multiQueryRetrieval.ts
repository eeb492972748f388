// Multi-query retrieval: the union of several rankings, such as two temporal forms, for a reranking
// stage that follows.
import { stage, type Stage } from '../pipeline.js';
import { passageKey, type Candidate, type Candidates } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { searchBatch, type Ranking } from './search.js';

/**
 * The shortlist is the union of all rankings without duplicates: the passages of the first, then
 * further ones of the others. More passages of the first follow if the caller requests them. Each
 * score is that of the ranking that retrieved the passage first, so that a reranking stage has to
 * follow.
 */
export function multiQueryRetrieval(
  name: string,
  rankings: readonly (Ranking & { n: number })[],
): Stage<QueryContext, Candidates> {
  return stage(name, async (query, { signal, note }) => {
    const [first, ...others] = rankings.map((ranking, at) =>
      at === 0 ? { ...ranking, n: Math.max(ranking.n, query.k) } : ranking,
    );
    const [all, ...added] = await searchBatch(query, [first!, ...others], signal);
    const union = new Map<string, Candidate>();
    const add = (each: Candidate): void => {
      const key = passageKey(each);
      if (!union.has(key)) union.set(key, each);
    };
    all!.slice(0, rankings[0]!.n).forEach(add);
    added.flat().forEach(add);
    const shortlistSize = union.size;
    all!.slice(rankings[0]!.n).forEach(add);
    note('found', shortlistSize);
    return { query, hits: [...union.values()], shortlistSize };
  });
}
