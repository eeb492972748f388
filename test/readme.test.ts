// Examples of the README run against the built package with the printed output; those of the guide
// compile.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The README and the pages of the guide, one after another. */
const guide = [
  'README.md',
  ...readdirSync(join(root, 'packages'))
    .map((name) => join('packages', name, 'README.md'))
    .filter((page) => existsSync(join(root, page))),
  ...readdirSync(join(root, 'docs', 'guide')).map((page) => join('docs', 'guide', page)),
]
  .map((page) => readFileSync(join(root, page), 'utf8'))
  .join('\n');

describe('README', () => {
  it('shows an example that runs with the printed output', () => {
    const [, code] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
    const expected = /console\.log\(.*\); \/\/ (.*)/.exec(code!)![1]!;
    assert.ok(existsSync(join(root, 'dist', 'index.js')), 'run npm run build first');
    // inside the package, so that its own name resolves
    const folder = mkdtempSync(join(root, 'build', 'readme-'));
    try {
      writeFileSync(join(folder, 'example.mts'), code!);
      const printed = execFileSync(process.execPath, ['--import', 'tsx', 'example.mts'], {
        cwd: folder,
        encoding: 'utf8',
      });
      assert.equal(printed.trim(), expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("shows TypeScript that compiles, with the package's declarations", function () {
    this.timeout(120_000);
    // LangChain's own declarations fail under these options: packages/langchain/test/guide.test.ts.
    const snippets = [...guide.matchAll(/```ts\n([^]*?)```/g)]
      .map((match) => match[1]!)
      .filter((code) => !code.includes("'@asof/langchain'"));
    const folder = mkdtempSync(join(root, 'build', 'readme-'));
    try {
      const files = snippets.map((code, i) => {
        const file = `snippet${i}.mts`;
        writeFileSync(join(folder, file), code);
        return file;
      });
      assert.ok(files.length >= 5);
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2023', 'esnext.disposable'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
        types: ['node'],
      };
      const peers = join(root, 'packages', 'mastra', 'peers.d.ts'); // for @mastra/core
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: [...files, peers] }),
      );
      const tsc = join(root, 'node_modules', '.bin', 'tsc');
      const { status, stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
      assert.ok(status === 0 || stdout.includes('error TS'), `exit code ${status}`);
      // Declarations of other packages, the AI SDK's for one, need a browser's types.
      const errors = stdout.split('\n').filter((line) => /^\S.*error TS/.test(line));
      assert.deepEqual(
        errors.filter((line) => !/^[^(]*node_modules/.test(line)),
        [],
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('shows the output of the time commands', () => {
    const [, session] = /```console\n([^]*?)```/.exec(
      readFileSync(join(root, 'docs', 'guide', 'command-line.md'), 'utf8'),
    )!;
    const runs = session!.split(/^\$ /m).slice(1);
    assert.ok(runs.length > 0);
    for (const run of runs) {
      const [, input, command] = /^echo '(.*)' \| asof (.*)\n/.exec(run)!;
      const printed = execFileSync(
        process.execPath,
        [join(root, 'dist', 'cli', 'main.js'), ...command!.split(' ')],
        {
          input: input!,
          encoding: 'utf8',
        },
      );
      assert.deepEqual(JSON.parse(printed), JSON.parse(run.slice(run.indexOf('\n'))), command);
    }
  });

  it('links to files that the package has, or that stay in the repository by decision', () => {
    const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const packed = new Set(
      (JSON.parse(listing) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path),
    );
    // reasons and measurements are for those who change asof, and are not packed; pictures neither
    const repositoryOnly =
      /^docs\/(?:(?:decisions\/.*|benchmarks|comparison)\.md|images\/.*\.png)$/;
    const pages = [...packed].filter((path) =>
      /^(?:README|CHANGELOG|docs\/.*|models\/README)\.md$/.test(path),
    );
    const links = pages.flatMap((page) =>
      [
        ...readFileSync(join(root, page), 'utf8').matchAll(
          /(?:\]\(|src=")(?!https?:|#)([^)"#\s]+)[^)"]*[)"]/g,
        ),
      ].map((match) => ({ page, to: normalize(join(dirname(page), match[1]!)) })),
    );
    assert.ok(pages.length > 10 && links.length > 0);
    assert.deepEqual(
      links.filter(
        ({ to }) => !packed.has(to) && !(repositoryOnly.test(to) && existsSync(join(root, to))),
      ),
      [],
    );
  });

  it('names only commands that package.json or the command line has', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...guide.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]!);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });
});
