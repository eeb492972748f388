// `npm run prebuild:all [-- [--test-addon] TARGET...]`: compiles the addon for the TARGETs (all of
// them by default), on Linux or macOS, into prebuilds/, and with --test-addon
// build-prebuilds/TARGET/build/test/asof_test.node. The compiler is zig's, which pip installs into
// .cache/ along with CMake and Ninja: Python 3 is all that must be there.
//
// A binary that needs more than every system with Node has fails the command (binary_needs.py).
const { spawnSync } = require('node:child_process');
const { copyFileSync, existsSync, mkdirSync, statSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const prebuildify = promisify(require('prebuildify'));
const { prebuildOf, zigTargets: targets, zigVersion } = require('./platforms.cjs');

const root = path.join(__dirname, '..');
const cache = path.join(root, '.cache');
const packages = [`ziglang==${zigVersion}`, 'lief==1.0.0', 'cmake==4.4.4', 'ninja==1.13.2'];

const run = (command, args) => spawnSync(command, args, { cwd: root, encoding: 'utf8' });

class Refusal extends Error {}

/** Paths of a Python of our own with the pinned packages, and of their programs. */
function tools() {
  const folder = path.join(cache, 'zig-venv');
  const program = (name) => path.join(folder, 'bin', name);
  const python = program('python');
  const steps = [
    ...(existsSync(python) ? [] : [['python3', ['-m', 'venv', folder]]]),
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]],
  ];
  for (const [command, args] of steps) {
    const { status, error, stderr } = run(command, args);
    if (status !== 0)
      throw new Refusal(
        `Expected Python 3 with venv and pip to install ${packages.join(', ')}: ${error?.message ?? stderr.trim()}`,
      );
  }
  const found = run(python, ['-c', 'import ziglang; print(ziglang.__path__[0])']);
  const zig = path.join(found.stdout.trim(), 'zig');
  return { python, zig, cmake: program('cmake'), ninja: program('ninja') };
}

function needsOf(python, target, file) {
  const script = path.join(__dirname, 'binary_needs.py');
  const { status, stdout, stderr } = run(python, [script, target, file]);
  if (status !== 0) throw new Refusal(stderr.trim());
  return stdout.trim();
}

async function build(target, testAddon, { python, zig, cmake, ninja }) {
  const { path: file, ...words } = prebuildOf(target);
  const cwd = path.join(root, 'build-prebuilds', target); // in which prebuildify finds build/Release
  mkdirSync(cwd, { recursive: true });
  const defined = {
    CMAKE_MAKE_PROGRAM: ninja,
    CMAKE_TOOLCHAIN_FILE: path.join(root, 'native', 'zig.cmake'),
    ASOF_ZIG: zig,
    ASOF_ZIG_TARGET: targets[target],
  };
  const cmakeJs = [
    ...[process.execPath, require.resolve('cmake-js/bin/cmake-js'), 'compile', '-l', 'warn'],
    ...['-d', root, '-O', path.join(cwd, 'build'), '-c', cmake, '-G', 'Ninja'],
    ...['--cc', zig, '--cxx', zig], // else it looks for this machine's compilers
    ...['-p', String(availableParallelism())],
    ...Object.entries(defined).map(([name, value]) => `--CD${name}=${value}`),
  ];
  const made = prebuildify({
    ...words,
    ...{ name: 'asof', napi: true, tagLibc: words.libc !== undefined, cwd, out: root },
    // Called as node-gyp is, with "rebuild --target=... --arch=..." added: cmake-js goes by its
    // first word, and takes the target for one of CMake.
    nodeGyp: cmakeJs.map((word) => `"${word}"`).join(' '),
    shell: true,
    targets: [{ runtime: 'node', target: testAddon ? 'all' : 'asof' }],
  });
  await made.catch((error) => {
    throw new Refusal(`${target}: the build failed: ${error.message}`);
  });
  // Windows' binaries have code of mingw-w64 in them, whose notice goes with them.
  const notice = path.join(path.dirname(zig), 'lib', 'libc', 'mingw', 'COPYING');
  if (words.platform === 'win32')
    copyFileSync(notice, path.join(root, path.dirname(file), 'NOTICE'));
  const needs = needsOf(python, target, path.join(root, file));
  const size = (statSync(path.join(root, file)).size / 2 ** 20).toFixed(2);
  console.log(`${file}: ${size} MiB, ${needs}`);
}

async function main(args) {
  const testAddon = args.includes('--test-addon');
  const named = args.filter((each) => each !== '--test-addon');
  const wrong = named.find((each) => !(each in targets));
  if (wrong !== undefined)
    throw new Refusal(
      `Expected targets among ${Object.keys(targets).join(', ')}, received ${wrong}.`,
    );
  process.env.ZIG_GLOBAL_CACHE_DIR = path.join(cache, 'zig');
  process.env.ZIG_LOCAL_CACHE_DIR = path.join(cache, 'zig');
  const found = tools();
  for (const target of named.length > 0 ? named : Object.keys(targets))
    await build(target, testAddon, found);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
});
