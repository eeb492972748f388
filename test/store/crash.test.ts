// Five quick rounds of the crash benchmark: an indexing process is killed, and no acknowledged
// passage is lost (npm run crash -- 100 for more).
import assert from 'node:assert/strict';
import { crashRounds } from '../../bench/store/crash.js';

describe('killing the process that indexes', () => {
  it('loses no acknowledged passage, and leaves none partly visible', async function () {
    this.timeout(120_000);
    const figures = await crashRounds(5);
    assert.equal(figures.rounds, 5);
    assert.ok(figures.killed > 0, 'no child was killed while it worked');
  });
});
