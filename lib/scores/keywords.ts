// MRAG's keyword ranking as a stage (appendix F): passages by the keywords of the question that they have, ties as they came.
// Extraction is systems/keywords.ts'; the score is text/keywords/keyword.ts'.
import type { Candidates } from '../candidates/candidate.js';
import { textsOf } from '../candidates/texts.js';
import { throwIfAborted } from '../errors.js';
import type { StoredPassage } from '../records.js';
import { stage, type Stage } from '../stage.js';
import { keywordScorer, keywordTypes, type KeywordType } from '../text/keywords/keyword.js';

/** Passages scored between two looks at the signal. */
const atOnce = 256;

const titled = ({ title, text }: StoredPassage): string => (title === undefined ? text : `${title} ${text}`);

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
 * Keeps the passages with the highest sums of keyword weights, in that order; the sort is stable, so that ties keep the order of
 * retrieval. The sum is the column `keywords`; `score` stays retrieval's, since a sum of weights is no relevance. Without keywords
 * there is nothing to tell passages apart by: with `ties` all are kept.
 */
export function rankByKeywords({ n, types = keywordTypes, ties = false }: KeywordRanking, section?: string): Stage<Candidates, Candidates> {
  return stage(`rankByKeywords(${n})`, async ({ asked, found }, { note, signal }) => {
    const keywords = (asked.keywords ?? []).filter(({ type }) => types.includes(type));
    note('keywords', keywords.map(({ text }) => text));
    if (keywords.length === 0) return { asked, found: ties ? found : found.slice(0, n) };
    const { score, mayScore } = keywordScorer(keywords);
    const texts = textsOf(asked);
    for (const [at, each] of found.entries()) {
      if (at % atOnce === atOnce - 1) await new Promise<void>((resolve) => setImmediate(resolve));
      throwIfAborted(signal);
      // Most have none, which their records tell unparsed.
      const may = mayScore(asked.snapshot.recordBytes(each.segment, each.passage));
      each.scores['keywords'] = may ? score(titled(texts.passage(each))) : 0;
    }
    const best = [...found].sort((a, b) => b.scores['keywords']! - a.scores['keywords']!);
    const least = best[n - 1]?.scores['keywords'] ?? 0;
    const kept = ties ? best.filter(({ scores }) => scores['keywords']! >= least) : best.slice(0, n);
    note('kept', kept.length);
    return { asked, found: kept };
  }, section);
}
