// MRAG's hybrid ranking (section 4, appendix G): sentences and summaries by relevance times
// temporal score; a passage is ranked by its best unit.
import { sortByScore, temporalProduct } from '../../ranking/columns.js';
import { minMaxScaled } from '../../ranking/rerankPassages.js';
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { Relevance } from '../../retrieval/search.js';
import { scoreTexts } from '../../retrieval/textScores.js';
import { stage, type Stage } from '../../pipeline.js';
import { maxSimilarity } from '../../vectors/encoder.js';
import { checkReranker, rerankTexts, type Reranker } from '../../vectors/reranker.js';
import { appendBelow } from './shortlist.js';
import { collectUnits, type Unit, type UnitScoring } from './units.js';

export interface SentenceRanking extends UnitScoring {
  /** Units that are ranked, the most relevant; only their passages are returned. Default: all. */
  most?: number;
  /** Scores units instead of encoder and BM25, `most` of them. */
  reranker?: Reranker;
}

/**
 * The shortlisted passages by their best sentence or summary, then others up to k. The previous
 * score of a passage is kept as the column `retrieval`.
 */
export function rankSentences(ranking: SentenceRanking): Stage<Candidates, Candidates> {
  const { relevance, most = Infinity, reranker } = ranking;
  if (reranker) checkReranker(reranker);
  return stage(
    'rank(semantic x spline)',
    async ({ query, hits, shortlistSize = hits.length }, { signal, note }) => {
      if (hits.length === 0) return { query, hits };
      const shortlist = hits.slice(0, shortlistSize);
      const { sentences, summaries } = await collectUnits(query, shortlist, ranking, signal);
      note('sentences', sentences.length);
      note('summaries', summaries.length);
      const all = [...sentences, ...summaries];
      const bestLexical = all.reduce((best, { lexical }) => Math.max(best, lexical), 0) || 1;
      const scoreOf = (each: Unit, similarity = each.similarity): number =>
        relevance.semantic * similarity + (relevance.lexical * each.lexical) / bestLexical;
      // With a limit or a reranker the order of all units matters, and none can be pruned.
      const prunes = most >= all.length && !reranker;
      const remaining = prunes
        ? pruneSummaries(sentences, summaries, { k: query.k, relevance, scoreOf })
        : summaries;
      await scoreSimilarity(query, remaining, relevance, signal);
      const units = [...sentences, ...remaining];
      for (const each of units) each.score = scoreOf(each);
      const ranked = most < units.length ? sortByScore(units).slice(0, most) : units;
      if (reranker) await scoreBy(reranker, query, ranked, signal);
      for (const each of ranked) each.score = timed(each, each.score);
      const best = bestOfEachPassage(ranked).slice(0, prunes ? query.k : undefined);
      return {
        query,
        hits: [
          ...best,
          ...appendBelow(hits.slice(shortlistSize), best.at(-1)?.score ?? 0, query.k - best.length),
        ],
      };
    },
    'MRAG 4, hybrid ranking',
  );
}

/** Relevance times the unit's temporal score. */
const timed = ({ temporal }: Unit, score: number): number =>
  temporalProduct(score, Number.isNaN(temporal) ? 1 : temporal);

/**
 * Prunes summaries that cannot lift their passage into the first k, whatever their similarity, so
 * that they are not encoded: exact for the first k passages.
 */
function pruneSummaries(
  sentences: readonly Unit[],
  summaries: readonly Unit[],
  {
    k,
    relevance,
    scoreOf,
  }: {
    k: number;
    relevance: Relevance;
    scoreOf: (each: Unit, similarity?: number) => number;
  },
): Unit[] {
  if (!(relevance.semantic > 0)) return [...summaries];
  const best = new Map<Candidate, number>();
  for (const each of sentences)
    best.set(each.from, Math.max(best.get(each.from) ?? -Infinity, timed(each, scoreOf(each))));
  const floor = Float64Array.from(best.values()).sort().at(-k) ?? -Infinity;
  return summaries.filter((each) => {
    const most = timed(each, scoreOf(each, maxSimilarity));
    return most >= floor && most > best.get(each.from)!;
  });
}

/** Sets the similarity of summaries, which have no row vectors. */
async function scoreSimilarity(
  query: QueryContext,
  summaries: readonly Unit[],
  relevance: Relevance,
  signal?: AbortSignal,
): Promise<void> {
  const scores = await scoreTexts(
    query,
    summaries.map(({ summary }) => summary!.text),
    { ...relevance, lexical: 0 },
    signal,
  );
  summaries.forEach((each, at) => (each.similarity = scores[at]!.similarity));
}

/** The reranker's score, scaled to [0, 1] over the units, in place of encoder and BM25. */
async function scoreBy(
  reranker: Reranker,
  query: QueryContext,
  ranked: readonly Unit[],
  signal?: AbortSignal,
): Promise<void> {
  const texts = passageTexts(query);
  const passages = ranked.map((each) => each.summary?.text ?? texts.row(each));
  const scores = await rerankTexts(reranker, query.searchText, passages, signal ? { signal } : {});
  minMaxScaled(scores).forEach((score, at) => {
    const each = ranked[at]!;
    each.reranker = scores[at]!;
    each.score = score;
  });
}

/** Each passage by its best unit, best first, ties by passage id. */
function bestOfEachPassage(units: readonly Unit[]): Candidate[] {
  const best = new Map<Candidate, Unit>();
  for (const each of units)
    if (each.score > (best.get(each.from)?.score ?? -Infinity)) best.set(each.from, each);
  return sortByScore([...best.values()]).map((each) => each.candidate());
}
