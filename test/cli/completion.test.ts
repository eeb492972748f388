// asof completion: its scripts in the shells that the machine has, and what they name.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { entries } from '../../lib/cli/registry.js';
import { temporaryFolder } from '../store/fixtures.js';
import { asof } from './spawn.js';

const shells = ['bash', 'zsh', 'fish'] as const;
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

describe('asof completion', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  const scripts = new Map<string, string>();
  before(async () => {
    for (const shell of shells) {
      const { code, stdout, stderr } = await asof(['completion', shell]);
      assert.deepEqual([code, stderr], [0, '']);
      scripts.set(shell, stdout);
    }
  });

  for (const shell of shells) {
    it(`is a script that ${shell} reads`, function () {
      if (!has(shell)) this.skip();
      // Of a file: fish reads no script from the socket that is Node's standard input.
      const file = folder.path(`asof.${shell}`);
      writeFileSync(file, scripts.get(shell)!);
      const { status, stderr } = spawnSync(shell, ['-n', file]);
      assert.deepEqual([status, String(stderr)], [0, '']);
    });

    it(`names every command and option for ${shell}`, async () => {
      const script = scripts.get(shell)!;
      for (const { name, load } of entries) {
        const { command } = await load();
        const lines = script.split('\n').filter((line) => line.includes(`${name}`));
        for (const word of name.split(' ')) assert.match(script, new RegExp(`\\b${word}\\b`));
        for (const option of Object.keys(command.options)) {
          const [short, long] = shell === 'fish' ? ['-s ', '-l '] : ['-', '--'];
          const written = `${option.length === 1 ? short : long}${option}`;
          assert.ok(
            lines.some((line) => line.includes(written)),
            `${name} ${written}`,
          );
        }
      }
    });
  }

  it('completes commands, their second words, options and files in bash', function () {
    if (!has('bash')) this.skip();
    const complete = (...words: string[]): string[] => {
      const list = ['asof', ...words].map((word) => `'${word}'`).join(' ');
      const script = `${scripts.get('bash')!}
COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _asof; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { status, stdout } = spawnSync('bash', ['-c', script], { cwd: import.meta.dirname });
      assert.equal(status, 0);
      return String(stdout).split('\n').filter(Boolean);
    };
    assert.deepEqual(complete('time'), ['timeline', 'time']);
    assert.deepEqual(complete('time', 'q'), ['question']);
    assert.deepEqual(complete('ask', 'wiki.asof', '--asked'), ['--asked-at']);
    assert.deepEqual(complete('bench-data', 'pool', '--help'), ['--help']);
    assert.deepEqual(complete('ask', 'completion'), ['completion.test.ts']);
    assert.deepEqual(complete('nothing'), []);
  });

  it('refuses other shells', async () => {
    const { code, stderr } = await asof(['completion', 'tcsh']);
    assert.equal(code, 2);
    assert.match(stderr, /SHELL must be one of bash, zsh, fish, received "tcsh"/);
  });
});
