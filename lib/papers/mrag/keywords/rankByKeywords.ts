// MRAG's keyword ranking (appendix F): passages by the weights of the question's keywords in them.
import { stage, type Stage } from '../../../pipeline.js';
import type { Candidate, Candidates } from '../../../retrieval/candidate.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { yieldToEventLoop } from '../../../runtime/eventLoop.js';
import { keywordScorer, type KeywordQuery } from './keyword.js';

/**
 * Keeps the n passages with the highest sums of keyword weights, in that order; ties keep the order
 * of retrieval. The sum is the column `keywords`; `score` stays that of retrieval, since the sum is
 * no relevance. Without keywords all tie.
 */
export function rankByKeywords(n: number): Stage<Candidates, Candidates> {
  return stage(`rankByKeywords(${n})`, async ({ query, hits }, { note, signal }) => {
    const { keywords = [] }: KeywordQuery = query;
    note(
      'keywords',
      keywords.map(({ text }) => text),
    );
    if (keywords.length === 0) return { query, hits: hits.slice(0, n) };
    const scores = await sumKeywords(query, hits, keywordScorer(keywords), signal);
    const kept = Array.from(scoreOrder(scores).subarray(0, n), (at) => hits[at]!);
    note('kept', kept.length);
    return { query, hits: kept };
  });
}

/** Indices of scores in descending order, stable: for a thousand of which few are used. */
function scoreOrder(scores: Float64Array): Uint32Array {
  const places = new Uint32Array(scores.length);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  return places.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** Sets the column `keywords` and returns it. */
async function sumKeywords(
  query: QueryContext,
  hits: readonly Candidate[],
  score: (text: string) => number,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const scores = new Float64Array(hits.length);
  for (const [at, each] of hits.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const { title, text } = query.snapshot.passage(each.segment, each.passage);
    scores[at] = score(title === undefined ? text : `${title} ${text}`);
    each.scores['keywords'] = scores[at]!;
  }
  return scores;
}
