// Keyword overlap of the re-implementation of MRAG (section 3.2): the share of the question's
// keyword set that a sentence contains.
import type { Segment } from '../../../binding.js';
import {
  type Candidate,
  type Candidates,
  passageKey,
  sortByScore,
} from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { stage, type Stage } from '../../pipeline.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { keywordSet, keywordCoverage, textWords, type TextWords } from './keywordSet.js';
import type { TextModel } from '../../text/textModel.js';
import { summarise } from '../mrag/summary/summarise.js';

/** Words of rows, tokenised once for all questions (section 3.2, efficiency). */
const rowWords: CacheSpec<GenerationalCache<TextWords, number>, Segment> = {
  name: 'row words',
  create: () => new GenerationalCache({ capacity: 10_000 }),
};

/** Adds the column `overlap`, 0 to 1: the share of the keyword set in the row and its title. */
export function keywordOverlap(): Stage<Candidates, Candidates> {
  return stage('overlap', async ({ query, hits }, context) => {
    const analyze = (text: string): string[] => query.analyzer.analyze(text);
    const keywords = keywordSet(query.parsed, analyze);
    context.note('keywords', keywords);
    const wordsOf = wordsOfRows(query, analyze);
    for (const each of hits) {
      const turn = yieldToEventLoop(context.signal);
      if (turn) await turn;
      each.scores = { ...each.scores, overlap: keywordCoverage(keywords, wordsOf(each)) };
    }
    return { query, hits };
  });
}

function wordsOfRows(
  query: QueryContext,
  analyze: (text: string) => string[],
): (candidate: Candidate) => TextWords {
  const texts = passageTexts(query);
  return (candidate) => {
    const cache = query.snapshot.segments[candidate.segment]!.caches.get(rowWords);
    return cache.getOrCompute(candidate.row, 1, () => textWords(texts.row(candidate), analyze));
  };
}

/**
 * Adds the column `summary`, 0 to 1, to the sentences of the first n passages by retrieval score. A
 * passage without a summary gets the `overlap` of its best sentence by extraction, 0 by a model.
 */
export function summaryOverlap(n: number, model?: TextModel): Stage<Candidates, Candidates> {
  const summarising = summarise(n, model);
  return stage(`summaryOverlap(${n})`, async ({ query, hits }, context) => {
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
  });
}
