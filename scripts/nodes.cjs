// Node.js of other versions and platforms, from npm's packages, unpacked once into .cache/nodes/.
const { spawnSync } = require('node:child_process');
const { chmodSync, existsSync, mkdirSync, readdirSync } = require('node:fs');
const path = require('node:path');

const cache = path.join(__dirname, '..', '.cache', 'nodes');

function succeed(command, args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
}

/**
 * The executable of a version for a platform of npm's packages: linux-x64, linux-arm64, win-x64.
 * @throws Error if npm cannot fetch it.
 */
function nodeFromNpm(platform, version) {
  const folder = path.join(cache, `${platform}-${version}`);
  const file = platform.startsWith('win') ? 'node.exe' : 'node';
  const node = path.join(folder, 'package', 'bin', file);
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const wanted = `node-${platform}@${version}`;
  succeed('npm', ['pack', '--silent', '--pack-destination', folder, wanted]);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  succeed('tar', ['-xzf', path.join(folder, archive), '-C', folder]);
  chmodSync(node, 0o755);
  return node;
}

module.exports = { nodeFromNpm };
