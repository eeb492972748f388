// What npm run test:cuda and npm run bench:cuda share: the native tests' folder, and the device that the built library finds.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const folder = join(root, 'build-native');

/// Configures and builds targets; the end of what was said where that fails.
function compile(targets) {
  for (const given of [['-S', '.', '-B', 'build-native', '-DASOF_TESTS=ON'], ['--build', 'build-native', '-j', '2', '--target', ...targets]]) {
    const done = spawnSync('cmake', given, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (done.status !== 0) return done.error?.message ?? `${done.stdout}${done.stderr}`.slice(-4000);
  }
  return undefined;
}

/// The library that is built, and the device that it finds, or the reason why there is none.
function deviceHere() {
  const built = ['build/Release', `prebuilds/${process.platform}-${process.arch}`].map((place) => join(root, place, 'asof_cuda.so'));
  const library = [process.env.ASOF_CUDA_LIBRARY, ...built].find((place) => place && existsSync(place));
  if (library === undefined) return { reason: 'no asof_cuda.so; build it with npm run build:cuda' };
  const asked = spawnSync(join(folder, 'cuda_facts'), [library], { encoding: 'utf8' });
  if (asked.status === 0) return { library, name: asked.stdout.trim() };
  return { reason: `${asked.stdout ?? ''}${asked.stderr ?? ''}`.trim() || 'cuda_facts did not run' };
}

module.exports = { root, folder, compile, deviceHere };
