// MRAG's keyword ranking as a stage (appendix F): passages by the keywords of the question that
// they have, ties as they came. Extraction is systems/keywords.ts'; the score is
// text/keywords/keyword.ts'.
import type { Asked, Candidate, Candidates } from '../../retrieval/candidate.js';
import { textsOf } from '../../retrieval/texts.js';
import { rowsWithWords } from '../../retrieval/wordRows.js';
import { throwIfAborted } from '../../errors.js';
import type { StoredPassage } from '../../records.js';
import { stage, type Stage } from '../../pipeline.js';
import { plainTexts } from '../../store/passages.js';
import {
  keywordScorer,
  keywordTypes,
  type KeywordScorer,
  type KeywordType,
} from '../../text/keywords/keyword.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { byScore } from '../../ranking/columns.js';

const titled = ({ title, text }: Pick<StoredPassage, 'title' | 'text'>): string =>
  title === undefined ? text : `${title} ${text}`;

export interface KeywordRanking {
  /** Passages kept. */
  n: number;
  /** The types of keywords that count. Default: all, as published. */
  types?: readonly KeywordType[];
  /**
   * Whether passages that score as the last one kept are kept too: their order
   * is retrieval's, and a cut among them would be chance. Default false.
   */
  ties?: boolean;
}

/**
 * Keeps the passages with the highest sums of keyword weights, in that order; the sort is stable,
 * so that ties keep the order of retrieval. The sum is the column `keywords`; `score` stays
 * retrieval's, since a sum of weights is no relevance. Without keywords there is nothing to tell
 * passages apart by: with `ties` all are kept.
 */
export function rankByKeywords(
  { n, types = keywordTypes, ties = false }: KeywordRanking,
  section?: string,
): Stage<Candidates, Candidates> {
  return stage(
    `rankByKeywords(${n})`,
    async ({ asked, found }, { note, signal }) => {
      const keywords = (asked.keywords ?? []).filter(({ type }) => types.includes(type));
      note(
        'keywords',
        keywords.map(({ text }) => text),
      );
      if (keywords.length === 0) return { asked, found: ties ? found : found.slice(0, n) };
      const scores = await scoreTexts(asked, found, keywordScorer(keywords), signal);
      const best = byScore(scores);
      const least = n > found.length ? 0 : scores[best[n - 1]!]!;
      let count = Math.min(n, found.length);
      while (ties && count < found.length && scores[best[count]!]! >= least) count += 1;
      const kept = found.slice(0, count).map((_, rank) => found[best[rank]!]!);
      note('kept', kept.length);
      return { asked, found: kept };
    },
    section,
  );
}

/**
 * Adds the column `keywords`, and gives it. Most passages have none, which their terms tell, or
 * their records unparsed.
 */
async function scoreTexts(
  asked: Asked,
  found: readonly Candidate[],
  scorer: KeywordScorer,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const { snapshot } = asked;
  // and not one of their sentences
  const whole = found.every(({ segment, row }) => row < snapshot.segments[segment]!.passages);
  const told = whole ? await rowsWithWords(asked, found, scorer.spellings, signal) : undefined;
  const texts = textsOf(asked);
  const scores = new Float64Array(found.length);
  for (let at = 0; at < found.length; at += 1) {
    const each = found[at]!;
    if (told?.[at] !== 0) {
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(signal);
      const record = snapshot.recordBytes(each.segment, each.passage);
      if (told || scorer.mayScore(record))
        scores[at] = scorer.score(titled(plainTexts(record) ?? texts.passage(each)));
    }
    each.scores['keywords'] = scores[at]!;
  }
  return scores;
}
