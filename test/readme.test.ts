// What the README and the guide say of commands, and their links, hold.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
