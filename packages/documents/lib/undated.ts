// Dates of files whose documents have none: of the last commit, or of the last change on the disk.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { AsOfError } from 'asof';
import type { FoundDate } from './read.js';

export type Undated = 'git' | 'mtime';

const run = promisify(execFile);

/** Undefined for a file without a commit. @throws AsOfError ERR_NOT_FOUND without git */
export async function dateOfFile(path: string, undated: Undated): Promise<FoundDate | undefined> {
  if (undated === 'mtime')
    return { source: 'mtime', publishedAt: (await stat(path)).mtime.getTime() };
  // A repository may set a program that checks signatures.
  const command = ['--literal-pathspecs', 'log', '-1', '--no-show-signature', '--format=%ct'];
  try {
    const { stdout } = await run('git', [...command, '--', basename(path)], { cwd: dirname(path) });
    return stdout === '' ? undefined : { source: 'git', publishedAt: Number(stdout) * 1000 };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return undefined; // no repository
    throw new AsOfError(
      'ERR_NOT_FOUND',
      "Expected git for undated: 'git', found none. Install it, or take 'mtime'.",
      { cause },
    );
  }
}
