// Pages of results and a least score: parts of the one ranking that a question has.
import assert from 'node:assert/strict';
import { hybrid, type AskOptions, type Corpus, type Passage } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/registry.js';
import { withCorpus } from '../corpus.js';
import { failsWith } from '../failsWith.js';
import { needed } from '../reranker.js';

const question = { text: 'Who was the mayor of Lund in 1921?', askedAt: '2020-01-01' };
const towns = ['Varn', 'Lund', 'Oss', 'Brix', 'Tey'];
const passages = Array.from({ length: 300 }, (_, n): Passage => {
  const text = `In ${1900 + (n % 50)} the mayor of ${towns[n % 5]!} was Anna Number${n}.`;
  return {
    id: `d${n % 90}#${Math.floor(n / 90)}`,
    text,
    publishedAt: `${1950 + (n % 60)}-03-01`,
    chunk: { parent: `d${n % 90}`, start: 0, end: text.length },
  };
});

describe('pages of results', function () {
  this.timeout(60_000);
  let corpus: Corpus;
  withCorpus(passages, (opened) => (corpus = opened));

  for (const name of systemNames)
    it(`are parts of the ranking of ${name}`, async () => {
      // The paper's filter sees the k, which a page changes.
      const settings = name === 're3' ? { versions: { depth: 50 } } : {};
      const system = createSystem(name, { corpus, settings, ...needed(name) });
      const run = async (options: AskOptions) => {
        const { evidence } = await system.run(question, { ...options, read: false });
        return evidence.map(({ id, rank, score }) => ({ id, rank, score }));
      };
      for (const perDocument of [false, true]) {
        const all = await run({ k: 10_000, perDocument });
        for (const [offset, k] of [
          [0, 3],
          [3, 3],
          [7, 40],
          [240, 50],
          [all.length - 1, 5],
          [9999, 1],
        ] as const)
          assert.deepEqual(
            await run({ k, offset, perDocument }),
            all.slice(offset, offset + k),
            `${offset} ${k}`,
          );
        const least = all[Math.min(12, all.length - 1)]!.score;
        assert.deepEqual(
          await run({ k: 10_000, minScore: least, perDocument }),
          all.filter(({ score }) => score >= least),
        );
      }
    });

  it('have the answer of the first one', async () => {
    const system = hybrid({ corpus });
    const first = await system.run(question, { k: 2 });
    const later = await system.run(question, { k: 2, offset: 10 });
    assert.ok(first.answer);
    assert.deepEqual(later.answer, first.answer);
    assert.equal(later.evidence[0]!.rank, 11);
  });

  it('count the texts of their own page alone', async () => {
    const system = hybrid({ corpus });
    const mostUnits = 10 * passages[0]!.text.length;
    const { evidence } = await system.run(question, { k: 5, offset: 50, mostUnits });
    assert.equal(evidence.length, 5);
    await assert.rejects(
      system.run(question, { k: 50, offset: 50, mostUnits }),
      failsWith('ERR_INVALID_ARGUMENT', /mostUnits/),
    );
  });

  it('are read no further than to a least score, a probability of hybrid', async () => {
    const system = hybrid({ corpus });
    const { evidence } = await system.run(question, { k: 300 });
    const sure = await system.run(question, { k: 300, minScore: 0.5 });
    assert.deepEqual(
      sure.evidence.map(({ id }) => id),
      evidence.filter(({ score }) => score >= 0.5).map(({ id }) => id),
    );
    assert.ok(sure.evidence.length > 0 && sure.evidence.length < evidence.length);
    const none = await system.run(question, { minScore: 1.1, only: 'current' });
    assert.deepEqual([none.evidence, none.answer], [[], undefined]);
    // What is left out by its score is not looked for further down.
    assert.equal(none.trace.filter(({ stage }) => stage === 'limit').length, 1);
  });

  it('refuses pages beyond 10,000 results and scores that are none', async () => {
    const system = hybrid({ corpus });
    for (const [options, message] of [
      [
        { offset: 9991 },
        /^Expected offset to be at most 10,000 less k, 9990, received number 9991/,
      ],
      [{ offset: -1 }, /^Expected offset to be a whole number from 0 to 10/],
      [{ offset: 1.5 }, /^Expected offset to be a whole number/],
      [{ minScore: '0.5' as never }, /^Expected minScore to be a number/],
      [{ minScore: NaN }, /^Expected minScore to be a number/],
    ] as const)
      await assert.rejects(
        system.run(question, options),
        failsWith('ERR_INVALID_ARGUMENT', message),
      );
  });
});
