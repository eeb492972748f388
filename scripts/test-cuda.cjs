// node scripts/test-cuda.cjs [PART...]: what can be proven of the CUDA library on this machine, in
// one table. With a device: `native`, the library's searches, rows and training against the host's
// (test/native/cuda, asked through the library itself); `typescript`, the same from the public API;
// `sanitizer`, the four tools of compute-sanitizer over random searches, over rows and over
// training, where it is on PATH. Without a device: one line that says why, and `emulated`, the same
// tests over the emulated one. On either, `compile`: every architecture compiles and links, where
// there is an nvcc. PARTs run those alone.
//
// It ends with 0 where nothing failed, also where nothing could be run on a device: "not run" is no
// failure. --device makes a missing one a failure (1), for machines that are there to have one.
const { spawn, spawnSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { root, folder, compile, deviceHere } = require('./cuda-tests.cjs');

const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
const minutes = 60_000;
const every = ['native', 'typescript', 'sanitizer', 'emulated', 'compile'];
const chosen = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const wrong = chosen.find((each) => !every.includes(each));
if (wrong !== undefined) {
  console.error(`Expected parts among ${every.join(', ')}, received ${wrong}.`);
  process.exit(2);
}
const wanted = (part) => chosen.length === 0 || chosen.includes(part);
const table = [];
const onPath = (name) => spawnSync('which', [name]).status === 0;

/// A line of the table once the command has ended: `told` finds its result in what was printed.
function run(
  what,
  command,
  given,
  { environment = {}, limit = 10 * minutes, told = () => 'passed' } = {},
) {
  const row = { what, result: 'FAILED', seconds: '' };
  table.push(row);
  const began = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, given, {
      cwd: root,
      env: { ...process.env, ...environment },
      timeout: limit,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (said = (said + text).slice(-1_000_000)));
    const end = (code, signal, fault) => {
      row.seconds = ((Date.now() - began) / 1000).toFixed(1);
      if (code === 0) row.result = told(said);
      if (row.result === 'FAILED')
        console.error(
          `${what}: ${fault ?? (signal ? `ended by ${signal}` : `exit code ${code}`)}\n${said.slice(-4000)}`,
        );
      resolve();
    };
    child.on('error', (fault) => end(-1, null, fault.message));
    child.on('close', (code, signal) => end(code, signal));
  });
}

const worlds = (said) =>
  /(\d+) worlds/.exec(said) ? `passed: ${/(\d+) worlds/.exec(said)[1]} random worlds` : 'passed';
/// Tests that were skipped because there is no device after all are no proof.
const counted = (said) => {
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped/.exec(said) ?? [];
  return failed === '0' && Number(passed) > 0
    ? `passed: ${passed} tests (${skipped} skipped)`
    : 'FAILED';
};

function typescript(where, environment) {
  const files = [
    'test/retrieval/onDevice.test.ts',
    'packages/training/test/timeEncoder/onDevice.test.ts',
  ];
  return run(`from TypeScript ${where}`, process.execPath, [mocha, ...files], {
    environment,
    told: counted,
  });
}

/// The four tools side by side, where there are processors for it: most of their time is the host's.
async function sanitizer(environment) {
  if (!onPath('compute-sanitizer'))
    return table.push({ what: 'compute-sanitizer', result: 'not run: not on PATH', seconds: '' });
  const programs = [['test_cuda_fuzz', '20'], ['test_cuda_rows'], ['test_cuda_training']];
  const jobs = ['memcheck', 'racecheck', 'synccheck', 'initcheck'].flatMap((tool) =>
    programs.map(([program, ...given]) => () => {
      const all = ['--tool', tool, '--error-exitcode', '1', join(folder, program), ...given];
      return run(`${tool} over ${program}`, 'compute-sanitizer', all, {
        environment,
        told: worlds,
      });
    }),
  );
  const worker = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
  };
  await Promise.all(
    Array.from({ length: Math.max(1, Math.min(12, availableParallelism() - 2)) }, worker),
  );
}

async function native(names, where, environment) {
  for (const name of names)
    await run(`${name} ${where}`, join(folder, name), [], { environment, told: worlds });
}

async function withDevice({ library, told }, names) {
  console.log(`Device: ${told}`);
  const environment = { ASOF_CUDA_LIBRARY: library };
  if (wanted('native')) await native(names, 'on the device', environment);
  if (wanted('typescript')) await typescript('on the device', environment);
  if (wanted('sanitizer')) await sanitizer(environment);
}

async function withoutDevice(names, reason) {
  console.log(`not run: no device (${reason})`);
  for (const part of ['native', 'typescript', 'sanitizer']) {
    if (wanted(part))
      table.push({ what: `${part}, on a device`, result: 'not run: no device', seconds: '' });
  }
  if (process.argv.includes('--device')) process.exitCode = 1;
  if (!wanted('emulated')) return;
  await native(names, 'emulated', { ASOF_CUDA_LIBRARY: undefined });
  await typescript('emulated', { ASOF_CUDA_LIBRARY: join(folder, 'asof_cuda_emulated.so') });
}

async function main() {
  const device = await deviceHere();
  const all = readdirSync(join(root, 'test/native/cuda'))
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => `test_cuda_${name.slice(0, -4)}`);
  // The others start kernels themselves, which the emulation alone can do from outside of the
  // library.
  const names = device.library ? all.filter((name) => /search|training|rows|fuzz/.test(name)) : all;
  const runs = device.library ? ['native', 'sanitizer'].some(wanted) : wanted('emulated');
  const failure = runs
    ? compile(device.library ? names : [...names, 'asof_cuda_shared'])
    : undefined;
  if (failure !== undefined) {
    table.push({ what: 'native tests compile', result: 'FAILED', seconds: '' });
    console.error(failure);
  }
  if (device.library && failure === undefined) await withDevice(device, names);
  else if (failure === undefined) await withoutDevice(names, device.reason);
  if (wanted('compile')) {
    const own = process.env.ASOF_NVCC || onPath('nvcc');
    const compiling = 'every architecture compiles and links',
      kept = existsSync(join(root, 'build-cuda/toolkit'));
    const given = ['scripts/build-cuda.cjs', '--check', '--all', ...(own ? [] : ['--pypi'])];
    if (own || kept) await run(compiling, process.execPath, given, { limit: 60 * minutes });
    else table.push({ what: compiling, result: 'not run: no nvcc', seconds: '' });
  }
  console.table(table);
  if (table.some((row) => row.result === 'FAILED')) process.exitCode = 1;
}

main();
