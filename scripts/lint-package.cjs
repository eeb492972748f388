// `node scripts/lint-package.cjs`: publint and Are The Types Wrong over the packed tarballs of asof
// and its packages.
// The rule of attw against packages without CommonJS is off: require() loads these modules.
'use strict';
const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, mkdtempSync, readdirSync, rmSync } = require('node:fs');
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
  const satellites = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((path) => existsSync(join(path, 'dist')));
  const failed = [root, ...satellites].flatMap((source) => {
    const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: source, encoding: 'utf8' }));
    const tarball = join(folder, filename);
    return [
      ['publint', 'run', tarball, '--strict'],
      ['attw', tarball, '--ignore-rules', 'cjs-resolves-to-esm', ...unread(source)],
    ].filter(([tool, ...args]) => {
      const bin = join(root, 'node_modules', '.bin', tool);
      return spawnSync(bin, args, { cwd: root, stdio: 'inherit' }).status !== 0;
    });
  });
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packages with subpaths have no typesVersions: TypeScript finds these by `exports`. */
function unread(source) {
  return source === root ? [] : ['--profile', 'node16'];
}
