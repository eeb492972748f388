// Decay of ranked candidates: a stage after a ranker, whose scores replace those of the scan.
import { stage, type Stage } from '../pipeline.js';
import type { Candidate, Candidates } from '../retrieval/candidate.js';
import type { Decay } from '../time/decay.js';
import { forms } from '../time/temporalForms.js';

/**
 * The scores of a ranker combined with the decays that the scan found, in the column `temporal`;
 * they are no probabilities then.
 */
export function decayScores({ shape, combine, weight = 1 }: Decay): Stage<Candidates, Candidates> {
  return stage(forms[shape].words, (candidates) => {
    const hits = candidates.hits.map((each): Candidate => {
      const { temporal = 1 } = each.scores;
      const score = combine === 'sum' ? each.score + weight * temporal : each.score * temporal;
      const share = Math.log(score) - Math.log(each.score);
      const shares = each.shares;
      return {
        ...each,
        id: each.id,
        score,
        ...(shares ? { shares: () => ({ ...shares(), decay: share }) } : {}),
      };
    });
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    const { calibrated: _, ...others } = candidates;
    return { ...others, hits };
  });
}
