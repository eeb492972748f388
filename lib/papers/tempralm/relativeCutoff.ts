// Relative cutoff: keeps candidates within a share of the best score, so that recency chooses only
// among passages that are about equally relevant.
import { invalidArgument } from '../../errors.js';
import { stage, type Stage } from '../../pipeline.js';
import type { Candidates } from '../../retrieval/candidate.js';

/**
 * Keeps what scores at least this share of the best, 0 to 1, if that leaves ten passages and k;
 * else everything.
 */
export function relativeCutoff(share: number): Stage<Candidates, Candidates> {
  if (!(share >= 0 && share <= 1))
    throw invalidArgument('relativeCutoff', 'a share from 0 to 1', share);
  return stage(`relativeCutoff(${share})`, ({ query, hits }) => {
    const best = hits[0]?.score ?? 0;
    const near = hits.filter(({ score }) => score >= best - (1 - share) * Math.abs(best));
    return { query, hits: near.length >= Math.max(10, query.k) ? near : hits };
  });
}
