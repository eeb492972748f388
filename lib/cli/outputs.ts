// Output files: a check that they can be written, before long work, and atomic writes.
import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AsOfError, throwIfAborted } from '../errors.js';
import { replaceFile } from '../runtime/replaceFile.js';

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
  await access(written, constants.W_OK).catch((cause: unknown) => refuse(path, cause));
}

/**
 * Creates a work folder if missing.
 * @throws AsOfError ERR_STORAGE if it cannot be written, before the work begins.
 */
export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
    .then(() => access(path, constants.W_OK))
    .catch((cause: unknown) => refuse(path, cause));
}

/**
 * Replaces a file atomically; writes to a pipe or device directly.
 * @throws AsOfError ERR_STORAGE, with the former file in place; ERR_ABORTED.
 */
export async function writeOutput(path: string, text: string, signal?: AbortSignal): Promise<void> {
  const temporary = await temporaryPath(path);
  try {
    await writeFile(temporary, text, signal ? { signal } : {});
    if (temporary !== path) await replaceFile(temporary, path);
  } catch (cause) {
    if (temporary !== path) await rm(temporary, { force: true });
    throwIfAborted(signal);
    refuse(path, cause, temporary);
  }
}

/** Where a file is written before it is renamed; the path itself for a pipe or device. */
export async function temporaryPath(path: string): Promise<string> {
  const target = await stat(path).catch(() => undefined);
  return !target || target.isFile() ? `${path}.${process.pid}.part` : path;
}

/** @throws AsOfError ERR_STORAGE, always. */
export function refuse(path: string, cause: unknown, temporary = path): never {
  const reason = cause instanceof Error ? cause.message.replace(temporary, path) : String(cause);
  const message =
    `Expected to write ${path}, the system refused: ${reason}. ` +
    'Check the folder, its permissions and the free space.';
  throw new AsOfError('ERR_STORAGE', message, { cause, details: { file: path } });
}
