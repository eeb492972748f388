// Five quick rounds of the crash bench: an indexing process is killed, and nothing acknowledged is
// lost (npm run crash -- 100 for more).
import assert from 'node:assert/strict';
import { crashRounds } from '../../bench/store/crash.js';

describe('killing the process that indexes', () => {
  it('loses nothing that was acknowledged, and leaves nothing half visible', async function () {
    this.timeout(120_000);
    const figures = await crashRounds(5);
    assert.equal(figures.rounds, 5);
    assert.ok(figures.killed > 0, 'no child was killed while it worked');
  });
});
