// Summaries as a stage: which passages get one, and what else the stage passes on as it came.
import assert from 'node:assert/strict';
import type { Asked, Candidates } from '../../lib/candidates/candidate.js';
import { retrieve } from '../../lib/candidates/retrieve.js';
import { summarise } from '../../lib/evidence/summary/summarise.js';
import type { Corpus, Passage } from '../../lib/index.js';
import { asAsked } from '../../lib/systems/questions.js';
import { scripted } from '../answer/doubles.js';
import { withCorpus } from '../corpus.js';

const passages: Passage[] = ['Lee', 'Holm', 'Brenn'].map((name, at) => ({
  id: `p${at}`, title: `Ada ${name}`, text: `The Varn Medal in Botany ${1927 + at}. It rained. Born: 4 June ${1877 + at}, Port Varn.`,
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
        const asked: Asked = await asAsked().run({ question, k: 3, corpus, snapshot }, context);
        const ranking = { scope: 'passages', relevance: { semantic: 0.4, lexical: 0.6 } } as const;
        const { found }: Candidates = await retrieve('passages', ranking).run(asked, context);
        const before = found.map(({ id }) => id);
        const condensed = await summarise(2, model).run({ asked, found, leading: 1 }, context);
        assert.equal(condensed.leading, 1);
        assert.equal(condensed.asked, asked);
        assert.deepEqual(condensed.found.map(({ id }) => id), before);
        assert.deepEqual(condensed.found.map(({ summary }) => summary !== undefined), [true, true, false]);
        assert.equal('leading' in (await summarise(1, model).run({ asked, found }, context)), false);
      } finally {
        snapshot.release();
      }
    });
  }
});
