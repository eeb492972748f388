// Streams of the AI SDK adapter, by the SDK's own mock model (v3) and a hand-made one of v2.
import assert from 'node:assert/strict';
import { APICallError } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import { aiSdkTextModel, type AiSdkLanguageModel } from '../../lib/models/index.js';
import { generateText } from '../../lib/text/textModel.js';
import { failsWith } from '../failsWith.js';

type Parts = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'];
type Part = Parts extends ReadableStream<infer Each> ? Each : never;

const piece = (delta: string): Part => ({ type: 'text-delta', id: 't', delta });
const finish = (unified: 'stop' | 'length' = 'stop'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 3, text: 2, reasoning: 1 },
  },
});
const busy = new APICallError({
  message: 'busy',
  url: 'http://127.0.0.1/',
  requestBodyValues: {},
  statusCode: 503,
  responseHeaders: { 'retry-after': '0' },
});

/** A model that streams each of these lists of parts in turn, or fails. */
const streaming = (...answers: (Part[] | Error)[]) =>
  new MockLanguageModelV3({
    provider: 'mock',
    modelId: 'm-1',
    doStream: async () => {
      const next = answers.shift()!;
      if (next instanceof Error) throw next;
      return { stream: convertArrayToReadableStream(next) };
    },
  });

async function ask(model: AiSdkLanguageModel, options = {}, request = {}) {
  const shown: string[] = [];
  const adapter = aiSdkTextModel(model, options);
  const generation = await generateText(adapter, { prompt: 'When?', ...request }, (text) =>
    shown.push(text),
  );
  return { shown, generation };
}

describe('adapters: aiSdkTextModel streams', () => {
  it('show text and no reasoning, and read counts', async () => {
    const mock = streaming([
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'text-start', id: 't' },
      piece('in '),
      piece(''),
      piece('1905'),
      { type: 'text-end', id: 't' },
      finish(),
    ]);
    const providerOptions = { mock: { effort: 'low' } };
    const { shown, generation } = await ask(mock, { providerOptions }, { maxTokens: 9 });
    assert.deepEqual(shown, ['in ', 'in 1905']);
    assert.deepEqual(generation, {
      text: 'in 1905',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    assert.deepEqual(mock.doStreamCalls[0], {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'When?' }] }],
      maxOutputTokens: 9,
      providerOptions,
    });
  });

  it('are read of a model of specification v2', async () => {
    const parts = [
      { type: 'text-delta', id: 't', delta: 'ok' },
      { type: 'finish', finishReason: 'stop', usage: { inputTokens: 5, outputTokens: 1 } },
    ];
    const { generation } = await ask({
      specificationVersion: 'v2',
      provider: 'p',
      modelId: 'm',
      doGenerate: async () => assert.fail('streams'),
      doStream: async () => ({ stream: convertArrayToReadableStream(parts) }),
    });
    assert.deepEqual(generation, { text: 'ok', usage: { inputTokens: 5, outputTokens: 1 } });
  });

  it('are absent of a model without doStream, whose answer comes whole', async () => {
    const model: AiSdkLanguageModel = {
      specificationVersion: 'v3',
      provider: 'p',
      modelId: 'm',
      doGenerate: async () => ({ content: [{ type: 'text', text: 'ok' }], finishReason: 'stop' }),
    };
    assert.ok(!('stream' in aiSdkTextModel(model)));
    assert.deepEqual((await ask(model)).shown, ['ok']);
  });

  it('are retried before the first piece only', async () => {
    const early = streaming(busy, [{ type: 'error', error: busy }], [piece('ok'), finish()]);
    assert.equal((await ask(early)).generation.text, 'ok');
    assert.equal(early.doStreamCalls.length, 3);
    const late = streaming([piece('in'), { type: 'error', error: busy }], [piece('ok')]);
    await assert.rejects(ask(late), failsWith('ERR_MODEL_FAILED', /ai-sdk:mock\/m-1.*busy/));
    assert.equal(late.doStreamCalls.length, 1);
  });

  it('without text are an error, unless the model stopped by itself', async () => {
    await assert.rejects(
      ask(streaming([finish('length')])),
      failsWith('ERR_MODEL_FAILED', /no text \(finish reason length\)/),
    );
    assert.equal((await ask(streaming([finish()]))).generation.text, '');
    const odd = { doStream: async () => ({}) as never };
    await assert.rejects(
      ask(new MockLanguageModelV3(odd)),
      failsWith('ERR_MODEL_FAILED', /a result without a stream/),
    );
  });

  it('end at once with the signal, and cancel the stream', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Part>({
      start: (controller) => controller.enqueue(piece('in')),
      cancel: () => void (cancelled = true),
    });
    const controller = new AbortController();
    const model = aiSdkTextModel(new MockLanguageModelV3({ doStream: async () => ({ stream }) }));
    const running = generateText(model, { prompt: 'p', signal: controller.signal }, () =>
      controller.abort(),
    );
    await assert.rejects(running, { name: 'AbortError', code: 'ERR_ABORTED' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(cancelled, true);
  });
});
