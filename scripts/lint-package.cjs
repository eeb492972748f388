// `npm run lint:package`: publint and Are The Types Wrong over the packed tarball.
// The rule of attw against packages without CommonJS is off: require() loads these modules.
'use strict';
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const root = join(__dirname, '..');
if (!existsSync(join(root, 'dist', 'index.js'))) {
  console.error('Expected a build in dist/, found none. Run npm run build.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'asof-lint-'));
try {
  const pack = ['pack', '--silent', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  const tarball = join(folder, filename);
  const failed = [
    ['publint', 'run', tarball, '--strict'],
    ['attw', tarball, '--ignore-rules', 'cjs-resolves-to-esm'],
  ].filter(([tool, ...args]) => {
    const bin = join(root, 'node_modules', '.bin', tool);
    return spawnSync(bin, args, { cwd: root, stdio: 'inherit' }).status !== 0;
  });
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
