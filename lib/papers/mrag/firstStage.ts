// MRAG's first stage (section 5.1): passages by the encoder, by BM25, or by both with reciprocal
// ranks (Cormack, Clarke and Buettcher, SIGIR 2009, at k = 0); a list that lacks a passage adds
// nothing.
import { stage, type Stage } from '../../pipeline.js';
import { sortByScore, type Candidate, type Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { lexicalOnly, search, semanticOnly, type Ranking } from '../../retrieval/search.js';

/** The paper's retrievers: its hybrid ranks by 0.8 / dense rank + 0.2 / BM25 rank, from 1. */
export const retrievers = ['dense', 'bm25', 'hybrid'] as const;
/** See `retrievers`. */
export type Retriever = (typeof retrievers)[number];

const weights = [0.8, 0.2];
const columns = ['similarity', 'lexical'];

export function firstStage(
  n: number,
  retriever: Retriever,
  mask: Required<Ranking>['mask'],
): Stage<QueryContext, Candidates> {
  const ranking = { n, scope: 'passages', mask } as const;
  if (retriever !== 'hybrid') {
    const relevance = retriever === 'dense' ? semanticOnly : lexicalOnly;
    return retrieve(`${retriever}(${n})`, { ...ranking, relevance });
  }
  return stage(`hybrid(${n})`, async (query, { signal, note }) => {
    const lists = await Promise.all(
      [semanticOnly, lexicalOnly].map((relevance) =>
        search(query, { ...ranking, relevance }, signal),
      ),
    );
    const fused = new Map<string, { hit: Candidate; scores: Record<string, number> }>();
    for (const [list, found] of lists.entries())
      for (const [at, hit] of found.entries()) {
        const each = fused.get(hit.id) ?? { hit, scores: {} };
        const ranks = (each.scores['ranks'] ?? 0) + weights[list]! / (at + 1);
        each.scores = { ...each.scores, [columns[list]!]: hit.score, ranks };
        fused.set(hit.id, each);
      }
    const hits = sortByScore(
      [...fused.values()].map(({ hit, scores }) => {
        hit.score = scores['ranks']!;
        hit.scores = scores;
        return hit;
      }),
    ).slice(0, n);
    note('found', hits.length);
    return { query, hits };
  });
}
