// MRAG's first stage (sections 4 and 5.1): encoder and BM25 by the sum of their scores in one scan,
// or by the sum of their ranks' reciprocals, as the paper's hybrid has it.
import { stage, type Stage } from '../pipeline.js';
import type { Asked, Candidate, Candidates } from './candidate.js';
import { reciprocalRankFusion } from './fusion.js';
import { retrieve } from './retrieve.js';
import { lexicalOnly, search, semanticOnly, type Ranking } from './search.js';

/**
 * How two retrievers become one. `ranks`: 0.8 / rank by the encoder + 0.2 / rank by BM25, ranks
 * from 1.
 */
export const fusions = ['scores', 'ranks'] as const;
/** See `fusions`. */
export type Fusion = (typeof fusions)[number];

const weights = { semantic: 0.8, lexical: 0.2 };

export function retrieveFirst(
  n: number,
  fusion: Fusion,
  ranking: Pick<Ranking, 'relevance'> & Required<Pick<Ranking, 'mask'>>,
): Stage<Asked, Candidates> {
  if (fusion === 'scores')
    return retrieve(`retrieve(${n})`, { ...ranking, n, scope: 'passages' }, 'MRAG 4, retrieval');
  return stage(
    `retrieveByRanks(${n})`,
    async (asked, { signal, note }) => {
      const lists = await Promise.all(
        [semanticOnly, lexicalOnly].map((relevance) =>
          search(asked, { n, scope: 'passages', relevance, mask: ranking.mask }, signal),
        ),
      );
      const byId = new Map<string, Candidate>();
      for (const each of lists.flat()) byId.set(each.id, byId.get(each.id) ?? each);
      const found = reciprocalRankFusion(lists, {
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
      note('found', found.length);
      return { asked, found };
    },
    'MRAG 5.1, hybrid',
  );
}
