// The examples of pages of the guide run, one after another in one folder, with the printed output
// that their comments say; and the page on corpora lists every error.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../../lib/errors.js';
import { root } from '../publicApi.js';

const read = (page: string) => readFileSync(join(root, 'docs', 'guide', page), 'utf8');

/** The lines that an example prints, by the comments after its calls of console.log. */
function expectedOutput(code: string): string[] {
  const lines = code.split('\n');
  return lines.flatMap((line, at) => {
    if (!line.includes('console.log(')) return [];
    const own = /\); \/\/ (.*)$/.exec(line);
    if (own) return [own[1]!];
    const after = lines.slice(at + 1);
    const end = after.findIndex((next) => !next.startsWith('// '));
    return after.slice(0, end).map((next) => next.slice(3));
  });
}

describe('an example of the guide', () => {
  for (const page of ['corpus.md', 'filters.md', 'decay.md', 'telemetry.md'])
    it(`runs with the printed output: ${page}`, () => {
      assert.ok(existsSync(join(root, 'dist', 'index.js')), 'run npm run build first');
      const examples = [...read(page).matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1]!);
      assert.ok(examples.length > 0);
      // inside the package, so that its own name resolves
      const folder = mkdtempSync(join(root, 'build', 'guide-'));
      try {
        for (const [at, code] of examples.entries())
          writeFileSync(join(folder, `example${at}.mts`), code);
        const run = examples.map(
          (_, at) => `console.log('# ${at}');\nawait import('./example${at}.mts');\n`,
        );
        writeFileSync(join(folder, 'all.mts'), run.join(''));
        const printed = execFileSync(process.execPath, ['--import', 'tsx', 'all.mts'], {
          cwd: folder,
          encoding: 'utf8',
        });
        assert.deepEqual(
          printed.trim().split('\n'),
          examples.flatMap((code, at) => [`# ${at}`, ...expectedOutput(code)]),
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});

describe('the page on corpora', () => {
  it('lists every error once, in the order of the code', () => {
    const listed = [...read('corpus.md').matchAll(/^\| `(ERR_\w+)`/gm)].map((match) => match[1]!);
    assert.deepEqual(listed, [...errorCodes]);
  });
});
