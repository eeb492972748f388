// The choice of the level, and the rule that makes it safe: an object file compiled for a newer
// processor defines no symbol outside its own namespace, so that the linker cannot hand its code to
// an older one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';

const root = join(fileURLToPath(import.meta.url), '../../..');

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

describe('levels', () => {
  it('the level in use is the best one unless another is set', () => {
    const levels = addon.isaLevels();
    assert.equal(levels[0], 'reference');
    for (const level of levels) {
      addon.setIsa(level);
      assert.equal(binding.isa(), level);
    }
    addon.setIsa('');
    assert.equal(binding.isa(), process.env['ASOF_ISA'] || levels.at(-1));
  });

  it('a level that this machine does not run is refused, with those it does', () => {
    assert.throws(() => addon.setIsa('x86-64-v9'), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /reference.*received "x86-64-v9"/,
    });
  });

  it('ASOF_ISA chooses the level, and a wrong one is an error', () => {
    const run = (level: string) =>
      spawnSync(
        process.execPath,
        [
          '--import',
          'tsx',
          '-e',
          "import('./lib/binding.ts').then(({ binding }) => console.log(binding.isa()))",
        ],
        {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, ASOF_ISA: level },
        },
      );
    assert.equal(run('reference').stdout.trim(), 'reference');
    const wrong = run('sparc');
    assert.notEqual(wrong.status, 0);
    assert.match(wrong.stderr, /ASOF_ISA.*received "sparc"/);
  });

  it('object files of a level define symbols of its namespace only', function () {
    const build = join(root, 'build');
    const objects = existsSync(build)
      ? files(build).filter((path) => /asof_level_\w+\.dir/.test(path) && path.endsWith('.o'))
      : [];
    if (objects.length === 0 || spawnSync('nm', ['--version']).status !== 0) {
      console.log('    skipped: no object files of a build here, or no nm to read them');
      this.skip();
    }
    const foreign = objects.flatMap((path) => {
      const namespace = /asof_(level_\w+)\.dir/.exec(path)![1]!;
      const symbols = spawnSync('nm', ['-C', '--defined-only', '--extern-only', path], {
        encoding: 'utf8',
      }).stdout;
      return symbols
        .split('\n')
        .filter(
          (line) =>
            line !== '' && !line.includes(`asof::${namespace}::`) && !/\bDW\.ref\./.test(line),
        )
        .map((line) => `${namespace}/${basename(path)}: ${line}`);
    });
    assert.deepEqual(foreign, []);
  });
});
