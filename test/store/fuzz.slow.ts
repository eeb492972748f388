// What the fuzzer of corpora found (fuzz/found), in a process of its own, which may crash or hang:
// `node --import tsx test/store/fuzz/run.ts` looks for more.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const folder = fileURLToPath(new URL('./fuzz/found', import.meta.url));
const run = fileURLToPath(new URL('./fuzz/run.ts', import.meta.url));

describe('damaged and forged corpora that were found', () => {
  it('give results or errors of asof', () => {
    const files = readdirSync(folder).map((name) => join(folder, name));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', run, ...files],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, new RegExp(`^${files.length} cases .* nothing found`, 'm'));
  });
});
