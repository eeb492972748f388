// Learned ranker: reranking of the shortlist by gradient-boosted trees over sentence features; a
// passage is ranked by its best sentence.
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import { stage, type Stage } from '../../pipeline.js';
import { featuresOfCandidates, type RowRanking } from './candidates.js';
import { featureNames } from './featureNames.js';
import type { Ranker } from './model.js';
import type { PassageFeatures } from './passages.js';

/** A passage's best row so far, and where its features begin. */
interface Best {
  row: Candidate;
  score: number;
  at: number;
}

/**
 * Scores are the model's: any number, higher is better. The score that a row was found with is kept
 * as the column `scan`.
 */
export function rankByFeatures(ranker: Ranker, ranking: RowRanking): Stage<Candidates, Candidates> {
  return stage(
    `rankByFeatures(${ranker.id})`,
    async ({ query, hits, shortlistSize = hits.length }, { signal, note }) => {
      if (hits.length === 0) return { query, hits };
      const { rows, values } = await featuresOfCandidates(
        { query, hits: hits.slice(0, shortlistSize) },
        ranking,
        signal,
      );
      const scores = ranker.scores(values);
      const best = new Map<PassageFeatures, Best>();
      rows.forEach(({ passage, sentence: { row } }, number) => {
        const at = number * featureNames.length;
        const score = scores[number]!;
        const known = best.get(passage);
        if (!known || score > known.score || (score === known.score && row.row <= known.row.row))
          best.set(passage, { row, score, at });
      });
      const ranked = Array.from(best, ([{ record }, { row: winner, score, at }]): Candidate => {
        const { segment, passage, row, score: scan, scores, interval } = winner;
        return {
          id: record.id,
          segment,
          passage,
          row,
          score,
          scores: { scan, ...scores },
          shares: () => ranker.shares(values, at),
          ...(interval === undefined ? {} : { interval }),
        };
      });
      ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      note('rows', rows.length);
      return {
        query,
        hits: [...ranked, ...behind(hits.slice(shortlistSize), ranked.at(-1)!.score)],
      };
    },
  );
}

/** Candidates in their order, their scores moved below `floor`. */
function behind(rest: readonly Candidate[], floor: number): Candidate[] {
  const top = rest[0]?.score ?? 0;
  return rest.map((each) => ({
    ...each,
    id: each.id,
    score: floor + (each.score - top),
    scores: { scan: each.score, ...each.scores },
  }));
}
