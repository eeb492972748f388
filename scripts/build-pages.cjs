// Bundles the code and style of a page into dist/page of its package: one script and one style that
// need nothing else. What others wrote of it is named at the script's head with its licence. It
// checks no types; tsc does.
'use strict';
const { buildSync } = require('esbuild');
const { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

const common = {
  bundle: true,
  minify: true,
  write: false,
  absWorkingDir: root,
  target: ['chrome111', 'firefox113', 'safari16.2'],
  logLevel: 'warning',
};

/** The report of a comparison, and the page of questions. */
exports.buildPages = () => {
  buildPage('report', join(root, 'packages', 'evaluation'), join('lib', 'report', 'page'));
  buildPage('question', join(root, 'packages', 'server'), join('lib', 'page'));
};

/** `name` of its files, the folder of the package and that of the page's sources below it. */
function buildPage(name, folder, source) {
  const script = buildSync({
    ...common,
    entryPoints: [join(folder, source, 'main.ts')],
    format: 'iife',
    metafile: true,
    legalComments: 'none',
  });
  const style = buildSync({ ...common, entryPoints: [join(folder, source, 'page.css')] });
  const packages = bundledPackages(script.metafile);
  const head = packages.length > 0 ? `${notices(packages)}\n` : '';
  const out = join(folder, 'dist', 'page');
  mkdirSync(out, { recursive: true });
  write(join(out, `${name}.js`), `${head}${script.outputFiles[0].text}`);
  write(join(out, `${name}.css`), style.outputFiles[0].text);
}

/** Whole or not at all: tests that run side by side build it anew and read it. */
function write(path, text) {
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}

/** Packages of which something is in the bundle, as folders of node_modules. */
function bundledPackages({ outputs }) {
  const kept = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const folders = kept.flatMap(
    ([path]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}

/**
 * Who wrote what and under which licence; one that several share is printed once, below their
 * holders, one that names several is left as it is.
 */
function notices(folders) {
  const licences = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    if (!file)
      throw new Error(
        `Expected a licence file in ${folder}, found none: what is bundled must say its licence.`,
      );
    const lines = readFileSync(join(root, folder, file), 'utf8')
      .trim()
      .split(/\r?\n/);
    const holders = lines.filter((line) => /^copyright (?:\(c\) )?\d{4}/i.test(line));
    const isShared = holders.length === 1;
    const text = (isShared ? lines.filter((line) => line !== holders[0]) : lines).join('\n').trim();
    const key = text.replace(/\s+/g, ' ');
    const known = licences.get(key) ?? { text, names: [] };
    known.names.push(`${name} ${version} (${license})${isShared ? `. ${holders[0]}` : ''}`);
    licences.set(key, known);
  }
  const parts = [...licences.values()].map(({ text, names }) => `${names.join('\n')}\n\n${text}`);
  return `/*! This file has code of these packages in it.\n\n${parts.join('\n\n----\n\n').replaceAll('*/', '* /')}\n*/`;
}

if (require.main === module) exports.buildPages();
