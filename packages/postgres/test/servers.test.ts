// The harness of tests against PostgreSQL: what it starts, and that nothing of it stays.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postgresProgram, skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const here = dirname(fileURLToPath(import.meta.url));

/** The one value that a statement returns. */
const ask = (url: string, sql: string): string =>
  execFileSync(postgresProgram('psql'), ['-X', '-q', '-A', '-t', '-d', url, '-c', sql], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function untilGone(folder: string, port: number): Promise<void> {
  for (let tries = 0; existsSync(folder) || (await answers(port)); tries += 1) {
    assert.ok(tries < 200, `${folder} or its server is still there`);
    await wait(50);
  }
}

describe('PostgreSQL servers of tests', function () {
  before(function () {
    skipWithoutPostgres(this);
  });

  it('are apart, have pgvector, and keep what was committed over a crash', async () => {
    const all = await PostgresServers.start({ servers: 2, settings: { work_mem: '7MB' } });
    try {
      const [first, second] = all.servers as [(typeof all.servers)[0], (typeof all.servers)[0]];
      for (const { url } of [first, second]) {
        ask(url, 'create extension vector');
        assert.equal(ask(url, "select '[1,2,3]'::vector <#> '[4,5,6]'"), '-32');
        assert.equal(ask(url, 'show work_mem'), '7MB');
      }
      ask(first.url, 'create table kept as select 7 as n');
      assert.throws(() => ask(second.url, 'select n from kept'), /relation "kept" does not exist/);
      await first.kill();
      assert.throws(() => ask(first.url, 'select 1'), /Connection refused/);
      assert.equal(ask(second.url, 'select 1'), '1');
      await first.start();
      assert.equal(ask(first.url, 'select n from kept'), '7');
    } finally {
      await all.stop();
    }
    for (const { folder, port } of all.servers) {
      assert.equal(existsSync(folder), false);
      assert.equal(await answers(port), false);
    }
  });

  it('say why one does not start', async () => {
    await assert.rejects(
      PostgresServers.start({ settings: { shared_buffers: '1' } }),
      /^Error: PostgreSQL ended: .*shared_buffers/,
    );
  });

  it('ask for a password', async () => {
    const all = await PostgresServers.start();
    try {
      const wrong = all.urls[0]!.replace(/:[0-9a-f]+@/, ':wrong@');
      assert.throws(() => ask(wrong, 'select 1'), /password authentication failed/);
    } finally {
      await all.stop();
    }
  });

  it('end with the process that started them, though it is killed', async () => {
    const script = `
      import { PostgresServers } from ${JSON.stringify(join(here, 'servers.ts'))};
      const all = await PostgresServers.start({ servers: 2 });
      console.log(JSON.stringify(all.servers.map(({ folder, port }) => ({ folder, port }))));
      setInterval(() => {}, 1000);`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const servers = JSON.parse(said.toString()) as { folder: string; port: number }[];
    assert.equal(servers.length, 2);
    for (const { port } of servers) assert.equal(await answers(port), true);
    child.kill('SIGKILL');
    for (const { folder, port } of servers) await untilGone(folder, port);
  });
});
