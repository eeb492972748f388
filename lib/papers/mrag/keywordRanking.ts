// MRAG's keyword ranking (appendix F): passages by the weights of the question's keywords in them.
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { prefilterByWords } from '../../retrieval/wordPrefilter.js';
import { throwIfAborted } from '../../errors.js';
import type { StoredPassage } from '../../records.js';
import { stage, type Stage } from '../../pipeline.js';
import { plainTexts } from '../../store/passages/passages.js';
import {
  keywordScorer,
  keywordTypes,
  type KeywordScorer,
  type KeywordType,
} from '../../text/keywords/keyword.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { scoreOrder } from '../../ranking/columns.js';

const titled = ({ title, text }: Pick<StoredPassage, 'title' | 'text'>): string =>
  title === undefined ? text : `${title} ${text}`;

export interface KeywordRanking {
  /** Passages kept. */
  n: number;
  /** The types of keywords that count. Default: all, as published. */
  types?: readonly KeywordType[];
  /** Keep also passages that tie with the n-th: a cut among ties is arbitrary. Default false. */
  ties?: boolean;
}

/**
 * Keeps the n passages with the highest sums of keyword weights, in that order; ties keep the order
 * of retrieval. The sum is the column `keywords`; `score` stays that of retrieval, since the sum is
 * no relevance. Without keywords all tie.
 */
export function rankByKeywords({
  n,
  types = keywordTypes,
  ties = false,
}: KeywordRanking): Stage<Candidates, Candidates> {
  return stage(
    `rankByKeywords(${n})`,
    async ({ query, hits }, { note, signal }) => {
      const keywords = (query.keywords ?? []).filter(({ type }) => types.includes(type));
      note(
        'keywords',
        keywords.map(({ text }) => text),
      );
      if (keywords.length === 0) return { query, hits: ties ? hits : hits.slice(0, n) };
      const scores = await scoreTexts(query, hits, keywordScorer(keywords), signal);
      const best = scoreOrder(scores);
      const least = n > hits.length ? 0 : scores[best[n - 1]!]!;
      let count = Math.min(n, hits.length);
      while (ties && count < hits.length && scores[best[count]!]! >= least) count += 1;
      const kept = hits.slice(0, count).map((_, rank) => hits[best[rank]!]!);
      note('kept', kept.length);
      return { query, hits: kept };
    },
    'MRAG appendix F, keyword ranking',
  );
}

/**
 * Sets the column `keywords` and returns it. Most passages have no keyword: a prefilter by index
 * terms, or by the unparsed record, saves reading them.
 */
async function scoreTexts(
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
  for (let at = 0; at < hits.length; at += 1) {
    const each = hits[at]!;
    if (mayScore?.[at] !== 0) {
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(signal);
      const record = snapshot.recordBytes(each.segment, each.passage);
      if (mayScore || scorer.mayScore(record))
        scores[at] = scorer.score(titled(plainTexts(record) ?? texts.passage(each)));
    }
    each.scores['keywords'] = scores[at]!;
  }
  return scores;
}
