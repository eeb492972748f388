// Bundles lib/ into dist/: one module for each entry of package.json, for the command and for the
// worker, and chunks of what several of them need. Node takes about a millisecond to load a module
// and lib/ has some five hundred. Declarations are tsc's. What an earlier build left is removed
// last, so that a process that has the old entries finds its chunks.
'use strict';
const { buildSync } = require('esbuild');
const fs = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '..');
const dist = join(root, 'dist');
const { exports: entries, bin } = require('../package.json');

const programs = [
  ...Object.values(entries).flatMap(({ default: file }) => file ?? []),
  ...Object.values(bin),
  'dist/models/onnx/worker.js',
];
const { outputFiles } = buildSync({
  entryPoints: programs.map((file) =>
    join(root, file.replace(/^(\.\/)?dist/, 'lib').replace(/\.js$/, '.ts')),
  ),
  absWorkingDir: root,
  outbase: 'lib',
  outdir: dist,
  // As deep as lib/runtime/installation.ts, which names files by their place next to it, in a
  // function that is there to be read and not called.
  chunkNames: 'runtime/[name]-[hash]',
  treeShaking: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  target: 'node20.19',
  write: false,
  logLevel: 'warning',
});

const built = new Set(outputFiles.map(({ path }) => path));
// Entries after the chunks that they import.
const entryFiles = new Set(programs.map((file) => join(root, file)));
for (const { path, contents } of outputFiles.toSorted(
  (a, b) => Number(entryFiles.has(a.path)) - Number(entryFiles.has(b.path)),
))
  write(path, contents);
for (const path of filesBelow(dist))
  if (path.endsWith('.js') && !built.has(path) && !relative(dist, path).startsWith('pages'))
    fs.rmSync(path);

/** Whole or not at all, and not what is there: tests that run side by side build it and read it. */
function write(path, contents) {
  if (fs.existsSync(path) && fs.readFileSync(path).equals(contents)) return;
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
