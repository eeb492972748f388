// asof in node_modules, used through require(), bundles of esbuild, worker threads and processes of
// node:cluster. `node --import tsx test/installs/run.ts` does the same with real installations and
// all bundlers.
import assert from 'node:assert/strict';
import { buildSync } from 'esbuild';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeIsInstalled } from '../models/onnx/double.js';
import { checkAnswers, commonJs, Project, type Answers } from './project.js';

const root = join(fileURLToPath(import.meta.url), '../../..');

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}

/** What answers.mjs uses besides asof. */
const packages = ['documents', 'evaluation', 'server'];

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === 'linux' ? 'asof.glibc.node' : 'asof.node';
const binary = join('node_modules', '@asof', platform, 'prebuilds', platform, file);

/** A project with what npm would install: the built packages, the binary and dependencies. */
function installedProject(folder: string): Project {
  const project = new Project(folder, { url: 'http://127.0.0.1:1/', environment: {} });
  const modules = join(folder, 'node_modules');
  for (const path of ['dist', 'models', 'prompts'])
    cpSync(join(root, path), join(modules, 'asof', path), { recursive: true });
  const manifestOf = (path: string): Manifest =>
    JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
  const manifest = manifestOf('.');
  project.write('node_modules/asof/package.json', JSON.stringify(manifest));
  for (const name of packages) {
    for (const path of ['package.json', 'dist'])
      cpSync(join(root, 'packages', name, path), join(modules, '@asof', name, path), {
        recursive: true,
      });
    Object.assign(manifest.dependencies, manifestOf(`packages/${name}`).dependencies);
  }
  project.write(`node_modules/@asof/${platform}/package.json`, `{ "name": "@asof/${platform}" }`);
  cpSync(join(root, 'build/Release/asof.node'), join(folder, binary));
  for (const name of Object.keys(manifest.dependencies)) {
    if (name.startsWith('@asof/')) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  if (runtimeIsInstalled()) project.linkOnnxRuntime();
  project.write('answers.cjs', commonJs(project.read('answers.mjs')));
  return project;
}

const requireLine =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

const print = "answers('printed.asof').then((found) => console.log(JSON.stringify([found])));";

describe('asof in node_modules', () => {
  const work = mkdtempSync(join(tmpdir(), 'asof-moved-'));
  let project: Project;
  before(() => {
    project = installedProject(join(work, 'user'));
    project.write('print.mjs', `import { answers } from './answers.mjs';\n${print}`);
    project.write('print.cjs', `const { answers } = require('./answers.cjs');\n${print}`);
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  const answersAre = (program: string, count: number): void => {
    const all = JSON.parse(project.run('node', [program]).output.split('\n')[0]!) as Answers[];
    assert.equal(all.length, count);
    for (const each of all) checkAnswers(each, { onnx: runtimeIsInstalled() });
  };

  it('answers through require()', () => answersAre('print.cjs', 1));
  it('answers in worker threads at once, one of them terminated', () =>
    answersAre('threads.mjs', 3));
  it('answers in processes of a cluster', () => answersAre('cluster.mjs', 2));

  it('loads the binary of musl where that of glibc is refused', function () {
    if (process.platform !== 'linux') this.skip();
    const [glibc, musl] = [binary, binary.replace('glibc', 'musl')].map((path) =>
      join(project.folder, path),
    ) as [string, string];
    renameSync(glibc, musl);
    try {
      writeFileSync(glibc, 'refused');
      project.run('node', ['--input-type=module', '-e', "await import('asof')"]);
    } finally {
      renameSync(musl, glibc);
    }
  });

  for (const [format, file] of [
    ['esm', 'bundle.mjs'],
    ['cjs', 'bundle.cjs'],
  ] as const)
    it(`answers from a bundle (${format}), which says what it lacks elsewhere`, () => {
      buildSync({
        entryPoints: [join(project.folder, 'print.mjs')],
        outfile: join(project.folder, file),
        ...({ bundle: true, platform: 'node', format, logLevel: 'error' } as const),
        // The YAML package of documents is CommonJS in Node.js.
        ...(format === 'esm' ? { banner: { js: requireLine } } : {}),
      });
      answersAre(file, 1);
      const away = project.beside();
      cpSync(join(project.folder, file), join(away.folder, file));
      const { status, output } = away.run('node', [file], { mayFail: true });
      assert.notEqual(status, 0);
      assert.match(
        output,
        /AsOfError: Expected the package asof in node_modules above .* Do: npm i/,
      );
    });
});
