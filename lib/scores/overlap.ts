// Scores of words for the re-implementation of MRAG (section 3.2): how much of the question's keyword set a sentence has.
// A column beside the others; weighing them is `sumColumns`.
import type { Candidates } from '../candidates/candidate.js';
import { textsOf } from '../candidates/texts.js';
import { stage, type Stage } from '../stage.js';
import { keywordSet, overlapOf } from '../time/question/keywordSet.js';

/** Adds the column `overlap`, 0 to 1: the share of the keyword set that the row (its title with it) has. */
export function keywordOverlap(section?: string): Stage<Candidates, Candidates> {
  return stage('overlap', ({ asked, found }, context) => {
    const analyse = (text: string): string[] => asked.analyser.analyse(text);
    const keywords = keywordSet(asked.parsed, analyse);
    context.note('keywords', keywords);
    const texts = textsOf(asked);
    for (const each of found) each.scores = { ...each.scores, overlap: overlapOf(keywords, texts.row(each), analyse) };
    return { asked, found };
  }, section);
}
