// npm run test:cuda: everything that can be proven of the CUDA library on this machine, in one table. With a device: the library's searches and
// training against the host's (test/native/cuda, asked through the library itself), and compute-sanitizer over them where it is on PATH. Without
// one: one line that says why; the same tests over the emulated device; and the check that everything compiles and links, where there is an nvcc.
//
// It ends with 0 where nothing failed, also where nothing could be run on a device: "not run" is no failure. --device makes a missing one a failure
// (1), for machines that are there to have one.
const { spawnSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { root, folder, compile, deviceHere } = require('./cuda-tests.cjs');

const table = [];

function note(what, result, seconds = '') {
  table.push({ what, result, seconds });
}

function run(what, command, given, environment = {}) {
  const began = Date.now();
  const done = spawnSync(command, given, { cwd: root, encoding: 'utf8', env: { ...process.env, ...environment }, maxBuffer: 1 << 28 });
  const good = done.status === 0;
  note(what, good ? 'passed' : 'FAILED', ((Date.now() - began) / 1000).toFixed(1));
  if (!good) console.error(`${what}: ${done.error?.message ?? ''}\n${`${done.stdout ?? ''}${done.stderr ?? ''}`.slice(-4000)}`);
}

const onPath = (name) => spawnSync('which', [name]).status === 0;

function onDevice(library, portable) {
  const environment = { ASOF_CUDA_LIBRARY: library };
  for (const name of portable) run(`${name} on the device`, join(folder, name), [], environment);
  if (!onPath('compute-sanitizer')) return note('compute-sanitizer', 'not run: not on PATH');
  for (const tool of ['memcheck', 'racecheck', 'synccheck', 'initcheck']) {
    const given = ['--tool', tool, '--error-exitcode', '1', join(folder, 'test_cuda_fuzz'), '30'];
    run(`compute-sanitizer ${tool}`, 'compute-sanitizer', given, environment);
  }
}

const names = readdirSync(join(root, 'test/native/cuda')).filter((name) => name.endsWith('.cpp')).map((name) => `test_cuda_${name.slice(0, -4)}`);
const failure = compile(['cuda_facts', ...names]);
note('native tests compile', failure === undefined ? 'passed' : 'FAILED');
if (failure !== undefined) console.error(failure);
else {
  const device = deviceHere();
  // The others start kernels themselves, which the emulation alone can do from outside of the library.
  if (device.library) onDevice(device.library, names.filter((name) => /search|training|rows|fuzz/.test(name)));
  else {
    console.log(`not run: no device (${device.reason})`);
    note('on a device', 'not run: no device');
    if (process.argv.includes('--device')) process.exitCode = 1;
  }
  const { ASOF_CUDA_LIBRARY: _, ...emulated } = process.env;
  for (const name of names) {
    process.env = emulated;
    run(`${name} emulated`, join(folder, name), []);
  }
}
const own = process.env.ASOF_NVCC || onPath('nvcc');
const compiling = 'every architecture compiles and links', kept = existsSync(join(root, 'build-cuda/toolkit'));
if (own || kept) run(compiling, 'node', ['scripts/build-cuda.cjs', '--check', ...(own ? [] : ['--pypi'])]);
else note(compiling, 'not run: no nvcc');
console.table(table);
if (table.some((row) => row.result === 'FAILED')) process.exitCode = 1;
