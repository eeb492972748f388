// Node.js of other versions and platforms, from npm's packages, unpacked once into .cache/nodes/.
const { spawnSync } = require('node:child_process');
const { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } = require('node:fs');
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
  const part = `${folder}.${process.pid}.part`; // a stop leaves no half of a Node behind
  mkdirSync(part, { recursive: true });
  try {
    const wanted = `node-${platform}@${version}`;
    succeed('npm', ['pack', '--silent', '--pack-destination', part, wanted]);
    const archive = readdirSync(part).find((name) => name.endsWith('.tgz'));
    succeed('tar', ['-xzf', path.join(part, archive), '-C', part]);
    chmodSync(path.join(part, 'package', 'bin', file), 0o755);
    rmSync(path.join(part, archive));
    rmSync(folder, { recursive: true, force: true });
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return node;
}

module.exports = { nodeFromNpm };
