// `npm run package:all [-- --local]`: the packages that are published, as folders and tarballs in
// build-packages/: asof itself and the packages of packages/, without install scripts or native
// code, and @asof/PLATFORM for each binary in build-prebuilds/ (npm run prebuild:all), and @asof/linux-x64-cuda where build-cuda/ has
// the CUDA library (npm run build:cuda). --local takes the addon that was compiled here
// (npm run build:native) for this machine's platform, and may lack others. A release may not: yarn
// reads the manifests of all of them. Prints the size of each.
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
const { zigTargets } = require('./platforms.cjs');

const root = join(__dirname, '..');
const out = join(root, 'build-packages');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, license, engines } = manifest;
const isLocal = process.argv.includes('--local');
const platforms = Object.keys(zigTargets);

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
    imports: _2,
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

/** A package of one library: the addon, or the CUDA library that the addon opens next to its own. */
function stageLibrary(platform, library, { suffix = '', what, how }) {
  const [system, cpu] = platform.split('-');
  const isLinux = system.startsWith('linux');
  const folder = join(out, platform + suffix);
  mkdirSync(folder, { recursive: true });
  cpSync(library, join(folder, basename(library)));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const notice = join(dirname(library), 'NOTICE');
  const files = [basename(library), ...(existsSync(notice) ? ['NOTICE'] : [])];
  if (existsSync(notice)) cpSync(notice, join(folder, 'NOTICE'));
  writeFileSync(
    join(folder, 'README.md'),
    `# @asof/${platform}${suffix}\n\nThe ${what} of asof ${version} for ${platform}. ${how}\n`,
  );
  writeManifest(folder, {
    name: `@asof/${platform}${suffix}`,
    version,
    description: `The ${what} of asof for ${platform}`,
    license,
    ...(manifest.repository && { repository: manifest.repository }),
    main: basename(library),
    files,
    os: [isLinux ? 'linux' : system],
    cpu: [cpu],
    ...(isLinux && { libc: [system === 'linux' ? 'glibc' : 'musl'] }),
    engines,
    preferUnplugged: true,
    publishConfig: { access: 'public' },
  });
  return folder;
}

function writeManifest(folder, content) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

function addonOf(platform) {
  const prebuilt = join(root, 'build-prebuilds', platform, 'asof.node');
  if (existsSync(prebuilt)) return prebuilt;
  const { glibcVersionRuntime } = process.report.getReport().header;
  const system =
    process.platform === 'linux' && glibcVersionRuntime === undefined
      ? 'linuxmusl'
      : process.platform;
  const compiled = join(root, 'build', 'Release', 'asof.node');
  const isHere = platform === `${system}-${process.arch}`;
  return isLocal && isHere && existsSync(compiled) ? compiled : undefined;
}

if (!existsSync(join(root, 'dist', 'index.js'))) {
  console.error('Expected a build in dist/, found none. Run npm run build.');
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
const folders = [stageCore(), ...stageSatellites()];
const missing = [];
for (const platform of platforms) {
  const addon = addonOf(platform);
  const how = 'Install asof, which depends on it.';
  if (addon) folders.push(stageLibrary(platform, addon, { what: 'native binary', how }));
  else missing.push(platform);
}
const cuda = join(root, 'build-cuda', 'asof_cuda.so');
if (existsSync(cuda))
  folders.push(
    stageLibrary(`linux-${process.arch}`, cuda, {
      suffix: '-cuda',
      what: 'CUDA library',
      how: 'Install it in addition to asof, which finds it.',
    }),
  );
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
