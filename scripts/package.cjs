// `npm run package:all [-- --local]`: the packages that are published, as folders and tarballs in
// build-packages/: asof itself and the packages of packages/, without install scripts or native
// code, @asof/PLATFORM for each folder of prebuilds/ (npm run prebuild:all), and
// @asof/linux-x64-cuda where build-cuda/ has the CUDA library (npm run build:cuda). --local takes
// the addon that was compiled here (npm run build:native) for this machine's platform, and may lack
// others. A release may not: yarn reads the manifests of all of them. Prints the size of each.
'use strict';
const { execFileSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { platforms, prebuildOf, zigTargets } = require('./platforms.cjs');

const root = join(__dirname, '..');
const out = join(root, 'build-packages');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, license, engines } = manifest;
const isLocal = process.argv.includes('--local');

/** Runs `npm pack` in a folder, without the scripts of its package.json, and returns its report. */
function pack(folder, ...options) {
  const args = ['pack', '--json', '--silent', '--ignore-scripts', ...options];
  const [report] = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 }),
  );
  return report;
}

/** What development alone needs of a package.json is left out. */
function stage(source, name, more = {}) {
  const folder = join(out, name);
  for (const { path } of pack(source, '--dry-run').files)
    cpSync(join(source, path), join(folder, path));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const {
    private: _1,
    binary: _2,
    scripts: _3,
    devDependencies: _4,
    allowScripts: _5,
    workspaces: _6,
    ...rest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeManifest(folder, { ...rest, ...more, publishConfig: { access: 'public' } });
  return folder;
}

function stageCore() {
  const optionalDependencies = Object.fromEntries(
    platforms.map((platform) => [`@asof/${platform}`, version]),
  );
  return stage(root, 'asof', { optionalDependencies });
}

/** The packages that are published: those with files. */
function stageSatellites() {
  const sources = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  return sources
    .filter((source) => JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')).files)
    .map((source) => stage(source, basename(source)));
}

/** A package that no other part of asof is in: native files, and what is said about them. */
function stageNative(name, { what, how, ...more }) {
  const [system, cpu] = name.split('-');
  const folder = join(out, name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'README.md'),
    `# @asof/${name}\n\nThe ${what} of asof ${version} for ${system}-${cpu}. ${how}\n`,
  );
  writeManifest(folder, {
    name: `@asof/${name}`,
    version,
    description: `The ${what} of asof for ${system}-${cpu}`,
    license,
    ...(manifest.repository && { repository: manifest.repository }),
    ...more,
    os: [system],
    cpu: [cpu],
    engines,
    preferUnplugged: true,
    publishConfig: { access: 'public' },
  });
  return folder;
}

/** The folder has the binaries already. */
function stagePlatform(platform) {
  const { 'node-gyp-build': loader } = manifest.dependencies;
  const folder = stageNative(platform, {
    what: 'native binary',
    how: 'Install asof, which depends on it.',
    main: 'index.js',
    files: ['index.js', 'prebuilds'],
    dependencies: { 'node-gyp-build': loader },
  });
  // In the words by which tracers of files (@vercel/nft) find the binary.
  const index = "module.exports = require('node-gyp-build')(__dirname);\n";
  writeFileSync(join(folder, 'index.js'), index);
  return folder;
}

/** The CUDA library, which the addon opens in the package next to its own. */
function stageCuda(library) {
  const files = ['asof_cuda.so', 'NOTICE'].map((name) => join(dirname(library), name));
  const there = files.filter((path) => existsSync(path));
  const folder = stageNative(`linux-${process.arch}-cuda`, {
    what: 'CUDA library',
    how: 'Install it in addition to asof, which finds it.',
    main: basename(library),
    files: there.map((path) => basename(path)),
    libc: ['glibc'],
  });
  for (const path of there) cpSync(path, join(folder, basename(path)));
  return folder;
}

function writeManifest(folder, content) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** The target that an addon is for that was compiled here. */
function targetHere() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  const musl = process.platform === 'linux' && glibcVersionRuntime === undefined ? 'musl' : '';
  return `${process.platform}${musl}-${process.arch}`;
}

/** Where the binary of a target lies in its package. */
function placeOf(target) {
  const { folder, path } = prebuildOf(target);
  return join(out, folder, path);
}

if (!existsSync(join(root, 'dist', 'index.js'))) {
  console.error('Expected a build in dist/, found none. Run npm run build.');
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
const folders = [stageCore(), ...stageSatellites()];
for (const name of platforms.map((platform) => join('prebuilds', platform)))
  if (existsSync(join(root, name)))
    cpSync(join(root, name), join(out, basename(name), name), { recursive: true });
const compiled = join(root, 'build', 'Release', 'asof.node');
if (isLocal && existsSync(compiled)) cpSync(compiled, placeOf(targetHere()), { force: false });
const missing = Object.keys(zigTargets).filter((target) => !existsSync(placeOf(target)));
const there = Object.keys(zigTargets).filter((target) => !missing.includes(target));
for (const platform of new Set(there.map((target) => prebuildOf(target).folder)))
  folders.push(stagePlatform(platform));
const cuda = join(root, 'build-cuda', 'asof_cuda.so');
if (existsSync(cuda)) folders.push(stageCuda(cuda));
const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
for (const folder of folders) {
  const { name, filename, size, unpackedSize, entryCount } = pack(
    folder,
    ...['--pack-destination', out],
  );
  console.log(
    `${name.padEnd(22)} ${mebibytes(size).padStart(9)} packed ${mebibytes(unpackedSize).padStart(9)} unpacked ` +
      `${String(entryCount).padStart(4)} files  build-packages/${filename}`,
  );
}
if (missing.length > 0) {
  console.log(`no binary of ${missing.join(', ')} (npm run prebuild:all makes them all)`);
  if (!isLocal) process.exitCode = 1;
}
