// Servers that are killed: a few rounds of the benches that do it at random moments, and what a
// write does on the shards that are left.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { crashRounds } from '../../../bench/postgres/crash.js';
import { PostgresCorpus } from '../lib/index.js';
import { failsWith } from '../../../test/failsWith.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

describe('killing a PostgreSQL server', function () {
  this.timeout(120_000);
  before(function () {
    skipWithoutPostgres(this);
  });

  it('loses nothing that was acknowledged, and leaves no part of a write on a shard', async () => {
    const { cut, failures } = await crashRounds({ rounds: 6, seed: 3 });
    assert.deepEqual(failures, []);
    const { 'write: not begun': not, 'write: on one shard': part, 'question: rejected': no } = cut;
    assert.ok(not + part > 0 && no > 0, `nothing was cut: ${JSON.stringify(cut)}`);
  });

  it('rejects a write once it has ended on the other shards', async () => {
    const servers = await PostgresServers.start({ servers: 2 });
    const [dead, alive] = servers.servers as [
      (typeof servers.servers)[0],
      (typeof servers.servers)[0],
    ];
    const corpus = await PostgresCorpus.connect({ shards: servers.urls });
    // Each lets reads pass, and writes wait.
    const [first, second] = [dead, alive].map(({ url }) => new pg.Client(url)) as [
      pg.Client,
      pg.Client,
    ];
    try {
      for (const other of [first, second]) {
        other.on('error', () => {});
        await other.connect();
        await other.query('begin; lock table asof.passages in share row exclusive mode');
      }
      const passages = Array.from({ length: 40 }, (_, n) => ({
        id: `p${n}`,
        text: `Bridge ${n}.`,
      }));
      let ended = false;
      const adding = corpus.add(passages).finally(() => (ended = true));
      adding.catch(() => {});
      await wait(1000);
      await dead.kill();
      await wait(500);
      assert.equal(ended, false);
      await second.query('commit');
      await assert.rejects(adding, failsWith('ERR_STORAGE', /shard 0/));
      const { rows } = await second.query('select count(*)::int as n from asof.passages');
      assert.ok((rows as [{ n: number }])[0].n > 0);
    } finally {
      await first.end().catch(() => {});
      await second.end();
      await corpus.close();
      await servers.stop();
    }
  });
});
