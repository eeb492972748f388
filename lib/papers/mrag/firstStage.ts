// MRAG's first stage (section 5.1): passages by the encoder, by BM25, or by both with reciprocal
// ranks.
import { stage, type Stage } from '../../pipeline.js';
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { reciprocalRankFusion } from '../../retrieval/fusion.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { lexicalOnly, search, semanticOnly, type Ranking } from '../../retrieval/search.js';

/** The paper's retrievers: its hybrid ranks by 0.8 / dense rank + 0.2 / BM25 rank, from 1. */
export const retrievers = ['dense', 'bm25', 'hybrid'] as const;
/** See `retrievers`. */
export type Retriever = (typeof retrievers)[number];

const weights = [0.8, 0.2];
const section = 'MRAG 4, retrieval';

export function firstStage(
  n: number,
  retriever: Retriever,
  mask: Required<Ranking>['mask'],
): Stage<QueryContext, Candidates> {
  const ranking = { n, scope: 'passages', mask } as const;
  if (retriever !== 'hybrid') {
    const relevance = retriever === 'dense' ? semanticOnly : lexicalOnly;
    return retrieve(`${retriever}(${n})`, { ...ranking, relevance }, section);
  }
  return stage(
    `hybrid(${n})`,
    async (query, { signal, note }) => {
      const lists = await Promise.all(
        [semanticOnly, lexicalOnly].map((relevance) =>
          search(query, { ...ranking, relevance }, signal),
        ),
      );
      const byId = new Map<string, Candidate>();
      for (const each of lists.flat()) byId.set(each.id, byId.get(each.id) ?? each);
      const hits = reciprocalRankFusion(lists, { k: 0, weights })
        .slice(0, n)
        .map(({ id, score, parts: [similarity, lexical] }) => {
          const each = byId.get(id)!;
          each.score = score;
          each.scores = {
            ...(similarity === undefined ? {} : { similarity }),
            ...(lexical === undefined ? {} : { lexical }),
            ranks: score,
          };
          return each;
        });
      note('found', hits.length);
      return { query, hits };
    },
    section,
  );
}
