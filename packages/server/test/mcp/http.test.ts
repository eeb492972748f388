// asof mcp --http: clients of both revisions, what stands before the tools, and its end.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Client } from '@modelcontextprotocol/client';
import { serve } from 'srvx';
import { Corpus } from '../../../../lib/index.js';
import { mcpHandler } from '../../lib/mcp/index.js';
import { asof } from '../../../../test/cli/spawn.js';
import {
  call,
  connectedByHttp,
  endless,
  eras,
  listening,
  withMinisters,
  type HttpServer,
} from './clients.js';

const question = 'Who was prime minister of the UK?';
const first = ({ structured }: { structured: Record<string, unknown> }): string =>
  (structured['evidence'] as { id: string }[])[0]!.id;

/** The status of a POST with headers that fetch would not send. */
const posted = (url: URL, headers: Record<string, string>, body = '{}'): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode!);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

describe('asof mcp --http', function () {
  this.timeout(60_000);
  let folder: string;
  withMinisters((made) => (folder = made));
  let server: HttpServer;
  before(async () => void (server = await listening(folder, { options: ['--write'] })));
  after(async () => assert.equal(await server.stop(), 0));

  for (const [era, mode] of Object.entries(eras)) {
    it(`answers clients of the protocol of ${era}, several at once`, async () => {
      const clients = await Promise.all([1, 2].map(() => connectedByHttp(server.url, mode)));
      const { tools } = await clients[0]!.listTools();
      assert.equal(tools.length, 9);
      const answers = await Promise.all(
        ['2017', '2021', '2023', '2018'].map((as_of, i) =>
          call(clients[i % 2]!, 'search', { question, as_of }),
        ),
      );
      assert.deepEqual(answers.map(first), ['may', 'johnson', 'sunak', 'may']);
      const unfit = await call(clients[1]!, 'timeline', {});
      assert.ok(unfit.isError);
      await Promise.all(clients.map((client) => client.close()));
    });

    it(`reports progress to a client of ${era}, and adds`, async () => {
      const client = await connectedByHttp(server.url, mode);
      const passages = Array.from({ length: 150 }, (_, i) => ({ id: `${i}`, text: `Event ${i}.` }));
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      const { structured } = await call(client, 'add', { passages }, { onprogress });
      assert.equal((structured['added'] as number) + (structured['unchanged'] as number), 150);
      assert.deepEqual(seen, [100, 150]);
      await client.close();
    });
  }

  it('refuses other hosts, pages of other sites, other paths and large bodies', async () => {
    const { url } = server;
    assert.equal(await posted(url, { host: 'evil.example' }), 403);
    assert.equal(await posted(url, { origin: 'https://evil.example' }), 403);
    assert.equal(await posted(url, { origin: 'null' }), 403);
    assert.equal(await posted(new URL('/other', url), {}), 404);
    const accepts = { accept: 'application/json, text/event-stream' };
    assert.equal(await posted(url, accepts, `{"a":"${'x'.repeat(9 << 20)}"}`), 413);
    assert.equal(await posted(url, { ...accepts, 'content-type': 'text/plain' }), 415);
    assert.equal(
      await posted(url, { ...accepts, origin: 'http://localhost:6274' }, 'no JSON'),
      400,
    );
  });

  it('wants the token of ASOF_TOKEN', async () => {
    const token = 'correct-horse-battery';
    const guarded = await listening(folder, { token });
    try {
      for (const header of ['', `Bearer ${token}x`, `Basic ${token}`])
        assert.equal(await posted(guarded.url, { authorization: header }), 401);
      const client = await connectedByHttp(guarded.url, 'auto', token);
      assert.equal(first(await call(client, 'search', { question, as_of: '2021' })), 'johnson');
      await client.close();
      await assert.rejects(connectedByHttp(guarded.url, 'legacy', 'wrong-horse'));
    } finally {
      assert.equal(await guarded.stop(), 0);
    }
  });

  it('lets other machines in with a token alone', async () => {
    const open = await asof(['mcp', folder, '--http', '--host', '0.0.0.0']);
    assert.equal(open.code, 2);
    assert.match(open.stderr, /--host 0\.0\.0\.0 lets other machines in: set ASOF_TOKEN/);
    const weak = await asof(['mcp', folder, '--http'], { env: { ASOF_TOKEN: 'short' } });
    assert.equal(weak.code, 2);
    assert.doesNotMatch(weak.stderr, /short\b/);
  });
});

describe('the handler of @asof/server/mcp', () => {
  let folder: string;
  withMinisters((made) => (folder = made));

  const ways = [
    ['2026', 'cancels it', (controller: AbortController) => controller.abort()],
    ['2026', 'is gone', (_: AbortController, client: Client) => client.close()],
    ['2025', 'is gone', (_: AbortController, client: Client) => client.close()],
  ] as const;
  for (const [era, how, stop] of ways) {
    it(`aborts a question when a client of ${era} ${how}`, async () => {
      await using corpus = await Corpus.open(folder);
      const { system, started, aborted } = endless(corpus);
      const handler = await mcpHandler(corpus, { systems: [system] });
      const fetch = (request: Request): Promise<Response> => handler.fetch(request);
      const server = serve({ fetch, port: 0, hostname: '127.0.0.1', silent: true });
      await server.ready();
      const client = await connectedByHttp(new URL('/mcp', server.url), eras[era]);
      const controller = new AbortController();
      const asked = call(client, 'search', { question }, { signal: controller.signal });
      const rejected = assert.rejects(asked);
      await started;
      await stop(controller, client);
      await Promise.all([rejected, aborted]);
      await client.close();
      await handler.close();
      await server.close(true);
    });
  }
});
