// The embedded time encoder: size, compatibility with the embedded encoder, and better retrieval of
// one day's reading than the encoder alone.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTimeEncoder, timeEncoder } from '../../lib/models/index.js';
import { staticEncoder } from '../../lib/index.js';
import { encodeTriplets } from '../../packages/training/lib/timeEncoder/encodeTriplets.js';
import { world } from '../../packages/training/test/timeEncoder/data.js';

describe('the embedded time encoder', () => {
  it('is small, and compatible with the embedded encoder', async () => {
    assert.ok(
      statSync(fileURLToPath(new URL('../../models/time-encoder.bin', import.meta.url))).size <
        300_000,
    );
    const { kind, encoder } = await readTimeEncoder();
    const base = await staticEncoder();
    assert.deepEqual([kind, encoder], ['film', base.id]);
    assert.equal((await timeEncoder(base)).dimensions, base.dimensions);
  });

  it('retrieves readings of days in years and towns outside its training', async () => {
    const base = await staticEncoder();
    const { passages, train, dev } = world(120, 7);
    const { validation } = await encodeTriplets(base, [], [...train, ...dev], passages);
    const [before, after] = [
      await validation.measure(),
      await validation.measure(await timeEncoder(base)),
    ];
    assert.ok(
      after.recall > 0.9 && after.reciprocalRank > before.reciprocalRank + 0.1,
      JSON.stringify({ before, after }),
    );
  });
});
