// Installs, bundles and runs asof as users do, from a registry on loopback, and prints what works
// by default, what with a line more, and what fails. Exit code 1 if anything does. Ten minutes.
//
// npm run package:all -- --local && node --import tsx test/installs/run.ts [NAME...] [--docs]
//
// NAME selects the cases whose name has it; the tables show the last outcome of the others.
// --docs writes the tables into docs/guide/installing.md.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from '../../bench/options.js';
import { publish, row, say } from '../../bench/report.js';
import { bundlers } from './bundlers.js';
import type { Case, Group, Surroundings } from './cases.js';
import { managers } from './managers.js';
import { next } from './next.js';
import { Project } from './project.js';
import { cache, root, startRegistry } from './registry.js';
import { runtimes } from './runtimes.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { docs: { type: 'boolean', default: false } },
});
const groups = [managers, bundlers, next, runtimes];
const isWanted = ({ name }: Case): boolean =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));

const registry = await startRegistry();
const work = mkdtempSync(join(tmpdir(), 'asof-installs-'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

const surroundings: Surroundings = {
  version,
  binary: `@asof/${process.platform}-${process.arch}`,
  project: (name) => new Project(join(work, name.replace(/\W+/g, '-')), registry),
  tool(spec, path) {
    const name = spec.replace(/(?<=.)@.*$/, '');
    const folder = join(cache, 'tools', spec.replace(/[^\w.]+/g, '-'));
    const file = join(folder, 'node_modules', name, path);
    if (existsSync(file)) return file;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--force'];
    execFileSync('npm', ['install', spec, ...options, '--registry', registry.url], { cwd: folder });
    return file;
  },
};

async function outcome(each: Case): Promise<string | undefined> {
  const start = performance.now();
  console.error(`${each.name} ...`);
  try {
    await each.run(surroundings);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    console.error(`  ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
}

/** Outcomes by name, also those of runs before: a part may be run again. */
const resultFile = join(cache, 'results.json');
const results: Record<string, string> = existsSync(resultFile)
  ? (JSON.parse(readFileSync(resultFile, 'utf8')) as Record<string, string>)
  : {};

function printTable({ title, cases }: Group): void {
  row([title, 'works', 'the line']);
  row(['---', '---', '---']);
  for (const { name, line } of cases)
    row([name, results[name] ?? 'not run', line ? `\`${line}\`` : '']);
  say('');
}

const failures: string[] = [];
try {
  for (const each of groups.flatMap(({ cases }) => cases).filter(isWanted)) {
    const failure = await outcome(each);
    if (failure !== undefined) failures.push(`${each.name}: ${failure}`);
    const verdict = each.line ? 'with one line' : 'by default';
    results[each.name] = failure === undefined ? verdict : 'fails';
    writeFileSync(resultFile, JSON.stringify(results, undefined, 2));
  }
} finally {
  await registry.close();
  if (failures.length === 0) rmSync(work, { recursive: true, force: true });
}
groups.forEach(printTable);
for (const failure of failures) console.error(`\n${failure.slice(-2000)}`);
if (values.docs) publish('test/installs/run.ts', 'guide/installing.md');
if (failures.length > 0) {
  console.error(`\nThe projects are left in ${work}.`);
  process.exitCode = 1;
}
