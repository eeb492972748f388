// Lint of everything but TypeScript: clang-format and clang-tidy over C++, ruff over Python,
// shellcheck over shell scripts.
// node scripts/lint-native.cjs [--fix] [--since REF] [clang-format|clang-tidy|ruff|shellcheck
// ...]
// --since REF restricts clang-tidy to the C++ sources that differ from a git revision and to the
// sources that include a changed header. Tools are taken from PATH in the pinned version, else
// installed by pip into .cache/lint.
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join, relative, resolve } = require('node:path');
const { includedFiles } = require('./cpp-includes.cjs');

const root = join(__dirname, '..');
const cache = join(root, '.cache', 'lint');
const pinned = { 'clang-format': '23.1.5', 'clang-tidy': '23.1.4', ruff: '0.17.6' };

const run = (command, options, extra = {}) =>
  spawnSync(command, options, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...extra });
const versionOf = (command) => /\d+\.\d+\.\d+/.exec(run(command, ['--version']).stdout ?? '')?.[0];

/** Path of a tool in its pinned version; undefined, with a message, if it cannot be installed. */
function toolPath(name) {
  if (name === 'shellcheck') {
    if (versionOf(name)) return name;
    console.error('shellcheck: not installed. Install it: apt-get install shellcheck');
    return undefined;
  }
  const version = pinned[name];
  if (versionOf(name) === version) return name;
  const local = join(cache, 'venv', 'bin', name);
  if (existsSync(local) && versionOf(local) === version) return local;
  mkdirSync(cache, { recursive: true });
  const created = run('python3', ['-m', 'venv', join(cache, 'venv')]);
  const installed =
    created.status === 0
      ? run(join(cache, 'venv', 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`])
      : created;
  if (installed.status === 0 && versionOf(local) === version) return local;
  const reason = installed.error?.message ?? `${installed.stdout}${installed.stderr}`.trim();
  console.error(`${name}: version ${version} is not installed, and pip failed: ${reason}`);
  console.error(`Install it: pip install ${name}==${version}`);
  return undefined;
}

function trackedFiles(...patterns) {
  const listed = execFileSync('git', ['ls-files', '-z', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path && existsSync(join(root, path)));
}

const cppFiles = () => trackedFiles('*.cpp', '*.hpp');

function clangFormat(tool, { fix }) {
  const mode = fix ? ['-i'] : ['--dry-run', '-Werror'];
  return run(tool, [...mode, ...cppFiles()], { stdio: 'inherit' }).status === 0;
}

/**
 * Configures a build folder for its compile commands, the addon's sources included, one command
 * per source. SIMD sources are excluded: one command does not stand for all of their levels.
 */
function compileCommands() {
  const build = join(cache, 'configured');
  const configured = run(process.execPath, [
    ...[require.resolve('cmake-js/bin/cmake-js'), 'configure', '-l', 'warn', '-O', build],
    ...['--CDASOF_TESTS=ON', '--CDCMAKE_EXPORT_COMPILE_COMMANDS=ON'],
    '--CDCMAKE_DISABLE_PRECOMPILE_HEADERS=ON', // each source includes what it uses
  ]);
  if (configured.status !== 0) throw new Error(`cmake failed:\n${configured.stderr}`);
  const database = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8'));
  const bySource = new Map(database.map((entry) => [entry.file, entry]));
  // Options of GCC that Clang rejects.
  for (const entry of bySource.values())
    entry.command = entry.command.replaceAll(' -fno-fat-lto-objects', '');
  const folder = join(cache, 'commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'compile_commands.json'), JSON.stringify([...bySource.values()]));
  const sources = [...bySource.keys()]
    .map((file) => relative(root, file))
    .filter((file) => file.startsWith('native') && !/\/simd\w*\.cpp$/.test(file));
  return { folder, sources: sources.sort() };
}

function sourcesSince(sources, since) {
  const listed = execFileSync('git', ['diff', '--name-only', since], { cwd: root });
  const changed = new Set(listed.toString().split('\n'));
  return sources.filter(
    (file) => changed.has(file) || [...includedFiles(file)].some((each) => changed.has(each)),
  );
}

async function outputOf(command, options) {
  const child = spawn(command, options, { cwd: root });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (errors += data));
  const status = await new Promise((done) => child.on('close', done));
  return { status, output, errors };
}

async function clangTidy(tool, { fix, since }) {
  const { folder, sources } = compileCommands();
  const queue = since === undefined ? sources : sourcesSince(sources, since);
  const total = queue.length;
  const began = Date.now();
  const findings = new Set();
  let failures = 0;
  // With --fix one at a time: two processes would edit the same header.
  const workers = fix ? 1 : availableParallelism();
  const options = ['-p', folder, '--quiet', '--warnings-as-errors=*', ...(fix ? ['--fix'] : [])];
  const worker = async () => {
    while (queue.length > 0) {
      // Several sources per process share its start; smaller batches at the end balance the
      // workers.
      const files = queue.splice(0, Math.ceil(queue.length / (8 * workers)));
      const { status, output, errors } = await outputOf(tool, [
        ...options,
        ...files.map((file) => resolve(root, file)),
      ]);
      // A finding in a header is reported once, whatever the number of sources that include it.
      const reported = output
        .split(/\n(?=\/)/)
        .map((each) => each.trim())
        .filter((each) => /: (?:error|warning): /.test(each));
      if (status !== 0) failures += 1;
      if (status !== 0 && reported.length === 0) console.error(errors);
      for (const finding of reported) {
        if (findings.has(finding)) continue;
        findings.add(finding);
        console.log(finding.replaceAll(`${root}/`, ''));
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  console.log(`clang-tidy: ${total} sources, ${findings.size} findings, ${seconds} s`);
  return failures === 0;
}

function ruff(tool, { fix }) {
  const checked = run(tool, ['check', ...(fix ? ['--fix'] : []), '.'], { stdio: 'inherit' });
  const formatted = run(tool, ['format', ...(fix ? [] : ['--check']), '.'], { stdio: 'inherit' });
  return checked.status === 0 && formatted.status === 0;
}

function shellcheck(tool) {
  const scripts = [...trackedFiles('*.sh'), ...trackedFiles('.ci/run')];
  return run(tool, scripts, { stdio: 'inherit' }).status === 0;
}

const linters = {
  'clang-format': clangFormat,
  ruff,
  shellcheck,
  'clang-tidy': clangTidy,
};

async function main(options) {
  const since = options.includes('--since') ? options[options.indexOf('--since') + 1] : undefined;
  const names = options.filter((each) => !each.startsWith('--') && each !== since);
  const unknown = names.find((name) => !(name in linters));
  if (unknown !== undefined) {
    console.error(`Expected one of ${Object.keys(linters).join(', ')}, received ${unknown}.`);
    return 2;
  }
  let failed = false;
  for (const name of names.length > 0 ? names : Object.keys(linters)) {
    const tool = toolPath(name);
    const passed =
      tool !== undefined && (await linters[name](tool, { fix: options.includes('--fix'), since }));
    console.log(`${name}: ${passed ? 'passed' : 'FAILED'}`);
    failed ||= !passed;
  }
  return failed ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => (process.exitCode = code));
