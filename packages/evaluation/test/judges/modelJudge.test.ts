// The judge by a model, scripted: what it is asked, what becomes of its answers, and of those that
// do not fit.
import assert from 'node:assert/strict';
import { budgetedModel, modelJudge } from '../../lib/index.js';
import { fares, faresQuestion, scripted } from './examples.js';

const intent = { temporal: true, focus: 'change_over_time', keywords: ['since 2010'] } as const;
const asIntent = { ...intent, keywords: [...intent.keywords] };

describe('the judge by a model', () => {
  it('asks for a focus and takes none as no temporal intent', async () => {
    const model = scripted(() => ({ keywords: ['since 2010'], focus: 'change_over_time' }));
    assert.deepEqual(await modelJudge(model).intent(faresQuestion), intent);
    assert.match(model.asked[0]!.prompt, /changed since 2010\?\nAsked on: 2024-06-01/);
    assert.equal(model.asked[0]!.temperature, 0);
    const none = scripted(() => ({ keywords: [], focus: 'none' }));
    assert.equal((await modelJudge(none).intent(faresQuestion)).temporal, false);
  });

  it('numbers any number of periods with their days and reads the numbers back', async () => {
    const model = scripted(() => ({ reason: 'two of three', periods: [3, 1], verdict: 1 }));
    const judged = await modelJudge(model).evidence(
      faresQuestion,
      asIntent,
      ['2010', '2015', 'nowadays'],
      fares['both']!,
    );
    assert.deepEqual(judged, { verdict: 1, periods: ['2010', 'nowadays'], reason: 'two of three' });
    assert.match(
      model.asked[0]!.prompt,
      /Period 1: 2010 \(2010-01-01 to 2010-12-31\)\nPeriod 2: 2015 \(.*\)\nPeriod 3: nowadays \(/,
    );
    assert.match(model.asked[0]!.prompt, /Rail fares in Norland were 20 crowns/);
  });

  it('shows a document up to a length', async () => {
    const model = scripted(() => ({ reason: 'none', verdict: 0 }));
    const document = { id: 'd', title: 'Fares', text: 'x'.repeat(5000), publishedAt: '2023-04-01' };
    await modelJudge(model).relevance(faresQuestion, asIntent, document);
    assert.match(
      model.asked[0]!.prompt,
      /Document: Fares \(published 2023-04-01\)\nx{2000} \[cut\]/,
    );
    await modelJudge(model, { documentLength: 300 }).relevance(faresQuestion, asIntent, document);
    assert.match(model.asked[1]!.prompt, /[^x]x{300} \[cut\]/);
    assert.throws(() => modelJudge(model, { documentLength: 3 }), { code: 'ERR_INVALID_ARGUMENT' });
  });

  it('counts an answer that does not fit twice for nothing, and says so', async () => {
    const faults: string[] = [];
    const model = scripted(({ prompt }) =>
      prompt.includes('Period 1') ? { reason: 'r', periods: [7], verdict: 1 } : 'yes, certainly',
    );
    const judge = modelJudge(model, { onUnusable: (why) => faults.push(why) });
    const [asked, relevant, evidence, score] = [
      await judge.intent(faresQuestion),
      await judge.relevance(faresQuestion, asIntent, fares['both']!),
      await judge.evidence(faresQuestion, asIntent, ['2010', '2015'], fares['both']!),
      await judge.answerCoverage({ question: 'q', answer: 'a', references: ['b'] }),
    ];
    assert.deepEqual(
      [asked.temporal, relevant.verdict, evidence.verdict, evidence.periods, score.score],
      [false, 0, 0, [], 0],
    );
    assert.match(asked.fault!, /text without JSON/);
    assert.match(relevant.reason, /^no usable answer/);
    assert.deepEqual([faults.length, model.asked.length], [4, 8]);
  });

  it('passes on that the model failed', async () => {
    const model = { id: 'm', generate: async () => Promise.reject(new Error('no power')) };
    await assert.rejects(modelJudge(model).intent(faresQuestion), {
      code: 'ERR_MODEL_FAILED',
      message: /no power/,
    });
  });

  it('scores answers and entries of a data set from 0 to 100', async () => {
    const scores = [60, 101, 86];
    const model = scripted(() => ({ reason: 'most of it', score: scores.shift() }));
    const judge = modelJudge(model);
    assert.deepEqual(
      await judge.answerCoverage({ question: 'q', answer: 'a', references: ['b', 'c'] }),
      { score: 60, reason: 'most of it' },
    );
    assert.match(model.asked[0]!.prompt, /Reference: b or c/);
    const entry = {
      question: faresQuestion,
      plan: ['find fares'],
      documents: Object.values(fares),
    };
    assert.equal((await judge.dataQuality(entry)).score, 86); // 101 was refused and asked again
    assert.match(model.asked[1]!.prompt, /Steps: \n1\. find fares\n\nDocument:/);
  });

  it('is asked no more often than its budget', async () => {
    const model = scripted(() => ({ keywords: [], focus: 'none' }));
    const limited = budgetedModel(model, 2);
    const judge = modelJudge(limited);
    await judge.intent(faresQuestion);
    await judge.intent(faresQuestion);
    await assert.rejects(judge.intent(faresQuestion), {
      code: 'ERR_MODEL_FAILED',
      message: /at most 2 calls/,
    });
    assert.deepEqual([limited.calls, model.asked.length, limited.id], [2, 2, 'scripted']);
    assert.throws(() => budgetedModel(model, -1), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
