// The benches of PostgreSQL in small: what they load and measure with, and a soak of seconds.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  copyRate,
  describeServer,
  postgresCorpus,
  processorMs,
  startServers,
  tableBytes,
} from '../../../bench/postgres/corpora.js';
import { agreement, measure } from '../../../bench/postgres/measure.js';
import { quantile } from '../../../bench/report.js';
import { soakPostgres } from '../../../bench/postgres/soak.js';
import { soakPassage, wordOf } from '../../../bench/postgres/soakChild.js';
import { hybrid } from '../../../lib/index.js';
import { Oracle } from '../../../test/store/soak/oracle.js';
import { skipWithoutPostgres } from './binaries.js';

const settings = { sharedBuffers: 64, workers: 1 };

describe('benches of PostgreSQL', function () {
  this.timeout(120_000);
  let folder: string;
  before(function () {
    skipWithoutPostgres(this);
    folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
    chmodSync(folder, 0o711); // the servers' user is another
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  it('load data once, and measure processor time, bytes and results', async () => {
    const passages = Array.from({ length: 60 }, (_, id) => soakPassage(id, 3));
    for (const isKept of [false, true]) {
      const all = await startServers(folder, 2, settings);
      try {
        assert.match(await describeServer(all.urls[0]!), /^PostgreSQL \d.*shared_buffers 32MB/);
        const { corpus, seconds } = await postgresCorpus(all.urls, 'asof', passages);
        assert.equal(seconds === undefined, isKept);
        const questions = [3, 4].map((id) => ({ text: `When did the ${wordOf(id)} open?` }));
        const before = processorMs(all.servers);
        const found = await measure(hybrid({ corpus }), questions, [], all.servers);
        assert.equal(found.results[0]![0]!.id, 'p3');
        assert.ok(found.serverMs > 0 && found.clientMs > 0);
        assert.ok(processorMs(all.servers) > before);
        const bytes = await tableBytes(all.urls, 'asof');
        assert.ok(bytes.rows > 0 && bytes.postings > 0 && bytes.passages > 0);
        assert.equal(bytes.vectorIndex, 0);
        assert.ok((await copyRate(all.servers[0]!, 'asof', 10)) > 0);
        await corpus.close();
      } finally {
        await all.stop();
      }
    }
  });

  it('compare results by id, order and score', () => {
    const [a, b, c] = [
      { id: 'a', score: 3 },
      { id: 'b', score: 2 },
      { id: 'c', score: 1 },
    ] as const;
    const results = (...lists: { id: string; score: number }[][]) => ({ results: lists });
    assert.deepEqual(agreement(results([a, b], [c]), results([a, b], [{ ...c, score: 1.5 }])), {
      same: 2,
      difference: 0.5,
      recall: 1,
    });
    assert.deepEqual(agreement(results([a, b], [c]), results([b, a], [b])), {
      same: 0,
      difference: 0,
      recall: 2 / 3,
    });
    assert.equal(quantile([5, 1, 3], 0.5), 3);
    assert.equal(quantile([5, 1, 3], 0.99), 5);
  });

  it('soak processes that write and ask, and find nothing wrong', async () => {
    const found = await soakPostgres({ milliseconds: 4000, processes: 2, seed: 5 });
    assert.deepEqual([found.errors, found.wrong], [[], []]);
    assert.ok(found.reads > 0 && found.acknowledged > 0 && found.writes === found.acknowledged);
  });

  it('notice reads and counts that cannot be', () => {
    const wrongOf = (log: string): number => {
      const oracle = new Oracle();
      oracle.load(log);
      return oracle.findings().wrong.length;
    };
    const added = 'w 1 1 1 10\na 1 1 20\nw 2 1 1 30\n';
    assert.equal(
      wrongOf(`${added}r 1 1 21 25\nr 2 0 31 40\nr 2 1 31 40\nc 1 31 40\nc 2 31 40\n`),
      0,
    );
    assert.equal(wrongOf(`${added}r 1 0 21 25\n`), 1); // acknowledged before, and not found
    assert.equal(wrongOf(`${added}r 2 1 21 25\n`), 1); // found before it was written
    assert.equal(wrongOf(`${added}c 0 31 40\nc 3 31 40\n`), 2);
    const deleted = `${added}w 1 2 0 50\na 1 2 60\n`;
    assert.equal(wrongOf(`${deleted}r 1 1 55 70\nr 1 0 61 70\n`), 0);
    assert.equal(wrongOf(`${deleted}r 1 1 61 70\n`), 1); // deleted, and found
  });
});
