// Files that a command writes when its work is done: whether they can be is asked before the work begins, which may take hours.
// What is written is its caller's.
import { rename, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AsOfError } from '../errors.js';

/** Errors: ERR_NOT_FOUND where the folder is not there, ERR_INVALID_INPUT where the path is a folder itself. */
export async function checkOutput(path: string | undefined, name: string): Promise<void> {
  if (path === undefined) return;
  const [there, folder] = await Promise.all([path, dirname(resolve(path))].map((each) => stat(each).catch(() => undefined)));
  const details = { file: path };
  if (!folder?.isDirectory()) {
    throw new AsOfError('ERR_NOT_FOUND', `Expected a folder to write --${name} ${path} in, found none. Make it first, or check the path.`, {
      details,
    });
  }
  if (there?.isDirectory()) {
    throw new AsOfError('ERR_INVALID_INPUT', `Expected --${name} to be a file to write, received the folder ${path}. Name a file in it.`, {
      details,
    });
  }
}

/** Writes a file whole, or leaves what was there. */
export async function writeOutput(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  await writeFile(beside, text);
  await rename(beside, path);
}
