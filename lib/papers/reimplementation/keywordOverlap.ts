// Keyword overlap of the re-implementation of MRAG (section 3.2): the share of the question's keyword
// set that a sentence contains.
import type { Segment } from '../../../binding.js';
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { stage, type Stage } from '../../pipeline.js';
import {
  keywordSet,
  keywordCoverage,
  textWords,
  type TextWords,
} from '../../time/question/keywordSet.js';

// Passages are taken apart once and serve every question (section 3.2, efficiency): segments never
// change. Some 20 MB at most.
const mostRows = 10_000;
const known = new WeakMap<Segment, Map<number, TextWords>>();

/** Adds the column `overlap`, 0 to 1: the share of the keyword set in the row and its title. */
export function keywordOverlap(section?: string): Stage<Candidates, Candidates> {
  return stage(
    'overlap',
    ({ query, hits }, context) => {
      const analyze = (text: string): string[] => query.analyzer.analyze(text);
      const keywords = keywordSet(query.parsed, analyze);
      context.note('keywords', keywords);
      const wordsOf = wordsOfRows(query, analyze);
      for (const each of hits)
        each.scores = { ...each.scores, overlap: keywordCoverage(keywords, wordsOf(each)) };
      return { query, hits };
    },
    section,
  );
}

function wordsOfRows(
  query: QueryContext,
  analyze: (text: string) => string[],
): (candidate: Candidate) => TextWords {
  const texts = passageTexts(query);
  return (candidate) => {
    const { segment } = query.snapshot.segments[candidate.segment]!;
    let rows = known.get(segment);
    if (!rows) known.set(segment, (rows = new Map()));
    let words = rows.get(candidate.row);
    if (!words) {
      if (rows.size >= mostRows) rows.clear();
      rows.set(candidate.row, (words = textWords(texts.row(candidate), analyze)));
    }
    return words;
  };
}
