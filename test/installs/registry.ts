// A registry on loopback: asof and its platform packages as `npm run package:all` made them, and
// all other packages from the registry that npm is configured with. Its program and what it fetched
// stay in .cache/installs/.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answering, freePort } from './ports.js';
import { stop, type Environment } from './project.js';

export const root = join(fileURLToPath(import.meta.url), '../../..');
export const cache = join(root, '.cache', 'installs');
const packages = join(root, 'build-packages');

export interface Registry {
  url: string;
  /** Variables by which every package manager uses it. */
  environment: Environment;
  close(): Promise<void>;
}

export async function startRegistry(): Promise<Registry> {
  if (!existsSync(packages))
    throw new Error('Expected packages in build-packages/, found none. Run npm run package:all.');
  const program = installRegistry();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const storage = join(cache, 'storage');
  for (const own of ['asof', '@asof']) rmSync(join(storage, own), { recursive: true, force: true });
  const settings = join(cache, 'registry.yaml');
  writeFileSync(settings, configuration(storage));
  const child = spawn(process.execPath, [program, '--config', settings, '--listen', url], {
    stdio: 'ignore',
    detached: true,
  });
  await answering(url);
  publish(url);
  return { url, environment: environmentOf(url), close: () => stop(child) };
}

/** Verdaccio, once. One of its dependencies has a version that is a tag, which mirrors may lack. */
function installRegistry(): string {
  const folder = join(cache, 'registry');
  const program = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const overrides = { 'node-fetch': '2', 'node-fetch-cjs': 'npm:node-fetch@2' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { verdaccio: '6' }, overrides }),
  );
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
  return program;
}

function configuration(storage: string): string {
  const upstream = execFileSync('npm', ['config', 'get', 'registry', '--silent'], {
    encoding: 'utf8',
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const own = { access: '$all', publish: '$all' };
  return JSON.stringify({
    storage,
    uplinks: { upstream: { url: upstream, maxage: '1d', timeout: '120s', max_fails: 100 } },
    packages: {
      asof: own,
      '@asof/*': own,
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '100mb',
    log: { type: 'stdout', level: 'fatal' },
  });
}

/** Platforms without a binary here get their manifest alone, which yarn reads for all of them. */
function publish(url: string): void {
  const { optionalDependencies, version } = JSON.parse(
    readFileSync(join(packages, 'asof', 'package.json'), 'utf8'),
  ) as { optionalDependencies: Record<string, string>; version: string };
  const there = readdirSync(packages).filter((name) => name.endsWith('.tgz'));
  for (const name of there) publishOne(url, join(packages, name));
  for (const name of Object.keys(optionalDependencies)) {
    const [system = '', cpu = ''] = name.slice('@asof/'.length).split('-');
    if (there.includes(`asof-${system}-${cpu}-${version}.tgz`)) continue;
    const folder = join(cache, 'manifests', `${system}-${cpu}`);
    mkdirSync(folder, { recursive: true });
    const manifest = { name, version, os: [system], cpu: [cpu] };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    publishOne(url, folder);
  }
}

function publishOne(url: string, path: string): void {
  const token = `--${url.replace('http:', '')}:_authToken=none`;
  const args = [
    'publish',
    path,
    '--ignore-scripts',
    '--registry',
    url,
    token,
    '--access',
    'public',
  ];
  execFileSync('npm', args, { cwd: cache, stdio: ['ignore', 'ignore', 'pipe'] });
}

function environmentOf(url: string): Environment {
  return {
    YARN_NPM_REGISTRY_SERVER: url.replace(/\/$/, ''),
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    NEXT_TELEMETRY_DISABLED: '1',
    CI: 'true',
  };
}
