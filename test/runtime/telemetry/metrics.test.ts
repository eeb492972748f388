// Metrics of operations; providers that come late, go, or are missing.
import assert from 'node:assert/strict';
import { metrics, trace, type Meter, type Tracer } from '@opentelemetry/api';
import { bm25, dense, type Corpus, type TextModel } from '../../../lib/index.js';
import type { Span, TelemetryApi } from '../../../lib/runtime/telemetry.js';
import { generateText } from '../../../lib/text/textModel.js';
import { withCorpus } from '../../corpus.js';
import { ministers, model, named, question, registerSdk, type RegisteredSdk } from './sdk.js';

describe('metrics and providers', () => {
  let corpus: Corpus;
  let sdk: RegisteredSdk;

  withCorpus(ministers, (opened) => (corpus = opened));
  beforeEach(() => (sdk = registerSdk()));
  afterEach(() => sdk.shutdown());

  it('measures durations in seconds, and tokens, by few dimensions', async () => {
    await dense({ corpus, model, read: { mode: 'concatenated' } }).run(question);
    const { unit, points } = await sdk.points('gen_ai.client.operation.duration');
    assert.equal(unit, 's');
    assert.deepEqual(points[0]!.value.buckets.boundaries.slice(0, 3), [0.01, 0.02, 0.04]);
    assert.equal(points[0]!.value.buckets.boundaries.at(-1), 81.92);
    assert.ok(points.every(({ value }) => value.count === 1 && value.sum! > 0 && value.sum! < 60));
    const operation = (of: string, provider: string) => ({
      'gen_ai.operation.name': of,
      'gen_ai.provider.name': provider,
    });
    assert.deepEqual(
      points.map(({ attributes }) => attributes),
      [
        { ...operation('embeddings', 'asof'), 'gen_ai.request.model': 'asof-static-256-v1' },
        { ...operation('chat', 'openai'), 'gen_ai.request.model': 'gpt-4.1-mini' },
        { ...operation('retrieval', 'asof'), 'gen_ai.data_source.id': 'corpus' },
      ],
    );
    const tokens = await sdk.points('gen_ai.client.token.usage');
    assert.equal(tokens.unit, '{token}');
    assert.equal(tokens.points[0]!.value.buckets.boundaries.at(-1), 67_108_864);
    assert.deepEqual(
      tokens.points.map(({ attributes, value }) => [attributes['gen_ai.token.type'], value.sum]),
      [
        ['input', 41],
        ['output', 3],
      ],
    );
  });

  it('counts no tokens of models that report none', async () => {
    const silent: TextModel = { id: 'mine', generate: async () => ({ text: 'x' }) };
    await generateText(silent, { prompt: 'Who?' });
    assert.deepEqual((await sdk.points('gen_ai.client.token.usage')).points, []);
  });

  it('finds providers that are registered after the first question, and their end', async () => {
    await sdk.shutdown();
    const system = bm25({ corpus });
    await system.run(question);
    sdk = registerSdk();
    await system.run(question);
    assert.ok(named(sdk.spans(), 'retrieval corpus'));
    const old = sdk;
    await old.shutdown();
    await system.run(question);
    assert.deepEqual(old.spans(), []);
    sdk = registerSdk();
    await system.run(question);
    assert.equal(sdk.spans().filter(({ name }) => name === 'retrieval corpus').length, 1);
    assert.equal((await sdk.points('gen_ai.client.operation.duration')).points.length, 1);
  });

  it('measures without tracing, and traces without measuring', async () => {
    trace.disable();
    await bm25({ corpus }).run(question);
    assert.deepEqual(sdk.spans(), []);
    assert.equal((await sdk.points('gen_ai.client.operation.duration')).points.length, 1);
    await sdk.shutdown();
    sdk = registerSdk();
    metrics.disable();
    await bm25({ corpus }).run(question);
    assert.ok(named(sdk.spans(), 'retrieval corpus'));
    assert.deepEqual((await sdk.points('gen_ai.client.operation.duration')).points, []);
  });

  it('uses what the interfaces of the API have', () => {
    const used: Required<TelemetryApi> = {
      trace: trace.getTracerProvider(),
      metrics: metrics.getMeterProvider(),
    };
    const [tracer, meter]: [Tracer, Meter] = [trace.getTracer('x'), metrics.getMeter('x')];
    const span: Span = tracer.startSpan('x');
    span.end();
    assert.equal(typeof used.trace.getTracer('x', '1').startActiveSpan, 'function');
    assert.equal(typeof meter.createHistogram, 'function');
  });
});
