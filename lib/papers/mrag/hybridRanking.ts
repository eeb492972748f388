// MRAG's hybrid ranking (section 4, appendix G): sentences and summaries by semantic times temporal
// score; a passage is ranked by its best unit.
import { minMaxScaled } from '../../systems/rerankPassages.js';
import type { Candidates } from '../../retrieval/candidate.js';
import type { Ranking } from '../../retrieval/search.js';
import { stage, type Stage } from '../../pipeline.js';
import { checkReranker, type Reranker } from '../../vectors/reranker.js';
import { collectUnits, passagesOf, rerankUnits } from './units.js';

/**
 * The `most` units of the greatest similarity are scored in time, by the reranker's score scaled to
 * [0, 1] in place of the similarity if there is one; passages without such a unit follow.
 */
export function rankSentences(
  most: number,
  times: Required<Pick<Ranking, 'mask' | 'form'>>,
  reranker?: Reranker,
): Stage<Candidates, Candidates> {
  if (reranker) checkReranker(reranker);
  return stage(
    `rank(${reranker ? 'reranker' : 'semantic'} x spline, ${most})`,
    async ({ query, hits }, { signal, note }) => {
      const units = await collectUnits(query, hits, times, signal);
      note('sentences', units.filter(({ summary }) => !summary).length);
      note('summaries', units.filter(({ summary }) => summary).length);
      units.sort((a, b) => b.score - a.score);
      const timed = units.slice(0, most);
      if (reranker)
        minMaxScaled(await rerankUnits(query, timed, reranker, signal)).forEach(
          (score, at) => (timed[at]!.score = score),
        );
      for (const each of timed)
        each.score = temporalProduct(each.score, each.scores['temporal'] ?? 1);
      timed.sort((a, b) => b.score - a.score);
      return { query, hits: passagesOf([...timed, ...units.slice(most)]) };
    },
  );
}

/** A better time never lowers a score, and a date alone never raises an irrelevant passage. */
export const temporalProduct = (score: number, temporal: number): number =>
  score >= 0 ? score * temporal : score * (2 - temporal);
