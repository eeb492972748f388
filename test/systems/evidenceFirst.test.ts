// Evidence before its answer, and without one: the options onEvidence and read of a question.
import assert from 'node:assert/strict';
import type { Corpus, Evidence, TextModel } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import { needsReranker } from '../../lib/papers/registry.js';
import { withCorpus } from '../corpus.js';
import { assertEach } from '../assertEach.js';

const question = { text: 'Who was UK prime minister as of 6 May 2021?', askedAt: '2024-01-01' };

describe('evidence', () => {
  let corpus: Corpus;
  withCorpus(
    [
      { id: 'may', text: 'Theresa May became prime minister of the UK on 13 July 2016.' },
      { id: 'johnson', text: 'Boris Johnson became prime minister of the UK on 24 July 2019.' },
    ],
    (given) => (corpus = given),
  );

  for (const name of systemNames.filter((each) => !needsReranker(each)))
    it(`of ${name} is given once, as the result has it`, async () => {
      const system = createSystem(name, { corpus });
      const given: Evidence[][] = [];
      const options = { k: 1, neighbours: 1, onEvidence: (each: Evidence[]) => given.push(each) };
      const whole = await system.run(question, options);
      assert.deepEqual(given, [whole.evidence]);
      const { answer, trace, ...others } = await system.run(question, { ...options, read: false });
      assert.equal(answer, undefined);
      assert.deepEqual(others.evidence, whole.evidence);
      assertEach(
        trace,
        ({ stage }) => stage,
        whole.trace.slice(0, -1).map(({ stage }) => stage),
      );
    });

  it('comes before the model is asked, and no model is asked without an answer', async () => {
    const order: string[] = [];
    const model: TextModel = {
      id: 'noting',
      generate: async () => (order.push('model'), { text: '{"answer":"Boris Johnson"}' }),
    };
    const system = createSystem('dense', { corpus, model, read: { mode: 'concatenated' } });
    const onEvidence = (): void => void order.push('evidence');
    const { answer } = await system.run(question, { onEvidence });
    assert.equal(answer!.text, 'Boris Johnson');
    await system.run(question, { onEvidence, read: false });
    assert.deepEqual(order, ['evidence', 'model', 'evidence']);
  });

  it('options of another type are refused', async () => {
    const system = createSystem('dense', { corpus });
    for (const options of [{ read: 'no' }, { onEvidence: true }])
      await assert.rejects(system.run(question, options as object), {
        code: 'ERR_INVALID_ARGUMENT',
      });
  });
});
