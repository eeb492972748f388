// Examples of the guide's pages on LangChain and on coming from other engines run against the built
// package with the printed output, and compile.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Declarations of LangChain do not pass exactOptionalPropertyTypes, or without skipLibCheck. */
const compiled = [
  'example.mts',
  ...['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'],
  ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,esnext.disposable'],
  ...['--types', 'node'],
];

describe('the guide', function () {
  this.timeout(60_000);
  for (const page of ['langchain', 'coming-from']) {
    const text = readFileSync(join(root, 'docs', 'guide', `${page}.md`), 'utf8');
    const examples = [...text.matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1]!);
    examples.forEach((code, at) =>
      it(`shows an example that runs with the printed output: ${page}, ${at + 1}`, () => {
        const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(
          ([, line]) => line,
        );
        assert.ok(expected.length > 0);
        assert.ok(existsSync(join(root, 'dist', 'index.js')), 'run npm run build first');
        // Inside the package, so that its own name resolves.
        const folder = mkdtempSync(join(root, 'build', 'guide-'));
        try {
          writeFileSync(join(folder, 'example.mts'), code);
          const { status, stdout } = spawnSync(
            join(root, 'node_modules', '.bin', 'tsc'),
            compiled,
            {
              cwd: folder,
              encoding: 'utf8',
            },
          );
          assert.equal(status, 0, stdout);
          const printed = execFileSync(process.execPath, ['--import', 'tsx', 'example.mts'], {
            cwd: folder,
            encoding: 'utf8',
          });
          assert.deepEqual(printed.trim().split('\n'), expected);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
    );
  }
});
