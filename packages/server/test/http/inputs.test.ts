// Wrong requests: status, code and a message that says what to do.
import assert from 'node:assert/strict';
import { AsOfError } from '../../../../lib/index.js';
import { corpusServer, type CorpusServerOptions } from '../../lib/index.js';
import { question, start, type Started } from './started.js';

interface Wrong {
  name: string;
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
  status: number;
  code: string;
  message: RegExp;
}

const ask = '/v1/corpora/pm/ask';
const passages = '/v1/corpora/pm/passages';
const invalid = { status: 400, code: 'ERR_INVALID_ARGUMENT' };

const wrong: readonly Wrong[] = [
  { name: 'no question', body: {}, ...invalid, message: /question/ },
  { name: 'an empty question', body: { question: '' }, ...invalid, message: /question/ },
  { name: 'a blank question', body: { question: ' ' }, ...invalid, message: /words/ },
  {
    name: 'a question that is none',
    body: { question: 7 },
    ...invalid,
    message: /question to be a string of 1 to 20,000/,
  },
  {
    name: 'an unknown field',
    body: { question, askedAt: '2021' },
    ...invalid,
    message: /Did you mean asked_at\?/,
  },
  {
    name: 'a field of the prototype',
    body: '{"question":"Who?","__proto__":{}}',
    ...invalid,
    message: /"__proto__"/,
  },
  {
    name: 'a time that is none',
    body: { question, asked_at: 'soon' },
    ...invalid,
    message: /Expected asked_at to be an ISO 8601/,
  },
  {
    name: 'a zone that is none',
    body: { question, time_zone: 'Mars' },
    ...invalid,
    message: /time_?zone/i,
  },
  {
    name: 'a system that is none',
    body: { question, system: 'hibrid' },
    ...invalid,
    message: /hybrid/,
  },
  {
    name: 'a system without its reranker',
    body: { question, system: 'dense+rerank' },
    ...invalid,
    message: /reranker/,
  },
  {
    name: 'too many passages',
    body: { question, k: 1001 },
    ...invalid,
    message: /k to be a whole number from 1 to 1,000, received number 1001/,
  },
  {
    name: 'a filter of no field',
    body: { question, where: { tennant: 'a' } },
    ...invalid,
    message: /a field of the corpus: tenant/,
  },
  { name: 'a filter that is none', body: { question, where: 'a' }, ...invalid, message: /where/ },
  {
    name: 'a filter without a bottom',
    body: `{"question":"Who?","where":${'{"not":'.repeat(40)}{}${'}'.repeat(40)}}`,
    ...invalid,
    message: /levels/,
  },
  {
    name: 'a time of recording without a history',
    body: { question, as_recorded: '2021' },
    ...invalid,
    message: /history/,
  },
  { name: 'no JSON', body: '{question', ...invalid, message: /Expected JSON/ },
  { name: 'an array', body: '[]', ...invalid, message: /Expected a JSON object/ },
  { name: 'an empty body', body: '', ...invalid, message: /Expected JSON/ },
  {
    name: 'another type',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 'ERR_UNSUPPORTED_TYPE',
    message: /Content-Type/,
  },
  {
    name: 'a compressed body',
    body: '{}',
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'ERR_UNSUPPORTED_TYPE',
    message: /without a Content-Encoding/,
  },
  {
    name: 'an unknown corpus',
    path: '/v1/corpora/pn/ask',
    body: { question },
    status: 404,
    code: 'ERR_NOT_FOUND',
    message: /Did you mean pm\?/,
  },
  {
    name: 'an unknown path',
    path: '/v2/corpora',
    method: 'GET',
    status: 404,
    code: 'ERR_NOT_FOUND',
    message: /openapi\.json/,
  },
  {
    name: 'another method',
    path: ask,
    method: 'GET',
    status: 405,
    code: 'ERR_METHOD_NOT_ALLOWED',
    message: /Expected POST/,
  },
  {
    name: 'a method that is none of ours',
    path: ask,
    method: 'PUT',
    body: {},
    status: 405,
    code: 'ERR_METHOD_NOT_ALLOWED',
    message: /Expected POST/,
  },
  {
    name: 'an unknown passage',
    path: `${passages}/nobody`,
    method: 'GET',
    status: 404,
    code: 'ERR_NOT_FOUND',
    message: /"nobody"/,
  },
  {
    name: 'an id that is not UTF-8',
    path: `${passages}/%E9`,
    method: 'GET',
    ...invalid,
    message: /UTF-8/,
  },
  {
    name: 'an unknown parameter',
    path: `${passages}?limits=1`,
    method: 'GET',
    ...invalid,
    message: /Did you mean limit\?/,
  },
  {
    name: 'a parameter twice',
    path: `${passages}?limit=1&limit=2`,
    method: 'GET',
    ...invalid,
    message: /once/,
  },
  {
    name: 'a parameter of another type',
    path: `${passages}?limit=many`,
    method: 'GET',
    ...invalid,
    message: /limit/,
  },
  {
    name: 'a page that is too long',
    path: `${passages}?limit=1001`,
    method: 'GET',
    ...invalid,
    message: /1,000/,
  },
  {
    name: 'a filter that is no JSON',
    path: `${passages}?where=a`,
    method: 'GET',
    ...invalid,
    message: /where to be JSON/,
  },
  {
    name: 'a cursor of another order',
    path: `${passages}?after=abc`,
    method: 'GET',
    ...invalid,
    message: /`next` of the page before/,
  },
  {
    name: 'an order by no field',
    path: `${passages}?order_by=size`,
    method: 'GET',
    ...invalid,
    message: /order_by/,
  },
  {
    name: 'ids downwards',
    path: `${passages}?descending=true`,
    method: 'GET',
    ...invalid,
    message: /ascending/,
  },
  {
    name: 'versions without a history',
    path: `${passages}/may?versions=true`,
    method: 'GET',
    ...invalid,
    message: /history/,
  },
  {
    name: 'texts that are none',
    path: '/v1/time/tag',
    body: { texts: [{ txt: 'x' }] },
    ...invalid,
    message: /texts\[0\].*Did you mean text\?/,
  },
  { name: 'no texts', path: '/v1/time/tag', body: { texts: [] }, ...invalid, message: /texts/ },
  {
    name: 'a mode that is none',
    path: '/v1/time/tag',
    body: { texts: [{ text: 'x' }], mode: 'new' },
    ...invalid,
    message: /mode/,
  },
  {
    name: 'writing, which is off',
    path: passages,
    body: { passages: [] },
    status: 403,
    code: 'ERR_FORBIDDEN',
    message: /--write/,
  },
  {
    name: 'deleting, which is off',
    path: `${passages}/may`,
    method: 'DELETE',
    status: 403,
    code: 'ERR_FORBIDDEN',
    message: /--write/,
  },
  {
    name: 'deleting many, which is off',
    path: '/v1/corpora/pm/delete',
    body: { ids: ['may'] },
    status: 403,
    code: 'ERR_FORBIDDEN',
    message: /--write/,
  },
];

describe('a server refuses', () => {
  let started: Started;
  before(async () => {
    started = await start({ limits: { bodyBytes: 4096 } });
  });
  after(() => started.stop());

  for (const { name, method = 'POST', path = ask, body, headers, status, code, message } of wrong)
    it(name, async () => {
      const answer = await started.call(method, path, body, headers);
      const { error } = answer.json as { error: { code: string; message: string } };
      assert.deepEqual([answer.status, error.code], [status, code], answer.text);
      assert.match(error.message, message);
      assert.match(error.message, /^Expected /);
      assert.ok(!answer.text.includes(started.corpus.path), 'names a path of the machine');
    });

  it('names the methods of a path', async () => {
    const { headers } = await started.call('DELETE', ask);
    assert.equal(headers.get('allow'), 'POST');
  });

  it('bodies that are too long, with and without their length', async () => {
    const long = JSON.stringify({ question: 'x'.repeat(5000) });
    const stream = new Response(long).body!;
    const sized = await started.call('POST', ask, long);
    assert.deepEqual([sized.status, sized.json['error'].code], [413, 'ERR_TOO_LARGE']);
    const response = await fetch(started.url + ask, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    assert.equal(response.status, 413);
    assert.equal((await started.call('POST', ask, { question })).status, 200);
  });

  it('bytes that are no UTF-8', async () => {
    const response = await fetch(started.url + ask, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0xff, 0x7d]),
    });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /UTF-8/);
  });

  it('answers the head of a route as its body', async () => {
    const { status, text } = await started.call('HEAD', '/v1/corpora');
    assert.deepEqual([status, text], [200, '']);
  });
});

describe('corpusServer refuses', () => {
  const options: [string, unknown, RegExp][] = [
    ['no options', undefined, /options of corpusServer/],
    ['no corpora', { corpora: {} }, /corpora by name/],
    ['a name with a slash', { corpora: { 'a/b': 'x' } }, /NAME=DIR/],
    ['what is no corpus', { corpora: { a: {} } }, /corpora\.a/],
    ['an unknown option', { corpora: { a: 'x' }, tokens: [] }, /Did you mean token\?/],
    ['a limit that is none', { corpora: { a: 'x' }, limits: { inFlight: 0 } }, /limits\.inFlight/],
    ['an unknown limit', { corpora: { a: 'x' }, limits: { second: 1 } }, /Did you mean seconds\?/],
    ['a path that is none', { corpora: { a: 'x' }, basePath: 'api/' }, /basePath/],
  ];
  for (const [name, given, message] of options)
    it(name, async () => {
      await assert.rejects(corpusServer(given as CorpusServerOptions), (error) => {
        assert.ok(AsOfError.is(error), String(error));
        assert.match(error.message, message);
        return error.code === 'ERR_INVALID_ARGUMENT';
      });
    });

  it('a folder without a corpus', () =>
    assert.rejects(corpusServer({ corpora: { a: 'nowhere.asof' } }), { code: 'ERR_NOT_FOUND' }));
});
