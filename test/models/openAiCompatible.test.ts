// The OpenAI-compatible adapter against a real HTTP server on loopback that fails in the ways
// servers fail.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { generateJson } from '../../lib/text/jsonAnswer.js';
import { generateText } from '../../lib/text/textModel.js';
import { openAiCompatible, type OpenAiCompatibleOptions } from '../../lib/models/index.js';
import { isStrictSchema } from '../../lib/models/openAiCompatible.js';
import {
  cut,
  halfThenHang,
  hang,
  json,
  raw,
  saying,
  startLoopback,
  type Loopback,
  type Reply,
} from './loopback.js';
import { failsWith } from '../failsWith.js';
import { assertEach } from '../assertEach.js';

const key = 'sk-very-secret-0123456789';
const headerKey = 'another-secret-98765';

describe('adapters: openAiCompatible', function () {
  this.timeout(60_000);
  let loopback: Loopback;
  let seen: Loopback['seen'] = [];
  let base: string;

  before(async () => {
    loopback = await startLoopback();
    base = loopback.baseURL;
  });
  after(() => loopback.close());

  const plan = (...planned: Reply[]): void => {
    seen = loopback.plan(...planned);
  };
  const model = (options: Partial<OpenAiCompatibleOptions> = {}) =>
    openAiCompatible({
      baseURL: base,
      model: 'small-1',
      apiKey: key,
      headers: { 'x-gate': headerKey },
      ...options,
    });
  const fails =
    (pattern: RegExp, details: Record<string, unknown> = {}, code = 'ERR_MODEL_FAILED') =>
    (error: unknown) => {
      failsWith(code, pattern, details)(error);
      assert.ok(
        !inspect(error, { depth: 9, showHidden: true }).includes(key) &&
          !inspect(error, { depth: 9 }).includes(headerKey),
        'a secret is shown',
      );
      return true;
    };

  it('sends what was asked, and nothing that was not', async () => {
    plan(saying('in 1905'), saying('ok'));
    assert.equal(model().id, 'openai-compatible:small-1');
    assert.deepEqual(
      await generateText(model({ baseURL: `${base}/?version=2` }), {
        system: 'Be brief.',
        prompt: 'When?',
        maxTokens: 9,
        temperature: 0,
        stop: ['\n'],
        seed: 4,
        jsonSchema: { type: 'object' },
      }),
      { text: 'in 1905', usage: { inputTokens: 7, outputTokens: 2 } },
    );
    assert.equal(seen[0]!.path, '/v1/chat/completions?version=2');
    assert.equal(seen[0]!.headers.authorization, `Bearer ${key}`);
    assert.equal(seen[0]!.headers['x-gate'], headerKey);
    assert.deepEqual(seen[0]!.body, {
      model: 'small-1',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'When?' },
      ],
      max_tokens: 9,
      temperature: 0,
      stop: ['\n'],
      seed: 4,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' } },
      },
    });
    await generateText(openAiCompatible({ baseURL: base, model: 'm' }), { prompt: 'p' });
    assert.deepEqual(seen[1]!.body, { model: 'm', messages: [{ role: 'user', content: 'p' }] });
    assert.equal(seen[1]!.headers.authorization, undefined);
  });

  it('reads parts, empty answers and missing usage', async () => {
    plan(
      saying([{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }]),
      saying('', { usage: null }),
      saying('x', { usage: { prompt_tokens: 'many' } }),
    );
    assert.equal((await generateText(model(), { prompt: 'p' })).text, 'ab');
    assert.deepEqual(await generateText(model(), { prompt: 'p' }), { text: '' });
    assert.deepEqual(await generateText(model(), { prompt: 'p' }), { text: 'x' });
  });

  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    plan(json(429, { error: { message: 'slow down' } }, { 'retry-after': '1' }), saying('a'));
    assert.equal((await generateText(model(), { prompt: 'p' })).text, 'a');
    assert.ok(seen[1]!.at - seen[0]!.at >= 990, `${seen[1]!.at - seen[0]!.at} ms`);
    plan(
      (response, one) =>
        json(503, {}, { 'retry-after': new Date(Date.now() + 2000).toUTCString() })(response, one),
      saying('b'),
    );
    assert.equal((await generateText(model(), { prompt: 'p' })).text, 'b');
    assert.ok(seen[1]!.at - seen[0]!.at >= 900, `${seen[1]!.at - seen[0]!.at} ms`);
  });

  it('does not wait for hours, nor for a spent quota', async () => {
    plan(json(429, { error: { message: 'slow down' } }, { 'retry-after': '7200' }));
    await assert.rejects(
      generateText(model(), { prompt: 'p' }),
      fails(/slow down.*7200 s/, { status: 429, tries: 1 }),
    );
    plan(json(429, { error: { message: 'no money', code: 'insufficient_quota' } }));
    await assert.rejects(
      generateText(model(), { prompt: 'p' }),
      fails(/no money/, { status: 429, tries: 1 }),
    );
  });

  it('tries again after 500, backing off, and gives up in the end', async () => {
    plan(json(500, {}), raw('{"choices": [broken'), saying('a'));
    assert.equal((await generateText(model(), { prompt: 'p' })).text, 'a');
    const [first, second] = [seen[1]!.at - seen[0]!.at, seen[2]!.at - seen[1]!.at];
    assert.ok(first >= 240 && second >= 490, `${first} ms, ${second} ms`);
    plan(json(500, 'x'), json(502, { error: 'bad gate' }));
    await assert.rejects(
      generateText(model({ retries: 1 }), { prompt: 'p' }),
      fails(/status 502: bad gate.*after 2 tries/, { status: 502, tries: 2 }),
    );
  });

  it('retries after a truncated body, a dropped connection, a hang and a stall', async () => {
    plan(cut, (response) => response.destroy(), saying('a'));
    assert.equal((await generateText(model(), { prompt: 'p' })).text, 'a');
    plan(hang, halfThenHang, saying('b'));
    assert.equal((await generateText(model({ timeoutMs: 1500 }), { prompt: 'p' })).text, 'b');
    plan(hang);
    await assert.rejects(
      generateText(model({ timeoutMs: 1000, retries: 0 }), { prompt: 'p' }),
      fails(/within 1000 ms/, { tries: 1 }),
    );
    plan(cut);
    await assert.rejects(generateText(model({ retries: 0 }), { prompt: 'p' }), fails(/terminated/));
  });

  it('does not repeat what cannot pass', async () => {
    const cases: [Reply, RegExp][] = [
      [
        json(401, { error: { message: `Incorrect API key provided: ${key}, gate ${headerKey}` } }),
        /status 401: Incorrect API key provided: \[hidden\], gate \[hidden\]\. Check apiKey/,
      ],
      [json(400, { error: { message: 'bad schema' } }), /status 400: bad schema/],
      [json(404, 'nothing'), /status 404.*Check baseURL/],
      [json(307, {}, { location: 'http://127.0.0.1:1/' }), /redirect/],
      [json(200, { error: { message: 'overloaded' } }), /an error: overloaded/],
      [json(200, {}), /without choices/],
      [saying(null), /finish_reason stop/],
      [
        json(200, { choices: [{ message: { content: null, refusal: 'I will not.' } }] }),
        /a refusal: I will not/,
      ],
    ];
    for (const [reply, pattern] of cases) {
      plan(reply);
      await assert.rejects(generateText(model(), { prompt: 'p' }), fails(pattern, { tries: 1 }));
      assert.equal(seen.length, 1);
    }
  });

  it('redacts secrets in invalid bodies, and refuses endless ones', async () => {
    plan(raw(`<html>${key}</html>`), raw(''));
    await assert.rejects(
      generateText(model({ retries: 0 }), { prompt: 'p' }),
      fails(/not a JSON object: <html>\[hidden\]/),
    );
    await assert.rejects(
      generateText(model({ retries: 0 }), { prompt: 'p' }),
      fails(/an empty body/),
    );
    plan((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
      };
      response.on('drain', more);
      more();
    });
    await assert.rejects(
      generateText(model(), { prompt: 'p' }),
      fails(/more than \d+ bytes/, { tries: 1 }),
    );
  });

  it('says which server cannot be reached', async () => {
    await assert.rejects(
      generateText(model({ baseURL: 'http://127.0.0.1:9/v1', retries: 1 }), { prompt: 'p' }),
      fails(/127\.0\.0\.1:9\/v1\/chat\/completions.*after 2 tries/s, { tries: 2 }),
    );
  });

  it('aborts immediately: before, during and between attempts, and within an answer', async () => {
    for (const [name, reply] of [
      ['answer', hang],
      ['body', halfThenHang],
      ['pause', json(429, {}, { 'retry-after': '30' })],
    ] as [string, Reply][]) {
      plan(reply);
      const controller = new AbortController();
      const asked = model().generate({ prompt: 'p', signal: controller.signal });
      const rejected = assert.rejects(asked, fails(/aborted/, {}, 'ERR_ABORTED'), name);
      while (seen.length === 0) await new Promise((later) => setTimeout(later, 5));
      setTimeout(() => controller.abort(), 60); // the first bytes or the status have come
      await rejected;
      assert.equal(seen.length, 1, name);
    }
    plan();
    await assert.rejects(
      model().generate({ prompt: 'p', signal: AbortSignal.abort() }),
      fails(/aborted/, {}, 'ERR_ABORTED'),
    );
    assert.equal(seen.length, 0);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    for (const [name, change] of [
      ['addEventListener', 1],
      ['removeEventListener', -1],
    ] as const) {
      const original = signal[name].bind(signal) as (...given: unknown[]) => void;
      Object.assign(signal, {
        [name]: (...given: unknown[]) => {
          listeners += change;
          original(...given);
        },
      });
    }
    plan(json(500, {}), saying('a'));
    await generateText(model(), { prompt: 'p', signal });
    assert.equal(listeners, 0);
  });

  it('gives JSON that was invalid at first', async () => {
    const schema = {
      type: 'object',
      properties: { year: { type: 'integer' } },
      required: ['year'],
    };
    plan(saying('{"year":"1905"}'), saying('```json\n{"year":1905}\n```'));
    assert.deepEqual(await generateJson(model(), { prompt: 'When?' }, schema), {
      value: { year: 1905 },
      repaired: true,
      usage: { inputTokens: 14, outputTokens: 4 },
    });
    assert.match(
      (seen[1]!.body.messages as { content: string }[])[0]!.content,
      /year to be a whole number/,
    );
  });

  it('puts differently what the server refuses by name, at once and from then on', async () => {
    const unsupported = (
      param: string | null,
      message: string,
      code: string | null = 'unsupported_parameter',
    ) => json(400, { error: { message, type: 'invalid_request_error', param, code } });
    const reasoning = model({ retries: 0 });
    const asked = { prompt: 'p', maxTokens: 9, temperature: 0, seed: 4, stop: ['END', '\n'] };
    plan(
      unsupported(
        'max_tokens',
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use " +
          "'max_completion_tokens' instead.",
      ),
      unsupported(
        'temperature',
        "Unsupported value: 'temperature' does not support 0 with this model. Only the " +
          'default (1) value is supported.',
        'unsupported_value',
      ),
      unsupported('stop', "Unsupported parameter: 'stop' is not supported with this model."),
      saying('a\nb END c'),
      saying('d'),
    );
    assert.equal((await generateText(reasoning, asked)).text, 'a');
    assert.equal((await generateText(reasoning, asked)).text, 'd');
    assert.deepEqual(
      seen.slice(3).map(({ body }) => body),
      Array(2).fill({
        model: 'small-1',
        messages: [{ role: 'user', content: 'p' }],
        max_completion_tokens: 9,
        seed: 4,
      }),
    );

    plan(
      json(422, { detail: 'x', message: 'max_completion_tokens: Extra inputs are not permitted' }),
      saying('a'),
    );
    await generateText(model({ maxTokensField: 'max_completion_tokens' }), asked).then(
      () => assert.fail('passed'),
      fails(/status 422/, { tries: 1 }),
    );
    plan(
      json(400, {
        error: {
          message: 'max_tokens must be at most 4',
          param: 'max_tokens',
          code: 'invalid_value',
        },
      }),
    );
    await assert.rejects(
      generateText(model(), asked),
      fails(/at most 4/, { status: 400, tries: 1 }),
    );
    assert.equal(seen.length, 1);
  });

  it('sends a schema as strict where it qualifies, then as it can be taken', async () => {
    const strict = {
      type: 'object',
      properties: {
        year: { type: ['integer', 'null'] },
        names: { type: 'array', items: { type: 'string' } },
      },
      required: ['year', 'names'],
      additionalProperties: false,
    };
    const loose = { ...strict, required: ['year'] };
    plan(saying('{}'), saying('{}'));
    await generateText(model(), { prompt: 'p', jsonSchema: strict });
    await generateText(model(), { prompt: 'p', jsonSchema: loose });
    assert.deepEqual(
      seen.map(({ body }) => body.response_format),
      [
        { type: 'json_schema', json_schema: { name: 'answer', schema: strict, strict: true } },
        { type: 'json_schema', json_schema: { name: 'answer', schema: loose } },
      ],
    );
    const old = model();
    plan(
      json(400, {
        error: { message: "Invalid schema for response_format 'answer'", param: 'response_format' },
      }),
      json(400, { error: { message: 'This response_format type is unavailable now' } }),
      saying('{}'),
      saying('{}'),
    );
    await generateText(old, { prompt: 'p', jsonSchema: strict });
    await generateText(old, { prompt: 'p', jsonSchema: strict });
    assertEach(seen, ({ body }) => body.response_format === undefined, [false, false, true, true]);
    plan(
      ...Array<Reply>(2).fill(
        json(400, { error: { message: 'Invalid schema', param: 'response_format' } }),
      ),
    );
    await assert.rejects(
      generateText(model(), { prompt: 'p', jsonSchema: strict }),
      fails(/Invalid schema/, { status: 400, tries: 1 }),
    );
    const not: Record<string, unknown>[] = [
      {},
      { type: 'array', items: {} },
      { ...strict, additionalProperties: true },
      { ...strict, properties: { ...strict.properties, year: { type: 'integer', minimum: 3 } } },
      { ...strict, anyOf: [strict] },
      { ...strict, properties: { year: {}, names: {} } },
    ];
    assertEach(
      not,
      isStrictSchema,
      not.map(() => false),
    );
    assert.ok(
      isStrictSchema({
        ...strict,
        properties: {
          year: { anyOf: [{ $ref: '#/$defs/y' }, { type: 'null' }] },
          names: { enum: ['a'] },
        },
        $defs: { y: { type: 'integer' } },
      }),
    );
  });

  it('goes through a fetch of the caller, which may wait for longer', async () => {
    plan(saying('a'));
    let calls = 0;
    const own: typeof fetch = (...given) => {
      calls += 1;
      return fetch(...given);
    };
    assert.equal(
      (await generateText(model({ fetch: own, timeoutMs: 3_600_000 }), { prompt: 'p' })).text,
      'a',
    );
    assert.equal(calls, 1);
  });

  it('refuses options out of range without showing a key', () => {
    const wrong: Partial<Record<keyof OpenAiCompatibleOptions, unknown>>[] = [
      { baseURL: 'ftp://x' },
      { baseURL: 'not a url' },
      { baseURL: undefined },
      { baseURL: `http://user:${key}@127.0.0.1/` },
      { model: '' },
      { model: 'x'.repeat(181) },
      { apiKey: '' },
      { apiKey: `${key}\n` },
      { apiKey: 5 },
      { headers: { 'bad name': headerKey } },
      { headers: { good: `${headerKey}\n\nx` } },
      { headers: { good: 5 } },
      { headers: null },
      { timeoutMs: 0 },
      { timeoutMs: 300_001 },
      { retries: -1 },
      { retries: 11 },
      { retries: 0.5 },
      { fetch: 5 },
      { maxTokensField: 'max' },
    ];
    for (const each of wrong) {
      assert.throws(
        () => model(each as OpenAiCompatibleOptions),
        fails(/Expected/, {}, 'ERR_INVALID_ARGUMENT'),
        Object.keys(each)[0],
      );
    }
    assert.throws(
      () => openAiCompatible(undefined as never),
      fails(/options/, {}, 'ERR_INVALID_ARGUMENT'),
    );
    assert.ok(!inspect(model(), { depth: 9, showHidden: true }).includes(key));
  });
});
