// Memory that the system refuses: whichever allocation of the addon fails, the call ends with
// ERR_OUT_OF_MEMORY, keeps nothing, and succeeds when it is repeated.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { addonPath } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { randomOf } from '../fuzz/inputs.js';
import { operations, type Operation } from './allocations/operations.js';
import { sweep } from './allocations/sweep.js';

const random = randomOf(20261128);
const sanitized = process.env['ASOF_BINDING']?.includes('build-asan') ?? false;

/** Whether the test addon has its own operator new: on Linux. */
function counts(): boolean {
  addon.watchAllocations(0, false);
  new addon.Cancellation();
  return addon.watchedAllocations().made > 0;
}

// Asks for 256 MB twice, with memory for 400 MB: first the numbers, then the array for JavaScript.
const large = `
  const { spawnSync } = require('node:child_process');
  const binding = require(${JSON.stringify(addonPath)});
  const values = new Float32Array(8000).fill(1);
  const limit = (bytes) => spawnSync('prlimit', ['--pid', process.pid, '--as=' + bytes + ':']);
  (async () => {
    await binding.innerProduct(values.subarray(0, 9), values, 1);
    const status = require('node:fs').readFileSync('/proc/self/status', 'utf8');
    limit(Number(/VmSize:\\s+(\\d+)/.exec(status)[1]) * 1024 + 400 * 2 ** 20);
    await binding.innerProduct(values, values, 1).catch(({ code }) => console.log(code));
    limit('unlimited');
    console.log((await binding.innerProduct(values, values, 1)).length);
  })();
`;

describe('allocations that fail', () => {
  let all: Operation[] = [];
  before(async function () {
    if (!counts()) this.skip();
    all = await operations();
  });
  after(() => addon.setThreadCount(0));

  for (const [words, options] of [
    ['one', { threads: 1, lasting: false, most: 16 }],
    ['all from one on', { threads: 1, lasting: true, most: 6 }],
    ['one, on several threads', { threads: 3, lasting: false, most: 6 }],
  ] as const) {
    it(`${words}: ERR_OUT_OF_MEMORY, nothing kept, success afterwards`, async () => {
      addon.setThreadCount(options.threads);
      for (const operation of all) {
        const { wrong } = await sweep(operation, { ...options, random });
        assert.deepEqual(wrong, [], operation.name);
      }
    });
  }

  it('a large array for JavaScript: ERR_OUT_OF_MEMORY, the process goes on', function () {
    if (sanitized || spawnSync('prlimit').error) this.skip();
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', large], { encoding: 'utf8' });
    assert.equal(stdout, 'ERR_OUT_OF_MEMORY\n64000000\n', stderr);
  });
});
