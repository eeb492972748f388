// Semantic ranking of passages (MRAG sections 2.2 and 4): by a model that reads question and
// passage together (equation 2), or by the relevance that the scan gave them already. It looks at
// no time.
import type { Candidates } from '../../retrieval/candidate.js';
import { textsOf } from '../../retrieval/texts.js';
import { stage, type Stage } from '../../pipeline.js';
import { passageText } from '../../store/rows.js';
import { checkReranker, rerankTexts, type Reranker } from '../../vectors/reranker.js';
import { ordered } from '../../ranking/columns.js';

/**
 * Passages by the relevance they were retrieved with, after a stage that ordered them otherwise.
 */
export function rankSemantically(section?: string): Stage<Candidates, Candidates> {
  return stage('rank(semantic)', ({ asked, found }) => ({ asked, found: ordered(found) }), section);
}

/**
 * The first n passages by the reranker's score of main content and passage, scaled to 0 for the
 * least and 1 for the greatest.
 */
export function rerankPassages(
  n: number,
  reranker: Reranker,
  section?: string,
): Stage<Candidates, Candidates> {
  checkReranker(reranker);
  return stage(
    `rerank(${n})`,
    async ({ asked, found }, { note, signal }) => {
      note('by', reranker.id);
      const first = found.slice(0, n);
      const texts = textsOf(asked);
      const scores = await rerankTexts(
        reranker,
        asked.searchText,
        first.map((each) => passageText(texts.passage(each))),
        signal ? { signal } : {},
      );
      scaled(scores).forEach((score, at) => {
        const each = first[at]!;
        each.scores = { ...each.scores, retrieval: each.score, reranker: scores[at]! };
        each.score = score;
      });
      return { asked, found: ordered(first) };
    },
    section,
  );
}

/**
 * 0 for the least, 1 for the greatest; 1 for all where they are the same. The ranges of rerankers
 * differ, and a product with time needs one.
 */
export function scaled(scores: Float32Array): number[] {
  let [least, most] = [Infinity, -Infinity];
  for (const score of scores) {
    least = Math.min(least, score);
    most = Math.max(most, score);
  }
  return Array.from(scores, (score) => (most > least ? (score - least) / (most - least) : 1));
}
