// `npm run package-size`: how large the package is, packed and unpacked, with what lies in
// prebuilds/ now (npm run make-prebuilds puts it there), and how much of that is the CUDA library.
// It packs nothing that is kept.
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { gzipSync } = require('node:zlib');

const root = join(__dirname, '..');
const dryRun = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
const output = execFileSync('npm', dryRun, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
const [{ size, unpackedSize, files }] = JSON.parse(output);
const binaries = files.filter(({ path }) => path.startsWith('prebuilds/'));
const libraries = binaries.filter(({ path }) => basename(path) === 'asof_cuda.so');
const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

// A file's part of the tarball is what it is compressed alone: the binaries' own bytes have nothing
// in common with the rest.
const packed = sum(libraries.map(({ path }) => gzipSync(readFileSync(join(root, path))).length));
const unpacked = sum(libraries.map((each) => each.size));
const addons = binaries.length - libraries.length;
console.log(
  `package without the CUDA library: ${mebibytes(size - packed)} packed, ${mebibytes(unpackedSize - unpacked)} unpacked`,
);
if (addons === 0) console.log('  (and without an addon: npm run make-prebuilds has not been run)');
if (libraries.length === 0) {
  console.log(
    'with it: not known, since none is in prebuilds/ (npm run build:cuda, then npm run make-prebuilds)',
  );
} else {
  console.log(`package with it: ${mebibytes(size)} packed, ${mebibytes(unpackedSize)} unpacked`);
  console.log(`  of which the library is ${mebibytes(packed)} and ${mebibytes(unpacked)}`);
}
