// What node scripts/test-cuda.cjs and node scripts/bench-cuda.cjs share: which device there is,
// asked through the addon before anything is compiled, and the native programs, compiled by all
// processors or found in the folder that ASOF_NATIVE_TESTS names, where nothing is compiled.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join, resolve } = require('node:path');

const root = join(__dirname, '..');
const given = process.env.ASOF_NATIVE_TESTS;
const folder = given ? resolve(given) : join(root, 'build');

/// Configures and builds targets; the end of what was said where that fails.
function compile(targets) {
  if (given) {
    const missing = targets.filter((target) => !existsSync(join(folder, target)));
    return missing.length === 0
      ? undefined
      : `Expected ${missing.join(', ')} in ASOF_NATIVE_TESTS (${folder}), found no such files.`;
  }
  const jobs = String(availableParallelism());
  for (const step of [
    ['-S', '.', '-B', 'build', '-DASOF_TESTS=ON'],
    ['--build', 'build', '-j', jobs, '--target', ...targets],
  ]) {
    const done = spawnSync('cmake', step, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (done.status !== 0)
      return done.error?.message ?? `${done.stdout}${done.stderr}`.slice(-4000);
  }
  return undefined;
}

/// The library that the addon opens, and the first device that it finds there; or the reason why there is none.
async function deviceHere() {
  try {
    const { library, reason, devices, build } = await require('node-gyp-build')(root).listDevices();
    if (reason !== null) return { reason };
    const [{ name, memory, computeCapability, processors }] = devices;
    const told = `${name}, compute capability ${computeCapability}, ${processors} processors, ${(memory / 1e9).toFixed(1)} GB, ${build}`;
    return { library, name, processors, told };
  } catch (fault) {
    return {
      reason: `asof's addon does not load: ${fault.message.split('\n')[0]} Compile it: npm run build:native.`,
    };
  }
}

module.exports = { root, folder, compile, deviceHere };
