// The options of the benches: --help says what a bench does before anything runs, and a wrong
// option is one line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const run = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', ...args], { cwd: root, encoding: 'utf8' });

describe('options of the benches', () => {
  it('are read in one place', () => {
    const files = readdirSync(join(root, 'bench'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts'),
    );
    const own = files.filter((name) =>
      /parseArgs.*from 'node:util'/.test(readFileSync(join(root, 'bench', name), 'utf8')),
    );
    assert.deepEqual(own, ['options.ts']);
  });

  it('show the comment that the bench opens with', () => {
    const { status, stdout, stderr } = run('bench/search/peers.ts', '--help');
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /\[--shapes 200000x384/);
    assert.doesNotMatch(stdout, /^\/\/|^import/m);
  });

  it('are refused in one line where there are none such', () => {
    const { status, stderr } = run('bench/search/time.ts', '--rosw', '3');
    assert.deepEqual([status, stderr], [2, "Unknown option '--rosw'. See --help.\n"]);
  });
});
