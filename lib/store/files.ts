// File operations of the store. All go through this layer, with one form of error; segments are
// written and mapped by the addon.
import {
  closeSync,
  fsync,
  openSync,
  readFileSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { AsOfError } from '../errors.js';

/**
 * Whether an error leaves open what is on disk: of a sync or a rename, here or in the addon, whose
 * messages begin alike.
 */
export const leavesDoubt = (error: unknown): error is AsOfError =>
  AsOfError.is(error) &&
  error.code === 'ERR_STORAGE' &&
  /^Expected to (?:sync|rename) /.test(error.message);

/**
 * The content of a file, or its first bytes; undefined if there is none.
 * @throws AsOfError ERR_STORAGE
 */
export function readFile(path: string, bytes?: number): Buffer | undefined {
  try {
    if (bytes === undefined) return readFileSync(path);
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(bytes);
      return head.subarray(0, readSync(file, head, 0, bytes, 0));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw storageError('read', path, cause, 'Check its permissions and the limit of open files.');
  }
}

const sync = promisify(fsync);

/** Writes a new file and syncs it; an existing one of its name is replaced. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<void> {
  let operation: 'write' | 'sync' = 'write';
  try {
    const file = openSync(path, 'w');
    try {
      // Kilobytes into the page cache: only the sync waits for the disk.
      writeFileSync(file, content);
      operation = 'sync';
      await sync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    removeFile(path);
    throw storageError(operation, path, cause, diskRemedy);
  }
}

/**
 * Replaces a file by another content at once: a reader sees the one or the other, and so does
 * whoever comes after a power cut.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const next = `${path}.next`;
  await writeFile(next, content);
  try {
    renameSync(next, path);
  } catch (cause) {
    throw storageError('rename', next, cause, diskRemedy);
  }
  await syncFolder(dirname(path));
}

/** Makes the names of a folder's files durable. */
export async function syncFolder(path: string): Promise<void> {
  let folder: number;
  try {
    folder = openSync(path, 'r');
  } catch {
    return; // An unreadable folder cannot be synced: durability of names is the system's.
  }
  try {
    await sync(folder);
  } catch (cause) {
    // Some file systems cannot sync folders.
    if (!/^(?:EINVAL|ENOTSUP|EBADF|EPERM|EISDIR)$/.test(codeOf(cause)))
      throw storageError('sync', path, cause, diskRemedy);
  } finally {
    closeSync(folder);
  }
}

/** Removes a file if it is there; a file that cannot be removed stays as an orphan. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Mapped by a reader on a system that keeps such files; the next writer tries again.
  }
}

/** Names in a folder; undefined if there is none. @throws AsOfError ERR_STORAGE */
export function fileNames(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw storageError('list', path, cause, 'Check its permissions.');
  }
}

/** Size in bytes; 0 if there is no such file. */
export const fileBytes = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const diskRemedy = "Check the disk's free space and rights, and repeat the call.";

const codeOf = (cause: unknown): string => String((cause as NodeJS.ErrnoException).code);

function storageError(operation: string, path: string, cause: unknown, remedy: string): AsOfError {
  return new AsOfError(
    'ERR_STORAGE',
    `Expected to ${operation} ${path}, the system answered: ${(cause as Error).message}. ${remedy}`,
    { cause },
  );
}
