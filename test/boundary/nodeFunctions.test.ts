// The functions of Node-API that Windows' addon looks up by name are all that the addon calls, as
// the undefined symbols of Linux's say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from '../publicApi.js';
import { join } from 'node:path';

describe('functions of Node-API', () => {
  it('have a pointer on Windows each', function () {
    const addon = join(root, 'build', 'Release', 'asof.node');
    const { status, stdout } = spawnSync('nm', ['-D', '--undefined-only', addon], {
      encoding: 'utf8',
    });
    if (process.platform !== 'linux' || status !== 0) {
      console.log('    skipped: no addon of Linux here, or no nm to read it');
      this.skip();
    }
    const called = stdout.match(/\bnapi_\w+/g)!;
    assert.ok(called.length > 40, stdout);
    const source = readFileSync(join(root, 'native/boundary/windows/node_api.cpp'), 'utf8');
    const pointers = new Set(source.match(/\bnapi_\w+/g));
    assert.deepEqual(
      called.filter((name) => !pointers.has(name)),
      [],
    );
  });
});
