// Spans of questions, encoders, models and writes: names, attributes, and parents.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  bm25,
  Corpus,
  dense,
  hybrid,
  joinCorpora,
  staticEncoder,
  timeline,
  type Encoder,
  type Passage,
} from '../../../lib/index.js';
import { generateText } from '../../../lib/text/textModel.js';
import { encodeTexts } from '../../../lib/vectors/encoder.js';
import { withCorpus } from '../../corpus.js';
import { failsWith } from '../../failsWith.js';
import {
  childrenOf,
  ministers,
  model,
  named,
  question,
  registerSdk,
  type RegisteredSdk,
} from './sdk.js';
import { assertEach } from '../../assertEach.js';

describe('spans', () => {
  let corpus: Corpus;
  let sdk: RegisteredSdk;

  withCorpus(ministers, (opened) => (corpus = opened));
  beforeEach(() => (sdk = registerSdk()));
  afterEach(() => sdk.shutdown());

  it('shows a question as a retrieval whose children are the stages of its trace', async () => {
    const { trace: stages } = await hybrid({ corpus }).run(question, { k: 2 });
    const all = sdk.spans();
    const retrieval = named(all, 'retrieval corpus');
    assert.equal(retrieval.kind, SpanKind.CLIENT);
    assert.equal(retrieval.status.code, SpanStatusCode.UNSET);
    assert.equal(retrieval.instrumentationScope.name, 'asof');
    assert.equal(retrieval.parentSpanContext, undefined);
    assert.deepEqual(retrieval.attributes, {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.provider.name': 'asof',
      'gen_ai.data_source.id': 'corpus',
      'gen_ai.retrieval.top_k': 2,
      'asof.system': 'hybrid',
      'asof.asked_at': '2024-01-01T23:59:59.999Z',
      'asof.passages.returned': 2,
    });
    const children = childrenOf(retrieval, all);
    assertEach(
      children,
      ({ name }) => name,
      stages.map(({ stage }) => stage),
    );
    assert.ok(children.every(({ kind, ended }) => kind === SpanKind.INTERNAL && ended));
  });

  it('is part of the span of the application', async () => {
    await trace.getTracer('app').startActiveSpan('GET /ask', async (span) => {
      await bm25({ corpus }).run(question);
      span.end();
    });
    const all = sdk.spans();
    assertEach(childrenOf(named(all, 'GET /ask'), all), ({ name }) => name, ['retrieval corpus']);
  });

  it('shows the encoder and the model below the stages that call them', async () => {
    await dense({ corpus, model, read: { mode: 'concatenated' } }).run(question);
    const all = sdk.spans();
    const stages = childrenOf(named(all, 'retrieval corpus'), all);
    const embeddings = named(all, 'embeddings asof-static-256-v1');
    const chat = named(all, 'chat gpt-4.1-mini');
    assert.deepEqual(
      stages.map((stage) => childrenOf(stage, all)).filter(({ length }) => length > 0),
      [[embeddings], [chat]],
    );
    assert.deepEqual(childrenOf(stages.at(-1)!, all), [chat]);
    assert.equal(chat.kind, SpanKind.CLIENT);
    assert.deepEqual(embeddings.attributes, {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'asof',
      'gen_ai.request.model': 'asof-static-256-v1',
      'gen_ai.embeddings.dimension.count': 256,
      'asof.texts.count': 1,
    });
    assert.deepEqual(chat.attributes, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1-mini',
      'gen_ai.output.type': 'json',
      'gen_ai.request.max_tokens': 150,
      'gen_ai.request.temperature': 0,
      'gen_ai.usage.input_tokens': 41,
      'gen_ai.usage.output_tokens': 3,
    });
  });

  it('is the parent of requests that an encoder makes', async () => {
    const requesting: Encoder = {
      ...(await staticEncoder()),
      encode: async (texts) => {
        await delay(1);
        trace.getTracer('http').startSpan('POST').end();
        return new Float32Array(texts.length * 256);
      },
    };
    using own = await Corpus.open(corpus.path, { encoder: requesting });
    await dense({ corpus: own }).run(question);
    const all = sdk.spans();
    const embeddings = named(all, 'embeddings asof-static-256-v1');
    assert.deepEqual(childrenOf(embeddings, all), [named(all, 'POST')]);
  });

  it('names the model of a service, and the settings of a call', async () => {
    const encoding: Encoder = {
      id: 'openai:text-embedding-3-small:4',
      dimensions: 4,
      encode: async (texts) => new Float32Array(texts.length * 4),
    };
    await encodeTexts(encoding, ['a', 'b'], { kind: 'query' });
    await generateText(model, { prompt: 'Who?', seed: 7, maxTokens: 20, jsonSchema: {} });
    const [embeddings, chat] = sdk.spans();
    assert.equal(embeddings!.name, 'embeddings text-embedding-3-small');
    assert.equal(embeddings!.attributes['gen_ai.provider.name'], 'openai');
    assert.equal(embeddings!.attributes['asof.texts.count'], 2);
    assert.equal(chat!.attributes['gen_ai.request.seed'], 7);
    assert.equal(chat!.attributes['gen_ai.request.max_tokens'], 20);
    assert.equal(chat!.attributes['gen_ai.output.type'], 'json');
  });

  it('keeps the parents of concurrent questions apart', async () => {
    const system = dense({ corpus, model, read: { mode: 'concatenated' } });
    const tracer = trace.getTracer('app');
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        tracer.startActiveSpan(`request ${i}`, async (span) => {
          await system.run(question, { k: i + 1 });
          span.end();
        }),
      ),
    );
    const all = sdk.spans();
    for (let i = 0; i < 20; i += 1) {
      const [retrieval, ...more] = childrenOf(named(all, `request ${i}`), all);
      assert.equal(retrieval!.attributes['gen_ai.retrieval.top_k'], i + 1);
      assert.equal(more.length, 0);
      const stages = childrenOf(retrieval!, all);
      const calls = stages.flatMap((stage) => childrenOf(stage, all)).map(({ name }) => name);
      assert.deepEqual(calls.sort(), ['chat gpt-4.1-mini', 'embeddings asof-static-256-v1']);
    }
  });

  it('shows timelines, joined corpora and one result per document', async () => {
    await timeline(corpus, { text: 'prime minister of the UK' }, { passages: 50 });
    const all = sdk.spans();
    const { attributes } = named(all, 'retrieval corpus');
    assert.equal(attributes['asof.system'], 'timeline');
    assert.equal(attributes['gen_ai.retrieval.top_k'], 50);
    await bm25({ corpus: joinCorpora([corpus]) }).run(question, { perDocument: true });
    const joined = sdk.spans();
    const names = childrenOf(named(joined, 'retrieval corpus'), joined).map(({ name }) => name);
    assert.ok(names.length > 0);
  });

  it('shows writes with their counts', async () => {
    const extra = { id: 'truss', text: 'Liz Truss became prime minister on 6 September 2022.' };
    await corpus.add([extra, ministers[0]!]);
    await corpus.delete(['truss', 'nobody']);
    await corpus.compact();
    await assert.rejects(corpus.add([{ id: '' } as Passage]), failsWith('ERR_INVALID_ARGUMENT'));
    const all = sdk.spans();
    const writes = all.filter(({ parentSpanContext }) => !parentSpanContext);
    assert.deepEqual(
      writes.map(({ name, kind, attributes }) => [name, kind, attributes]),
      [
        [
          'add corpus',
          SpanKind.INTERNAL,
          {
            'gen_ai.data_source.id': 'corpus',
            'asof.passages.added': 1,
            'asof.passages.replaced': 0,
            'asof.passages.unchanged': 1,
          },
        ],
        [
          'delete corpus',
          SpanKind.INTERNAL,
          { 'gen_ai.data_source.id': 'corpus', 'asof.passages.deleted': 1 },
        ],
        [
          'compact corpus',
          SpanKind.INTERNAL,
          {
            'gen_ai.data_source.id': 'corpus',
            'asof.passages.dropped': writes[2]!.attributes['asof.passages.dropped'],
            'asof.segments.merged': writes[2]!.attributes['asof.segments.merged'],
          },
        ],
        [
          'add corpus',
          SpanKind.INTERNAL,
          { 'gen_ai.data_source.id': 'corpus', 'error.type': 'ERR_INVALID_ARGUMENT' },
        ],
      ],
    );
    assert.equal(typeof writes[2]!.attributes['asof.segments.merged'], 'number');
    const [embeddings] = childrenOf(writes[0]!, all);
    assert.equal(embeddings!.name, 'embeddings asof-static-256-v1');
    assert.deepEqual(
      (await sdk.points('gen_ai.client.operation.duration')).points.map(
        ({ attributes }) => attributes['gen_ai.operation.name'],
      ),
      ['embeddings'],
    );
  });

  it('changes no result', async () => {
    const system = hybrid({ corpus });
    const observed = await system.run(question);
    await sdk.shutdown();
    const plain = await system.run(question);
    assert.deepEqual({ ...observed, trace: [] }, { ...plain, trace: [] });
    sdk = registerSdk();
  });
});
