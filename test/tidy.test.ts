// House rules that a program can check: import direction, dead files, circles, absolute paths and
// registry hosts. A failure names the file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const inFolders = (folders: string[], endings: string[]) =>
  tracked.filter(
    (path) =>
      folders.some((folder) => path.startsWith(`${folder}/`)) &&
      endings.some((ending) => path.endsWith(ending)),
  );

const folders = [
  'runtime',
  'text',
  'time',
  'documents',
  'vectors',
  'store',
  'retrieval',
  'ranking',
  'facts',
  'reading',
  'systems',
  'models',
  'papers',
  'train',
  'pages',
  'eval',
  'json',
  'ai',
  'langchain',
  'mastra',
  'postgres',
  'server',
  'mcp',
  'cli',
];
const rootModules = ['pipeline', 'records', 'errors', 'binding'];
/** The entries of the package: the root and its subpaths. */
const entries = [
  'lib/index.ts',
  ...[
    'time',
    'papers',
    'eval',
    'train',
    'models',
    'ai',
    'langchain',
    'mastra',
    'postgres',
    'server',
    'mcp',
  ].map((each) => `lib/${each}/index.ts`),
];
/**
 * The modules of lib/ that a module of lib/ imports, or starts as a thread, as paths from the root.
 */
function imports(path: string): string[] {
  const text = read(path);
  const found = text.matchAll(/(?:from|import\(|new URL\()\s*'(\.[^']+)'/g);
  const threads = text.matchAll(/installedFile\('(lib\/[^']+\.ts)'\)/g);
  return [
    ...[...found].map((match) => normalize(join(dirname(path), match[1]!)).replace(/\.js$/, '.ts')),
    ...[...threads].map((match) => match[1]!),
  ];
}

describe('tidy', () => {
  const library = inFolders(['lib'], ['.ts']);

  it('a folder of lib imports only from folders to its left and from the root modules', () => {
    const wrong: string[] = [];
    for (const path of library) {
      const folder = path.split('/').length > 2 ? path.split('/')[1]! : undefined;
      for (const target of imports(path)) {
        if (!target.startsWith('lib/')) continue;
        const [, first, second] = target.split('/');
        const targetFolder = second === undefined ? undefined : first!;
        if (folder === undefined) continue; // root modules: checked below
        if (targetFolder === undefined) {
          const name = first!.replace(/\.ts$/, '');
          if (!rootModules.includes(name) && !(folder === 'cli' && name === 'index'))
            wrong.push(`${path} imports ${target}`);
        } else if (targetFolder !== folder) {
          assert.ok(
            folders.includes(targetFolder),
            `${targetFolder} is not a folder of the design`,
          );
          if (folders.indexOf(targetFolder) > folders.indexOf(folder))
            wrong.push(`${path} imports ${target}, to its right`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('nothing imports the pages, which run in a browser, nor do they import the public API', () => {
    const pages = ['packages/evaluation/lib/report/page/', 'packages/server/lib/page/', 'packages/pages/lib/browser/'];
    const isOfPage = (path: string): boolean => pages.some((each) => path.startsWith(each));
    assert.deepEqual(
      library.filter((path) => !isOfPage(path) && imports(path).some(isOfPage)),
      [],
    );
    assert.deepEqual(
      library.filter((path) => isOfPage(path) && imports(path).includes('lib/index.ts')),
      [],
    );
  });

  it('a root module imports no folder but the runtime', () => {
    const wrong = rootModules.flatMap((name) =>
      imports(`lib/${name}.ts`).filter(
        (target) =>
          target.split('/').length > 2 &&
          target.startsWith('lib/') &&
          !target.startsWith('lib/runtime/'),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it('no modules of lib import each other in a circle', () => {
    const below = (path: string): string[] =>
      library.includes(path) ? imports(path).filter((target) => target !== path) : [];
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, above: readonly string[]): void => {
      if (above.includes(path))
        circles.push([...above.slice(above.indexOf(path)), path].join(' -> '));
      if (done.has(path)) return;
      done.add(path);
      for (const target of below(path)) visit(target, [...above, path]);
    };
    for (const path of library) visit(path, []);
    assert.deepEqual(circles, []);
  });

  it('every module of lib is reached from public entries, the command line or the pages', () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path) || !library.includes(path)) return;
      reached.add(path);
      imports(path).forEach(visit);
    };
    const pages = ['packages/evaluation/lib/report/page/main.ts', 'packages/server/lib/page/main.ts'];
    [...entries, 'lib/cli/main.ts', ...pages].forEach(visit);
    assert.deepEqual(
      library.filter((path) => !reached.has(path)),
      [],
    );
  });

  it('no absolute path and no registry host', () => {
    const self = 'test/tidy.test.ts';
    const banned = [
      /(?:^|["'\s])\/(?:work|root|home|tmp)\//,
      /https?:\/\/[\w.-]*(?:npm|pypi|python|debian|crates|maven)[\w.-]*\//i,
    ];
    const wrong: string[] = [];
    for (const path of tracked.filter(
      (each) => each !== self && /\.(ts|cpp|hpp|cjs|py|md|json|txt|yml)$|\.ci\/run$/.test(each),
    )) {
      read(path)
        .split('\n')
        .forEach(
          (line, at) =>
            banned.some((word) => word.test(line)) &&
            wrong.push(`${path}:${at + 1}: ${line.trim().slice(0, 80)}`),
        );
    }
    assert.deepEqual(wrong, []);
  });
});
