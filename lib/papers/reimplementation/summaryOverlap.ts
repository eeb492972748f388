// Summary alignment of the re-implementation of MRAG (section 3.2): the share of the question's
// keyword set in a passage's question-focused summary, as a column of all its sentences.
import {
  passageKey,
  sortByScore,
  type Candidate,
  type Candidates,
} from '../../retrieval/candidate.js';
import { stage, type Stage } from '../../pipeline.js';
import type { TextModel } from '../../text/textModel.js';
import { keywordSet, keywordCoverage, textWords } from './keywordSet.js';
import { summarise } from '../mrag/summary/summarise.js';

/**
 * Adds the column `summary`, 0 to 1, to the sentences of the first n passages by retrieval score. A
 * passage without a summary gets the `overlap` of its best sentence by extraction, 0 by a model.
 */
export function summaryOverlap(
  n: number,
  model?: TextModel,
  section?: string,
): Stage<Candidates, Candidates> {
  const summarising = summarise(n, model);
  return stage(
    `summaryOverlap(${n})`,
    async ({ query, hits }, context) => {
      const analyze = (text: string): string[] => query.analyzer.analyze(text);
      const keywords = keywordSet(query.parsed, analyze);
      const rows = new Map<string, Candidate[]>();
      for (const each of hits) {
        const own = rows.get(passageKey(each));
        if (own) own.push(each);
        else rows.set(passageKey(each), [each]);
      }
      // Proxies with the retrieval score, so that summaries do not become evidence; ids stay lazy.
      const passages = sortByScore(
        [...rows.values()].map(
          (own) =>
            Object.create(own[0]!, {
              score: { value: own[0]!.scores['retrieval'] ?? 0 },
            }) as Candidate,
        ),
      );
      const { hits: summarised } = await summarising.run({ query, hits: passages }, context);
      for (const passage of summarised.slice(0, n)) {
        const own = rows.get(passageKey(passage))!;
        const alone = model ? 0 : Math.max(...own.map(({ scores }) => scores['overlap'] ?? 0));
        const summary = passage.summary
          ? keywordCoverage(keywords, textWords(passage.summary.text, analyze))
          : alone;
        for (const each of own) each.scores = { ...each.scores, summary };
      }
      return { query, hits };
    },
    section,
  );
}
