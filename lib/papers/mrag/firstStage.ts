// MRAG's first stage (sections 4 and 5.1): hybrid retrieval by encoder and BM25, fused by scores in
// one scan, or by reciprocal ranks as in the paper.
import { stage, type Stage } from '../../pipeline.js';
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { reciprocalRankFusion } from '../../retrieval/fusion.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { lexicalOnly, search, semanticOnly, type Ranking } from '../../retrieval/search.js';

/**
 * Fusion of encoder and BM25. `scores`: weighted sum. `ranks`: 0.8 / rank by the encoder + 0.2 /
 * rank by BM25, ranks from 1.
 */
export const fusions = ['scores', 'ranks'] as const;
/** See `fusions`. */
export type Fusion = (typeof fusions)[number];

const weights = { semantic: 0.8, lexical: 0.2 };

export function firstStage(
  n: number,
  fusion: Fusion,
  { relevance, mask }: Required<Pick<Ranking, 'relevance' | 'mask'>>,
): Stage<QueryContext, Candidates> {
  if (fusion === 'scores')
    return retrieve(
      `retrieve(${n})`,
      { relevance, mask, n, scope: 'passages' },
      'MRAG 4, retrieval',
    );
  return stage(
    `retrieveByRanks(${n})`,
    async (query, { signal, note }) => {
      const lists = await Promise.all(
        [semanticOnly, lexicalOnly].map((relevance) =>
          search(query, { n, scope: 'passages', relevance, mask }, signal),
        ),
      );
      const byId = new Map<string, Candidate>();
      for (const each of lists.flat()) byId.set(each.id, byId.get(each.id) ?? each);
      const hits = reciprocalRankFusion(lists, {
        k: 0,
        weights: [weights.semantic, weights.lexical],
      })
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
    'MRAG 5.1, hybrid',
  );
}
