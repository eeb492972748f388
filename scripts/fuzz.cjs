// `npm run fuzz -- [SECONDS [SEED [NUMBER]]]`: builds the fuzzers of the tagger, of quantised scans
// and of planes of four bits (test/native/fuzz) with the address and undefined-behaviour sanitizers
// and runs them, ten seconds each by default. A text or a scan that fails is printed with the
// arguments that make it again.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folder = 'build-asan-native';
const fuzzers = ['fuzz_timetag', 'fuzz_quantized', 'fuzz_int4'];

function run(command, args, env = {}) {
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

const given = process.argv.slice(2);
const wrong = given.find((value) => !/^\d+(\.\d+)?$/.test(value));
if (wrong !== undefined || given.length > 3) {
  console.error(
    `Expected seconds, a seed and a text's number, received ${wrong ?? `${given.length} values`}.`,
  );
  process.exit(2);
}
run('cmake', [
  '-S',
  '.',
  '-B',
  folder,
  '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
  '-DASOF_SANITIZE=address',
  '-DASOF_TESTS=ON',
  '-DASOF_ADDON=OFF',
]);
run('cmake', ['--build', folder, '-j', '2', '--target', ...fuzzers]);
// Both sanitizers end by abort, so that the program can say which case it was.
for (const fuzzer of fuzzers) {
  run(path.join(root, folder, fuzzer), given.length > 0 ? given : ['10'], {
    ASAN_OPTIONS: 'detect_leaks=1:abort_on_error=1',
    UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1:abort_on_error=1',
  });
}
