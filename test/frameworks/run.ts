// Tests of asof against real packages of frameworks that are not installed for development: other
// major versions, packages that need a newer Node.js, large ones. Exit code 1 if any fails.
//
// node --import tsx test/frameworks/run.ts [NAME...]
//
// A case is a folder test/frameworks/NAME with a package.json, whose dependencies are installed
// into .cache/frameworks/NAME whenever it changes, and *.test.ts files, which import asof by its
// public names. "tests" in the package.json names further folders of tests, as
// ["packages/ai-sdk/test"], whose imports of sources become imports of packages. Next to the
// dependencies lies a copy of what asof publishes, so that its own imports find these versions.
// Types are checked by tsc, and the tests are run by mocha on the newest Node.js 22.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { nodeFromNpm } = require('../../scripts/nodes.cjs') as {
  nodeFromNpm(platform: string, version: string): string;
};
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, '.cache', 'frameworks');

interface Manifest {
  dependencies: Record<string, string>;
  tests?: string[];
}

const read = (path: string): string => readFileSync(path, 'utf8');
const manifestOf = <T>(folder: string): T => JSON.parse(read(join(folder, 'package.json'))) as T;

/** Installs the dependencies unless the same package.json was installed before. */
function install(folder: string, manifest: string): void {
  const mark = join(folder, 'installed.json');
  if (existsSync(mark) && read(mark) === manifest) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
  writeFileSync(mark, manifest);
}

/** What asof publishes, copied, since a link would find the packages of this tree. */
function stage(folder: string): void {
  const copy = join(folder, 'node_modules', 'asof');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of ['package.json', 'binding.d.ts', 'dist'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  for (const name of ['build', 'models', 'prompts'])
    symlinkSync(join(root, name), join(copy, name));
  for (const name of readdirSync(join(root, 'packages'))) {
    const target = join(folder, 'node_modules', '@asof', name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const each of ['package.json', 'dist'])
      if (existsSync(join(root, 'packages', name, each)))
        cpSync(join(root, 'packages', name, each), join(target, each), { recursive: true });
  }
}

/** Copies the tests of the case and of the folders that it names. */
function copyTests(name: string, folder: string, { tests = [] }: Manifest): void {
  const target = join(folder, 'test');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  for (const source of [join(here, name), ...tests.map((path) => join(root, path))])
    for (const file of readdirSync(source).filter((each) => each.endsWith('.ts'))) {
      const text = read(join(source, file));
      writeFileSync(
        join(target, file),
        text
          .replace(/'\.\.\/lib\/index\.js'/g, `'@asof/${source.split('/').at(-2)}'`)
          .replace(/'[./]+\/lib\/(\w+\/)?index\.js'/g, asPackage),
      );
    }
  const compilerOptions = {
    ...(JSON.parse(read(join(root, 'tsconfig.json'))) as { compilerOptions: object })
      .compilerOptions,
    noEmit: true,
    incremental: false,
    tsBuildInfoFile: undefined,
    paths: {},
    rootDir: '..',
    types: ['node', 'mocha'],
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  writeFileSync(join(target, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
}

function asPackage(_: string, entry = ''): string {
  return `'asof${entry === '' ? '' : `/${entry.slice(0, -1)}`}'`;
}

const node = nodeFromNpm(`linux-${process.arch}`, '22');

/** Output of the first program that failed, undefined if none did. */
function failureOf(folder: string): string | undefined {
  const programs = [
    [join('typescript', 'bin', 'tsc'), '-p', 'test'],
    [
      join('mocha', 'bin', 'mocha.js'),
      ...['--no-config', '--no-package', '--timeout', '120000'],
      'test/*.test.ts',
    ],
  ];
  for (const [program, ...args] of programs) {
    const path = join(root, 'node_modules', program!);
    const flags = ['--import', import.meta.resolve('tsx')];
    // Else tsx would find the paths to our sources in the tsconfig.json of the root.
    const env = { ...process.env, TSX_TSCONFIG_PATH: join(folder, 'test', 'tsconfig.json') };
    const run = spawnSync(node, [...flags, path, ...args], { cwd: folder, encoding: 'utf8', env });
    if (run.status !== 0) return `${run.error?.message ?? ''}${run.stdout}${run.stderr}`;
    console.error(run.stdout.trimEnd());
  }
  return undefined;
}

const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Expected names of ${names.join(', ')}, received ${unknown.join(', ')}.`);
  process.exit(2);
}
const table: Record<string, string>[] = [];
for (const name of chosen.length > 0 ? chosen : names) {
  console.error(name);
  const folder = join(cache, name);
  const manifest = read(join(here, name, 'package.json'));
  install(folder, manifest);
  stage(folder);
  copyTests(name, folder, JSON.parse(manifest) as Manifest);
  const failure = failureOf(folder);
  const versions = Object.keys((JSON.parse(manifest) as Manifest).dependencies).map(
    (each) =>
      `${each}@${manifestOf<{ version: string }>(join(folder, 'node_modules', each)).version}`,
  );
  table.push({ case: name, packages: versions.join(' '), outcome: failure ? 'fails' : 'passes' });
  if (failure === undefined) continue;
  console.error(failure);
  process.exitCode = 1;
}
console.table(table);
