// Running a system over queries: requests, averages, progress, cancellation, failures, latency,
// trace.
import assert from 'node:assert/strict';
import { AsOfError, abortError } from '../../../lib/errors.js';
import { evaluate, evaluationDepth, quantile, type EvaluableSystem } from '../lib/evaluate.js';
import { parseMetrics } from '../lib/measures/metricNames.js';
import { assertEach } from '../../../test/assertEach.js';

const queries = [
  { id: 'q1', text: 'one', askedAt: '2021-01-01', answers: ['May'] },
  { id: 'q2', text: 'two', answers: [] },
  { id: 'q3', text: 'three' },
];
const qrels = new Map([
  ['q1', new Map([['a', 1]])],
  ['q2', new Map([['b', 1]])],
  ['q9', new Map([['a', 1]])],
]);

function fixed(asked: unknown[] = []): EvaluableSystem {
  return {
    name: 'fixed',
    run: (question, options) => {
      asked.push({ ...question, k: options?.k });
      const evidence = [
        { id: 'a', score: 0.1, title: 'Theresa', text: 'May' },
        { id: 'b', score: 0.9, text: '' },
      ];
      const trace = [
        { stage: 'rank', milliseconds: 2, notes: { twin: 'rules', length: question.text.length } },
        { stage: 'rank', milliseconds: 4 },
      ];
      return Promise.resolve({ evidence, answer: { text: 'may' }, trace });
    },
  };
}

describe('evaluate', () => {
  it('measures the order returned, each metric over the queries it applies to', async () => {
    const asked: unknown[] = [];
    const progress: number[] = [];
    const result = await evaluate(fixed(asked), queries, {
      qrels,
      metrics: parseMetrics('hit@1,mrr@5,answer_recall@1,em'),
      onProgress: ({ done }) => progress.push(done),
    });
    assert.deepEqual(result.averages, {
      'hit@1': { mean: 0.5, queries: 2 },
      'mrr@5': { mean: 0.75, queries: 2 },
      'answer_recall@1': { mean: 1, queries: 1 },
      em: { mean: 1, queries: 1 },
    });
    assert.deepEqual(asked[0], { text: 'one', askedAt: '2021-01-01', k: 5 });
    assert.deepEqual(asked[1], { text: 'two', k: 5 });
    assert.deepEqual([result.unjudged, result.unasked, progress], [['q3'], ['q9'], [1, 2, 3]]);
    assertEach(result.run.get('q1')!, ({ id }) => id, ['a', 'b']);
    assert.ok(result.latencyMs.p99 >= result.latencyMs.p50 && result.latencyMs.p50 >= 0);
  });

  it('keeps stages of one name apart and the notes that never differ', async () => {
    const { trace } = await evaluate(fixed(), queries, { metrics: parseMetrics('em') });
    assert.deepEqual(trace, [
      { stage: 'rank', milliseconds: 2, notes: { twin: 'rules' } },
      { stage: 'rank', milliseconds: 4 },
    ]);
  });

  it('stops at the signal', async () => {
    const controller = new AbortController();
    let asked = 0;
    const system: EvaluableSystem = {
      name: 'slow',
      run: (_, options) => {
        asked += 1;
        controller.abort();
        return options!.signal!.aborted
          ? Promise.reject(abortError(options!.signal!))
          : Promise.resolve({ evidence: [] });
      },
    };
    await assert.rejects(
      evaluate(system, queries, { metrics: parseMetrics('mrr'), signal: controller.signal }),
      { code: 'ERR_ABORTED' },
    );
    assert.equal(asked, 1);
  });

  it('names the query that failed and keeps the code', async () => {
    const failing: EvaluableSystem = {
      name: 'x',
      run: () => Promise.reject(new AsOfError('ERR_CLOSED', 'Expected an open corpus.')),
    };
    await assert.rejects(evaluate(failing, queries, { metrics: parseMetrics('mrr') }), {
      code: 'ERR_CLOSED',
      message: 'Query q1: Expected an open corpus.',
    });
    const broken: EvaluableSystem = { name: 'x', run: () => Promise.reject(new TypeError('bug')) };
    await assert.rejects(evaluate(broken, queries, { metrics: parseMetrics('mrr') }), TypeError);
  });

  it('refuses to average over nothing', async () => {
    await assert.rejects(evaluate(fixed(), [], { metrics: parseMetrics('mrr') }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    await assert.rejects(evaluate(fixed(), queries, { metrics: [] }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('asks for as many passages as the metrics read', () => {
    assert.equal(evaluationDepth(parseMetrics('hit@1,recall@20')), 20);
    assert.equal(evaluationDepth(parseMetrics('hit@1,map')), 100);
    assert.equal(evaluationDepth(parseMetrics('em')), 1);
  });

  it('takes quantiles by nearest rank', () => {
    assert.deepEqual(
      [quantile([4, 1, 3, 2], 0.5), quantile([4, 1, 3, 2], 0.99), quantile([7], 0.5)],
      [2, 4, 7],
    );
  });
});
