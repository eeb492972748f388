// Summaries as a stage: which passages get one, and what else the stage passes on as it came.
import assert from 'node:assert/strict';
import type { Candidates } from '../../../../lib/retrieval/candidate.js';
import type { QueryContext } from '../../../../lib/retrieval/queryContext.js';
import { retrieve } from '../../../../lib/retrieval/retrieve.js';
import { summarise } from '../../../../lib/papers/mrag/summary/summarise.js';
import type { Corpus, Passage } from '../../../../lib/index.js';
import { questionAsQuery } from '../../../../lib/systems/queryAnalysis.js';
import { scripted } from '../../../reading/doubles.js';
import { withCorpus } from '../../../corpus.js';

const passages: Passage[] = ['Lee', 'Holm', 'Brenn'].map((name, at) => ({
  id: `p${at}`,
  title: `Ada ${name}`,
  text: `The Varn Medal in Botany ${1927 + at}. It rained. Born: 4 June ${1877 + at}, Port Varn.`,
}));

describe('summarise', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  for (const model of [undefined, scripted(() => ({ answers: true, sentence: 'Born in 1877.' }))]) {
    it(`condenses the first passages ${model ? 'by a model' : 'by extraction'} and passes on how many lead`, async () => {
      const snapshot = corpus.snapshot();
      try {
        const context = { note: () => undefined };
        const question = { text: 'Who was born and won the medal in botany?' };
        const query: QueryContext = await questionAsQuery().run(
          { question, k: 3, corpus, snapshot },
          context,
        );
        const ranking = { scope: 'passages', relevance: { semantic: 0.4, lexical: 0.6 } } as const;
        const { hits: hits }: Candidates = await retrieve('passages', ranking).run(query, context);
        const before = hits.map(({ id }) => id);
        const condensed = await summarise(2, model).run(
          { query, hits: hits, shortlistSize: 1 },
          context,
        );
        assert.equal(condensed.shortlistSize, 1);
        assert.equal(condensed.query, query);
        assert.deepEqual(
          condensed.hits.map(({ id }) => id),
          before,
        );
        assert.deepEqual(
          condensed.hits.map(({ summary }) => summary !== undefined),
          [true, true, false],
        );
        assert.equal(
          'shortlistSize' in (await summarise(1, model).run({ query, hits: hits }, context)),
          false,
        );
      } finally {
        snapshot.release();
      }
    });
  }
});
