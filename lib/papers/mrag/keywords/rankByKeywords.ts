// MRAG's keyword ranking (appendix F): passages by the weights of the question's keywords in them.
import { binding, withCancellation } from '../../../binding.js';
import { stage, type Stage } from '../../../pipeline.js';
import type { Candidate, Candidates } from '../../../retrieval/candidate.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { keywordForms, type Keyword, type KeywordQuery } from './keyword.js';

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
    const scores = await scoresOf(query, hits, keywords, signal);
    const kept = Array.from(scoreOrder(scores).subarray(0, n), (at) => {
      const hit = hits[at]!;
      hit.scores['keywords'] = scores[at]!;
      return hit;
    });
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

function scoresOf(
  { snapshot }: QueryContext,
  hits: readonly Candidate[],
  keywords: readonly Keyword[],
  signal?: AbortSignal,
): Promise<Float64Array> {
  const segments = snapshot.segments.map(({ segment }) => segment);
  const places = {
    segment: Uint32Array.from(hits, ({ segment }) => segment),
    passage: Uint32Array.from(hits, ({ passage }) => passage),
  };
  return withCancellation(signal, (cancellation) =>
    binding.passageKeywordScores(segments, places, keywordForms(keywords), cancellation),
  );
}
