// Five programs of a new user, written from the docs alone, in an empty folder each with packages
// from a registry on loopback: a service, an agent, retrieval over a folder, own vectors, an
// evaluation. Prints what each prints (programs/output.txt is of 2026-12-01); exit code 1 if it is
// not what is expected.
//
// npm run package:all -- --local && node --import tsx test/installs/programs.ts [NAME...]
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Project } from './project.js';
import { startRegistry } from './registry.js';

/** Packages of others whose change logs are read: of these versions they ship them. */
const logged = ['acorn@8.14.0', 'mustache@4.2.0', 'yargs@16.2.0'];

interface Program {
  packages: readonly string[];
  /** Programs that run before it, in the same folder. */
  after?: readonly string[];
  /** Its lines. */
  prints: readonly RegExp[];
}

const programs: Readonly<Record<string, Program>> = {
  service: {
    packages: ['asof', '@asof/documents', ...logged],
    prints: [
      /^\d+ passages$/,
      /newest as of 1 March 2021\? 200 .*"title":"acorn 8\.0\.5 \(2021-01-25\)/,
      /first after 1 January 2021\? 200 .*"title":"mustache 4\.2\.0/,
      /class static blocks\? 200 .*"title":"acorn 8\.5\.0 \(2021-09-06\)/,
      /newest release of acorn\?, acorn, 2020-06-01 200 .*"title":"acorn 7\.2\.0 \(2020-05-09\)/,
      /400 \{"error":"ERR_INVALID_ARGUMENT"\}$/,
    ],
  },
  agent: {
    packages: ['asof', '@asof/ai-sdk', 'ai@6'],
    prints: [
      /^The parcel fee is 6 euros\. supersedes n1$/,
      /^Ann lives in Oslo\. supersedes n2$/,
      /^How much is the parcel fee\? The parcel fee is 6 euros\.$/,
      /^Where does Ann live\? Ann lives in Oslo\.$/,
      /^2023-02-19T23:59:59\.999Z 2$/,
    ],
  },
  folder: {
    packages: ['asof', '@asof/documents'],
    prints: [/^true true 0 0$/, /^corpus\.md Corpus: Changing passages$/, /^\d+ \d+ true$/],
  },
  vectors: {
    packages: ['asof'],
    prints: [
      /^dense 2022-01-01 fee-2021$/,
      /^dense 2024-01-01 fee-202[13]$/, // it has no clock
      /^hybrid 2022-01-01 fee-2021$/,
      /^hybrid 2024-01-01 fee-2023$/,
      /^fee-2021 0\.90, mill 0\.62$/,
      /^fee-2023 0\.\d\d$/,
    ],
  },
  evaluation: {
    packages: ['asof', '@asof/documents', '@asof/evaluation', ...logged],
    after: ['service'],
    prints: [/^bm25 0\.\d\d [01]\.\d\d$/, /^dense 0\.\d\d [01]\.\d\d$/, /^hybrid 0\.[89]\d 1\.00$/],
  },
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(programs);
const unknown = chosen.filter((name) => !(name in programs));
if (unknown.length > 0) {
  console.error(
    `Expected names of ${Object.keys(programs).join(', ')}, received ${unknown.join()}.`,
  );
  process.exit(2);
}
const sources = join(dirname(fileURLToPath(import.meta.url)), 'programs');
const registry = await startRegistry();
const work = mkdtempSync(join(tmpdir(), 'asof-programs-'));
try {
  for (const name of chosen) {
    const { packages, after = [], prints } = programs[name]!;
    const project = new Project(join(work, name), registry);
    const start = performance.now();
    project.npm(...packages);
    const installed = performance.now();
    for (const each of [...after, name])
      cpSync(join(sources, `${each}.mjs`), join(project.folder, `${each}.mjs`));
    for (const each of after) project.run('node', [`${each}.mjs`]);
    const { output } = project.run('node', [`${name}.mjs`]);
    const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`;
    console.log(
      `\n## ${name}: installed in ${seconds(start, installed)}, ` +
        `ran in ${seconds(installed, performance.now())}\n\n${output.trimEnd()}`,
    );
    const lines = output.trimEnd().split('\n');
    assert.equal(lines.length, prints.length, `${name} printed ${lines.length} lines`);
    for (const [nth, expected] of prints.entries()) assert.match(lines[nth]!, expected);
  }
} finally {
  await registry.close();
  rmSync(work, { recursive: true, force: true });
}
