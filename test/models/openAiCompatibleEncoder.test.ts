// The OpenAI-compatible encoder against a real HTTP server on loopback. Retries, time-outs and
// aborts are the server module's and are proven in openAiCompatible.test.ts; here is what
// embeddings add.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { encodeTexts } from '../../lib/vectors/encoder.js';
import {
  openAiCompatibleEncoder,
  type OpenAiCompatibleEncoderOptions,
} from '../../lib/models/index.js';
import { hang, json, startLoopback, type Loopback, type Reply } from './loopback.js';
import { failsWith } from '../failsWith.js';

const key = 'sk-very-secret-0123456789';
const vectors: Reply = (response, seen) => {
  const data = (seen.body.input as string[]).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [3 * text.length, 4 * text.length],
  }));
  json(200, { object: 'list', data: data.reverse(), model: 'e', usage: { prompt_tokens: 3 } })(
    response,
    seen,
  );
};

describe('adapters: openAiCompatibleEncoder', function () {
  this.timeout(60_000);
  let loopback: Loopback;
  before(async () => (loopback = await startLoopback()));
  after(() => loopback.close());
  const open = (options: Partial<OpenAiCompatibleEncoderOptions> = {}) =>
    openAiCompatibleEncoder({
      baseURL: loopback.baseURL,
      model: 'small-e',
      apiKey: key,
      ...options,
    });
  const fails =
    (pattern: RegExp, code = 'ERR_ENCODER_FAILED') =>
    (error: unknown) => {
      failsWith(code, pattern)(error);
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key), 'a secret is shown');
      return true;
    };

  it(
    'learns the dimensions, sends batches with prefixes, and puts the vectors in the order ' +
      'of their texts',
    async () => {
      const seen = loopback.plan(vectors, vectors, vectors);
      const encoder = await open({ batchSize: 2, prefixes: { query: 'query: ' } });
      assert.equal(encoder.id, 'openai-compatible:small-e:2:["query: ",""]');
      const given = await encodeTexts(encoder, ['a', '', 'bcd', 'ef'], { kind: 'query' });
      assert.deepEqual(
        [...given].map((x) => x.toFixed(6)),
        [0.6, 0.8, 0, 0, 0.6, 0.8, 0.6, 0.8].map((x) => x.toFixed(6)),
      );
      assert.deepEqual(
        seen.map(({ body }) => body.input),
        [['time'], ['query: a', 'query: bcd'], ['query: ef']],
      );
      assert.deepEqual(Object.keys(seen[0]!.body), ['model', 'input', 'encoding_format']);
      assert.equal(seen[0]!.path, '/v1/embeddings');
      assert.equal(seen[0]!.headers.authorization, `Bearer ${key}`);
    },
  );

  it('marks long prefixes by a hash in its id', async () => {
    const marks = await Promise.all(
      ['x', 'y'].map(async (letter) => {
        const { id } = await open({ dimensions: 2, prefixes: { query: letter.repeat(300) } });
        return /^openai-compatible:small-e:2:([0-9a-f]{16})$/.exec(id)?.[1];
      }),
    );
    assert.ok(marks.every((mark) => mark !== undefined) && marks[0] !== marks[1]);
  });

  it('asks for shorter vectors where told to', async () => {
    const seen = loopback.plan(vectors);
    await encodeTexts(await open({ dimensions: 2, shorten: true }), ['a'], { kind: 'passage' });
    assert.equal(seen[0]!.body.dimensions, 2);
    await assert.rejects(open({ shorten: true }), fails(/dimensions/, 'ERR_INVALID_ARGUMENT'));
  });

  it('tries again, and says what a server gave instead of vectors', async () => {
    loopback.plan(json(503, {}), vectors);
    assert.equal((await open()).dimensions, 2);
    const item = (index: number) => ({ index, embedding: [1, 0] });
    const wrong: [Reply, RegExp][] = [
      [json(401, { error: { message: `bad key ${key}` } }), /status 401: bad key \[hidden\]/],
      [json(200, { choices: [] }), /without data/],
      [json(200, { data: [] }), /0 vectors for 1/],
      [json(200, { data: [item(0), item(1)] }), /2 vectors for 1/],
      [json(200, { data: [item(5)] }), /1 vectors for 1/],
      [json(200, { data: [{ index: 0, embedding: 'AAAA' }] }), /vectors of 2 numbers/],
      [
        json(200, { data: [{ index: 0, embedding: [1, 2, 3] }] }),
        /vectors of 2 numbers.*Check dimensions/,
      ],
    ];
    for (const [reply, pattern] of wrong) {
      loopback.plan(reply);
      await assert.rejects(
        encodeTexts(await open({ dimensions: 2, retries: 0 }), ['a'], { kind: 'passage' }),
        fails(pattern),
      );
    }
  });

  it('aborts at once and refuses options out of range', async () => {
    loopback.plan(hang, hang);
    await assert.rejects(
      open({ signal: AbortSignal.timeout(50) }),
      fails(/aborted/, 'ERR_ABORTED'),
    );
    const encoder = await open({ dimensions: 2 });
    await assert.rejects(
      encodeTexts(encoder, ['a'], { kind: 'query', signal: AbortSignal.timeout(50) }),
      fails(/aborted/, 'ERR_ABORTED'),
    );
    for (const wrong of [
      { batchSize: 0 },
      { batchSize: 513 },
      { shorten: 1 },
      { dimensions: 0 },
      { model: '' },
      { baseURL: 'x' },
      { apiKey: '' },
      { prefixes: { passage: 1 } },
    ]) {
      await assert.rejects(
        open(wrong as object),
        fails(/Expected/, 'ERR_INVALID_ARGUMENT'),
        JSON.stringify(wrong),
      );
    }
    await assert.rejects(
      openAiCompatibleEncoder(undefined as never),
      fails(/options/, 'ERR_INVALID_ARGUMENT'),
    );
  });
});
