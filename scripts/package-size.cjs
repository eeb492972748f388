// `npm run package-size`: packed and unpacked size of the package with the binaries in prebuilds/
// (npm run make-prebuilds), the share of the CUDA library, and the largest folders.
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

// Share of the tarball: the size of the file compressed alone, as binaries share little with the
// rest.
const packed = sum(libraries.map(({ path }) => gzipSync(readFileSync(join(root, path))).length));
const unpacked = sum(libraries.map((each) => each.size));
const addons = binaries.length - libraries.length;
console.log(
  `package without the CUDA library: ${mebibytes(size - packed)} packed, ${mebibytes(unpackedSize - unpacked)} unpacked`,
);
if (addons === 0) console.log('  (no addon in prebuilds/: run npm run make-prebuilds)');
if (libraries.length === 0) {
  console.log(
    'with the CUDA library: none in prebuilds/ (npm run build:cuda, then npm run make-prebuilds)',
  );
} else {
  console.log(`package with it: ${mebibytes(size)} packed, ${mebibytes(unpackedSize)} unpacked`);
  console.log(`  of which the library is ${mebibytes(packed)} and ${mebibytes(unpacked)}`);
}

const folders = new Map();
for (const { path, size: bytes } of files) {
  const folder = path.includes('/') ? path.split('/')[0] : '(root)';
  const { count, total } = folders.get(folder) ?? { count: 0, total: 0 };
  folders.set(folder, { count: count + 1, total: total + bytes });
}
console.log(`${files.length} files:`);
for (const [folder, { count, total }] of [...folders].sort((a, b) => b[1].total - a[1].total))
  console.log(`  ${folder.padEnd(12)} ${mebibytes(total).padStart(10)}  ${count} files`);
