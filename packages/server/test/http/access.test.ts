// Who may call a server: tokens, hosts, sites of browsers.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { AsOfError } from '../../../../lib/index.js';
import { corpusServer } from '../../lib/index.js';
import { question, start, type Started } from './started.js';

const token = 'a-token-of-this-test-0123456789';
const path = '/v1/corpora/pm/ask';

/** With headers that fetch does not let a program set. */
function raw(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/v1/corpora`, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    });
    sent.on('error', reject).end();
  });
}

describe('a server with tokens', () => {
  let started: Started;
  before(async () => {
    started = await start({ token: [token, `${token}-2`] });
  });
  after(() => started.stop());
  const ask = (authorization?: string) =>
    started.call('POST', path, { question }, authorization ? { authorization } : {});

  it('answers who brings one of them', async () => {
    for (const each of [`Bearer ${token}`, `bearer  ${token}-2`])
      assert.equal((await ask(each)).status, 200, each);
  });

  it('refuses who brings none or another, and says how', async () => {
    for (const each of [undefined, 'Bearer x', `Bearer ${token}x`, `Basic ${token}`, token]) {
      const { status, headers, json } = await ask(each);
      assert.equal(status, 401, each);
      assert.equal(headers.get('www-authenticate'), 'Bearer');
      assert.equal(json['error'].code, 'ERR_UNAUTHORIZED');
      assert.match(json['error'].message, /Authorization: Bearer TOKEN/);
    }
  });

  it('needs none for the page, its health and its description, and one for all else', async () => {
    for (const each of ['/', '/health', '/openapi.json'])
      assert.equal((await started.call('GET', each)).status, 200, each);
    for (const each of ['/metrics', '/v1/corpora', '/v1/corpora/pm', '/v1/corpora/nobody'])
      assert.equal((await started.call('GET', each)).status, 401, each);
    const { json } = await started.call('GET', '/openapi.json');
    assert.deepEqual(json['paths']['/v1/corpora'].get.security, [{ token: [] }]);
    assert.deepEqual(json['paths']['/health'].get.security, []);
  });

  it('answers under any name, and says nothing to pages of other sites', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await raw(started.url, { ...headers, host: 'asof.example.com' });
    assert.equal(status, 200);
    const { headers: received } = await started.call('GET', '/health', undefined, {
      origin: 'https://evil.example.com',
    });
    assert.equal(received.get('access-control-allow-origin'), null);
    assert.equal(received.get('cross-origin-resource-policy'), 'same-origin');
  });

  it('refuses tokens that are short, or cannot be sent', async () => {
    for (const each of ['short', `${token} x`, `${token}é`, '']) {
      const options = { corpora: { pm: started.corpus }, token: each };
      await assert.rejects(corpusServer(options), (error) => {
        assert.ok(AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT');
        assert.ok(each === '' || !error.message.includes(each), 'the message has the token');
        return true;
      });
    }
  });
});

describe('a server without a token', () => {
  let started: Started;
  const app = 'https://app.example.com';
  before(async () => {
    started = await start({ cors: [app] });
  });
  after(() => started.stop());

  it('listens on loopback only', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'asof.example.com'])
      await assert.rejects(started.server.listen({ port: 0, host }), /ASOF_TOKEN/);
    for (const host of ['localhost', '127.0.0.1'])
      assert.ok((await started.server.listen({ port: 0, host })).port > 0);
  });

  it('refuses names that lead to loopback: DNS rebinding', async () => {
    const { port } = new URL(started.url);
    for (const host of [
      'evil.example.com',
      `evil.example.com:${port}`,
      '127.0.0.1.evil.example.com',
    ]) {
      const { status, body } = await raw(started.url, { host });
      assert.equal(status, 403, host);
      assert.match(body, /Expected the host localhost or 127\.0\.0\.1/);
    }
    for (const host of ['localhost', `127.0.0.1:${port}`, `[::1]:${port}`])
      assert.equal((await raw(started.url, { host })).status, 200, host);
  });

  it('refuses pages of other sites, also for what they may send without asking', async () => {
    const headers = { origin: 'https://evil.example.com', 'content-type': 'text/plain' };
    const { status, json } = await started.call('POST', path, '{}', headers);
    assert.equal(status, 403);
    assert.match(json['error'].message, /--cors/);
    for (const origin of [app, started.url])
      assert.equal((await started.call('GET', '/v1/corpora', undefined, { origin })).status, 200);
    assert.equal(
      (await started.call('GET', '/v1/corpora', undefined, { origin: 'null' })).status,
      403,
    );
  });

  it('lets browsers ask for the sites that it knows', async () => {
    const { status, headers } = await started.call('OPTIONS', path, undefined, {
      origin: app,
      'access-control-request-method': 'POST',
    });
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), app);
    assert.match(headers.get('access-control-allow-headers')!, /authorization/);
    const answer = await started.call('POST', path, { question }, { origin: app });
    assert.equal(answer.headers.get('access-control-allow-origin'), app);
    assert.equal(answer.headers.get('vary'), 'origin');
  });

  it('refuses wildcards and paths as origins', async () => {
    for (const origin of ['*', 'app.example.com', `${app}/`, 'null'])
      await assert.rejects(
        corpusServer({ corpora: { pm: started.corpus }, cors: [origin] }),
        /origins/,
      );
  });
});
