// `npm run test:neon -- [SECONDS]`: compiles native/ without Node for aarch64 with a cross compiler
// and runs its tests, then its fuzzers (ten seconds each by default), under qemu's user mode: on a
// processor with every extension and on one without any, so that each level of native/core/isa that
// such a machine may have is run. Needs aarch64-linux-gnu-g++ and qemu-aarch64 (Debian:
// g++-aarch64-linux-gnu, qemu-user-static); where one is missing it says "not run". It measures no
// speed: an emulator has none that means anything.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folder = 'build-neon';
const compiler = process.env.ASOF_NEON_CXX ?? 'aarch64-linux-gnu-g++';
const emulators = ['qemu-aarch64-static', 'qemu-aarch64'];
const processors = ['max', 'cortex-a72'];
const tests = [
  'test_edges',
  'test_flat',
  'test_segments',
  'test_threads',
  'test_time_encoder',
  'test_training',
];
const fuzzers = ['fuzz_quantized', 'fuzz_int4', 'fuzz_timetag'];

const [seconds = '10', ...others] = process.argv.slice(2);
if (!/^\d+(\.\d+)?$/.test(seconds) || others.length > 0) {
  console.error(
    `Expected a number of seconds, received ${others.length > 0 ? `${1 + others.length} values` : seconds}.`,
  );
  process.exit(2);
}

const runs = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
const emulator = emulators.find(runs);
const missing = [...(runs(compiler) ? [] : [compiler]), ...(emulator ? [] : [emulators[0]])];
if (missing.length > 0) {
  console.log(
    `not run: no ${missing.join(' and no ')} here (Debian: apt-get install g++-aarch64-linux-gnu qemu-user-static).`,
  );
  process.exit(0);
}

function run(command, args) {
  console.log(`> ${[command, ...args].join(' ')}`);
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`Failed with ${signal ?? `exit code ${status}`}.`);
  process.exit(status || 1);
}

run('cmake', [
  '-S',
  '.',
  '-B',
  folder,
  '-DASOF_TESTS=ON',
  '-DCMAKE_SYSTEM_NAME=Linux',
  '-DCMAKE_SYSTEM_PROCESSOR=aarch64',
  `-DCMAKE_CXX_COMPILER=${compiler}`,
  '-DCMAKE_EXE_LINKER_FLAGS=-static', // so that it asks for no loader of the other architecture
]);
run('cmake', ['--build', folder, '-j', '2', '--target', ...tests, ...fuzzers]);
for (const processor of processors) {
  for (const test of tests) run(emulator, ['-cpu', processor, path.join(folder, test)]);
  for (const fuzzer of fuzzers)
    run(emulator, ['-cpu', processor, path.join(folder, fuzzer), seconds]);
}
console.log(`NEON: tests and fuzzers agree on ${processors.join(' and ')}.`);
