// Output files: a check that they can be written, before long work, and atomic writes.
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AsOfError } from '../errors.js';
import { refuseWrite, writeAtomically } from '../runtime/atomicFile.js';

/**
 * @throws AsOfError ERR_NOT_FOUND without the folder, ERR_INVALID_INPUT if the path is a folder,
 * ERR_STORAGE if the file cannot be written.
 */
export async function checkOutput(path: string | undefined, name: string): Promise<void> {
  if (path === undefined) return;
  const [target, folder] = await Promise.all(
    [path, dirname(resolve(path))].map((each) => stat(each).catch(() => undefined)),
  );
  const details = { file: path };
  if (!folder?.isDirectory()) {
    const message = `Expected a folder to write --${name} ${path} in, found none.`;
    throw new AsOfError('ERR_NOT_FOUND', `${message} Create it, or check the path.`, { details });
  }
  if (target?.isDirectory()) {
    const message = `Expected --${name} to be a file to write, received the folder ${path}.`;
    throw new AsOfError('ERR_INVALID_INPUT', `${message} Name a file in it.`, { details });
  }
  const written = target && !target.isFile() ? path : dirname(resolve(path));
  await access(written, constants.W_OK).catch((cause: unknown) => refuseWrite(path, cause));
}

/**
 * Creates a work folder if missing.
 * @throws AsOfError ERR_STORAGE if it cannot be written, before the work begins.
 */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
    .then(() => access(path, constants.W_OK))
    .catch((cause: unknown) => refuseWrite(path, cause));
}

/**
 * Replaces a file atomically; writes to a pipe or device directly.
 * @throws AsOfError ERR_STORAGE, with the former file in place; ERR_ABORTED.
 */
export function writeOutput(path: string, text: string, signal?: AbortSignal): Promise<void> {
  return writeAtomically(path, '', [text], { signal });
}
