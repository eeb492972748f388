// `node scripts/test-inspector.cjs`: installs the protocol's own inspector and a Node.js that it
// runs on into .cache/ once, and lists and calls the tools of `asof mcp` by it, over standard input
// and HTTP. Prints what it answered. It needs npm, and `npm run build` before.
const assert = require('node:assert/strict');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { nodeFromNpm } = require('./nodes.cjs');

const root = path.join(__dirname, '..');
const home = path.join(root, '.cache', 'inspector');
const inspector = '@modelcontextprotocol/inspector';
const version = '2.12.0';
const node = nodeFromNpm(`${process.platform}-${process.arch}`, '22.22.0');
const cli = path.join(root, 'dist', 'cli', 'main.js');

function install() {
  const manifest = path.join(home, 'node_modules', inspector, 'package.json');
  if (fs.existsSync(manifest) && require(manifest).version === version) return;
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'package.json'), '{ "name": "inspector", "private": true }\n');
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${inspector}@${version}`],
    { cwd: home, stdio: 'inherit' },
  );
}

/** What the inspector prints for a method: its result, or the error of a tool. */
function inspect(target, options, expected = 0) {
  const launcher = path.join(home, 'node_modules', inspector, 'clients/launcher/build/index.js');
  const { status, stdout, stderr } = spawnSync(node, [launcher, '--cli', ...target, ...options], {
    encoding: 'utf8',
    cwd: root,
  });
  console.log(`\n$ inspector ${options.join(' ')}\n${stdout.slice(0, 1500)}${stderr}`);
  assert.equal(status, expected, stderr);
  return { ...JSON.parse(stdout), stderr };
}

const call = (target, name, given, expected) =>
  inspect(
    target,
    ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(given)],
    expected,
  );

/** Every tool of one server. */
function tryAll(target) {
  const { tools, stderr } = inspect(target, ['--method', 'tools/list', '--strict']);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search', 'timeline', 'read_time', 'get', 'list', 'add', 'update', 'delete'],
  );
  assert.doesNotMatch(stderr, /Warning|Error/);

  const passages = [{ id: 'sunak', text: 'Rishi Sunak became prime minister on 25 October 2022.' }];
  assert.equal(call(target, 'add', { passages }).isError, undefined);
  const question = 'Who was prime minister?';
  const found = call(target, 'search', { question, as_of: '2018-01-01' }).structuredContent;
  assert.equal(found.evidence[0].id, 'may');
  const states = call(target, 'timeline', { question: 'prime minister' }).structuredContent;
  assert.deepEqual(
    states.entries.map(({ evidence }) => evidence[0]),
    ['may', 'johnson', 'sunak'],
  );
  const read = call(target, 'read_time', { text: 'last May', asked_at: '1950-03-01' });
  assert.equal(read.structuredContent.mentions[0].end_iso, '1949-05-31');
  // Exit code 5: an error of the tool.
  const refused = call(target, 'search', { question, k: 99 }, 5);
  assert.match(refused.content[0].text, /^Expected k to be a whole number from 1 to 50/);
  const { contents } = inspect(target, [
    '--method',
    'resources/read',
    '--uri',
    'asof://passage/may',
  ]);
  assert.equal(JSON.parse(contents[0].text).id, 'may');
}

async function main() {
  install();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'asof-inspector-'));
  const corpus = path.join(folder, 'ministers.asof');
  const lines = [
    { id: 'may', text: 'Theresa May became prime minister on 13 July 2016.' },
    { id: 'johnson', text: 'Boris Johnson became prime minister on 24 July 2019.' },
  ];
  const file = path.join(folder, 'passages.jsonl');
  fs.writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  execFileSync(process.execPath, [cli, 'index', corpus, file], { stdio: 'inherit' });
  const server = [process.execPath, cli, 'mcp', corpus, '--write'];
  tryAll(server);

  const http = spawn(server[0], [...server.slice(1), '--http', '--port', '0']);
  try {
    const url = await new Promise((resolve) =>
      http.stderr.on('data', (text) => resolve(/http\S+/.exec(text)[0])),
    );
    tryAll([url]);
    const load = ['--method', 'tools/call', '--tool-name', 'search', '--load', '--load-requests'];
    const given = ['--tool-args-json', '{"question":"Who was prime minister in 2018?"}'];
    const { ok } = inspect([url], [...load, '200', ...given]);
    assert.equal(ok, 200);
  } finally {
    http.kill('SIGTERM');
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
