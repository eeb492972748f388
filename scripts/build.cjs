// Builds dist/ of asof and of each package: declarations by tsc, in one program; of each entry of
// a package.json one module, with chunks of what several need, since Node takes about a millisecond
// to load a module and lib/ has some hundreds; pages as one script and one style. What an earlier
// build left is removed last, so that a process that has the old entries finds its chunks.
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { buildSync } = require('esbuild');
const { buildPages } = require('./build-pages.cjs');

const root = join(__dirname, '..');
const types = join(root, 'build', 'types');
const packages = fs
  .readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name))
  .filter((folder) => manifestOf(folder).files);

// TypeScript 7 compiles in a quarter of the processor time; linters need the interface of 6.
const tsc = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '--emitDeclarationOnly', '--outDir', types], {
  cwd: root,
  stdio: 'inherit',
});

buildPackage(root, ['dist/models/onnx/worker.js']);
for (const folder of packages) buildPackage(folder);
buildPages();

function manifestOf(folder) {
  return JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'));
}

function buildPackage(folder, workers = []) {
  const { exports: entries, bin = {} } = manifestOf(folder);
  const programs = [
    ...Object.values(entries).flatMap(({ default: file }) => file ?? []),
    ...Object.values(bin),
    ...workers,
  ];
  const dist = join(folder, 'dist');
  const { outputFiles } = buildSync({
    entryPoints: programs.map((file) =>
      join(folder, file.replace(/^(\.\/)?dist/, 'lib').replace(/\.js$/, '.ts')),
    ),
    absWorkingDir: folder,
    outbase: 'lib',
    outdir: dist,
    // As deep as lib/runtime/installation.ts, which names files by their place next to it, in a
    // function that is there to be read and not called.
    chunkNames: 'runtime/[name]-[hash]',
    treeShaking: folder !== root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Not the paths of tsconfig.json, by which sources find each other.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    external: externalOf(folder),
    target: 'node20.19',
    write: false,
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path, Buffer.from(contents)]));
  const declared = join(types, relative(root, folder), 'lib');
  const entryTypes = Object.values(entries).flatMap(({ types: file }) => file ?? []);
  for (const path of reached(entryTypes.map((file) => join(declared, relative('dist', file)))))
    files.set(join(dist, relative(declared, path)), declaration(path));
  // Entries after the chunks that they import.
  const last = new Set(programs.map((file) => join(folder, file)));
  const ordered = [...files].sort(([a], [b]) => Number(last.has(a)) - Number(last.has(b)));
  for (const [path, contents] of ordered) write(path, contents);
  for (const path of filesBelow(dist))
    if (!files.has(path) && !relative(dist, path).startsWith('page')) fs.rmSync(path);
}

/** A declaration, in which a Buffer is what it is without @types/node. */
function declaration(path) {
  return Buffer.from(fs.readFileSync(path, 'utf8').replace(/\bBuffer\b/g, 'Uint8Array'));
}

/** Declarations that those of entries name, themselves included. */
function reached(paths, found = new Set()) {
  for (const path of paths) {
    if (found.has(path) || !fs.existsSync(path)) continue;
    found.add(path);
    const names = fs
      .readFileSync(path, 'utf8')
      .matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g);
    reached(
      [...names].map(([, name]) => join(dirname(path), `${name}.d.ts`)),
      found,
    );
  }
  return found;
}

/** Every package but @asof/pages, which is part of those that use it. */
function externalOf(folder) {
  const { dependencies = {}, peerDependencies = {} } = manifestOf(folder);
  const names = Object.keys({ ...dependencies, ...peerDependencies, asof: '' });
  return [...names.flatMap((name) => [name, `${name}/*`]), '@asof/linux*', 'node:*'];
}

/** Whole or not at all, and not what is there: tests that run side by side build it and read it. */
function write(path, contents) {
  if (fs.existsSync(path) && fs.readFileSync(path).equals(contents)) {
    const now = new Date(); // newer than its sources, by which tests know that it is built
    return fs.utimesSync(path, now, now);
  }
  fs.mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  fs.writeFileSync(part, contents);
  fs.renameSync(part, path);
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}
