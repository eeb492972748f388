// `node scripts/test-node.cjs [VERSION...]`: the demo and the tests that start processes and
// threads or enter native code, on the oldest Node.js that asof supports and on the newest of each
// later line, with the addon that was compiled here. Linux on x64 and arm64.
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { nodeFromNpm } = require('./nodes.cjs');

const root = path.join(__dirname, '..');
const tests = ['boundary', 'core', 'encoder', 'runtime', 'conventions'];
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20.19.0', '22', '24', '26'];
const table = [];

for (const version of versions) {
  const node = nodeFromNpm(`linux-${process.arch}`, version);
  const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env.PATH}` };
  const run = (...args) => spawnSync(node, args, { cwd: root, env, encoding: 'utf8' });
  const demo = run('dist/cli/main.js', 'demo');
  const mocha = run(
    'node_modules/mocha/bin/mocha.js',
    ...tests.map((name) => `test/${name}/**/*.test.ts`),
  );
  const closing = /\d+ passed, \d+ failed, \d+ skipped/.exec(mocha.stdout)?.[0];
  const passed = demo.status === 0 && mocha.status === 0 && closing !== undefined;
  table.push({
    node: run('--version').stdout.trim(),
    demo: demo.status === 0 ? 'passed' : `exit code ${demo.status}`,
    tests: closing ?? `exit code ${mocha.status}`,
  });
  if (passed) continue;
  process.exitCode = 1;
  console.error(`${demo.stderr}${mocha.stdout}${mocha.stderr}`);
}
console.table(table);
