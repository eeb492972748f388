// Connections to a server: cancellation, a server that is gone, retries, and messages without
// credentials.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { AsOfError } from '../../../lib/errors.js';
import { Shard, type Session } from '../lib/connection.js';
import { openSchema, type CorpusSettings } from '../lib/schema.js';
import { pipelineNames } from '../../../lib/store/writing/segmentBuilder.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers, type PostgresServer } from './servers.js';

const settings = (dimensions: number): CorpusSettings => ({
  encoder: { id: 'test', dimensions },
  fields: { zone: 'keyword', age: 'number' },
  pipeline: pipelineNames,
});

describe('a connection to PostgreSQL', function () {
  let all: PostgresServers;
  let server: PostgresServer;
  let password: string;
  const shards: Shard[] = [];
  before(async function () {
    skipWithoutPostgres(this);
    all = await PostgresServers.start();
    server = all.servers[0]!;
    ({ password } = new URL(server.url));
  });
  after(async () => {
    await Promise.all(shards.map((shard) => shard.close()));
    await all?.stop();
  });

  function shardOf(options: Partial<ConstructorParameters<typeof Shard>[0]> = {}): Shard {
    const shard = new Shard({ url: server.url, schema: 'asof', ...options }, 0);
    shards.push(shard);
    return shard;
  }

  const isError =
    (code: string, words: RegExp) =>
    (error: unknown): boolean => {
      assert.ok(AsOfError.is(error), String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, words);
      const shown = `${error.message} ${JSON.stringify(error.details)} ${String(error.cause)}`;
      assert.ok(!shown.includes(password), 'a password in a message');
      assert.doesNotMatch(shown, /user "/);
      return true;
    };

  it('names itself without user and password', () => {
    assert.equal(shardOf().name, `shard 0 (127.0.0.1:${server.port}/postgres)`);
    assert.throws(
      () => shardOf({ url: `postgres://asof:${password}@host:port/db` }),
      isError('ERR_INVALID_ARGUMENT', /not repeated here/),
    );
    for (const schema of ['Asof', 'a b', 'a"; drop', '', 'pg_x'])
      assert.throws(() => shardOf({ schema }), isError('ERR_INVALID_ARGUMENT', /schema/));
  });

  it('cancels the statement of an aborted call, and can be used again', async () => {
    const shard = shardOf({ poolSize: 1 });
    for (const kind of ['read', 'write'] as const) {
      const controller = new AbortController();
      const reason = new Error('gone');
      let pid: unknown;
      const sleeping = shard[kind](controller.signal, async (session) => {
        const [row] = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
        pid = row!.pid;
        setTimeout(() => controller.abort(reason), 50);
        await session.query('select pg_sleep(600)');
      });
      await assert.rejects(sleeping, (error: unknown) => {
        assert.ok(AsOfError.is(error) && error.code === 'ERR_ABORTED', String(error));
        assert.equal(error.cause, reason);
        return true;
      });
      const [row] = await shard.read(undefined, (session) =>
        session.query<{ pid: number; sleeping: number }>(
          `select pg_backend_pid() as pid, (select count(*)::int from pg_stat_activity
             where query like 'select pg_sleep%' and state = 'active') as sleeping`,
        ),
      );
      assert.deepEqual(row, { pid, sleeping: 0 });
    }
  });

  it('rejects an aborted call that waits for a connection', async () => {
    const shard = shardOf({ poolSize: 1 });
    let free!: () => void;
    const holding = shard.read(undefined, () => new Promise<void>((resolve) => (free = resolve)));
    await wait(100);
    const controller = new AbortController();
    const waiting = shard.read(controller.signal, (session) => session.query('select 1'));
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(waiting, isError('ERR_ABORTED', /aborted/));
    free();
    await holding;
    assert.deepEqual(await shard.read(undefined, (s) => s.query('select 1 as n')), [{ n: 1 }]);
  });

  it('ends a COPY whose signal fires or whose rows fail, without a trace of it', async () => {
    const shard = shardOf({ poolSize: 1 });
    await shard.write(undefined, (s) => s.query('create table public.copied (n int4)'));
    const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
    const row = Buffer.from([0, 1, 0, 0, 0, 4, 0, 0, 0, 7]);
    const copying = (signal: AbortSignal | undefined, rows: () => AsyncGenerator<Buffer>) =>
      shard.write(signal, (session) => session.copyIn('public.copied', ['n'], rows()));
    const controller = new AbortController();
    await assert.rejects(
      copying(controller.signal, async function* () {
        yield header;
        for (let n = 0; ; n += 1) {
          if (n === 5) controller.abort();
          await wait(1);
          yield row;
        }
      }),
      isError('ERR_ABORTED', /aborted/),
    );
    const fault = new Error('no more');
    await assert.rejects(
      copying(undefined, async function* () {
        yield header;
        await wait(1);
        throw fault;
      }),
      (error) => error === fault,
    );
    await assert.rejects(
      copying(undefined, async function* () {
        await wait(1);
        yield Buffer.from('text');
      }),
      isError('ERR_INTERNAL', /COPY/),
    );
    await copying(undefined, async function* () {
      await wait(1);
      yield Buffer.concat([header, row, row, Buffer.from([255, 255])]);
    });
    const counted = await shard.read(undefined, (s) => s.query('select n from public.copied'));
    assert.deepEqual(counted, [{ n: 7 }, { n: 7 }]);
  });

  it('says which shard is down, and works again when it is back', async () => {
    const shard = shardOf();
    const ask = () => shard.read(undefined, (s) => s.query<{ n: number }>('select 1 as n'));
    await ask();
    const running = shard.write(undefined, (s) => s.query('select pg_sleep(600)'));
    await wait(200);
    const broken = assert.rejects(running, isError('ERR_STORAGE', /shard 0 \(127\.0\.0\.1:\d+/));
    await server.kill();
    await broken;
    await assert.rejects(ask(), (error: unknown) => {
      assert.ok(AsOfError.is(error));
      assert.equal(error.details['shard'], shard.name);
      return isError('ERR_STORAGE', /connection failed: connect ECONNREFUSED/)(error);
    });
    await server.start();
    assert.deepEqual(await ask(), [{ n: 1 }]);
  });

  it('reads once more where the connection breaks', async () => {
    const shard = shardOf();
    let tries = 0;
    const ended = await shard.read(undefined, async (session) => {
      tries += 1;
      if (tries === 1) await session.query('select pg_terminate_backend(pg_backend_pid())');
      return session.query('select 2 as n');
    });
    assert.deepEqual([tries, ended], [2, [{ n: 2 }]]);
    await assert.rejects(
      shard.write(undefined, async (session) => {
        tries += 1;
        await session.query('select pg_terminate_backend(pg_backend_pid())');
      }),
      isError('ERR_STORAGE', /57P01|connection/),
    );
    assert.equal(tries, 3);
  });

  it('does a write again after a deadlock', async () => {
    const shard = shardOf();
    await shard.write(undefined, async (session) => {
      await session.query('create table public.pair (id int primary key, n int)');
      await session.query('insert into public.pair values (1, 0), (2, 0)');
    });
    let tries = 0;
    let waiting = 0;
    const both = async (session: Session, ids: number[]): Promise<void> => {
      tries += 1;
      const add = 'update public.pair set n = n + 1 where id = $1';
      await session.query(add, [ids[0]]);
      waiting += 1;
      while (waiting < 2) await wait(5);
      await session.query(add, [ids[1]]);
    };
    await Promise.all([
      shard.write(undefined, (session) => both(session, [1, 2])),
      shard.write(undefined, (session) => both(session, [2, 1])),
    ]);
    assert.ok(tries > 2, `${tries} tries`);
    assert.deepEqual(await shard.read(undefined, (s) => s.query('select n from public.pair')), [
      { n: 2 },
      { n: 2 },
    ]);
  });

  it('says of a commit without an answer that its outcome is unknown, and leaves it', async () => {
    const shard = shardOf();
    await shard.write(undefined, async (session) => {
      await session.query('create table public.doomed (n int)');
      await session.query(
        `create function public.die() returns trigger language plpgsql as
         'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`,
      );
      await session.query(
        `create constraint trigger die after insert on public.doomed
         deferrable initially deferred for each row execute function public.die()`,
      );
    });
    let tries = 0;
    await assert.rejects(
      shard.write(undefined, (session) => {
        tries += 1;
        return session.query('insert into public.doomed values (1)');
      }),
      (error: unknown) => {
        assert.ok(AsOfError.is(error));
        assert.deepEqual(error.details, { shard: shard.name, outcome: 'unknown' });
        return isError('ERR_STORAGE', /Whether the write happened is unknown/)(error);
      },
    );
    assert.equal(tries, 1);
  });

  it('does not take a transaction whose statement failed for a commit', async () => {
    await assert.rejects(
      shardOf().write(undefined, (session) => session.query('selec 1').catch(() => {})),
      isError('ERR_INTERNAL', /rolled back/),
    );
  });

  it('gives up after six conflicts', async () => {
    let tries = 0;
    await assert.rejects(
      shardOf().write(undefined, (session) => {
        tries += 1;
        return session.query("do $$ begin raise exception 'met' using errcode = '40001'; end $$");
      }),
      isError('ERR_STORAGE', /other writers/),
    );
    assert.equal(tries, 6);
  });

  it('explains a refused login, a wrong database, a time limit, and use after close', async () => {
    const ask = (shard: Shard, text = 'select 1') => shard.read(undefined, (s) => s.query(text));
    const wrong = shardOf({ url: server.url.replace(password, 'wrong') });
    await assert.rejects(ask(wrong), isError('ERR_STORAGE', /refused the login \(28P01\)/));
    const nowhere = shardOf({ url: server.url.replace(/postgres$/, 'nowhere') });
    await assert.rejects(
      ask(nowhere),
      isError('ERR_STORAGE', /no database of that name \(3D000\)/),
    );
    await assert.rejects(
      ask(shardOf({ statementTimeoutMs: 50 }), 'select pg_sleep(600)'),
      isError('ERR_STORAGE', /time limit.*statementTimeoutMs/),
    );
    const encrypted = shardOf({ url: `${server.url}?sslmode=verify-full` });
    await assert.rejects(ask(encrypted), isError('ERR_STORAGE', /has no TLS.*ssl = on/));
    await assert.rejects(ask(shardOf(), 'selec 1'), isError('ERR_INTERNAL', /syntax error/));
    const closed = shardOf();
    await ask(closed);
    await closed.close();
    await assert.rejects(ask(closed), isError('ERR_CLOSED', /Connect again/));
  });

  it('creates the tables once, though several connect at once', async () => {
    const schema = 'table'; // a word of SQL
    const missing = openSchema(shardOf({ schema }), { shards: 1 }, undefined);
    await assert.rejects(missing, isError('ERR_NOT_FOUND', /schema table/));
    const found = await Promise.all(
      [4, 5, 4, 5].map((dimensions) =>
        openSchema(shardOf({ schema }), { created: settings(dimensions), shards: 1 }, undefined),
      ),
    );
    const { dimensions } = found[0]!.encoder;
    for (const each of found) assert.deepEqual(each, settings(dimensions));
    assert.deepEqual(await openSchema(shardOf({ schema }), { shards: 1 }, undefined), found[0]);
    await assert.rejects(
      openSchema(shardOf({ schema }), { shards: 2 }, undefined),
      isError('ERR_INVALID_ARGUMENT', /number 0 of 2 shards, found number 0 of 1/),
    );
  });

  it('refuses a schema of others, and one of a later version', async () => {
    const open = (schema: string) =>
      openSchema(shardOf({ schema }), { created: settings(4), shards: 1 }, undefined);
    const shard = shardOf();
    await shard.write(undefined, async (session) => {
      await session.query('create schema others');
      await session.query('create table others.settings (n int)');
    });
    await assert.rejects(open('others'), isError('ERR_CORPUS_FOREIGN', /Name another schema/));
    await open('later');
    await shard.write(undefined, (s) => s.query('update later.settings set version = 99'));
    await assert.rejects(open('later'), isError('ERR_CORPUS_NEWER', /version 99/));
    const wide = openSchema(shardOf(), { created: settings(16_001), shards: 1 }, undefined);
    await assert.rejects(wide, isError('ERR_INVALID_ARGUMENT', /at most 16000/));
  });
});
