// The reranker behind a server against a real HTTP server on loopback, in both protocols. Retries,
// time-outs and aborts are the server module's and are proven in openAiCompatible.test.ts; here is
// what reranking adds.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { httpReranker, type HttpRerankerOptions } from '../../lib/models/index.js';
import { rerankTexts } from '../../lib/vectors/reranker.js';
import {
  cut,
  halfThenHang,
  hang,
  json,
  raw,
  startLoopback,
  type Loopback,
  type Reply,
} from './loopback.js';
import { failsWith } from '../failsWith.js';

const key = 'sk-very-secret-0123456789';

/** Scores a text by its length; the best comes first, as servers answer. */
const cohere: Reply = (response, seen) => {
  const results = (seen.body['documents'] as string[])
    .map((text, index) => ({ index, relevance_score: text.length / 8 }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
  json(200, { id: 'x', results, meta: {}, message: 'success' })(response, seen);
};
const tei: Reply = (response, seen) => {
  const scores = (seen.body['texts'] as string[])
    .map((text, index) => ({ index, score: text.length / 8 }))
    .sort((a, b) => b.score - a.score);
  json(200, scores)(response, seen);
};

describe('adapters: httpReranker', function () {
  this.timeout(60_000);
  let loopback: Loopback;
  before(async () => (loopback = await startLoopback()));
  after(() => loopback.close());
  const open = (options: Partial<HttpRerankerOptions> = {}) =>
    httpReranker({ baseURL: loopback.baseURL, model: 'small-r', apiKey: key, ...options });
  const fails =
    (pattern: RegExp, details: Record<string, unknown> = {}, code = 'ERR_RERANKER_FAILED') =>
    (error: unknown) => {
      failsWith(code, pattern, details)(error);
      assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key), 'a secret is shown');
      return true;
    };

  it("sends Cohere's request, and puts the scores in the order of the texts", async () => {
    const seen = loopback.plan(cohere);
    const reranker = open();
    assert.equal(reranker.id, 'cohere-compatible:small-r');
    const scores = await rerankTexts(reranker, 'Who?', ['ab', 'abcd', 'a']);
    assert.deepEqual([...scores], [0.25, 0.5, 0.125]);
    const [{ path, headers, body }] = seen as [Loopback['seen'][0]];
    assert.equal(path, '/v1/rerank');
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.deepEqual(body, {
      model: 'small-r',
      query: 'Who?',
      documents: ['ab', 'abcd', 'a'],
      top_n: 3,
    });
  });

  it("sends TEI's request, which cuts long texts, and reads its list", async () => {
    const seen = loopback.plan(tei);
    const reranker = open({ protocol: 'tei' });
    assert.equal(reranker.id, 'tei-compatible:small-r');
    assert.deepEqual([...(await rerankTexts(reranker, 'Who?', ['ab', 'abcd']))], [0.25, 0.5]);
    assert.deepEqual(seen[0]!.body, {
      query: 'Who?',
      texts: ['ab', 'abcd'],
      raw_scores: false,
      truncate: true,
    });
  });

  it('bounds a request by texts and by bytes, and sends none for no text', async () => {
    const sizes = (): number[] =>
      loopback.seen.map(({ body }) => ((body['documents'] ?? body['texts']) as string[]).length);
    const texts = Array.from({ length: 70 }, (_, at) => 'a'.repeat(1 + (at % 7)));
    const expected = texts.map(({ length }) => length / 8);
    loopback.plan(tei, tei, tei);
    assert.deepEqual([...(await open({ protocol: 'tei' }).score('q', texts))], expected);
    assert.deepEqual(sizes(), [32, 32, 6]);
    loopback.plan(cohere, cohere);
    assert.deepEqual([...(await open({ batchSize: 69 }).score('q', texts))], expected);
    assert.deepEqual(sizes(), [69, 1]);
    // 0.8 MB of JSON, then a text that is too long for any batch, then two that fit together.
    const long = ['é'.repeat(400_000), 'ab', 'a'.repeat(1_200_000), '"'.repeat(200_000), 'a'];
    loopback.plan(cohere, cohere, cohere);
    const scores = await open().score('q', long);
    assert.deepEqual(sizes(), [2, 1, 2]);
    assert.deepEqual(
      [...scores],
      long.map(({ length }) => length / 8),
    );
    loopback.plan();
    assert.deepEqual(await open().score('q', []), new Float32Array());
    assert.equal(loopback.seen.length, 0);
  });

  it('tries again after a full queue, a cut answer, and an invalid body', async () => {
    loopback.plan(json(429, { error: 'Model is overloaded', error_type: 'Overloaded' }), cut, tei);
    assert.deepEqual([...(await open({ protocol: 'tei' }).score('q', ['ab']))], [0.25]);
    loopback.plan(raw('{"results":[{"index":0,"relev'), cohere);
    assert.deepEqual([...(await open().score('q', ['ab']))], [0.25]);
  });

  it('refuses every answer that does not give each text one finite score', async () => {
    const one = (index: unknown, score: unknown) => ({ index, relevance_score: score, score });
    const lists: [unknown, RegExp][] = [
      [[], /received 0 scores for 2 texts/],
      [[one(0, 1)], /received 1 scores for 2 texts/],
      [[one(0, 1), one(1, 1), one(2, 1)], /received 3 scores for 2 texts/],
      [[one(1, 0.1), one(1, 0.2)], /received the index 1 twice/],
      [[one(0, 0.1), one(2, 0.2)], /the index number 2 for 2 texts/],
      [[one(0, 0.1), one(-1, 0.2)], /the index number -1 for/],
      [[one(0, 0.1), one(0.5, 0.2)], /the index number 0\.5 for/],
      [[one(0, 0.1), one('1', 0.2)], /the index the string "1" for/],
      [[one(0, 0.1), one(`${key} and more ${'x'.repeat(40)}`, 0.2)], /"\[hidden\] and more/],
      [[one(0, 0.1), one(undefined, 0.2)], /the index undefined for/],
      [[one(0, 0.1), null], /the index undefined for/],
      [[one(0, 0.1), one(1, null)], /score null for text 1/],
      [[one(0, 0.1), one(1, '0.2')], /score the string "0\.2" for text 1/],
      [[one(0, 0.1), one(1, 1e300)], /score number 1e\+300 for text 1/],
      [{ list: 1 }, /without a list of \{ index, (?:relevance_)?score \}.*another protocol/],
    ];
    for (const protocol of ['cohere', 'tei'] as const) {
      const reranker = open({ protocol });
      for (const [list, pattern] of lists) {
        loopback.plan(json(200, protocol === 'cohere' ? { results: list } : list));
        const asked = reranker.score('q', ['ab', 'abc']);
        await assert.rejects(asked, fails(pattern, { model: reranker.id, tries: 1 }));
      }
    }
  });

  it('says what else servers answer', async () => {
    const answers: [Reply, RegExp][] = [
      [raw('<html>Bad gateway</html>'), /not a JSON object: <html>Bad gateway/],
      [raw('{"results":[{"index":0,"relevance_score":NaN}]}'), /not a JSON object/],
      [raw('{"results":[{"index":0,'), /not a JSON object/],
      [raw('7'), /not a JSON object: 7/],
      [raw(''), /an empty body/],
      [cut, /terminated/],
      [hang, /no whole answer within 200 ms/],
      [halfThenHang, /no whole answer within 200 ms/],
      [json(401, { message: `invalid api token ${key}` }), /401: invalid .* \[hidden\].*apiKey/],
      [json(404, { detail: 'Not Found' }), /404: \{"detail":"Not Found"\}.*baseURL and model/],
      [json(413, { error: 'batch size 33 > 32', error_type: 'Validation' }), /413: batch size/],
      [json(200, { message: 'no such model' }), /an error: no such model/],
    ];
    for (const protocol of ['cohere', 'tei'] as const)
      for (const [reply, pattern] of answers) {
        loopback.plan(reply);
        const asked = open({ protocol, retries: 0, timeoutMs: 200 }).score('q', ['a']);
        await assert.rejects(asked, fails(pattern, { tries: 1 }));
      }
  });

  it('does not take the answer of the other protocol', async () => {
    const both: Reply[] = [
      json(200, [{ index: 0, score: 1 }]),
      json(200, { results: [{ index: 0, relevance_score: 1 }] }),
    ];
    loopback.plan(...both);
    for (const protocol of ['cohere', 'tei'] as const)
      await assert.rejects(open({ protocol }).score('q', ['a']), fails(/another protocol/));
  });

  it('ends at once with its signal or deadline, also between requests', async () => {
    loopback.plan(hang);
    const aborted = fails(/aborted/, {}, 'ERR_ABORTED');
    await assert.rejects(
      rerankTexts(open(), 'q', ['a'], { signal: AbortSignal.timeout(50) }),
      aborted,
    );
    const controller = new AbortController();
    const seen = loopback.plan((response, request) => {
      controller.abort();
      cohere(response, request);
    });
    await assert.rejects(
      open({ batchSize: 1 }).score('q', ['a', 'b'], { signal: controller.signal }),
      aborted,
    );
    assert.equal(seen.length, 1);
    await assert.rejects(open().score('q', ['a'], { signal: AbortSignal.abort() }), aborted);
  });

  it('refuses options and arguments of the wrong kind', async () => {
    const refused = fails(/Expected/, {}, 'ERR_INVALID_ARGUMENT');
    for (const wrong of [
      { protocol: 'jina' },
      { protocol: 'toString' },
      { batchSize: 0 },
      { batchSize: 1001 },
      { model: '' },
      { baseURL: 'x' },
      { apiKey: '' },
      { retries: 11 },
    ])
      assert.throws(() => open(wrong as object), refused, JSON.stringify(wrong));
    assert.throws(() => httpReranker(undefined as never), refused);
    await assert.rejects(open().score(5 as never, ['a']), refused);
    await assert.rejects(open().score('q', [5 as never]), refused);
  });
});
