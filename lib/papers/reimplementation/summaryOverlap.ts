// Summary alignment of the re-implementation of MRAG (section 3.2): how much of the question's
// keyword set a passage's question-focused summary has. A column of every sentence of the passage;
// how it counts is `sumColumns`, how summaries are made is `summarise`.
import { placeOf, type Candidate, type Candidates } from '../../retrieval/candidate.js';
import { ordered } from '../../ranking/columns.js';
import { stage, type Stage } from '../../pipeline.js';
import type { TextModel } from '../../text/textModel.js';
import { keywordSet, keywordCoverage, textWords } from '../../time/question/keywordSet.js';
import { summarise } from '../mrag/summary/summarise.js';

/**
 * Adds the column `summary`, 0 to 1, to the sentences of the n passages that the first stage ranked
 * best. By extraction a passage with nothing to condense stands as its best sentence does
 * (`overlap`); of a model's summaries, none counts 0.
 */
export function summaryOverlap(
  n: number,
  model?: TextModel,
  section?: string,
): Stage<Candidates, Candidates> {
  const condensing = summarise(n, model);
  return stage(
    `summaryOverlap(${n})`,
    async ({ asked, found }, context) => {
      const analyze = (text: string): string[] => asked.analyzer.analyze(text);
      const keywords = keywordSet(asked.parsed, analyze);
      const rows = new Map<string, Candidate[]>();
      for (const each of found) {
        const own = rows.get(placeOf(each));
        if (own) own.push(each);
        else rows.set(placeOf(each), [each]);
      }
      // Stand-ins: a summary scores its passage and is no evidence itself. Its id stays computed
      // when it is read.
      const passages = ordered(
        [...rows.values()].map(
          (own) =>
            Object.create(own[0]!, {
              score: { value: own[0]!.scores['retrieval'] ?? 0 },
            }) as Candidate,
        ),
      );
      const { found: condensed } = await condensing.run({ asked, found: passages }, context);
      for (const passage of condensed.slice(0, n)) {
        const own = rows.get(placeOf(passage))!;
        const alone = model ? 0 : Math.max(...own.map(({ scores }) => scores['overlap'] ?? 0));
        const summary = passage.summary
          ? keywordCoverage(keywords, textWords(passage.summary.text, analyze))
          : alone;
        for (const each of own) each.scores = { ...each.scores, summary };
      }
      return { asked, found };
    },
    section,
  );
}
