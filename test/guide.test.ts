// The TypeScript of the README and the guide: all of it compiles, and pages of which every example
// prints what it says run against the built packages, one example after another.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../lib/errors.js';
import { root } from './publicApi.js';
import { shippedEnvironment } from './selectAddon.js';
import { assertEach } from './assertEach.js';

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Examples of each page that has some. */
const pages = new Map(
  [
    'README.md',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
    ...readdirSync(join(root, 'docs/guide')).map((page) => `docs/guide/${page}`),
  ]
    .filter((page) => existsSync(join(root, page)))
    .map((page) => [page, [...read(page).matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!)]),
);
/** Pages whose examples need no server, model or data of the reader. */
const runnable = ['README.md'].concat(
  [
    'agents',
    'coming-from',
    'corpus',
    'decay',
    'filters',
    'langchain',
    'llamaindex',
    'path-documents',
    'path-evaluation',
    'path-memory',
    'path-service',
    'series',
    'telemetry',
  ].map((name) => `docs/guide/${name}.md`),
);

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

describe('the guide', function () {
  this.timeout(60_000);
  let folder: string;
  const folderOf = (page: string): string => join(folder, page.replaceAll(/\W/g, '-'));
  before(() => {
    assert.ok(existsSync(join(root, 'dist', 'index.js')), 'run npm run build first');
    // Inside the package, so that its own name resolves.
    folder = mkdtempSync(join(root, 'build', 'guide-'));
    for (const [page, examples] of pages) {
      mkdirSync(folderOf(page));
      examples.forEach((code, at) => writeFileSync(join(folderOf(page), `${at}.mts`), code));
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('shows TypeScript that compiles', () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      strict: true,
      skipLibCheck: true, // package.slow.ts checks declarations of ours
      types: ['node'],
    };
    const peers = join(root, 'packages', 'mastra', 'peers.d.ts'); // for @mastra/core
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['**/*.mts', peers] }),
    );
    const tsc = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });

  for (const page of runnable)
    it(`shows what its examples print: ${page}`, () => {
      const examples = pages.get(page)!;
      assert.ok(examples.length > 0);
      const run = examples.map(
        (_, at) => `console.log('# ${at}');\nawait import('./${at}.mjs');\n`,
      );
      writeFileSync(join(folderOf(page), 'all.mjs'), run.join(''));
      const printed = execFileSync(process.execPath, ['all.mjs'], {
        cwd: folderOf(page),
        encoding: 'utf8',
        env: shippedEnvironment(),
      });
      assert.deepEqual(
        printed.trim().split('\n'),
        examples.flatMap((code, at) => [`# ${at}`, ...expectedOutput(code)]),
      );
    });
});

describe('the page on corpora', () => {
  it('lists every error once, in the order of the code', () => {
    const listed = [...read('docs/guide/corpus.md').matchAll(/^\| `(ERR_\w+)`/gm)];
    assertEach(listed, ([, code]) => code, [...errorCodes]);
  });
});
