// The OpenAI-compatible adapters against llama.cpp's own server with a real small model, on
// loopback.
import assert from 'node:assert/strict';
import { AsOfError, type TextModel } from '../../../lib/index.js';
import { encodeTexts } from '../../../lib/vectors/encoder.js';
import { generateJson } from '../../../lib/text/jsonAnswer.js';
import { generateText } from '../../../lib/text/textModel.js';
import { openAiCompatible, openAiCompatibleEncoder } from '../../../lib/models/index.js';
import { needsModels, passage, serverContext, startServer, type RealServer } from './real.js';

describe("models: llama.cpp's server", function () {
  this.timeout(180_000);
  let server: RealServer;
  let model: TextModel;
  before(async function () {
    needsModels(this);
    server = await startServer();
    model = openAiCompatible({ baseURL: server.baseURL, model: 'smollm2-135m-instruct' });
  });
  after(() => server?.close());

  it('answers, counts tokens, stops, and repeats itself for a seed', async () => {
    const request = {
      system: 'You answer in one short sentence.',
      prompt: `${passage}\nWho was the keeper in 1910?`,
      maxTokens: 24,
      temperature: 0.8,
      seed: 11,
      stop: ['\n'],
    };
    const first = await generateText(model, request);
    assert.match(first.text, /\w/);
    assert.ok(first.usage!.inputTokens! > 50 && first.usage!.outputTokens! <= 24);
    assert.equal((await generateText(model, request)).text, first.text);
  });

  it('streams what it answers whole, with its tokens', async () => {
    const request = { prompt: `${passage}\nWho was the keeper?`, maxTokens: 12, temperature: 0 };
    const shown: string[] = [];
    const streamed = await generateText(model, request, (text) => shown.push(text));
    assert.ok(shown.length > 3, shown.join('|'));
    assert.equal(shown.at(-1), streamed.text);
    assert.ok(streamed.usage!.inputTokens! > 20 && streamed.usage!.outputTokens! <= 13);
    assert.equal((await generateText(model, request)).text, streamed.text);
  });

  it('gives JSON that fits, strict and not', async () => {
    const strict = {
      type: 'object',
      properties: { year: { type: 'integer' }, name: { type: 'string', maxLength: 40 } },
      required: ['year', 'name'],
      additionalProperties: false,
    };
    const { maxLength: _, ...free } = strict.properties.name;
    for (const schema of [
      strict,
      { ...strict, properties: { ...strict.properties, name: free } },
    ]) {
      const { value } = await generateJson<{ year: number }>(
        model,
        {
          prompt: `${passage}\nSince when did Agnes Dorn keep the light? Answer as JSON.`,
          maxTokens: 80,
          temperature: 0,
        },
        schema,
      );
      assert.ok(Number.isInteger(value.year));
    }
  });

  it('says what the server says of a prompt that is too long', async () => {
    await assert.rejects(
      generateText(model, { prompt: 'word '.repeat(3 * serverContext) }),
      (error) =>
        AsOfError.is(error) &&
        error.code === 'ERR_MODEL_FAILED' &&
        error.details.status === 400 &&
        error.details.tries === 1 &&
        /context/.test(error.message),
    );
  });

  it('times out, retries, and aborts immediately; the server stays usable', async () => {
    const story = { prompt: 'Write a very long story about the sea.', maxTokens: 700 };
    const hasty = openAiCompatible({
      baseURL: server.baseURL,
      model: 'm',
      timeoutMs: 300,
      retries: 1,
    });
    await assert.rejects(
      generateText(hasty, story),
      (error) =>
        AsOfError.is(error) && error.details.tries === 2 && /within 300 ms/.test(error.message),
    );
    await assert.rejects(generateText(model, { ...story, signal: AbortSignal.timeout(300) }), {
      code: 'ERR_ABORTED',
    });
    assert.match((await generateText(model, { prompt: 'Hello', maxTokens: 3 })).text, /\w/);
  });

  it('encodes', async () => {
    const encoder = await openAiCompatibleEncoder({
      baseURL: server.baseURL,
      model: 'smollm2-135m-instruct',
      batchSize: 2,
    });
    assert.equal(encoder.dimensions, 576);
    const vectors = await encodeTexts(
      encoder,
      ['The lighthouse was lit.', '', 'A keeper of the light.', 'The lighthouse was lit.'],
      {
        kind: 'passage',
      },
    );
    const dot = (a: number, b: number): number =>
      vectors
        .subarray(a * 576, a * 576 + 576)
        .reduce((sum, value, at) => sum + value * vectors[b * 576 + at]!, 0);
    assert.ok(Math.abs(dot(0, 3) - 1) < 1e-3 && dot(1, 1) === 0 && dot(0, 2) < 0.9999);
  });
});
