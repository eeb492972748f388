// What a result was measured on: printed above every table and stored with every result.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binding } from '../lib/binding.js';
import type { addon } from '../test/addon.js';

export interface Machine {
  processor: string;
  cores: number;
  memoryGiB: number;
  node: string;
  compiler: string;
  level: string;
  levels: string[];
  threads: number;
  commit: string;
  /** Of the last minute; above the number of cores, timings are of a busy machine. */
  load: number;
}

const root = join(fileURLToPath(import.meta.url), '../..');

function said(command: string, args: string[]): string | undefined {
  try {
    return execFileSync(command, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** The compiler of the build that lies here, with its flags; a prebuilt binary does not say. */
function compiler(): string {
  const cache = join(root, 'build/CMakeCache.txt');
  if (!existsSync(cache)) return 'prebuilt binary';
  const text = readFileSync(cache, 'utf8');
  const entry = (name: string) => new RegExp(`^${name}:\\w+=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const version =
    said(entry('CMAKE_CXX_COMPILER'), ['--version'])?.split('\n')[0] ?? 'an unknown compiler';
  return `${version}, ${entry('CMAKE_BUILD_TYPE') || 'Release'}`;
}

export function machine(): Machine {
  const changed = said('git', ['status', '--porcelain', '--untracked-files=no']);
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    compiler: compiler(),
    level: binding.isa(),
    // the shipped addon reports only the level in use
    levels: 'setIsa' in binding ? (binding as typeof addon).isaLevels() : [binding.isa()],
    threads: binding.threadCount(),
    commit:
      (said('git', ['rev-parse', '--short', 'HEAD']) ?? 'unknown') +
      (changed ? ' with changes' : ''),
    load: Number(loadavg()[0]!.toFixed(1)),
  };
}

/** MiB of a process that are no file's; not a number where the system does not tell. */
export function ownMemory(pid: number | 'self' = 'self'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / 1024;
  } catch {
    return NaN; // it has gone
  }
}

export function describeMachine(on: Machine): string {
  const busy = on.load > on.cores ? ' (busy: timings are high and spread)' : '';
  return (
    `${on.processor}, ${on.cores} cores, ${on.memoryGiB} GiB, load ${on.load}${busy}\nNode ${on.node}, ${on.compiler}, commit ` +
    `${on.commit}, level ${on.level} of ${on.levels.join(' ')}`
  );
}
