// fetch in other servers: Hono, a handler of Next.js, under a path, without a socket.
import assert from 'node:assert/strict';
import { Hono } from 'hono';
import { corpusServer } from '../../lib/index.js';
import { question, start, type Started } from './started.js';

const token = 'a-token-of-this-test-0123456789';

const asking = (url: string, headers: Record<string, string> = {}): Request =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ question }),
  });

describe('the fetch of a server', () => {
  let started: Started;
  before(async () => {
    started = await start();
  });
  after(() => started.stop());

  it('is mounted by Hono, which cuts the path', async () => {
    const app = new Hono();
    app.mount('/memory', started.server.fetch);
    const response = await app.request(asking('https://app.example.com/memory/v1/corpora/pm/ask'));
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { answer: string }).answer, 'Boris Johnson');
  });

  it('is a handler of routes, by the path that it is under', async () => {
    const server = await corpusServer({
      corpora: { pm: started.corpus },
      basePath: '/api/asof',
      token,
    });
    const url = 'https://app.example.com/api/asof/v1/corpora/pm/ask';
    const headers = { authorization: `Bearer ${token}`, origin: 'https://app.example.com' };
    assert.equal((await server.fetch(asking(url, headers))).status, 200);
    assert.equal((await server.fetch(asking(url))).status, 401);
    const other = asking('https://app.example.com/v1/corpora/pm/ask', headers);
    const missing = await server.fetch(other);
    assert.equal(missing.status, 404);
    assert.match(await missing.text(), /\/api\/asof\/openapi\.json/);
    const described = await server.fetch(
      new Request('https://app.example.com/api/asof/openapi.json'),
    );
    const { servers } = (await described.json()) as { servers: unknown };
    assert.deepEqual(servers, [{ url: '/api/asof' }]);
    await server.close();
  });

  it('ends a question with the signal of its request', async () => {
    const controller = new AbortController();
    const request = new Request('http://localhost/v1/corpora/pm/ask', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question }),
      signal: controller.signal,
    });
    const answer = started.server.fetch(request);
    controller.abort();
    assert.equal((await answer).status, 503);
  });
});
