// Output files: whether they can be written, checked before long work, and their writing.
import { access, constants, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AsOfError } from '../errors.js';

/**
 * Errors: ERR_NOT_FOUND where the folder is not there, ERR_INVALID_INPUT where the path is a folder
 * itself, ERR_STORAGE where nothing may be written.
 */
export async function checkOutput(path: string | undefined, name: string): Promise<void> {
  if (path === undefined) return;
  const [there, folder] = await Promise.all(
    [path, dirname(resolve(path))].map((each) => stat(each).catch(() => undefined)),
  );
  const details = { file: path };
  if (!folder?.isDirectory()) {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a folder to write --${name} ${path} in, found none. Make it first, or check the path.`,
      {
        details,
      },
    );
  }
  if (there?.isDirectory()) {
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected --${name} to be a file to write, received the folder ${path}. Name a file in it.`,
      {
        details,
      },
    );
  }
  await access(there && !there.isFile() ? path : dirname(resolve(path)), constants.W_OK).catch(
    (cause: unknown) => refuse(path, cause),
  );
}

/**
 * A folder that a command keeps work in, made where it is missing. Errors: ERR_STORAGE, before the
 * work begins.
 */
export async function keptFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
    .then(() => access(path, constants.W_OK))
    .catch((cause: unknown) => refuse(path, cause));
}

/**
 * Writes a file whole, or leaves what was there; a pipe or device as it is. Errors: ERR_STORAGE
 * where the system refuses; ERR_ABORTED.
 */
export async function writeOutput(path: string, text: string, signal?: AbortSignal): Promise<void> {
  const beside = await placeBeside(path);
  try {
    await writeFile(beside, text, signal ? { signal } : {});
    if (beside !== path) await rename(beside, path);
  } catch (cause) {
    if (beside !== path) await rm(beside, { force: true });
    if (signal?.aborted)
      throw new AsOfError('ERR_ABORTED', 'The operation was aborted by its signal.', { cause });
    refuse(path, cause, beside);
  }
}

/**
 * Where a file is written before it is moved into its place; the place itself for a pipe or device.
 */
export async function placeBeside(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined);
  return !there || there.isFile() ? `${path}.${process.pid}.part` : path;
}

/** Errors: ERR_STORAGE, always. */
export function refuse(path: string, cause: unknown, beside = path): never {
  const reason = cause instanceof Error ? cause.message.replace(beside, path) : String(cause);
  const message = `Expected to write ${path}, the system refused: ${reason}. Check the folder, its rights and its space.`;
  throw new AsOfError('ERR_STORAGE', message, { cause, details: { file: path } });
}
