// `npm run build:native [-- -DNAME=VALUE ...]`: compiles the addon and the test addon with this
// machine's own compiler, into build/Release/asof.node and build/test/asof_test.node. Arguments go
// to CMake; the environment's CXX chooses another compiler. --or-installed (npm ci) contents itself
// with an addon that is there where the machine cannot compile.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folder = path.join(root, 'build');
const windows = process.platform === 'win32';

const runs = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

function resolves(name) {
  try {
    return Boolean(require.resolve(name));
  } catch {
    return false;
  }
}

function cmake(args) {
  const { status } = spawnSync('cmake', args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// MSVC's own compiler lacks the vector types of the kernels.
const compilers = process.env.CXX
  ? [process.env.CXX.split(' ')[0]]
  : windows
    ? ['clang++']
    : ['c++', 'g++', 'clang++'];
const compiler = compilers.find(runs);
const missing = [
  ...(runs('cmake') ? [] : ['CMake (3.21 or later)']),
  ...(compiler ? [] : [`a C++20 compiler (${compilers.join(', ')})`]),
];
const args = process.argv.slice(2).filter((each) => each !== '--or-installed');
if (missing.length > 0) {
  const { version } = require('../package.json');
  const { glibcVersionRuntime } = process.report.getReport().header;
  const musl = process.platform === 'linux' && glibcVersionRuntime === undefined ? 'musl' : '';
  const released = `@asof/${process.platform}${musl}-${process.arch}`;
  if (process.argv.includes('--or-installed') && ['#addon', released].some(resolves))
    process.exit();
  console.error(
    `Expected ${missing.join(' and ')} on PATH, found none: install it by ` +
      '"apt-get install cmake g++ make" (Debian, Ubuntu), "apk add cmake g++ make" (Alpine), ' +
      '"xcode-select --install" and "brew install cmake" (macOS), or ' +
      '"winget install Kitware.CMake LLVM.LLVM Ninja-build.Ninja" (Windows); ' +
      `or take the released binary: npm install --no-save --ignore-scripts ${released}@${version}`,
  );
  process.exit(1);
}

// A folder that is configured keeps its generator.
const fresh = !existsSync(path.join(folder, 'CMakeCache.txt'));
cmake([
  ...['--log-level=WARNING', '-S', root, '-B', folder, '-DCMAKE_BUILD_TYPE=Release'],
  ...(fresh && runs('ninja') ? ['-G', 'Ninja'] : []),
  ...(fresh && windows ? [`-DCMAKE_CXX_COMPILER=${compiler}`] : []),
  ...args,
]);
cmake(['--build', folder, '-j', '2']);
