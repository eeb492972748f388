// Names of metrics, averages and their rule about missing queries.
import assert from 'node:assert/strict';
import { averageScores, scoreRun } from '../../lib/measures/averages.js';
import { metricForms, parseMetric, parseMetrics } from '../../lib/measures/metricNames.js';

describe('metric names', () => {
  it('reads names with and without cutoffs, each once', () => {
    assert.deepEqual(
      parseMetrics('hit@1, NDCG@10,map,hit@1,mrr,f1').map(({ name }) => name),
      ['hit@1', 'ndcg@10', 'map', 'mrr', 'f1'],
    );
    assert.equal(parseMetric('ndcg@10').cutoff, 10);
  });

  it('refuses what is none and lists all', () => {
    for (const written of [
      'ndgc@10',
      'hit',
      'map@0',
      'map@9999999',
      'em@3',
      'hit@',
      'hit@1.5',
      'hit@-1',
      'constructor',
      '',
      ',',
    ]) {
      assert.throws(
        () => parseMetrics(written),
        (error: Error) => metricForms.every((form) => error.message.includes(form)),
        written,
      );
    }
  });

  it('measures one answer, a list of them, or none', () => {
    const values = (answer: string | string[] | undefined, answers?: string[]) =>
      parseMetrics('em,f1,abstained').map((metric) =>
        metric.of({ ...(answer === undefined ? {} : { answer }), ...(answers ? { answers } : {}) }),
      );
    assert.deepEqual(values('Ana Lind', ['Ana Lind', 'Eva Ross']), [1, 1, 0]);
    assert.deepEqual(values(['Ana Lind', 'Eva Ross'], ['Eva Ross', 'Ana Lind']), [1, 1, 0]);
    assert.deepEqual(values(['Ana Lind', 'Lund'], ['Ana Lind', 'Eva Ross']), [0, 0.5, 0]);
    assert.deepEqual(values(undefined, ['Ana Lind']), [0, 0, 1]);
    assert.deepEqual(values(undefined, ['!']), [0, 0, 1], 'no answer is not an answer of no words');
    assert.deepEqual(values('Ana Lind'), [undefined, undefined, undefined]);
  });

  it('averages over the queries that a metric applies to, and says over how many', () => {
    const metrics = parseMetrics('em,hit@1');
    const averages = averageScores(
      [
        { id: 'a', values: { em: 1, 'hit@1': 0 } },
        { id: 'b', values: { 'hit@1': 1 } },
      ],
      metrics,
    );
    assert.deepEqual(averages, { em: { mean: 1, queries: 1 }, 'hit@1': { mean: 0.5, queries: 2 } });
  });

  it('leaves a judged query without results out, or counts it zero where complete', () => {
    const qrels = new Map([
      ['a', new Map([['x', 1]])],
      ['b', new Map([['y', 1]])],
    ]);
    const run = new Map([
      ['a', [{ id: 'x', score: 1 }]],
      ['c', [{ id: 'x', score: 1 }]],
    ]);
    const metrics = parseMetrics('mrr,em');
    const partial = scoreRun(run, qrels, metrics);
    assert.deepEqual(partial.averages, { mrr: { mean: 1, queries: 1 } });
    assert.deepEqual(
      [partial.missing, partial.unjudged, partial.inapplicable],
      [['b'], ['c'], ['em']],
    );
    assert.deepEqual(scoreRun(run, qrels, metrics, { complete: true }).averages, {
      mrr: { mean: 0.5, queries: 2 },
    });
  });
});
