// Requests to a cluster, in whose place a server of the test answers: what is sent again, what ends
// them, and what their errors say.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { bulk } from '../lib/bulk.js';
import { Cluster } from '../lib/cluster.js';
import { placeOf } from '../lib/nodeUrl.js';
import type { OpenSearchOptions } from '../lib/index.js';
import { AsOfError } from '../../../lib/errors.js';
import { failsWith } from '../../../test/failsWith.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { certificateIn } from '../../postgres/test/tlsProxy.js';

describe('a cluster of OpenSearch', () => {
  const folder = temporaryFolder();
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.closeAllConnections()));
  afterEach(() => {
    delete process.env['OPENSEARCH_USERNAME'];
    delete process.env['OPENSEARCH_PASSWORD'];
  });

  async function listening(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    server.unref();
    return (server.address() as AddressInfo).port;
  }
  /** A cluster of one node, at which `answer` answers each request by its number from 0. */
  async function clusterOf(
    answer: (number: number, lines: string[]) => readonly [status: number, body: object],
    options: Partial<OpenSearchOptions> = {},
  ): Promise<Cluster> {
    let number = 0;
    const listener: RequestListener = (request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += String(data)));
      request.on('end', () => {
        const [status, answered] = answer((number += 1) - 1, body.trim().split('\n'));
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answered));
      });
    };
    const port = await listening(createServer(listener));
    return new Cluster({ nodes: [`http://127.0.0.1:${port}`], ...options }, 'wiki');
  }

  it('is asked again while it is overloaded', async () => {
    let requests = 0;
    const cluster = await clusterOf((number) => {
      requests += 1;
      return number < 2
        ? [429, { error: { type: 'circuit_breaking_exception' } }]
        : [200, { a: 1 }];
    });
    assert.deepEqual(await cluster.search({}, undefined), { a: 1 });
    assert.equal(requests, 3);
    await cluster.close();
  });

  it('gets again what it refused of a bulk request, and no conflict', async () => {
    const sent: string[][] = [];
    const cluster = await clusterOf((number, lines) => {
      sent.push(lines);
      const statuses = number === 0 ? [201, 429, 409, 404] : [200];
      const items = statuses.map((status) => ({ index: { status, error: { reason: 'x' } } }));
      return [200, { errors: number === 0, items }];
    });
    const version = { seq: 4, term: 1 };
    const conflicts = await bulk(
      cluster,
      [
        { id: 'a', version: undefined, body: '{"a":1}' },
        { id: 'b', version, body: '{"b":1}' },
        { id: 'c', version, body: '{"c":1}' },
        { id: 'd', version },
      ],
      undefined,
    );
    assert.deepEqual([...conflicts], ['c']);
    assert.deepEqual(sent, [
      [
        '{"create":{"_id":"a"}}',
        '{"a":1}',
        '{"index":{"_id":"b","if_seq_no":4,"if_primary_term":1}}',
        '{"b":1}',
        '{"index":{"_id":"c","if_seq_no":4,"if_primary_term":1}}',
        '{"c":1}',
        '{"delete":{"_id":"d","if_seq_no":4,"if_primary_term":1}}',
      ],
      ['{"index":{"_id":"b","if_seq_no":4,"if_primary_term":1}}', '{"b":1}'],
    ]);
    await cluster.close();
  });

  it('sends at most 8 MiB together', async () => {
    const sizes: number[] = [];
    const cluster = await clusterOf((_, lines) => {
      sizes.push(lines.length / 2);
      return [200, { errors: false, items: [] }];
    });
    const body = `"${'x'.repeat(3 << 20)}"`;
    const operations = ['a', 'b', 'c', 'd'].map((id) => ({ id, version: undefined, body }));
    await bulk(cluster, operations, undefined);
    assert.deepEqual(sizes, [3, 1]);
    await cluster.close();
  });

  it('says what it was asked in vain, without user and password', async () => {
    process.env['OPENSEARCH_PASSWORD'] = 'secret';
    for (const [status, pattern] of [
      [401, /refused the login or the right \(401\)/],
      [400, /answered 400: parsing_exception: no such query/],
      [500, /answered 500/],
      [413, /too large for it \(413\)/],
    ] as const) {
      const error = { type: 'parsing_exception', reason: 'no such query' };
      const cluster = await clusterOf(() => [status, { error }]);
      const [place] = /127.*/.exec(cluster.name)!;
      const nodes = [`http://somebody@${place}`];
      const named = new Cluster({ nodes }, 'wiki');
      await assert.rejects(named.search({}, undefined), (fault) => {
        assert.ok(AsOfError.is(fault), String(fault));
        assert.equal(fault.code, status === 400 ? 'ERR_INTERNAL' : 'ERR_STORAGE');
        assert.match(fault.message, pattern);
        assert.match(fault.message, new RegExp(`index wiki on ${place}`));
        const shown = JSON.stringify({ ...fault }) + String(fault.stack) + String(fault.cause);
        assert.doesNotMatch(shown, /secret|somebody/);
        return true;
      });
      await Promise.all([named.close(), cluster.close()]);
    }
  });

  it('is given the user of the URL or of the environment', async () => {
    const seen: (string | undefined)[] = [];
    const listener: RequestListener = ({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    const port = await listening(createServer(listener));
    const ask = async (user: string): Promise<void> => {
      const cluster = new Cluster({ nodes: [`http://${user}127.0.0.1:${port}`] }, 'wiki');
      await cluster.search({}, undefined);
      await cluster.close();
    };
    await ask('');
    await ask('me:p%40ss@');
    process.env['OPENSEARCH_USERNAME'] = 'them';
    process.env['OPENSEARCH_PASSWORD'] = 'word';
    await ask('');
    const encoded = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    assert.deepEqual(seen, [undefined, encoded('me:p@ss'), encoded('them:word')]);
  });

  it('is reached by TLS if the authority of the URL signed its certificate', async function () {
    const certificate = certificateIn(folder.path('.'), 'own');
    if (!certificate) this.skip();
    const [cert, key] = [certificate.file, certificate.key].map((file) => readFileSync(file));
    const listener: RequestListener = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
    const port = await listening(createTlsServer({ cert: cert!, key: key! }, listener));
    const ask = async (url: string): Promise<unknown> => {
      const cluster = new Cluster({ nodes: [url] }, 'wiki');
      try {
        return await cluster.search({}, undefined);
      } finally {
        await cluster.close();
      }
    };
    const place = `localhost:${port}`;
    assert.deepEqual(await ask(`opensearch://${place}?ca=${certificate.file}`), { a: 1 });
    await assert.rejects(ask(`https://me:secret@${place}`), (fault) => {
      assert.ok(AsOfError.is(fault) && fault.code === 'ERR_STORAGE', String(fault));
      assert.match(fault.message, /TLS failed: .*certificate.* Name the file/);
      assert.doesNotMatch(String(fault.stack), /secret/);
      return true;
    });
    await assert.rejects(ask(`opensearch://${place}?tls=false`), failsWith('ERR_STORAGE'));
    await assert.rejects(
      ask(`opensearch://${place}?ca=absent.pem`),
      failsWith('ERR_INVALID_ARGUMENT'),
    );
  });

  it('is named by hosts and ports; a URL that is none is not repeated', () => {
    assert.equal(placeOf('opensearch://me:secret@search/wiki'), 'search:9200');
    assert.equal(placeOf('https://search'), 'search');
    for (const url of [
      'search:9200',
      'ftp://a:secret@b',
      'opensearch://a:sec%ret@b',
      'http://b?x=1',
    ])
      assert.throws(
        () => placeOf(url),
        (fault) => {
          assert.ok(AsOfError.is(fault) && fault.code === 'ERR_INVALID_ARGUMENT');
          assert.doesNotMatch(fault.message, /sec%?ret/);
          return true;
        },
      );
  });
});
