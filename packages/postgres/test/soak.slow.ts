// The soak of PostgreSQL in small, and its oracle.
import assert from 'node:assert/strict';
import { soakPostgres } from '../../../bench/postgres/soak.js';
import { Oracle } from '../../../bench/postgres/oracle.js';
import { skipWithoutPostgres } from './binaries.js';

describe('the soak of PostgreSQL', function () {
  this.timeout(120_000);
  before(function () {
    skipWithoutPostgres(this);
  });

  it('lets processes write and ask, and finds nothing wrong', async () => {
    const found = await soakPostgres({ milliseconds: 4000, processes: 2, seed: 5 });
    assert.deepEqual([found.errors, found.wrong], [[], []]);
    assert.ok(found.reads > 0 && found.acknowledged > 0 && found.writes === found.acknowledged);
  });

  it('notices reads and counts that cannot be', () => {
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
