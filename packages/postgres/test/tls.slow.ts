// Connections with TLS: what a mode of it demands, what is refused, and no warning of the client on
// stderr.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hybrid } from '../../../lib/index.js';
import { Shard } from '../lib/connection.js';
import { PostgresCorpus } from '../lib/index.js';
import { failsWith } from '../../../test/failsWith.js';
import { passages } from '../../../test/retrieval/remotePassages.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';
import { certificateIn, TlsProxy, type Certificate } from './tlsProxy.js';

describe('TLS to PostgreSQL', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let servers: PostgresServers;
  let proxy: TlsProxy;
  let own: Certificate;
  let other: Certificate;
  before(async function () {
    skipWithoutPostgres(this);
    const [first, second] = ['own', 'other'].map((name) => certificateIn(folder.path('.'), name));
    if (!first || !second) {
      console.log('    skipped: there is no program openssl that makes certificates');
      this.skip();
    }
    [own, other] = [first, second];
    servers = await PostgresServers.start();
    proxy = await TlsProxy.start(servers.servers[0]!.port, own);
  });
  after(async () => {
    proxy?.close();
    await servers?.stop();
  });

  /** The URL of the proxy with a mode. */
  function urlOf(parameters: Record<string, string>, host = 'localhost'): string {
    const url = new URL(servers.urls[0]!);
    url.hostname = host;
    url.port = String(proxy.port);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async function ask(url: string): Promise<unknown> {
    const shard = new Shard({ url, schema: 'asof' }, 0);
    try {
      return await shard.read(undefined, (session) => session.query('select 1 as n'));
    } finally {
      await shard.close();
    }
  }

  it('serves writes, questions and cancellation, the server verified', async () => {
    const url = urlOf({ sslmode: 'verify-full', sslrootcert: own.file });
    const corpus = await PostgresCorpus.connect({ shards: [url] });
    await corpus.add(passages);
    const { evidence } = await hybrid({ corpus }).run({
      text: 'Who became mayor of Lund in 1995?',
    });
    assert.ok(evidence.length > 0);
    await corpus.close();
    const before = proxy.encrypted;
    assert.ok(before > 0);
    const shard = new Shard({ url, schema: 'asof' }, 0);
    const controller = new AbortController();
    const sleeping = shard.read(controller.signal, (session) => {
      setTimeout(() => controller.abort(), 50);
      return session.query('select pg_sleep(600)');
    });
    await assert.rejects(sleeping, failsWith('ERR_ABORTED'));
    assert.equal(proxy.encrypted, before + 2, 'the connection that cancels has TLS');
    await shard.close();
  });

  it('verifies in every mode but no-verify and those of libpq on demand', async () => {
    const rows = [{ n: 1 }];
    for (const sslmode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      assert.deepEqual(await ask(urlOf({ sslmode, sslrootcert: own.file })), rows);
      await assert.rejects(ask(urlOf({ sslmode })), failsWith('ERR_STORAGE', /TLS failed/));
    }
    assert.deepEqual(await ask(urlOf({ sslmode: 'no-verify' })), rows);
    assert.deepEqual(await ask(urlOf({ sslmode: 'require', uselibpqcompat: 'true' })), rows);
  });

  it('refuses another CA or host and an absent file, and says what to do', async () => {
    const sslmode = 'verify-full';
    const remedy = /TLS failed: .*sslrootcert.*as the certificate names it/;
    await assert.rejects(
      ask(urlOf({ sslmode, sslrootcert: other.file })),
      failsWith('ERR_STORAGE', remedy),
    );
    await assert.rejects(
      ask(urlOf({ sslmode, sslrootcert: own.file }, '127.0.0.1')),
      failsWith('ERR_STORAGE', /ERR_TLS_CERT_ALTNAME_INVALID/),
    );
    await assert.rejects(
      ask(urlOf({ sslmode, sslrootcert: join(folder.path('.'), 'absent.pem') })),
      failsWith('ERR_STORAGE', /absent\.pem.*Check sslrootcert/),
    );
    assert.throws(
      () => new Shard({ url: urlOf({ sslmode: 'verify_full' }), schema: 'asof' }, 0),
      failsWith('ERR_INVALID_ARGUMENT', /one of disable, .*verify-full/),
    );
  });

  it('refuses a server without TLS', async () => {
    for (const sslmode of ['require', 'verify-full'])
      await assert.rejects(
        ask(`${servers.urls[0]!}?sslmode=${sslmode}`),
        failsWith('ERR_STORAGE', /has no TLS.*ssl = on/),
      );
  });

  it('ends a connection in negotiation when it is closed', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    try {
      await once(silent, 'listening');
      const url = new URL(servers.urls[0]!);
      url.port = String((silent.address() as AddressInfo).port);
      url.searchParams.set('sslmode', 'require');
      const shard = new Shard({ url: url.href, schema: 'asof' }, 0);
      const asking = shard.read(undefined, (session) => session.query('select 1'));
      const refused = assert.rejects(asking, failsWith('ERR_CLOSED'));
      await wait(100);
      await shard.close();
      await refused;
    } finally {
      silent.close();
    }
  });

  it('puts no warning of the client on stderr', async () => {
    const module = join(import.meta.dirname, '../lib/connection.ts');
    const script = `
      import { Shard } from ${JSON.stringify(module)};
      const shard = new Shard({ url: process.env.URL_OF_SHARD, schema: 'asof' }, 0);
      console.log(JSON.stringify(await shard.read(undefined, (s) => s.query('select 1 as n'))));
      await shard.close();`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const url = urlOf({ sslmode: 'require', sslrootcert: own.file });
    const env = { ...process.env, URL_OF_SHARD: url };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
    assert.deepEqual([stdout.trim(), stderr], ['[{"n":1}]', '']);
  });
});
