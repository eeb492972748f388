// `node scripts/supply-chain.cjs sbom [FILE]`: software bill of materials of what is published
// (CycloneDX 1.5), by default build-packages/sbom.cdx.json: packages that an install brings,
// packages whose code is in ours, models. `node scripts/supply-chain.cjs docs` writes the tables of
// docs/supply-chain.md from the same data.
//
// Not `npm sbom`: it has no models and no compiled-in code, and that of npm 11 with --omit
// dev misses four of the seven direct dependencies.
'use strict';
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join, posix, resolve } = require('node:path');
const { platforms: names, zigVersion } = require('./platforms.cjs');

const root = join(__dirname, '..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const manifest = JSON.parse(read('package.json'));
/** asof's packages that are published. */
const satellites = readdirSync(join(root, 'packages'))
  .map((name) => JSON.parse(read('packages', name, 'package.json')))
  .filter(({ files }) => files);
const { packages } = JSON.parse(read('package-lock.json'));
const platforms = names.map((platform) => `@asof/${platform}`);
const versionOf = (name) => packages[`node_modules/${name}`].version;

/** Files of models (models/README.md), with their licence and what they were made from. */
const models = [
  {
    name: 'default-encoder.bin',
    licence: 'Apache-2.0',
    source: 'distilled from all-MiniLM-L6-v2 (Apache-2.0); vocabulary of BERT (Apache-2.0)',
  },
  {
    name: 'word-vectors.bin',
    licence: 'Apache-2.0 AND WordNet',
    source: 'vectors of all-MiniLM-L6-v2 (Apache-2.0) for words chosen by WordNet',
  },
  { name: 'time-encoder.bin', licence: 'MIT', source: 'trained on made-up records and pages' },
  {
    name: 'question-reader.bin',
    licence: 'MIT',
    source: 'trained on questions that language models wrote',
  },
  { name: 'hybrid-ranker.json', licence: 'MIT', source: 'fitted weights, no text' },
  { name: 'time-extractor/model.onnx', licence: 'MIT', source: 'trained on made-up texts' },
  { name: 'time-extractor/tokenizer.json', licence: 'MIT', source: 'made from those texts' },
];

/** What others wrote of the addon's binaries. */
const compiledIn = [
  { name: 'node-addon-api', version: versionOf('node-addon-api'), licence: 'MIT', where: 'all' },
  {
    name: 'node-api-headers',
    version: versionOf('node-api-headers'),
    licence: 'MIT',
    where: 'all',
  },
  {
    name: 'libc++, libc++abi, libunwind (of zig)',
    version: zigVersion,
    licence: 'Apache-2.0 WITH LLVM-exception',
    where: 'all',
  },
  { name: 'compiler-rt (of zig)', version: zigVersion, licence: 'MIT', where: 'all' },
  { name: 'mingw-w64 runtime (of zig)', version: zigVersion, licence: 'ZPL-2.1', where: 'Windows' },
  {
    name: 'Unicode Character Database',
    version: 'as of Node.js',
    licence: 'Unicode-3.0',
    where: 'all: the table of the tokenizer',
  },
];

/**
 * Packages of others that installs of asof and its packages bring, without peers, as the lock file
 * resolves them; `users` are those of ours that name them.
 */
function installed() {
  const found = new Map();
  const visit = (name, from, user) => {
    let folder = from;
    while (!packages[posix.join(folder, 'node_modules', name)])
      folder = folder.replace(/(?:(?:^|\/)node_modules\/(?:@[^/]+\/)?|^packages\/)[^/]+$/, '');
    const place = posix.join(folder, 'node_modules', name);
    const known = found.get(place);
    if (known) return void (user && known.users.push(user));
    const { version, license, integrity, dependencies = {} } = packages[place];
    const needs = Object.keys(dependencies);
    const users = user ? [user] : [];
    found.set(place, { place, name, version, licence: license, integrity, users, needs });
    for (const each of needs) visit(each, place);
  };
  for (const { name: user, dependencies = {} } of [manifest, ...satellites])
    for (const name of Object.keys(dependencies).filter((each) => !isOwn(each)))
      visit(name, user === 'asof' ? '' : `packages/${user.replace('@asof/', '')}`, user);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isOwn = (name) => name.startsWith('@asof/');

/** Packages in the script of reports, which names them at its head (scripts/build-pages.cjs). */
function bundled() {
  const [notices] = read('packages', 'evaluation', 'dist', 'page', 'report.js').split('*/', 1);
  return [...notices.matchAll(/^(\S+) (\d\S*) \(([^)]+)\)/gm)]
    .map(([, name, version, licence]) => ({ name, version, licence }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const size = (name) => `${(statSync(join(root, 'models', name)).size / 1e6).toFixed(2)} MB`;

/** The tables of docs/supply-chain.md. */
function tables() {
  const all = installed();
  const core = all.filter(({ users }) => users.includes('asof'));
  return [
    `An install of asof brings ${core.length} packages of others and one binary; its packages bring ` +
      `${all.length - core.length} more.`,
    table(
      ['package', 'version', 'licence', 'needed by'],
      all.map(({ name, version, licence, users }) => [
        `\`${name}\``,
        version,
        licence,
        [...users, ...all.flatMap((each) => (each.needs.includes(name) ? each.name : []))]
          .map((each) => `\`${each}\``)
          .join(', '),
      ]),
    ),
    'In the script of comparison reports (`packages/evaluation/dist/page/report.js`, which prints the licences at its ' +
      'head):',
    table(
      ['package', 'version', 'licence'],
      bundled().map(({ name, version, licence }) => [`\`${name}\``, version, licence]),
    ),
    'In the native binaries:',
    table(
      ['code', 'version', 'licence', 'where'],
      compiledIn.map(({ name, version, licence, where }) => [name, version, licence, where]),
    ),
    'Models in the package ([how each was made](../models/README.md)):',
    table(
      ['file in `models/`', 'size', 'licence', 'made from'],
      models.map(({ name, licence, source }) => [`\`${name}\``, size(name), licence, source]),
    ),
  ].join('\n\n');
}

const licences = (licence) => [{ expression: licence.replace('WordNet', 'LicenseRef-WordNet') }];
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const sha256 = (name) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'models', name)))
    .digest('hex');

function library({ name, version, licence, integrity }) {
  const hash = integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: licences(licence),
    ...(hash && { hashes: [{ alg: 'SHA-512', content: hash }] }),
  };
}

const part = (type, prefix, { name, version, licence, source, where }) => ({
  type,
  'bom-ref': `${prefix}:${name}`,
  name,
  ...(version && { version }),
  description: source ?? `compiled in: ${where}`,
  licenses: licences(licence),
});

const self = { name: manifest.name, version: manifest.version, licence: manifest.license };

const components = () => [
  ...installed().map(library),
  ...[...platforms, ...satellites.map(({ name }) => name)].map((name) =>
    library({ ...self, name }),
  ),
  ...bundled().map((each) => ({
    ...library(each),
    'bom-ref': `bundled:${each.name}`,
    description: 'compiled into packages/evaluation/dist/page/report.js',
  })),
  ...compiledIn.map((each) => part('library', 'native', each)),
  ...models.map((each) => ({
    ...part('machine-learning-model', 'models', each),
    hashes: [{ alg: 'SHA-256', content: sha256(each.name) }],
  })),
];

function dependencies() {
  const all = installed();
  const refs = new Map(all.map(({ name, version }) => [name, purl(name, version)]));
  const ofPlatforms = platforms.map((name) => purl(name, self.version));
  const directOf = (user) => [
    ...all.flatMap(({ name, users }) => (users.includes(user.name) ? refs.get(name) : [])),
    ...Object.keys(user.dependencies ?? {}).flatMap((name) =>
      isOwn(name) ? purl(name, self.version) : [],
    ),
  ];
  return [
    { ref: purl(self.name, self.version), dependsOn: [...directOf(manifest), ...ofPlatforms] },
    ...satellites.map((each) => ({
      ref: purl(each.name, self.version),
      dependsOn: [purl(self.name, self.version), ...directOf(each)],
    })),
    ...ofPlatforms.map((ref) => ({
      ref,
      dependsOn: compiledIn
        .filter(({ where }) => where !== 'Windows' || ref.includes('win32'))
        .map((each) => `native:${each.name}`),
    })),
    ...all.map(({ name, needs }) => ({
      ref: refs.get(name),
      dependsOn: needs.map((each) => refs.get(each)),
    })),
  ];
}

const bill = () => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: library(self) },
  components: components(),
  dependencies: dependencies(),
});

const page = join('docs', 'supply-chain.md');
const generated = /(<!-- scripts\/supply-chain\.cjs -->\n)[^]*(\n<!-- end -->)/;

function main([command, file = join('build-packages', 'sbom.cdx.json')]) {
  const path = resolve(root, command === 'docs' ? page : file);
  const text =
    command === 'docs'
      ? read(page).replace(generated, (_, head, end) => `${head}\n${tables()}\n${end}`)
      : `${JSON.stringify(bill(), undefined, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (require.main === module) main(process.argv.slice(2));
module.exports = { bill, platforms, generated, installed, models, satellites, tables };
