// The bound of query expansion against the search that it avoids: never false where the search
// finds enough, over random words, times and publication dates; and false often enough to help.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Candidate } from '../../lib/retrieval/candidate.js';
import type { QueryContext } from '../../lib/retrieval/queryContext.js';
import {
  expansionNeeded,
  similarityFloor,
  publicationTime,
} from '../../lib/retrieval/queryExpansion.js';
import { search, type Ranking } from '../../lib/retrieval/search.js';
import type { Corpus, Passage } from '../../lib/index.js';
import { exactTimeForm } from '../../lib/time/stateDecay.js';
import { questionAsQuery } from '../../lib/systems/queryAnalysis.js';
import { jointConstraint } from '../../lib/time/question/jointConstraint.js';
import { withCorpus } from '../corpus.js';

const words = [
  'mill',
  'river',
  'owner',
  'roof',
  'rye',
  'town',
  'turbine',
  'ferry',
  'keeper',
  'champion',
];
const word = (n: number): string => words[n % words.length]!;
const passages: Passage[] = Array.from({ length: 120 }, (_, n) => ({
  id: `p${n}`,
  text: `${n % 7 === 0 ? 'Mill of the river, mill of the town' : `The ${word(n * 3)} of ${word(n * n)}`}, ${word(n * 5 + 1)}, in ${1990 + (n % 9)}.`,
  publishedAt: `200${n % 2}-01-01`,
}));
const rankings: Ranking[] = [0, 0.4, 0.9].flatMap((semantic): Ranking[] => [
  {
    scope: 'passages',
    pool: true,
    relevance: { semantic, lexical: 1 - semantic },
    form: ({ parsed }) => exactTimeForm(jointConstraint(parsed)),
  },
  { scope: 'passages', pool: true, relevance: { semantic, lexical: 1 - semantic } },
]);

describe('expansionNeeded', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const asking = async (
    terms: readonly string[],
    test: (query: QueryContext) => Promise<void>,
  ): Promise<void> => {
    const snapshot = corpus.snapshot();
    try {
      const question = { text: `Who was the ${terms.join(' ')} in 1994?`, askedAt: '2010-01-01' };
      await test(
        await questionAsQuery().run(
          { question, k: 10, corpus, snapshot },
          { note: () => undefined },
        ),
      );
    } finally {
      snapshot.release();
    }
  };

  /** As `expandQuery` counts them. */
  const alikeIn = (
    hits: readonly Candidate[],
    query: QueryContext,
    { relevance }: Ranking,
    share: number,
  ): number => {
    const best = hits[0]!;
    const relevant = ({ scores }: Candidate): number =>
      relevance.semantic * (scores['similarity'] ?? 0) +
      relevance.lexical * (scores['lexical'] ?? 0);
    return hits.filter(
      (each) =>
        each.score >= similarityFloor(best.score, share) &&
        relevant(each) >= similarityFloor(relevant(best), share) &&
        Object.is(publicationTime(query, each), publicationTime(query, best)),
    ).length;
  };

  it('is false only if the search without the missing terms finds few', async () => {
    let few = 0;
    const some = fc.uniqueArray(fc.constantFrom(...words), { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.constantFrom(...rankings),
        fc.integer({ min: 2, max: 12 }),
        fc.double({ min: 0.5, max: 1, noNaN: true }),
        async ([absent, ...others], among, fewest, alike) =>
          asking([absent!, ...others], async (query) => {
            const kept = {
              ...query,
              terms: () =>
                query.terms().filter((term) => !query.analyzer.analyze(absent!).includes(term)),
            };
            const best = await search(query, { ...among, n: 30 });
            if (
              await expansionNeeded({
                query,
                reduced: kept,
                best,
                ranking: among,
                threshold: { alike, fewest },
              })
            )
              return;
            few += 1;
            assert.ok(alikeIn(await search(kept, among), query, among, alike) < fewest);
          }),
      ),
      { numRuns: 300 },
    );
    assert.ok(few > 20, `${few} of 300`);
  });

  it('stays true for scores that add recency, and for sentences', async () => {
    await asking(['mill', 'rye'], async (query) => {
      const timed: Ranking = {
        ...rankings[1]!,
        form: ({ parsed }) => ({
          combine: 'sum',
          kind: 'recency',
          clock: 'published',
          at: parsed.askedAt,
          floorDays: 1,
          weight: 1,
        }),
      };
      for (const among of [timed, { ...rankings[1]!, scope: 'all' } as const]) {
        const best = await search(query, { ...among, n: 30 });
        const threshold = { alike: 1, fewest: 30 };
        const check = { query, reduced: query, best, ranking: among, threshold };
        assert.equal(await expansionNeeded(check), true);
      }
    });
  });
});
