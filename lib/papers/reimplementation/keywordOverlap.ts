// Scores of words for the re-implementation of MRAG (section 3.2): how much of the question's
// keyword set a sentence has. A column beside the others; weighing them is `sumColumns`.
import type { Segment } from '../../../binding.js';
import type { Asked, Candidate, Candidates } from '../../retrieval/candidate.js';
import { textsOf } from '../../retrieval/texts.js';
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

/**
 * Adds the column `overlap`, 0 to 1: the share of the keyword set that the row (its title with it)
 * has.
 */
export function keywordOverlap(section?: string): Stage<Candidates, Candidates> {
  return stage(
    'overlap',
    ({ asked, found }, context) => {
      const analyze = (text: string): string[] => asked.analyzer.analyze(text);
      const keywords = keywordSet(asked.parsed, analyze);
      context.note('keywords', keywords);
      const wordsOf = wordsOfRows(asked, analyze);
      for (const each of found)
        each.scores = { ...each.scores, overlap: keywordCoverage(keywords, wordsOf(each)) };
      return { asked, found };
    },
    section,
  );
}

function wordsOfRows(
  asked: Asked,
  analyze: (text: string) => string[],
): (candidate: Candidate) => TextWords {
  const texts = textsOf(asked);
  return (candidate) => {
    const { segment } = asked.snapshot.segments[candidate.segment]!;
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
