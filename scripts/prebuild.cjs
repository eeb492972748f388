// `npm run prebuild:all [-- [--test-addon] TARGET...]`: compiles the addon for the TARGETs (all of
// them by default), from any of them, into build-prebuilds/TARGET/asof.node, and with --test-addon
// asof_test.node next to it. The compiler is zig's, which pip installs into .cache/ along with CMake
// and Ninja where the machine lacks them: Python 3 is all that must be there.
//
// A binary that needs more than every system with Node has fails the command (binary_needs.py).
const { spawnSync } = require('node:child_process');
const { copyFileSync, existsSync, mkdirSync, statSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const path = require('node:path');
const { zigTargets: targets, zigVersion } = require('./platforms.cjs');

const root = path.join(__dirname, '..');
const cache = path.join(root, '.cache');
const windows = process.platform === 'win32';
const pinned = { ziglang: zigVersion, lief: '1.0.0', cmake: '4.4.4', ninja: '1.13.2' };

const run = (command, args, extra = {}) =>
  spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...extra });
const runs = (command) => run(command, ['--version']).status === 0;

class Refusal extends Error {}

/** A Python of our own, with the pinned packages. */
function python(packages) {
  const folder = path.join(cache, 'zig-venv');
  const own = path.join(folder, windows ? 'Scripts/python.exe' : 'bin/python');
  const wanted = packages.map((name) => `${name}==${pinned[name]}`);
  const steps = [
    ...(existsSync(own) ? [] : [[windows ? 'python' : 'python3', ['-m', 'venv', folder]]]),
    [own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted]],
  ];
  for (const [command, args] of steps) {
    const { status, error, stderr } = run(command, args);
    if (status !== 0)
      throw new Refusal(
        `Expected Python 3 with venv and pip to install ${wanted.join(', ')}: ${error?.message ?? stderr.trim()}`,
      );
  }
  return own;
}

/** Paths of Python, zig, cmake and ninja. */
function tools() {
  const own = ['cmake', 'ninja'].filter((name) => !runs(name));
  const interpreter = python(['ziglang', 'lief', ...own]);
  const found = run(interpreter, ['-c', 'import ziglang; print(ziglang.__path__[0])']);
  const place = (name) =>
    own.includes(name)
      ? path.join(path.dirname(interpreter), windows ? `${name}.exe` : name)
      : name;
  return {
    interpreter,
    zig: path.join(found.stdout.trim(), windows ? 'zig.exe' : 'zig'),
    cmake: place('cmake'),
    ninja: place('ninja'),
  };
}

function needsOf(interpreter, target, file) {
  const script = path.join(__dirname, 'binary_needs.py');
  const { status, stdout, stderr } = run(interpreter, [script, target, file]);
  if (status !== 0) throw new Refusal(stderr.trim());
  return stdout.trim();
}

function build(target, testAddon, { interpreter, zig, cmake, ninja }) {
  const folder = path.join(root, 'build-prebuilds', target);
  const tree = path.join(folder, 'build');
  mkdirSync(tree, { recursive: true });
  const environment = {
    stdio: 'inherit',
    env: {
      ...process.env,
      ZIG_GLOBAL_CACHE_DIR: path.join(cache, 'zig'),
      ZIG_LOCAL_CACHE_DIR: path.join(cache, 'zig'),
    },
  };
  const configured = run(
    cmake,
    [
      ...['--log-level=WARNING', '-S', root, '-B', tree, '-G', 'Ninja'],
      ...[`-DCMAKE_MAKE_PROGRAM=${ninja}`, '-DCMAKE_BUILD_TYPE=Release'],
      `-DCMAKE_TOOLCHAIN_FILE=${path.join(root, 'native', 'zig.cmake')}`,
      ...[`-DASOF_ZIG=${zig}`, `-DASOF_ZIG_TARGET=${targets[target]}`],
    ],
    environment,
  );
  // Windows' binaries have code of mingw-w64 in them, whose notice goes with them.
  const notice = path.join(path.dirname(zig), 'lib', 'libc', 'mingw', 'COPYING');
  if (target.startsWith('win32')) copyFileSync(notice, path.join(folder, 'NOTICE'));
  const names = ['asof', ...(testAddon ? ['asof_test'] : [])];
  const jobs = ['-j', String(availableParallelism())];
  if (
    configured.status !== 0 ||
    run(cmake, ['--build', tree, ...jobs, '--target', ...names], environment).status !== 0
  )
    throw new Refusal(`${target}: the build failed.`);
  for (const name of names) {
    const file = path.join(folder, `${name}.node`);
    copyFileSync(path.join(tree, name === 'asof' ? 'Release' : 'test', `${name}.node`), file);
    const needs = needsOf(interpreter, target, file);
    const size = (statSync(file).size / 2 ** 20).toFixed(2);
    console.log(`${path.relative(root, file)}: ${size} MiB, ${needs}`);
  }
}

function main(args) {
  const testAddon = args.includes('--test-addon');
  const named = args.filter((each) => each !== '--test-addon');
  const wrong = named.find((each) => !(each in targets));
  if (wrong !== undefined)
    throw new Refusal(
      `Expected targets among ${Object.keys(targets).join(', ')}, received ${wrong}.`,
    );
  const found = tools();
  for (const target of named.length > 0 ? named : Object.keys(targets))
    build(target, testAddon, found);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
