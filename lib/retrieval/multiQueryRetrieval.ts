// Multi-query retrieval: the union of several rankings, such as two temporal forms, for a reranking
// stage that follows.
import { stage, type Stage } from '../pipeline.js';
import { passageKey, type Candidate, type Candidates } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { search, searchBatch, type Ranking } from './search.js';

/** A ranking that runs only if the hits of the others call for it. */
export interface ConditionalRanking {
  ranking: Ranking & { n: number };
  when: (query: QueryContext, hits: readonly Candidate[]) => boolean;
}

/**
 * The shortlist is the union of all rankings without duplicates: the passages of the first, then
 * further ones of the second, then those of the conditional one. More passages of the first ranking
 * follow if the caller requests them. Each score is that of the ranking that retrieved the passage
 * first, so that a reranking stage has to follow.
 */
export function multiQueryRetrieval(
  name: string,
  rankings: readonly (Ranking & { n: number })[],
  conditional?: ConditionalRanking,
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
    // A first ranking that returned everything leaves nothing for others to add.
    if (
      conditional &&
      all!.length >= rankings[0]!.n &&
      conditional.when(query, [...union.values()])
    ) {
      (await search(query, conditional.ranking, signal)).forEach(add);
    }
    const shortlistSize = union.size;
    all!.slice(rankings[0]!.n).forEach(add);
    note('found', shortlistSize);
    return { query, hits: [...union.values()], shortlistSize };
  });
}
