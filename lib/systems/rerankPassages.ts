// Reranking stage: the first candidates by the score of a reranker (cross-encoder) for question and
// passage, as in MRAG (equation 2) and its baselines "retriever + reranker".
import { stage, type Stage } from '../pipeline.js';
import { sortByScore, type Candidates } from '../retrieval/candidate.js';
import { passageTexts } from '../retrieval/passageTexts.js';
import { passageText } from '../store/writing/rows.js';
import { checkReranker, rerankTexts, type Reranker } from '../vectors/reranker.js';

/**
 * The first n candidates by the reranker's score, scaled to [0, 1]; others are not returned.
 * Columns: `reranker`, the score as it was, and `retrieval`, the previous one.
 */
export function rerankPassages(n: number, reranker: Reranker): Stage<Candidates, Candidates> {
  checkReranker(reranker);
  return stage(`rerank(${n})`, async ({ query, hits }, { note, signal }) => {
    note('by', reranker.id);
    const first = hits.slice(0, n);
    const texts = passageTexts(query);
    const scores = await rerankTexts(
      reranker,
      query.searchText,
      first.map((each) => passageText(texts.passage(each))),
      signal ? { signal } : {},
    );
    minMaxScaled(scores).forEach((score, at) => {
      const each = first[at]!;
      each.scores = { ...each.scores, retrieval: each.score, reranker: scores[at]! };
      each.score = score;
    });
    return { query, hits: sortByScore(first) };
  });
}

/**
 * Min-max scaling, 1 for all if equal: ranges of rerankers differ, and the product with time needs
 * [0, 1].
 */
export function minMaxScaled(scores: Float32Array): number[] {
  let [least, most] = [Infinity, -Infinity];
  for (const score of scores) {
    least = Math.min(least, score);
    most = Math.max(most, score);
  }
  return Array.from(scores, (score) => (most > least ? (score - least) / (most - least) : 1));
}
