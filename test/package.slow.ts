// The published packages: packed, installed in an empty folder without a compiler on PATH, loaded
// by import and require(), and queried through the library and the command. The binary is the addon
// that was compiled here.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runContainer, said } from './examples/container.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const program = (load: string) => `
${load}
(async () => {
  const corpus = await Corpus.open(process.argv[2]);
  await corpus.add([
    { id: 'may', text: 'Theresa May became prime minister of the United Kingdom on 13 July 2016.' },
    { id: 'johnson', text: 'Boris Johnson became prime minister of the United Kingdom on 24 July 2019.' },
    { id: 'sunak', text: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.' },
  ]);
  const { evidence } = await hybrid({ corpus }).run({ text: 'Who was UK prime minister as of 6 May 2021?' });
  corpus.close();
  console.log(evidence[0].id);
})();`;

/**
 * Uses every subpath that needs no optional peer. Not @asof/langchain: declarations of
 * `@langchain/core` 1.4 themselves fail under exactOptionalPropertyTypes (TS2420) and TypeScript
 * 5.2 (TS1166).
 */
const consumer = `
import { Corpus, hybrid, type Encoder, type TextModel } from 'asof';
import { evaluate, parseMetrics } from '@asof/evaluation';
import { openAiCompatible } from 'asof/models';
import { mrag } from 'asof/papers';
import { corpusServer } from '@asof/server';
import { parseQuestion } from 'asof/time';
import { trainAdapter } from '@asof/training';

const encoder: Encoder = {
  id: 'constant',
  dimensions: 1,
  encode: async (texts, { signal }) => {
    signal?.throwIfAborted();
    return new Float32Array(texts.length).fill(1);
  },
};
const corpus = await Corpus.open('consumer.asof', { encoder });
const model: TextModel = openAiCompatible({ baseURL: 'http://127.0.0.1:1/v1', model: 'm' });
const system = hybrid({ corpus, model: undefined });
const { evidence } = await system.run({ text: 'Who?', askedAt: undefined }, { k: 1, signal: undefined });
const first: string | undefined = evidence[0]?.id;
const { averages } = await evaluate(mrag({ corpus, model }), [{ id: 'q', text: 'Who?' }], {
  metrics: parseMetrics('hit@1'),
});
const start: number | undefined = parseQuestion({ text: 'In 2020?' }).constraint.window?.start;
const { fetch: answer } = await corpusServer({ corpora: { c: corpus }, token: undefined });
export { answer, averages, first, start, trainAdapter };
`;

describe('the packed package', function () {
  this.timeout(480_000);
  let work: string;
  let installed: string;
  let packages: string;
  const install = (tarballs: string[]) =>
    execFileSync(
      'npm',
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'].concat(
        tarballs.map((name) => join(packages, name)),
      ),
      { cwd: installed, env: bare(), stdio: 'pipe' },
    );
  const bare = (): NodeJS.ProcessEnv => ({
    PATH: join(work, 'bin'),
    HOME: work,
    CI: 'true',
    npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim(),
  });

  before(() => {
    work = mkdtempSync(join(tmpdir(), 'asof-package-'));
    const source = join(work, 'source');
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((path) => path && existsSync(join(root, path)));
    for (const path of files) cpSync(join(root, path), join(source, path));
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
    const addon = join('build', 'Release', 'asof.node');
    cpSync(join(root, addon), join(source, addon));
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: source, stdio: 'pipe' });
    execFileSync('npm', ['run', '--silent', 'package:all', '--', '--local'], {
      cwd: source,
      stdio: 'pipe',
    });
    packages = join(source, 'build-packages');
    rmSync(join(source, 'build'), { recursive: true, force: true });

    // A PATH with node and npm and nothing that compiles.
    mkdirSync(join(work, 'bin'));
    for (const tool of ['node', 'npm', 'sh'])
      symlinkSync(
        execFileSync('which', [tool], { encoding: 'utf8' }).trim(),
        join(work, 'bin', tool),
      );
    installed = join(work, 'user');
    mkdirSync(installed);
    writeFileSync(join(installed, 'package.json'), '{ "name": "user", "private": true }');
    install(readdirSync(packages).filter((name) => name.endsWith('.tgz')));
  });

  after(() => rmSync(work, { recursive: true, force: true }));

  it('has no compiler, cmake or make within reach', () => {
    for (const tool of ['g++', 'gcc', 'cc', 'cmake', 'make'])
      assert.throws(() => execFileSync(tool, ['--version'], { env: bare(), stdio: 'pipe' }));
  });

  it('is installed and run by the commands of examples/docker', async () => {
    const app = join(work, 'app');
    cpSync(join(installed, 'node_modules', 'asof', 'examples', 'docker'), app, { recursive: true });
    const file = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as object;
    const tarballs = readdirSync(packages).filter((name) =>
      /^asof-(?:\d|server|linux|darwin|win)/.test(name),
    );
    const dependencies = Object.fromEntries(
      tarballs.map((name) => {
        const [, own] = /^asof-(?:([\w-]+?)-)?\d/.exec(name)!;
        return [own === undefined ? 'asof' : `@asof/${own}`, `file:${join(packages, name)}`];
      }),
    );
    writeFileSync(join(app, 'package.json'), JSON.stringify({ ...file, dependencies }));
    execFileSync('sh', ['-c', said('RUN')[0]!], { cwd: app, env: bare(), stdio: 'pipe' });
    await runContainer(app, join(work, 'data'));
  });

  it('answers through import', () => {
    writeFileSync(join(installed, 'ask.mjs'), program("import { Corpus, hybrid } from 'asof';"));
    assert.equal(
      execFileSync('node', ['ask.mjs', 'esm.asof'], {
        cwd: installed,
        env: bare(),
        encoding: 'utf8',
      }).trim(),
      'johnson',
    );
  });

  it('answers through require()', () => {
    writeFileSync(
      join(installed, 'ask.cjs'),
      program("const { Corpus, hybrid } = require('asof');"),
    );
    assert.equal(
      execFileSync('node', ['ask.cjs', 'cjs.asof'], {
        cwd: installed,
        env: bare(),
        encoding: 'utf8',
      }).trim(),
      'johnson',
    );
  });

  it('answers through its command', () => {
    const bin = join(installed, 'node_modules', '.bin', 'asof');
    const output = execFileSync(
      'node',
      [bin, 'ask', 'esm.asof', 'Who was UK prime minister as of 1 May 2018?', '--json'],
      {
        cwd: installed,
        env: bare(),
        encoding: 'utf8',
      },
    );
    assert.equal((JSON.parse(output) as { evidence: { id: string }[] }).evidence[0]?.id, 'may');
  });

  it('reads JSON lines without other packages, and names the one that a command needs', () => {
    const scope = join(installed, 'node_modules', '@asof');
    const moved = ['documents', 'evaluation'].map((name) => join(scope, name));
    for (const path of moved) renameSync(path, join(work, basename(path)));
    try {
      const asof = (...words: string[]) =>
        spawnSync('node', [join(installed, 'node_modules', '.bin', 'asof'), ...words], {
          cwd: installed,
          env: bare(),
          encoding: 'utf8',
        });
      const record = { id: 'a', text: 'The library opens at nine since 3 May 2021.' };
      writeFileSync(join(installed, 'passages.json'), JSON.stringify(record));
      writeFileSync(join(installed, 'notes.md'), '# Hours\n\nFrom nine to five.\n');
      const indexed = asof('index', 'alone.asof', 'passages.json');
      assert.equal(indexed.status, 0, indexed.stderr);
      const asked = asof('ask', 'alone.asof', 'When does the library open?', '--json');
      assert.equal(
        (JSON.parse(asked.stdout) as { evidence: { id: string }[] }).evidence[0]?.id,
        'a',
      );
      for (const [words, name] of [
        [['index', 'alone.asof', 'notes.md'], 'documents'],
        [['eval', 'alone.asof', '--help'], 'evaluation'],
      ] as const) {
        const refused = asof(...words);
        assert.notEqual(refused.status, 0);
        assert.match(refused.stderr, new RegExp(`npm install @asof/${name}`));
      }
      assert.match(asof('index', 'alone.asof', 'none.md').stderr, /Expected a file at none\.md/);
    } finally {
      for (const path of moved) renameSync(join(work, basename(path)), path);
    }
  });

  it('compiles for a consumer under TypeScript 5.2 with every library check', () => {
    // Installed here and not as a devDependency, whose `tsc` would take the place of ours.
    const { NODE_OPTIONS: _, ...env } = process.env;
    execFileSync(
      'npm',
      [
        'install',
        '--prefer-offline',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        'typescript@5.2.2',
        '@types/node@20',
      ],
      { cwd: installed, env, stdio: 'pipe' },
    );
    writeFileSync(join(installed, 'consumer.mts'), consumer);
    const compile = (module: string, resolution: string) =>
      spawnSync(
        process.execPath,
        [
          join('node_modules', 'typescript', 'bin', 'tsc'),
          ...['--noEmit', '--strict', '--exactOptionalPropertyTypes'],
          ...['--skipLibCheck', 'false', '--target', 'es2022', '--lib', 'es2022'],
          ...['--types', 'node', '--module', module, '--moduleResolution', resolution],
          'consumer.mts',
        ],
        { cwd: installed, encoding: 'utf8' },
      ).stdout;
    assert.equal(compile('node16', 'node16'), '');
    assert.equal(compile('es2022', 'bundler'), '');
    assert.equal(compile('es2022', 'node10'), '');
  });

  it('contains its runtime files only', () => {
    const home = join(installed, 'node_modules', 'asof');
    const files = ['dist/index.js', 'dist/index.d.ts', 'LICENSE', 'README.md', 'CHANGELOG.md'];
    for (const needed of [...files, 'models']) assert.ok(existsSync(join(home, needed)), needed);
    const absent = [
      'test',
      'bench',
      'build',
      '.ci',
      'lib',
      'native',
      'scripts',
      'CMakeLists.txt',
      'prebuilds',
      'docs/decisions',
      'examples/demo/source',
    ];
    for (const path of absent) assert.ok(!existsSync(join(home, path)), path);
    const size = (path: string): number =>
      statSync(path).isDirectory()
        ? readdirSync(path).reduce((sum, name) => sum + size(join(path, name)), 0)
        : statSync(path).size;
    assert.ok(size(home) < 20e6, `unpacked ${size(home)} bytes`);
  });

  it('runs no script at installation, and has no development path', () => {
    const home = join(installed, 'node_modules', 'asof');
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as object;
    for (const key of ['scripts', 'devDependencies', 'binary', 'private', 'workspaces'])
      assert.ok(!(key in manifest), key);
    const modules = readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' });
    for (const path of modules.filter((each) => /\.(?:js|d\.ts)$/.test(each))) {
      const text = readFileSync(join(home, 'dist', path), 'utf8');
      for (const development of [root, 'build/Release', 'node_modules/.bin'])
        assert.ok(!text.includes(development), `${path}: ${development}`);
    }
  });

  /** The message with which a question ends that must not be answered. */
  const failure = (): string => {
    const { stderr, status } = spawnSync('node', ['ask.mjs', 'none.asof'], {
      cwd: installed,
      env: bare(),
      encoding: 'utf8',
    });
    assert.notEqual(status, 0);
    return stderr;
  };

  it('says which package of the platform is missing, and nothing else', () => {
    const platform = `${process.platform}-${process.arch}`;
    const scope = join(installed, 'node_modules', '@asof');
    renameSync(scope, `${scope}-away`);
    try {
      const stderr = failure();
      const expected = `AsOfError: Expected @asof/${platform}, asof's native binary for this platform, found none. Do: npm install @asof/${platform}@`;
      assert.ok(stderr.includes(expected), stderr);
    } finally {
      renameSync(`${scope}-away`, scope);
    }
  });

  it('says why a binary of the platform does not load', () => {
    const platform = `${process.platform}-${process.arch}`;
    const addon = join(
      installed,
      ...['node_modules', '@asof', platform, 'prebuilds', platform, 'asof.glibc.node'],
    );
    const whole = readFileSync(addon);
    writeFileSync(addon, 'no binary');
    try {
      const stderr = failure();
      assert.match(stderr, /Expected @asof\/\S+, .* it does not load: .+ Do: npm install @asof/);
    } finally {
      writeFileSync(addon, whole);
    }
  });
});
