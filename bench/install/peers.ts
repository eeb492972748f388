// What an installation costs, and that of sharp, better-sqlite3, usearch and LanceDB: seconds with
// an empty and with a filled cache of npm, size on disk, packages, and packages that run a script
// at installation. All come from one registry on loopback, which has fetched them before, so that
// no network is measured; scripts run, and what they say where they cannot download is in the
// table. In turns within each round; medians. Linux only.
//
// npm run package:all -- --local
// node --import tsx bench/install/peers.ts [--rounds 3] [--only sharp,asof] [--docs]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '../../test/installs/registry.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median, publish, row, say, short } from '../report.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const names = ['asof', 'sharp', 'better-sqlite3', 'usearch', '@lancedb/lancedb'].filter(
  (name) => !values.only || values.only.split(',').includes(name),
);

interface Figures {
  cold: number[];
  warm: number[];
  bytes: number;
  packages: number;
  scripts: number;
  /** Why it does not install or load; empty if it does. */
  fault: string;
}

const work = mkdtempSync(join(tmpdir(), 'asof-install-'));
const registry = await startRegistry();
const figures = new Map<string, Figures>();

/** Installs a package in an empty folder; the seconds, or what npm said. */
function install(name: string, isCold: boolean): number | string {
  const folder = join(work, name.replace(/\W/g, '-'));
  const cache = `${folder}-cache`;
  rmSync(folder, { recursive: true, force: true });
  if (isCold) rmSync(cache, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true }');
  const start = performance.now();
  const { status, stderr } = spawnSync(
    'npm',
    ['install', name, '--no-audit', '--no-fund', '--loglevel=error', '--cache', cache].concat(
      '--registry',
      registry.url,
    ),
    { cwd: folder, encoding: 'utf8', timeout: 600_000 },
  );
  const seconds = (performance.now() - start) / 1000;
  return status === 0 ? seconds : reason(stderr);
}

/** The line of an output that says most. */
function reason(output: string): string {
  const lines = output.trim().split('\n');
  const said = lines.find((line) => /ERR!|\bError:|not found/i.test(line)) ?? lines.at(-1) ?? '';
  return said
    .replace(/npm (?:error|warn)\s*/g, '')
    .replace(/https?:\S+/g, 'its download')
    .slice(0, 120);
}

/** What npm left of an installation: its own list of packages, and the bytes on disk. */
function inspect(name: string): Pick<Figures, 'bytes' | 'packages' | 'scripts' | 'fault'> {
  const folder = join(work, name.replace(/\W/g, '-'));
  const list = JSON.parse(
    readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
  ) as { packages: Record<string, { hasInstallScript?: boolean }> };
  const packages = Object.values(list.packages);
  const used = execFileSync('du', ['-sk', 'node_modules'], { cwd: folder, encoding: 'utf8' });
  const load = `import(${JSON.stringify(name)}).catch((e) => { console.error(String(e).split("\\n")[0]); process.exit(1); })`;
  const loaded = spawnSync('node', ['-e', load], { cwd: folder, encoding: 'utf8' });
  return {
    bytes: Number(used.split('\t')[0]) * 1024,
    packages: packages.length,
    scripts: packages.filter(({ hasInstallScript }) => hasInstallScript).length,
    fault: loaded.status === 0 ? '' : `installed, does not load: ${reason(loaded.stderr)}`,
  };
}

function measure(name: string): void {
  const found = figures.get(name)!;
  if (found.fault) return;
  const [cold, warm] = [install(name, true), install(name, false)];
  if (typeof cold === 'string' || typeof warm === 'string')
    throw new Error(`Expected ${name} to install again, npm said: ${cold}, ${warm}`);
  found.cold.push(cold);
  found.warm.push(warm);
  Object.assign(found, inspect(name));
}

try {
  for (const name of names) {
    console.error(`installing ${name}`);
    const first = install(name, true); // the registry fetches what it lacks
    const fault = typeof first === 'string' ? `npm fails: ${first}` : '';
    figures.set(name, { cold: [], warm: [], bytes: 0, packages: 0, scripts: 0, fault });
  }
  for (let round = 0; round < rounds; round += 1) names.forEach(measure);
} finally {
  await registry.close();
  rmSync(work, { recursive: true, force: true });
}
say(
  `${describeMachine(machine())} npm ${execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim()}.`,
);
say('');
row(['package', 'cold cache, s', 'warm cache, s', 'MiB on disk', 'packages', 'with scripts', '']);
row(['---', '---:', '---:', '---:', '---:', '---:', '---']);
for (const [name, { cold, warm, bytes, packages, scripts, fault }] of figures) {
  if (cold.length === 0) row([name, '', '', '', '', '', fault]);
  else
    row([
      ...[name, short(median(cold)), short(median(warm)), short(bytes / 2 ** 20)],
      ...[String(packages), String(scripts), fault || 'loads'],
    ]);
}
if (values.docs && !values.only) publish('bench/install/peers.ts', 'guide/installing.md');
