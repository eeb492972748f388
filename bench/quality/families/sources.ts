// Packages of the registries, downloaded and unpacked below a work folder once.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FamilySource } from './family.js';

/** The folder of an unpacked package. @throws Error where the registry does not have it. */
export function unpack(work: string, source: FamilySource): string {
  const { registry, package: name, version } = source;
  const folder = join(work, `${registry}-${name}-${version ?? ''}`.replace(/[^\w.-]+/g, '-'));
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, 'archive'), { recursive: true });
  const archive = join(partial, 'archive');
  const run = (command: string, ...args: string[]): void =>
    void execFileSync(command, args, { cwd: archive, stdio: ['ignore', 'ignore', 'pipe'] });
  const only = (): string => join(archive, readdirSync(archive)[0]!);
  if (registry === 'npm') {
    run('npm', 'pack', '--silent', `${name}@${version}`);
    run('tar', '-xzf', only(), '-C', partial);
  } else if (registry === 'PyPI') {
    run('python3', '-m', 'pip', 'download', '-q', '--no-deps', `${name}==${version}`);
    if (/\.tar\.gz$/.test(only())) run('tar', '-xzf', only(), '-C', partial);
    else run('python3', '-m', 'zipfile', '-e', only(), partial);
  } else {
    run('apt-get', '-qq', 'download', name);
    run('dpkg-deb', '-x', only(), partial);
  }
  rmSync(archive, { recursive: true });
  renameSync(partial, folder);
  return folder;
}
