// `node scripts/fuzz.cjs [SECONDS [SEED]]`: builds the fuzzers of the tagger, of quantised scans
// and of planes of four bits (test/native/fuzz) with coverage and the address and
// undefined-behaviour sanitizers, and runs them, ten seconds each by default. Cases that reached
// new code are kept in build/fuzz, from which the next run goes on. A case that fails is written to
// a file there.
// `-- FILE` runs it again, by the fuzzer that the file's folder is named after.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folder = 'build-fuzz';
const fuzzers = ['timetag', 'quantized', 'int4'];

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
const file = given.length === 1 && existsSync(given[0]) ? path.resolve(given[0]) : undefined;
const wrong = given.find((value) => !/^\d+(\.\d+)?$/.test(value));
const named = fuzzers.filter((name) => file?.split(path.sep).includes(name));
if (file ? named.length !== 1 : wrong !== undefined || given.length > 2) {
  console.error(
    `Expected seconds and a seed, or a file in a folder named ${fuzzers.join(', ')}, ` +
      `received ${given.join(' ')}.`,
  );
  process.exit(2);
}
run('cmake', [
  ...['-S', '.', '-B', folder, '-DCMAKE_BUILD_TYPE=RelWithDebInfo'],
  ...['-DASOF_SANITIZE=address', '-DASOF_FUZZ=ON'],
]);
run('cmake', [
  ...['--build', folder, '-j', '2', '--target'],
  ...(file ? named : fuzzers).map((name) => `fuzz_${name}`),
]);
const [seconds = '10', seed = String(Date.now() % 1_000_000)] = given;
for (const name of file ? named : fuzzers) {
  const kept = path.join(root, 'build', 'fuzz', name);
  mkdirSync(kept, { recursive: true });
  // Both sanitizers end by abort, so that the program can say which case it was.
  run(path.join(root, folder, `fuzz_${name}`), file ? [file] : [seconds, seed, kept], {
    ASAN_OPTIONS: 'detect_leaks=1:abort_on_error=1',
    UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1:abort_on_error=1',
  });
}
