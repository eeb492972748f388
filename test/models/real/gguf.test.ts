// A real small model in this process, through node-llama-cpp: what the doubles of
// test/models/real/real/gguf take for granted.
import assert from 'node:assert/strict';
import { AsOfError } from '../../../lib/index.js';
import { generateJson } from '../../../lib/text/jsonAnswer.js';
import { generateText } from '../../../lib/text/textModel.js';
import { ggufTextModel, type GgufTextModel } from '../../../lib/models/index.js';
import { modelFile, needsModels, passage } from './real.js';

describe('models: a GGUF file in this process', function () {
  this.timeout(180_000);
  let model: GgufTextModel;
  before(async function () {
    needsModels(this);
    model = await ggufTextModel({ path: modelFile, threads: 1, contextSize: 1024 });
  });
  after(() => model?.close());

  it('uses its chat template, counts tokens, and is deterministic', async () => {
    const request = {
      system: 'You answer in one short sentence.',
      prompt: `${passage}\nWho was the keeper in 1910?`,
      maxTokens: 24,
      temperature: 0,
    };
    const first = await generateText(model, request);
    assert.match(first.text, /\w/);
    assert.ok(!/<\|im_/.test(first.text), first.text);
    assert.ok(
      first.usage!.inputTokens! > 50 &&
        first.usage!.outputTokens! >= 1 &&
        first.usage!.outputTokens! <= 24,
    );
    await generateText(model, { prompt: 'Something else in between.', maxTokens: 4 });
    assert.deepEqual(await generateText(model, request), first);
    const sampled = { ...request, temperature: 1.2, seed: -7 };
    assert.deepEqual(await generateText(model, sampled), await generateText(model, sampled));
  });

  it('streams what it generates, and ends with what it answers whole', async () => {
    const request = { prompt: `${passage}\nWho was the keeper?`, maxTokens: 12, temperature: 0 };
    const jsonSchema = {
      type: 'object',
      properties: { answer: { type: 'string', maxLength: 20 }, evidence: { type: 'integer' } },
      required: ['answer'],
    };
    for (const asked of [request, { ...request, jsonSchema, maxTokens: 60 }]) {
      const shown: string[] = [];
      const streamed = await generateText(model, asked, (text) => shown.push(text));
      assert.ok(shown.length > 3, shown.join('|'));
      assert.equal(shown.at(-1), streamed.text);
      assert.deepEqual(streamed, await generateText(model, asked));
    }
  });

  it('stops where it is told to', async () => {
    const { text } = await generateText(model, {
      prompt: 'Count: 1, 2, 3, 4, 5, 6, 7',
      stop: ['5'],
      maxTokens: 40,
      temperature: 0,
    });
    assert.ok(!text.includes('5'), text);
    const { usage } = await generateText(model, {
      prompt: 'Tell a long story.',
      maxTokens: 5,
      temperature: 0,
    });
    assert.ok(usage!.outputTokens! <= 6, String(usage!.outputTokens));
  });

  it('is bound to the schema, optional properties and choices too', async () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'years', 'kind', 'source'],
      properties: {
        name: { type: 'string', maxLength: 40 },
        years: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
        kind: { enum: ['person', 'place'] },
        note: { type: 'string', maxLength: 10 },
        source: { anyOf: [{ $ref: '#/$defs/page' }, { type: 'null' }] },
      },
      $defs: {
        page: {
          type: 'object',
          properties: { page: { type: 'integer' } },
          required: ['page'],
          additionalProperties: false,
        },
      },
    };
    const { value } = await generateJson<{ kind: string; note?: string | null }>(
      model,
      { prompt: `${passage}\nWho kept the light? Answer as JSON.`, maxTokens: 160, temperature: 0 },
      schema,
    );
    assert.match(value.kind, /^(person|place)$/);
    assert.notEqual(value.note, null);
  });

  it('validates what the grammar does not: a second request, then the error', async () => {
    const schema = {
      type: 'object',
      properties: { year: { type: 'integer', minimum: 900000, maximum: 900001 } },
      required: ['year'],
      additionalProperties: false,
    };
    await assert.rejects(
      generateJson(
        model,
        { prompt: 'In which year did the moon landing happen?', maxTokens: 24, temperature: 0 },
        schema,
      ),
      (error) => {
        assert.ok(AsOfError.is(error) && error.code === 'ERR_MODEL_FAILED');
        assert.equal((error.details.faults as string[]).length, 2);
        return true;
      },
    );
  });

  it('refuses a prompt that does not fit its context', async () => {
    await assert.rejects(
      generateText(model, { prompt: 'word '.repeat(3000) }),
      (error) =>
        AsOfError.is(error) &&
        error.code === 'ERR_MODEL_FAILED' &&
        (error.details.promptTokens as number) > 1024,
    );
    const { usage } = await generateText(model, { prompt: 'word '.repeat(900), temperature: 0 });
    assert.ok(usage!.inputTokens! + usage!.outputTokens! <= 1024, JSON.stringify(usage));
  });

  it('aborts at once, alone or in the queue, and goes on with the next', async () => {
    const controller = new AbortController();
    const long = generateText(model, {
      prompt: 'Write a very long story about the sea.',
      maxTokens: 800,
      signal: controller.signal,
    });
    const waiting = generateText(model, {
      prompt: 'Hello',
      maxTokens: 3,
      signal: controller.signal,
    });
    const next = generateText(model, { prompt: 'Hello', maxTokens: 3 });
    setTimeout(() => controller.abort(), 400);
    await assert.rejects(long, { code: 'ERR_ABORTED' });
    await assert.rejects(waiting, { code: 'ERR_ABORTED' });
    assert.match((await next).text, /\w/);
  });

  it('closes while it runs, and refuses from then on', async () => {
    const other = await ggufTextModel({ path: modelFile, threads: 1, contextSize: 256 });
    const running = generateText(other, {
      prompt: 'Write a very long story about the sea.',
      maxTokens: 200,
    });
    const rejected = assert.rejects(running, { code: 'ERR_CLOSED' });
    await new Promise((later) => setTimeout(later, 200));
    await Promise.all([other.close(), other.close()]);
    await rejected;
    await assert.rejects(generateText(other, { prompt: 'p' }), { code: 'ERR_CLOSED' });
    await assert.rejects(ggufTextModel({ path: modelFile, contextSize: 100_000 }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    await assert.rejects(ggufTextModel({ path: modelFile, signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
  });
});
