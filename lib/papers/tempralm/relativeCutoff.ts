// Cuts candidates by how far they are behind the best, not by how many they are, so that time
// decides only among passages that answer about as well. It reads the score they came with and
// changes none.
import type { Candidates } from '../../retrieval/candidate.js';
import { invalidArgument } from '../../errors.js';
import { stage, type Stage } from '../../pipeline.js';

/**
 * Keeps what scores at least this share of the best where that leaves ten passages and as many as
 * are wanted; else everything.
 */
export function nearBest(share: number): Stage<Candidates, Candidates> {
  if (!(share >= 0 && share <= 1)) throw invalidArgument('nearBest', 'a share from 0 to 1', share);
  return stage(`nearBest(${share})`, ({ asked, found }) => {
    const best = found[0]?.score ?? 0;
    const near = found.filter(({ score }) => score >= best - (1 - share) * Math.abs(best));
    return { asked, found: near.length >= Math.max(10, asked.k) ? near : found };
  });
}
