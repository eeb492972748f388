// First-stage retrieval as a stage: the best passages or rows of the whole corpus, by one ranking
// or by several, such as two temporal forms.
import { stage, type Stage } from '../pipeline.js';
import { type Candidates, passageKey, type Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { search, type Ranking, searchBatch } from './search.js';

/** Searches the whole corpus; `name` is how the composition prints it, such as "dense(100)". */
export function retrieve(name: string, ranking: Ranking): Stage<QueryContext, Candidates> {
  return stage(name, async (query, { signal, note }) => {
    const hits = await search(query, ranking, signal);
    note('found', hits.length);
    return { query, hits };
  });
}

/** As many as the caller requests, also if a stage drops most of a shortlist of n. */
const depthFor = (k: number, n: number): number => (2 * k > n ? k + n : n);

/**
 * The shortlist is the union of all rankings without duplicates: the passages of the first, then
 * further ones of the others. More passages of the first follow if the caller requests them; they
 * too are of the shortlist where a later stage finds what has ended, which is left out. Each score
 * is that of the ranking that retrieved the passage first, so that a reranking stage has to follow.
 */
export function multiQueryRetrieval(
  name: string,
  rankings: readonly (Ranking & { n: number })[],
): Stage<QueryContext, Candidates> {
  return stage(name, async (query, { signal, note }) => {
    const [first, ...others] = rankings.map((ranking, at) =>
      at === 0 ? { ...ranking, n: depthFor(query.k, ranking.n) } : ranking,
    );
    const [all, ...added] = await searchBatch(query, [first!, ...others], signal);
    const union = new Map<string, Candidate>();
    const add = (each: Candidate): void => {
      const key = passageKey(each);
      if (!union.has(key)) union.set(key, each);
    };
    const listed = query.selection?.only ? first!.n : rankings[0]!.n;
    all!.slice(0, listed).forEach(add);
    added.flat().forEach(add);
    const shortlistSize = union.size;
    all!.slice(listed).forEach(add);
    note('found', shortlistSize);
    return { query, hits: [...union.values()], shortlistSize };
  });
}
