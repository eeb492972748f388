// A server that hangs: its port accepts connections, and nothing answers. A signal ends every call
// within a second or so, and a limit of the client does where there is no signal.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { hybrid } from '../../../lib/index.js';
import { Shard } from '../lib/connection.js';
import { PostgresCorpus } from '../lib/index.js';
import { failsWith } from '../../../test/failsWith.js';
import { passages } from '../../../test/retrieval/remotePassages.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers, type PostgresServer } from './servers.js';

const question = { text: 'Who was mayor of Castleford as of 6 May 2003?', askedAt: '2020-01-01' };
/** From the signal on; a second of it is for cancelling. */
const mostMs = 2500;

describe('a server that hangs', function () {
  this.timeout(60_000);
  let servers: PostgresServers;
  let second: PostgresServer;
  const open: { close(): Promise<void> }[] = [];
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    second = servers.servers[1]!;
    const corpus = await connect();
    await corpus.add(passages);
  });
  afterEach(async () => {
    second?.thaw();
    await Promise.all(open.splice(0).map((each) => each.close()));
  });
  after(() => servers?.stop());

  async function connect(options: object = {}): Promise<PostgresCorpus> {
    const corpus = await PostgresCorpus.connect({ shards: servers.urls, ...options });
    open.push(corpus);
    return corpus;
  }

  function shardOf(options: object = {}): Shard {
    const shard = new Shard({ url: second.url, schema: 'asof', ...options }, 1);
    open.push(shard);
    return shard;
  }

  /** Runs work while the server hangs, under a signal that fires after 200 ms. */
  async function isAborted(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const begun = Date.now();
    await assert.rejects(work(AbortSignal.timeout(200)), failsWith('ERR_ABORTED'));
    assert.ok(Date.now() - begun < 200 + mostMs, `${Date.now() - begun} ms`);
  }

  it('is not waited for by a question, a write and a connection that are aborted', async () => {
    const corpus = await connect();
    const system = hybrid({ corpus });
    await system.run(question);
    second.freeze();
    await isAborted((signal) => system.run(question, { signal }));
    await isAborted((signal) =>
      corpus.add([{ id: 'a', text: 'A mill.' }, ...passages.slice(0, 9)], { signal }),
    );
    await isAborted((signal) => PostgresCorpus.connect({ shards: servers.urls, signal }));
    const begun = Date.now();
    await corpus.close();
    assert.ok(Date.now() - begun < mostMs, 'close');
  });

  it('is not waited for in the middle of a statement, and serves again afterwards', async () => {
    const shard = shardOf();
    await shard.read(undefined, (session) => session.query('select 1'));
    await isAborted((signal) =>
      shard.read(signal, (session) => {
        setTimeout(() => second.freeze(), 50);
        return session.query('select pg_sleep(600)');
      }),
    );
    second.thaw();
    const found = await shard.read(undefined, (session) => session.query('select 1 as n'));
    assert.deepEqual(found, [{ n: 1 }]);
  });

  it('leaves the outcome of an aborted commit unknown', async () => {
    const shard = shardOf();
    const controller = new AbortController();
    const writing = shard.write(controller.signal, async (session) => {
      await session.query('create table if not exists public.doubt (n int)');
      setTimeout(() => controller.abort(), 100);
      second.freeze();
    });
    const begun = Date.now();
    await assert.rejects(writing, failsWith('ERR_STORAGE', /unknown/, { outcome: 'unknown' }));
    assert.ok(Date.now() - begun < mostMs, `${Date.now() - begun} ms`);
  });

  it('counts as gone once a statement takes longer than it may by far', async () => {
    const shard = shardOf({ statementTimeoutMs: 100 });
    await shard.write(undefined, (session) => session.query('select 1'));
    second.freeze();
    const begun = Date.now();
    await assert.rejects(
      shard.write(undefined, (session) => session.query('select 1')),
      failsWith('ERR_STORAGE', /shard 1.*no answer for 2100 ms/),
    );
    const took = Date.now() - begun;
    assert.ok(took > 2000 && took < 4000, `${took} ms`);
  });

  it('is omitted where the caller allows it, and taken in again', async () => {
    const corpus = await connect({ allowPartialResults: true, statementTimeoutMs: 2000 });
    const system = hybrid({ corpus });
    const { evidence } = await system.run(question);
    second.freeze();
    const missing = [`shard 1 (127.0.0.1:${second.port}/postgres)`];
    assert.deepEqual((await system.run(question)).missingShards, missing);
    const begun = Date.now();
    assert.deepEqual((await system.run(question)).missingShards, missing);
    assert.ok(Date.now() - begun < 1000, 'it is asked again at once');
    second.thaw();
    let result = await system.run(question);
    for (let tries = 0; result.missingShards && tries < 100; tries += 1) {
      await wait(100);
      result = await system.run(question);
    }
    assert.deepEqual(
      result.evidence.map(({ id }) => id),
      evidence.map(({ id }) => id),
    );
  });
});
