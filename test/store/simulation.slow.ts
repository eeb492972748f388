// Simulated threads and processes on a simulated disk against the model of a corpus (simulation/),
// in a process of its own: `node --import tsx test/store/simulation/run.ts` runs a million
// operations of them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Counts } from './simulation/simulation.js';
import { isWindows } from './fixtures.js';

const seed = Number(process.env['ASOF_SEED'] ?? 20261127);
const operations = 20 * Number(process.env['ASOF_RUNS'] ?? 1000);

async function simulate(
  count: number,
  by: number,
): Promise<{ counts: Counts; fingerprint: string }> {
  const script = join(import.meta.dirname, 'simulation', 'run.ts');
  const args = ['--import', 'tsx', script, String(count), '--seed', String(by), '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as { counts: Counts; fingerprint: string };
}

describe('the store, simulated', function () {
  this.timeout(0);
  before(function () {
    if (isWindows) this.skip(); // the simulated disk has the paths of POSIX
  });

  it('equals its model through kills, power cuts, faults and any order of calls', async () => {
    const { counts } = await simulate(operations, seed);
    for (const kind of [
      'add',
      'delete',
      'compact',
      'fuse',
      'search',
      'backup',
      'restore',
      'recover',
    ])
      assert.ok(counts.byKind[kind]! > 0, `no ${kind}`);
    for (const what of ['commits', 'failures', 'kills', 'powerCuts'] as const)
      assert.ok(counts[what] > 0, `no ${what}`);
  });

  it('repeats itself under the same seed', async () => {
    const [first, second] = [await simulate(300, seed), await simulate(300, seed)];
    assert.deepEqual(first, second);
    assert.notEqual(first.fingerprint, (await simulate(300, seed + 1)).fingerprint);
  });
});
