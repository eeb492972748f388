// MRAG's keyword ranking (appendix F): passages by the weights of the question's keywords in them.
import type { Candidate, Candidates } from '../../../retrieval/candidate.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { passageTexts } from '../../../retrieval/passageTexts.js';
import { prefilterByWords } from './wordPrefilter.js';
import { throwIfAborted } from '../../../errors.js';
import type { StoredPassage } from '../../../records.js';
import { stage, type Stage } from '../../../pipeline.js';
import { plainTexts } from '../../../store/passages/passages.js';
import { keywordScorer, type KeywordQuery, type KeywordScorer } from './keyword.js';
import { yieldToEventLoop } from '../../../runtime/eventLoop.js';

const titled = ({ title, text }: Pick<StoredPassage, 'title' | 'text'>): string =>
  title === undefined ? text : `${title} ${text}`;

/**
 * Keeps the n passages with the highest sums of keyword weights, in that order; ties keep the order
 * of retrieval. The sum is the column `keywords`; `score` stays that of retrieval, since the sum is
 * no relevance. Without keywords all tie.
 */
export function rankByKeywords(n: number): Stage<Candidates, Candidates> {
  return stage(
    `rankByKeywords(${n})`,
    async ({ query, hits }, { note, signal }) => {
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
    },
    'MRAG appendix F, keyword ranking',
  );
}

/** Indices of scores in descending order, stable: for a thousand of which few are used. */
function scoreOrder(scores: Float64Array): Uint32Array {
  const places = new Uint32Array(scores.length);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  return places.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/**
 * Sets the column `keywords` and returns it. Most passages have no keyword: a prefilter by index
 * terms, or by the unparsed record, saves reading them.
 */
async function sumKeywords(
  query: QueryContext,
  hits: readonly Candidate[],
  scorer: KeywordScorer,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const { snapshot } = query;
  const whole = hits.every(({ segment, row }) => row < snapshot.segments[segment]!.passages);
  const mayScore = whole
    ? await prefilterByWords(query, hits, scorer.spellings, signal)
    : undefined;
  const texts = passageTexts(query);
  const scores = new Float64Array(hits.length);
  for (const segment of new Set(hits.map((each) => each.segment))) {
    const read = [...hits.keys()].filter(
      (at) => hits[at]!.segment === segment && mayScore?.[at] !== 0,
    );
    const passages = read.map((at) => hits[at]!.passage);
    let next = 0;
    for (const record of snapshot.recordBytes(segment, passages)) {
      const at = read[next++]!;
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(signal);
      if (mayScore || scorer.mayScore(record))
        scores[at] = scorer.score(titled(plainTexts(record) ?? texts.passage(hits[at]!)));
    }
  }
  hits.forEach((each, at) => void (each.scores['keywords'] = scores[at]!));
  return scores;
}
