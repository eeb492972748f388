// Calls of text models: validation of requests and results, wrapped errors, priority of the signal;
// extraction, validation and repair of JSON.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError } from '../../lib/errors.js';
import { generateJson, readJsonAnswer } from '../../lib/text/jsonAnswer.js';
import {
  checkTextModel,
  generateText,
  stripThinking,
  type GenerateRequest,
  type Generation,
  type TextModel,
} from '../../lib/text/textModel.js';
import { failsWith } from '../failsWith.js';

const giving = (generate: (request: GenerateRequest) => unknown): TextModel => ({
  id: 'mine',
  generate: generate as TextModel['generate'],
});

describe('text models', () => {
  it(
    'leaves out the thoughts before an answer, and all of one that was cut short while it ' +
      'thought',
    () => {
      const said = [
        '\n<think>A pier?\nNo.</think> A quay.',
        '<think>A pier, or',
        'A quay. <think>',
      ];
      assert.deepEqual(said.map(stripThinking), [' A quay.', '', 'A quay. <think>']);
    },
  );

  it('rejects values that are no model', () => {
    for (const wrong of [
      undefined,
      null,
      'gpt',
      {},
      { id: 'x' },
      { id: '', generate: () => undefined },
      { id: 'x'.repeat(201), generate: () => undefined },
    ]) {
      assert.throws(
        () => checkTextModel(wrong as unknown as TextModel),
        failsWith('ERR_INVALID_ARGUMENT', /model/),
      );
    }
  });

  it('rejects requests out of range before the model is called', async () => {
    const model = giving(() => assert.fail('called'));
    const wrong = [
      {},
      { prompt: 1 },
      { prompt: '', system: 1 },
      { prompt: '', maxTokens: 0 },
      { prompt: '', maxTokens: 1.5 },
      { prompt: '', temperature: -1 },
      { prompt: '', temperature: Number.NaN },
      { prompt: '', stop: 'x' },
      { prompt: '', stop: [''] },
      { prompt: '', seed: 0.5 },
      { prompt: '', jsonSchema: [] },
    ];
    for (const request of [undefined, null, ...wrong]) {
      await assert.rejects(
        generateText(model, request as GenerateRequest),
        failsWith('ERR_INVALID_ARGUMENT', /request/),
      );
    }
  });

  it("returns the model's result, and rejects values that are no Generation", async () => {
    assert.deepEqual(
      await generateText(
        giving(async () => ({ text: 'a', usage: { inputTokens: 1 }, more: 1 })),
        { prompt: 'p' },
      ),
      { text: 'a', usage: { inputTokens: 1 } },
    );
    for (const wrong of [
      undefined,
      null,
      'text',
      {},
      { text: null },
      { text: 'a', usage: 3 },
      { text: 'a', usage: null },
      { text: 'a', usage: { outputTokens: -1 } },
      { text: 'a', usage: { inputTokens: Number.NaN } },
    ]) {
      await assert.rejects(
        generateText(
          giving(async () => wrong),
          { prompt: 'p' },
        ),
        failsWith('ERR_MODEL_FAILED', /mine/),
      );
    }
  });

  it('wraps its errors with their cause, thrown early or late; AsOfErrors pass', async () => {
    const cause = new Error('no network');
    const wrapped = (error: unknown) =>
      failsWith('ERR_MODEL_FAILED', /mine.*no network/)(error) && (error as Error).cause === cause;
    await assert.rejects(
      generateText(
        giving(() => Promise.reject(cause)),
        { prompt: 'p' },
      ),
      wrapped,
    );
    await assert.rejects(
      generateText(
        giving(() => {
          throw cause;
        }),
        { prompt: 'p' },
      ),
      wrapped,
    );
    const odd = 'odd' as unknown as Error;
    await assert.rejects(
      generateText(
        giving(() => Promise.reject(odd)),
        { prompt: 'p' },
      ),
      failsWith('ERR_MODEL_FAILED', /odd/),
    );
    await assert.rejects(
      generateText(
        giving(() => Promise.reject(new AsOfError('ERR_NOT_FOUND', 'not there'))),
        { prompt: 'p' },
      ),
      { code: 'ERR_NOT_FOUND' },
    );
    await assert.rejects(
      generateText(
        giving(() => Promise.reject(new AsOfError('ERR_ABORTED', 'by itself'))),
        { prompt: 'p' },
      ),
      failsWith('ERR_MODEL_FAILED', /by itself/),
    );
  });

  it('rejects at the signal, even if the model ignores it', async () => {
    const reason = new Error('enough');
    await assert.rejects(
      generateText(
        giving(() => assert.fail('called')),
        { prompt: 'p', signal: AbortSignal.abort(reason) },
      ),
      { code: 'ERR_ABORTED', cause: reason },
    );
    const controller = new AbortController();
    const hanging = generateText(
      giving(() => new Promise(() => undefined)),
      { prompt: 'p', signal: controller.signal },
    );
    setTimeout(() => controller.abort(reason), 5);
    await assert.rejects(hanging, { code: 'ERR_ABORTED', cause: reason });
    const during = new AbortController();
    await assert.rejects(
      generateText(
        giving(async () => {
          during.abort();
          return { text: 'a' };
        }),
        { prompt: 'p', signal: during.signal },
      ),
      { code: 'ERR_ABORTED' },
    );
    const failing = new AbortController();
    await assert.rejects(
      generateText(
        giving(async () => {
          failing.abort();
          throw new Error('because of it');
        }),
        { prompt: 'p', signal: failing.signal },
      ),
      { code: 'ERR_ABORTED' },
    );
  });
});

describe('text models: JSON', () => {
  const schema = {
    type: 'object',
    properties: { year: { type: 'integer', minimum: 1000 }, place: { enum: ['Rome', 'Oslo'] } },
    required: ['year'],
    additionalProperties: false,
  };
  const answering = (...texts: string[]) => {
    const requests: GenerateRequest[] = [];
    return {
      requests,
      model: giving(
        async (request): Promise<Generation> => ({
          text: texts[requests.push(request) - 1]!,
          usage: { inputTokens: 10, outputTokens: requests.length },
        }),
      ),
    };
  };

  it('finds the value alone, fenced, in prose, and after reasoning', () => {
    const alike = [
      '{"year":1905}',
      '\uFEFF {"year": 1905}\n',
      '```json\n{"year":1905}\n```',
      'Sure:\n```\n{ "year": 1905 }\n```\nAnything else?',
      '```json\n{"year":1905}',
      'As [1] says {of course}: {"year":1905}. See [2].',
      '<think>maybe {"year":1800}</think>{"year":1905}',
      '{"year":"x"} no, I mean {"year":1905}',
      'a } b ] {"year":1905} {',
    ];
    for (const text of alike)
      assert.deepEqual(readJsonAnswer(text, schema), { value: { year: 1905 } }, text);
    assert.deepEqual(readJsonAnswer('x {"q":"a } \\" ] {"} y', { type: 'object' }), {
      value: { q: 'a } " ] {' },
    });
    assert.deepEqual(readJsonAnswer('```json\n"Oslo"\n```', { type: 'string' }), { value: 'Oslo' });
  });

  it('words the fault', () => {
    const cases: [string, RegExp][] = [
      ['', /empty/],
      ['I do not know.', /without JSON/],
      ['{"year":19', /broken or cut/],
      ['{"year":"1905"}', /year to be a whole number .*string/],
      ['{"year":5}', /year .*from 1,000/],
      ['{"place":"Oslo"}', /year/],
      ['{"year":1905,"town":"Rome"}', /town/],
    ];
    for (const [text, pattern] of cases)
      assert.match((readJsonAnswer(text, schema) as { fault: string }).fault, pattern, text);
  });

  it('finds any JSON value in prose', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(readJsonAnswer(`Here it is: ${text} Good luck.`, { type: 'object' }), {
          value: JSON.parse(text),
        });
      }),
    );
  });

  it('terminates on any text, including a hundred thousand brackets', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', '`', 'a', '1', '\n', ','),
          maxLength: 60,
        }),
        (text) => void readJsonAnswer(text, schema),
      ),
    );
    for (const text of [
      '{'.repeat(200_000),
      '[{"a":'.repeat(50_000),
      '`'.repeat(200_000),
      '```\n'.repeat(50_000),
    ]) {
      assert.ok('fault' in readJsonAnswer(text, schema));
    }
  });

  it('requests once if the answer fits', async () => {
    const { requests, model } = answering('{"year":1905}');
    assert.deepEqual(await generateJson(model, { prompt: 'When?', seed: 1 }, schema), {
      value: { year: 1905 },
      repaired: false,
      usage: { inputTokens: 10, outputTokens: 1 },
    });
    assert.deepEqual(requests, [{ prompt: 'When?', seed: 1, jsonSchema: schema }]);
  });

  it('sends one repair request with the fault, and never another', async () => {
    const repaired = answering('{"year":"1905"}', '{"year":1905}');
    assert.deepEqual(
      await generateJson(repaired.model, { prompt: 'When?', system: 'Be brief.' }, schema),
      {
        value: { year: 1905 },
        repaired: true,
        usage: { inputTokens: 20, outputTokens: 3 },
      },
    );
    assert.equal(repaired.requests[1]!.system, 'Be brief.');
    assert.match(
      repaired.requests[1]!.prompt,
      /^When\?[^]*"year":"1905"[^]*year to be a whole[^]*"required":\["year"\]/,
    );
    const broken = answering('no', '{"year":5}', '{"year":1905}');
    await assert.rejects(
      generateJson(broken.model, { prompt: 'When?' }, schema),
      (error: unknown) => {
        failsWith('ERR_MODEL_FAILED', /mine.*two requests.*from 1,000/)(error);
        const { details } = error as AsOfError;
        assert.equal(details.model, 'mine');
        assert.equal((details.faults as string[]).length, 2);
        assert.equal(details.text, '{"year":5}');
        return true;
      },
    );
    assert.equal(broken.requests.length, 2);
  });

  it('stops between the two requests at the signal', async () => {
    const controller = new AbortController();
    let calls = 0;
    const model = giving(async () => {
      calls += 1;
      setTimeout(() => controller.abort(), 0);
      await new Promise((done) => setTimeout(done, 20));
      return { text: 'no' };
    });
    await assert.rejects(generateJson(model, { prompt: 'p', signal: controller.signal }, schema), {
      code: 'ERR_ABORTED',
    });
    assert.equal(calls, 1);
  });

  it('rejects an invalid schema', async () => {
    assert.throws(
      () => readJsonAnswer('{}', { $ref: '#/$defs/a' }),
      failsWith('ERR_INVALID_ARGUMENT', /schema/),
    );
    assert.throws(
      () => readJsonAnswer('{}', { type: () => 1 }),
      failsWith('ERR_INVALID_ARGUMENT', /schema/),
    );
    await assert.rejects(
      generateJson(answering('{}').model, { prompt: 'p' }, [] as never),
      failsWith('ERR_INVALID_ARGUMENT', /schema/),
    );
  });
});
