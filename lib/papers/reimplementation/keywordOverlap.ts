// Keyword overlap of the re-implementation of MRAG (section 3.2): the share of the question's
// keyword set that a sentence contains.
import type { Segment } from '../../../binding.js';
import type { Candidate, Candidates } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { stage, type Stage } from '../../pipeline.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { keywordSet, keywordCoverage, textWords, type TextWords } from './keywordSet.js';

/** Words of rows, tokenised once for all questions (section 3.2, efficiency). */
const rowWords: CacheSpec<GenerationalCache<TextWords, number>, Segment> = {
  name: 'row words',
  create: () => new GenerationalCache({ capacity: 10_000 }),
};

/** Adds the column `overlap`, 0 to 1: the share of the keyword set in the row and its title. */
export function keywordOverlap(section?: string): Stage<Candidates, Candidates> {
  return stage(
    'overlap',
    async ({ query, hits }, context) => {
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
    const cache = query.snapshot.segments[candidate.segment]!.caches.get(rowWords);
    return cache.getOrCompute(candidate.row, 1, () => textWords(texts.row(candidate), analyze));
  };
}
