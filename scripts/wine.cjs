// A Node for Windows under Wine, and a copy of the tree that it can run tests of.
//
// Wine 8 (Debian 12) runs Node 20 and 22; Node 24 ends where V8 reserves memory, and esbuild for
// Windows lacks a library. So TypeScript is compiled here, and in the copy the import of tsx leads
// from its names to the compiled files.
const { spawnSync } = require('node:child_process');
const {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const path = require('node:path');
const { nodeFromNpm } = require('./nodes.cjs');

const root = path.join(__dirname, '..');
const version = '22.23.3';
const compiled = ['lib', 'test', 'bench', 'examples'];
const linked = ['dist', 'docs', 'models', 'native', 'README.md'];

function succeed(command, args, extra = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'ignore', ...extra });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? 'it failed'}`);
}

/** The tree, compiled, with the addons for Windows in place of this machine's. */
function copyTree(tree, addons) {
  rmSync(tree, { recursive: true, force: true });
  const tsx = path.join(tree, 'node_modules', 'tsx');
  mkdirSync(tsx, { recursive: true });
  for (const name of [...compiled, 'package.json', 'binding.d.ts'])
    cpSync(path.join(root, name), path.join(tree, name), { recursive: true });
  cpSync(addons.shipped, path.join(tree, 'build', 'Release', 'asof.node'));
  cpSync(addons.test, path.join(tree, 'build', 'test', 'asof_test.node'));
  for (const name of linked) symlinkSync(path.join(root, name), path.join(tree, name));
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== 'tsx' && !name.startsWith('.'))
      symlinkSync(path.join(root, 'node_modules', name), path.join(tree, 'node_modules', name));
  const sources = compiled.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) =>
      path.join(folder, name),
    ),
  );
  require('esbuild').buildSync({
    entryPoints: sources.filter((name) => /(?<!\.d)\.ts$/.test(name) && !/node_modules/.test(name)),
    absWorkingDir: root,
    outdir: tree,
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const entry = './index.js';
  writeFileSync(
    path.join(tsx, 'package.json'),
    JSON.stringify({ type: 'module', exports: { '.': entry, './esm/api': entry } }),
  );
  writeFileSync(
    path.join(tsx, 'index.js'),
    `import { registerHooks } from 'node:module';
const compiled = (name) => name.replace(/(?<!\\.d)\\.ts$/, '.js');
registerHooks({ resolve: (name, context, next) => next(compiled(name), context) });
if (process.argv[1]) process.argv[1] = compiled(process.argv[1]);
export const register = () => {};\n`,
  );
  const mocha = { import: 'tsx', require: ['test/seed.ts', 'test/selectAddon.ts'] };
  writeFileSync(
    path.join(tree, '.mocharc.json'),
    JSON.stringify({ ...mocha, reporter: 'test/reporter.cjs', exit: true }),
  );
}

/**
 * A command that runs Node for Windows in the copied tree, made in `folder`; `addons` are the paths
 * of the shipped one and the one for tests. Node takes none of this machine's pipes there: its output goes through
 * files.
 */
function wineNode(folder, addons) {
  mkdirSync(folder, { recursive: true });
  const node = nodeFromNpm('win-x64', version);
  const env = { ...process.env, WINEPREFIX: path.join(folder, 'prefix'), WINEDEBUG: '-all' };
  if (!existsSync(env.WINEPREFIX)) succeed('wine', ['winecfg', '-v', 'win10'], { env });
  const tree = path.join(folder, 'tree');
  copyTree(tree, addons);
  const command = path.join(folder, 'node');
  writeFileSync(
    command,
    `#!/bin/sh
output=$(mktemp) && cd '${tree}' && wine '${node}' "$@" </dev/null >"$output" 2>"$output.error"
status=$?
cat "$output" && cat "$output.error" >&2
rm -f "$output" "$output.error"
exit $status\n`,
  );
  chmodSync(command, 0o755);
  return { command, env, arch: 'x64', tests: 'js' };
}

module.exports = { wineNode };
