// The AI SDK adapters against the SDK's own mock models (v3), the SDK's own error class, and
// hand-made models of v2 and v4.
import assert from 'node:assert/strict';
import { APICallError, type EmbeddingModel, type LanguageModel } from 'ai';
import { MockEmbeddingModelV3, MockLanguageModelV3 } from 'ai/test';
import { Corpus, dense } from '../../lib/index.js';
import { encodeTexts } from '../../lib/vectors/encoder.js';
import { generateJson } from '../../lib/text/jsonAnswer.js';
import { generateText } from '../../lib/text/textModel.js';
import {
  aiSdkEncoder,
  aiSdkTextModel,
  type AiSdkEmbeddingModel,
  type AiSdkLanguageModel,
} from '../../lib/models/index.js';
import { failsWith } from '../failsWith.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 2, reasoning: 1 },
};
const result = (
  content: Result['content'],
  unified: Result['finishReason']['unified'] = 'stop',
  more: object = {},
): Result => ({
  content,
  finishReason: { unified, raw: unified },
  usage,
  warnings: [],
  ...more,
});
const text = (words: string) => ({ type: 'text' as const, text: words });
const saying = (...answers: (Result | Error)[]) =>
  new MockLanguageModelV3({
    provider: 'mock',
    modelId: 'm-1',
    doGenerate: async () => {
      const next = answers.shift()!;
      if (next instanceof Error) throw next;
      return next;
    },
  });
const refusing = (statusCode: number, responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message: `status ${statusCode}`,
    url: 'http://127.0.0.1/',
    requestBodyValues: {},
    statusCode,
    responseHeaders,
  });

describe('adapters: aiSdkTextModel', () => {
  it('takes what the SDK calls a language model, and says what it wants instead of a name', () => {
    const typed: Exclude<LanguageModel, string> = saying();
    assert.equal(aiSdkTextModel(typed).id, 'ai-sdk:mock/m-1');
    const wrong = [
      'openai/gpt',
      undefined,
      null,
      {},
      { doGenerate() {} },
      { specificationVersion: 'v1', provider: 'p', modelId: 'm', doGenerate() {} },
      { specificationVersion: 'v3', provider: 5, modelId: 'm', doGenerate() {} },
    ];
    for (const each of wrong)
      assert.throws(
        () => aiSdkTextModel(each as unknown as AiSdkLanguageModel),
        failsWith('ERR_INVALID_ARGUMENT', /model/),
      );
    for (const options of [null, { retries: -1 }, { retries: 11 }, { providerOptions: [] }]) {
      assert.throws(
        () => aiSdkTextModel(saying(), options as object),
        failsWith('ERR_INVALID_ARGUMENT', /options|retries|providerOptions/),
      );
    }
  });

  it('hands over all that was asked and nothing else, and reads text and counts', async () => {
    const mock = saying(
      result([{ type: 'reasoning', text: 'hm' }, text('in '), text('1905')]),
      result([text('ok')]),
    );
    const providerOptions = { mock: { effort: 'low' } };
    const { signal } = new AbortController();
    const asked = {
      system: 'Be brief.',
      prompt: 'When?',
      maxTokens: 9,
      temperature: 0,
      stop: ['\n'],
      seed: 4,
      jsonSchema: { type: 'object' },
      signal,
    };
    assert.deepEqual(await generateText(aiSdkTextModel(mock, { providerOptions }), asked), {
      text: 'in 1905',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    assert.deepEqual(mock.doGenerateCalls[0], {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'When?' }] },
      ],
      maxOutputTokens: 9,
      temperature: 0,
      stopSequences: ['\n'],
      seed: 4,
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'answer' },
      abortSignal: signal,
      providerOptions,
    });
    await generateText(aiSdkTextModel(mock), { prompt: 'p' });
    assert.deepEqual(mock.doGenerateCalls[1], {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'p' }] }],
    });
  });

  it('tells an empty answer from none', async () => {
    const odd = {
      inputTokens: { total: undefined },
      outputTokens: undefined,
    } as unknown as Result['usage'];
    assert.deepEqual(
      await generateText(aiSdkTextModel(saying(result([], 'stop', { usage: odd }))), {
        prompt: 'p',
      }),
      { text: '' },
    );
    assert.equal(
      (await generateText(aiSdkTextModel(saying(result([text('cut')], 'length'))), { prompt: 'p' }))
        .text,
      'cut',
    );
    for (const reason of ['length', 'content-filter', 'tool-calls', 'error'] as const) {
      const thinking = saying(result([{ type: 'reasoning', text: 'hm' }], reason));
      await assert.rejects(
        generateText(aiSdkTextModel(thinking), { prompt: 'p' }),
        failsWith('ERR_MODEL_FAILED', new RegExp(reason), { model: 'ai-sdk:mock/m-1', tries: 1 }),
      );
    }
    for (const wrong of [null, undefined, 'x', {}, { content: 'x' }]) {
      await assert.rejects(
        generateText(aiSdkTextModel(saying(wrong as unknown as Result)), { prompt: 'p' }),
        failsWith('ERR_MODEL_FAILED', /received/),
      );
    }
  });

  it('tries again what the SDK says may pass, waits as asked, and wraps what may not', async () => {
    assert.equal(
      (
        await generateText(aiSdkTextModel(saying(refusing(503), result([text('a')]))), {
          prompt: 'p',
        })
      ).text,
      'a',
    );
    const started = performance.now();
    assert.equal(
      (
        await generateText(
          aiSdkTextModel(saying(refusing(429, { 'retry-after': '1' }), result([text('b')]))),
          { prompt: 'p' },
        )
      ).text,
      'b',
    );
    assert.ok(performance.now() - started >= 990);
    const cause = refusing(401);
    await assert.rejects(
      generateText(aiSdkTextModel(saying(cause)), { prompt: 'p' }),
      (error) =>
        failsWith('ERR_MODEL_FAILED', /status 401/, { status: 401, tries: 1 })(error) &&
        (error as Error).cause === cause,
    );
    await assert.rejects(
      generateText(aiSdkTextModel(saying(refusing(500), refusing(500)), { retries: 1 }), {
        prompt: 'p',
      }),
      failsWith('ERR_MODEL_FAILED', /after 2 tries/, { status: 500, tries: 2 }),
    );
    await assert.rejects(
      generateText(aiSdkTextModel(saying(new TypeError('no network'))), { prompt: 'p' }),
      failsWith('ERR_MODEL_FAILED', /no network/, { tries: 1 }),
    );
  });

  it('aborts at once, over a model that ignores the signal, and between tries', async () => {
    for (const mock of [
      new MockLanguageModelV3({ doGenerate: () => new Promise(() => undefined) }),
      saying(refusing(429, { 'retry-after': '30' })),
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      await assert.rejects(
        aiSdkTextModel(mock).generate({ prompt: 'p', signal: controller.signal }),
        { code: 'ERR_ABORTED' },
      );
    }
  });

  it('reads v2 and v4, which differ in what they say about the end', async () => {
    const model = (specificationVersion: 'v2' | 'v4', given: unknown): AiSdkLanguageModel => ({
      specificationVersion,
      provider: 'p',
      modelId: 'm',
      doGenerate: async () => given,
    });
    const v2 = model('v2', {
      content: [{ type: 'reasoning', text: 'hm' }, text('a')],
      finishReason: 'stop',
      usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
      warnings: [],
    });
    assert.deepEqual(await generateText(aiSdkTextModel(v2), { prompt: 'p' }), {
      text: 'a',
      usage: { inputTokens: 5, outputTokens: 2 },
    });
    await assert.rejects(
      generateText(
        aiSdkTextModel(model('v2', { content: [], finishReason: 'content-filter', usage: {} })),
        { prompt: 'p' },
      ),
      failsWith('ERR_MODEL_FAILED', /content-filter/),
    );
    const v4 = model('v4', {
      content: [{ type: 'source', id: '1' }, text('b')],
      finishReason: { unified: 'length', raw: 'max' },
      usage,
      warnings: [],
    });
    assert.deepEqual(await generateText(aiSdkTextModel(v4), { prompt: 'p' }), {
      text: 'b',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
  });

  it('gives JSON that was invalid at first', async () => {
    const schema = {
      type: 'object',
      properties: { year: { type: 'integer' } },
      required: ['year'],
    };
    const model = aiSdkTextModel(
      saying(result([text('{"year":"1905"}')]), result([text('{"year":1905}')])),
    );
    assert.deepEqual((await generateJson(model, { prompt: 'When?' }, schema)).value, {
      year: 1905,
    });
  });
});

/** Vectors of three numbers, of length 10, that say which text they are of. */
const vectorOf = (value: string): number[] =>
  [value.length * 6, value.length * 8, 0].map((x) => x / (value.length || 1));
type Embed = MockEmbeddingModelV3['doEmbed'];
const embedding = (
  most: number | undefined | Promise<number | undefined>,
  parallel: boolean | Promise<boolean>,
  doEmbed?: (values: string[], signal?: AbortSignal) => Promise<unknown>,
) =>
  new MockEmbeddingModelV3({
    provider: 'mock',
    modelId: 'e-1',
    maxEmbeddingsPerCall: most as number,
    supportsParallelCalls: parallel as boolean,
    doEmbed: (async ({ values, abortSignal }) =>
      doEmbed
        ? doEmbed(values, abortSignal)
        : { embeddings: values.map(vectorOf), warnings: [] }) as Embed,
  });

describe('adapters: aiSdkEncoder', () => {
  const folder = temporaryFolder();
  it(
    'takes what the SDK calls an embedding model, and asks it for its dimensions where ' +
      'they are not given',
    async () => {
      const mock = embedding(undefined, true);
      const typed: Exclude<EmbeddingModel, string> = mock;
      const encoder = await aiSdkEncoder(typed);
      assert.equal(encoder.id, 'ai-sdk:mock/e-1:3');
      assert.equal(encoder.dimensions, 3);
      assert.equal(mock.doEmbedCalls.length, 1);
      const given = await aiSdkEncoder(mock, {
        dimensions: 3,
        prefixes: { query: 'q: ', passage: 'p: ' },
        providerOptions: { mock: { truncate: true } },
      });
      assert.match(given.id, /^ai-sdk:mock\/e-1:[0-9a-f]{8}:3:\["q: ","p: "\]$/);
      assert.equal(mock.doEmbedCalls.length, 1);
      for (const wrong of ['openai/e', null, {}, { doEmbed() {} }]) {
        await assert.rejects(
          aiSdkEncoder(wrong as unknown as AiSdkEmbeddingModel),
          failsWith('ERR_INVALID_ARGUMENT', /model/),
        );
      }
      const options = [
        null,
        { dimensions: 0 },
        { dimensions: 2.5 },
        { prefixes: null },
        { prefixes: { query: 5 } },
        { retries: 99 },
        { providerOptions: 5 },
      ];
      for (const each of options) {
        await assert.rejects(
          aiSdkEncoder(mock, {
            dimensions: 3,
            ...each,
            ...(each === null ? { dimensions: NaN } : {}),
          } as object),
          failsWith('ERR_INVALID_ARGUMENT', /Expected/),
        );
      }
    },
  );

  it(
    'sends batches of the size that the model allows, with prefixes, without blank texts, ' +
      'and keeps the order',
    async () => {
      const batches: string[][] = [];
      let running = 0;
      let most = 0;
      const mock = embedding(Promise.resolve(2), Promise.resolve(true), async (values) => {
        batches.push(values);
        most = Math.max(most, (running += 1));
        // later batches end first
        await new Promise((later) => setTimeout(later, 10 - batches.length));
        running -= 1;
        return { embeddings: values.map((value) => [Number(value.slice(3)), 1, 0]) };
      });
      const encoder = await aiSdkEncoder(mock, { dimensions: 3, prefixes: { passage: 'p: ' } });
      const texts = ['1', ' ', '2', '3', '', '4', '5', '6', '7', '8', '9', '10', '11'];
      const vectors = await encodeTexts(encoder, texts, { kind: 'passage' });
      texts.forEach((each, row) => {
        const expected =
          each.trim() === ''
            ? [0, 0, 0]
            : [Number(each), 1, 0].map((x) => Math.fround(x / Math.hypot(Number(each), 1)));
        assert.deepEqual(
          [...vectors.subarray(row * 3, row * 3 + 3)].map((x) => x.toFixed(6)),
          expected.map((x) => x.toFixed(6)),
        );
      });
      assertEach(batches, (batch) => batch.length, [2, 2, 2, 2, 2, 1]);
      assert.ok(most > 1 && most <= 4, `${most} at once`);
      assert.ok(batches.flat().every((each) => each.startsWith('p: ')));
      const single = embedding(1, false);
      await encodeTexts(await aiSdkEncoder(single, { dimensions: 3 }), ['a', 'b'], {
        kind: 'query',
      });
      assertEach(single.doEmbedCalls, ({ values }) => values, [['a'], ['b']]);
    },
  );

  it('refuses vectors that cannot be used', async () => {
    const wrong: [unknown, RegExp][] = [
      [{}, /without embeddings/],
      [null, /null/],
      [{ embeddings: [] }, /1 vectors/],
      [{ embeddings: [[1, 2]] }, /3 numbers/],
      [{ embeddings: ['AAAA'] }, /3 numbers/],
      [{ embeddings: [[1, Number.NaN, 0]] }, /finite/],
      [{ embeddings: [[1, '2', 0]] }, /finite/],
      [{ embeddings: [[1e300, 1e300, 0]] }, /overflows/],
    ];
    for (const [given, pattern] of wrong) {
      await assert.rejects(
        encodeTexts(
          await aiSdkEncoder(
            embedding(9, false, async () => given),
            { dimensions: 3 },
          ),
          ['a'],
          { kind: 'query' },
        ),
        failsWith('ERR_ENCODER_FAILED', pattern),
      );
    }
    await assert.rejects(
      aiSdkEncoder(embedding(9, false, async () => ({ embeddings: [[]] }))),
      failsWith('ERR_ENCODER_FAILED', /vector/),
    );
    const encoder = await aiSdkEncoder(
      embedding(9, false, async () => ({ embeddings: [[0, 0, 0]] })),
      { dimensions: 3 },
    );
    assert.deepEqual([...(await encodeTexts(encoder, ['a'], { kind: 'query' }))], [0, 0, 0]);
    await assert.rejects(
      encoder.encode([5 as unknown as string], { kind: 'query' }),
      failsWith('ERR_INVALID_ARGUMENT', /texts\[0\]/),
    );
  });

  it('retries, wraps errors, stops other batches at the first error, and aborts', async () => {
    let tries = 0;
    const flaky = embedding(9, true, async (values) => {
      if ((tries += 1) === 1) throw refusing(500);
      return { embeddings: values.map(vectorOf) };
    });
    await encodeTexts(await aiSdkEncoder(flaky, { dimensions: 3 }), ['a'], { kind: 'query' });
    assert.equal(tries, 2);
    const seen: (AbortSignal | undefined)[] = [];
    const broken = embedding(1, true, (values, signal) => {
      seen.push(signal);
      return values[0] === 'b' ? Promise.reject(refusing(401)) : new Promise(() => undefined);
    });
    const encoder = await aiSdkEncoder(broken, { dimensions: 3 });
    await assert.rejects(
      encodeTexts(encoder, ['a', 'b', 'c', 'd', 'e', 'f'], { kind: 'query' }),
      failsWith('ERR_ENCODER_FAILED', /401/, { status: 401 }),
    );
    assert.ok(seen.length <= 4 && seen.every((signal) => signal!.aborted));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(
      encodeTexts(encoder, ['a', 'c'], { kind: 'query', signal: controller.signal }),
      { code: 'ERR_ABORTED' },
    );
    await assert.rejects(
      aiSdkEncoder(
        embedding(1, true, () => new Promise(() => undefined)),
        { signal: AbortSignal.timeout(20) },
      ),
      { code: 'ERR_ABORTED' },
    );
  });

  it('fills and asks a corpus', async () => {
    const letters = (value: string): number[] =>
      [...'abcdefghijklmnopqrstuvwxyz'].map(
        (letter) => value.toLowerCase().split(letter).length - 1,
      );
    const v4: AiSdkEmbeddingModel = {
      specificationVersion: 'v4',
      provider: 'p',
      modelId: 'letters',
      maxEmbeddingsPerCall: 4,
      supportsParallelCalls: false,
      doEmbed: async ({ values }) => ({ embeddings: values.map(letters) }),
    };
    await using corpus = await Corpus.open(folder.path('c.asof'), {
      encoder: await aiSdkEncoder(v4),
    });
    await corpus.add(
      ['jazz in the jug', 'a mill on a hill', 'queens queue quietly'].map((words) => ({
        id: words.slice(0, 1),
        text: words,
      })),
    );
    assert.equal((await dense({ corpus }).run({ text: 'quiet queues' })).evidence[0]!.id, 'q');
  });
});
