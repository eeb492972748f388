// `node scripts/test-sanitize.cjs`: builds the addon with the address and undefined-behaviour
// sanitizers and runs the tests that enter native code; then builds the native tests with the
// address sanitizer, and with the thread sanitizer, and runs them. The kernels for CUDA are among
// them, in their emulation, where the thread sanitizer finds races between the threads of a block.
// Needs GCC or Clang with their sanitizer libraries. Anything found makes the command fail. `--
// --only address|thread` runs one half.
const { spawnSync, execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const only = process.argv.includes('--only')
  ? process.argv[process.argv.indexOf('--only') + 1]
  : undefined;
const compiler = process.env.CXX || 'g++';

function run(command, args, env = {}) {
  console.log(`> ${[path.basename(command), ...args].join(' ')}`);
  const { status, signal } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) {
    console.error(`Failed with ${signal ?? `exit code ${status}`}.`);
    process.exit(status || 1);
  }
}

function library(name) {
  const found = execFileSync(compiler, [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
  if (!path.isAbsolute(found) || !existsSync(found)) {
    console.error(
      `Expected ${compiler} to have ${name}, found none. Install the compiler's sanitizer libraries.`,
    );
    process.exit(1);
  }
  return found;
}

function nativeTests(kind, folder, env) {
  run('cmake', [
    '-S',
    '.',
    '-B',
    folder,
    '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
    `-DASOF_SANITIZE=${kind}`,
    '-DASOF_TESTS=ON',
  ]);
  run('cmake', ['--build', folder, '-j', '2']);
  run('ctest', ['--test-dir', folder, '--output-on-failure'], env);
}

const halting = 'halt_on_error=1:abort_on_error=0';
if (only !== 'thread') {
  const cmakeJs = require.resolve('cmake-js/bin/cmake-js');
  const options = ['-l', 'warn', '-p', '2', '-O', 'build-asan', '--CDASOF_SANITIZE=address'];
  for (const command of ['configure', 'build'])
    run(process.execPath, [cmakeJs, command, ...options, '--CDASOF_TESTS=ON']);
  const mocha = [
    'node_modules/mocha/bin/mocha.js',
    '--timeout',
    '1200000',
    'test/kernels/**/*.test.ts',
    'test/boundary/**/*.test.ts',
    'test/boundary/**/*.slow.ts',
    'test/index/**/*.test.ts',
    'packages/training/test/adapter/*.test.ts',
  ];
  const environment = {
    // The sanitizers must be loaded before Node. Node itself is not built for them: what it leaks
    // is not ours to report. What the C++ library allocates is freed by the test addon's own
    // delete.
    LD_PRELOAD: `${library('libasan.so')}:${library('libubsan.so')}`,
    ASAN_OPTIONS: `detect_leaks=0:alloc_dealloc_mismatch=0:${halting}`,
    UBSAN_OPTIONS: `print_stacktrace=1:${halting}`,
    ASOF_BINDING: path.join(root, 'build-asan', 'test', 'asof_test.node'),
  };
  run(process.execPath, mocha, environment);
  // The addon and the CUDA library, on its emulated device, in one process.
  run(process.execPath, [...mocha.slice(0, 3), 'test/retrieval/onDevice.test.ts'], {
    ...environment,
    ASOF_CUDA_LIBRARY: path.join(root, 'build-asan', 'asof_cuda_emulated.so'),
  });
  nativeTests('address', 'build-asan-native', {
    ASAN_OPTIONS: `detect_leaks=1:${halting}`,
    UBSAN_OPTIONS: `print_stacktrace=1:${halting}`,
  });
  run(process.execPath, [path.join(__dirname, 'fuzz.cjs'), '10']);
}
if (only !== 'address') nativeTests('thread', 'build-tsan', { TSAN_OPTIONS: halting });
console.log('The sanitizers found nothing.');
