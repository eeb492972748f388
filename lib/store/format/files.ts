// Operations on files of the store, with one form of error.
import { dirname, join } from 'node:path';
import type { OutputFile, Segment } from '../../../binding.js';
import { AsOfError, throwIfAborted } from '../../errors.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { whileInUse } from '../../runtime/atomicFile.js';
import { fileSystem } from './fileSystem.js';

/** Bytes read at once. */
const pieceBytes = 1 << 16;

/**
 * Whether an error leaves open which names are on disk: of a folder's sync, or of a rename that the
 * system did not plainly refuse. A new file whose sync failed is written again.
 */
export const leavesDoubt = (error: unknown): error is AsOfError =>
  AsOfError.is(error) && error.details['durability'] === 'unknown';

/** A file's content up to a length; undefined if there is none. @throws AsOfError ERR_STORAGE */
export function readFile(path: string, bytes: number): Buffer | undefined {
  try {
    const descriptor = fileSystem.open(path, 'read');
    try {
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes; ) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes - at));
        const length = fileSystem.read(descriptor, piece, at);
        if (length === 0) break;
        pieces.push(piece.subarray(0, length));
        at += length;
      }
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    } finally {
      fileSystem.close(descriptor);
    }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw storageError('read', path, cause, 'Check its permissions and the limit of open files.');
  }
}

/** A file that is written but may be lost in a power cut until `syncFiles`. */
export class NewFile implements OutputFile {
  private isOpen = true;

  private constructor(
    readonly path: string,
    readonly descriptor: number,
  ) {}

  /**
   * Writes a file, by the addon, from memory or in pieces. An existing one of its name is replaced
   * and not written to, since a backup may have it under another name.
   * @throws AsOfError ERR_STORAGE, and what the addon or the pieces throw
   */
  static async write(
    path: string,
    content:
      | string
      | Uint8Array
      | AsyncIterable<Uint8Array>
      | ((file: OutputFile) => Promise<void>),
  ): Promise<NewFile> {
    let file: NewFile | undefined;
    try {
      removeFile(path); // left from a crash
      file = new NewFile(path, fileSystem.open(path, 'create'));
      if (typeof content === 'function') await fileSystem.fill(file, content);
      else if (typeof content === 'string') file.append(Buffer.from(content));
      else if (content instanceof Uint8Array) file.append(content);
      else for await (const piece of content) file.append(piece);
      return file;
    } catch (cause) {
      file?.discard();
      throw AsOfError.is(cause) ? cause : storageError('write', path, cause, diskRemedy);
    }
  }

  async sync(): Promise<void> {
    try {
      await fileSystem.sync(this.descriptor);
    } catch (cause) {
      throw storageError('sync', this.path, cause, diskRemedy);
    }
  }

  close(): void {
    if (this.isOpen) fileSystem.close(this.descriptor);
    this.isOpen = false;
  }

  discard(): void {
    this.close();
    removeFile(this.path);
  }

  /** Kilobytes into the page cache: only the sync waits for the disk. */
  private append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; )
      done += fileSystem.write(this.descriptor, bytes.subarray(done));
  }
}

/** A file open for reading; its content stays when its name is gone. Close it when done. */
export class OpenFile {
  private constructor(
    readonly path: string,
    private readonly descriptor: number,
    readonly bytes: number,
    private readonly identity: string,
  ) {}

  /** Undefined if there is none. @throws AsOfError ERR_STORAGE */
  static open(path: string): OpenFile | undefined {
    try {
      const descriptor = fileSystem.open(path, 'read');
      const { bytes, identity } = fileSystem.status(descriptor);
      return new OpenFile(path, descriptor, bytes, identity);
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return undefined;
      throw storageError('open', path, cause, 'Check its permissions and the limit of open files.');
    }
  }

  /** Bytes [offset, offset + count), fewer at the end of the file. @throws AsOfError ERR_STORAGE */
  read(offset: number, count: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(count, this.bytes - offset)));
    try {
      let done = 0;
      for (let length = 1; done < bytes.length && length > 0; done += length)
        length = fileSystem.read(this.descriptor, bytes.subarray(done), offset + done);
      return bytes.subarray(0, done);
    } catch (cause) {
      throw storageError('read', this.path, cause, 'Check the disk.');
    }
  }

  /** All of it, in pieces. @throws AsOfError ERR_STORAGE, ERR_ABORTED */
  async *pieces(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.bytes; ) {
      await yieldToEventLoop();
      throwIfAborted(signal);
      const piece = this.read(at, pieceBytes);
      if (piece.length === 0) throw endsEarly(this.path, at);
      yield piece;
      at += piece.length;
    }
  }

  /** Whether both have the same bytes. @throws AsOfError ERR_STORAGE, ERR_ABORTED */
  async hasContentOf(other: OpenFile, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.identity === other.identity) return true;
    if (this.bytes !== other.bytes) return false;
    let at = 0;
    for await (const piece of this.pieces(signal)) {
      if (!other.read(at, piece.length).equals(piece)) return false;
      at += piece.length;
    }
    return true;
  }

  /**
   * Gives the file one more name. False where the system refuses (another file system, or one
   * without hard links), or where its own name is gone or is another file's by now.
   */
  linkTo(path: string): boolean {
    try {
      fileSystem.link(this.path, path);
    } catch {
      return false;
    }
    if (fileSystem.stat(path)?.identity === this.identity) return true;
    removeFile(path);
    return false;
  }

  close(): void {
    fileSystem.close(this.descriptor);
  }
}

/**
 * Makes files and names in their folder durable, all at once: a journal commits them together.
 * Closes the files.
 */
export async function syncFiles(files: readonly NewFile[], folder?: string): Promise<void> {
  // The folder's failure comes first: it is the one that leaves doubt.
  const syncs = folder === undefined ? [] : [syncFolder(folder)];
  const results = await Promise.allSettled([...syncs, ...files.map((file) => file.sync())]);
  for (const file of files) file.close();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** A reader sees the one file or the other, and so does whoever comes after a power cut. */
export async function renameFile(from: string, to: string): Promise<void> {
  try {
    await whileInUse(() => fileSystem.rename(from, to));
  } catch (cause) {
    if (/^(?:EACCES|EBUSY|EDQUOT|ENFILE|EMFILE|ENOENT|ENOSPC|EPERM|EROFS)$/.test(codeOf(cause)))
      throw storageError('rename', from, cause, diskRemedy);
    throw doubtfulError('rename', from, cause);
  }
  await syncFolder(dirname(to));
}

/** Makes the names of a folder's files durable. */
export async function syncFolder(path: string): Promise<void> {
  let descriptor: number;
  try {
    descriptor = fileSystem.open(path, 'folder');
  } catch (cause) {
    // An unreadable folder cannot be synced: durability of names is the system's.
    if (/^(?:EACCES|EPERM|EISDIR)$/.test(codeOf(cause))) return;
    throw storageError('open', path, cause, diskRemedy);
  }
  try {
    await fileSystem.sync(descriptor);
  } catch (cause) {
    // Some file systems cannot sync folders.
    if (!/^(?:EINVAL|ENOTSUP|EBADF|EPERM|EISDIR)$/.test(codeOf(cause)))
      throw doubtfulError('sync', path, cause);
  } finally {
    fileSystem.close(descriptor);
  }
}

/** Makes the names on the way to a path durable. */
export async function syncParents(path: string): Promise<void> {
  const parent = dirname(path);
  await syncFolder(parent);
  if (parent !== path) await syncParents(parent);
}

/** Removes a file if it is there. False if it cannot be removed: it stays as an orphan. */
export function removeFile(path: string): boolean {
  try {
    fileSystem.remove(path);
    return true;
  } catch (cause) {
    return codeOf(cause) === 'ENOENT';
  }
}

/** Names in a folder; undefined if there is none. @throws AsOfError ERR_STORAGE */
export function fileNames(path: string): string[] | undefined {
  try {
    return fileSystem.list(path);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw storageError('list', path, cause, 'Check its permissions.');
  }
}

/** Maps a segment file. @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_CORRUPT, ERR_STORAGE */
export const mapFile = (path: string): Segment => fileSystem.map(path);

/**
 * Maps a file that `write` writes, of no name any more: a mapping outlives it.
 * @throws AsOfError ERR_STORAGE, and what the addon throws
 */
export async function mapTemporaryFile(
  write: (file: OutputFile) => Promise<void>,
): Promise<Segment> {
  let folder: string;
  try {
    folder = fileSystem.makeTemporaryFolder();
  } catch (cause) {
    throw storageError('create', 'a temporary folder', cause, diskRemedy);
  }
  try {
    const file = await NewFile.write(join(folder, 'file'), write);
    try {
      return fileSystem.map(file.path, true);
    } finally {
      file.discard();
    }
  } finally {
    try {
      fileSystem.removeFolder(folder);
    } catch {
      // An empty folder of the system's temporary ones stays.
    }
  }
}

/** Size in bytes; 0 if there is no such file. */
export const fileBytes = (path: string): number => fileSystem.stat(path)?.bytes ?? 0;

/** A path without symbolic links, as far as it exists. */
export const realPath = (path: string): string => fileSystem.realPath(path);

/** ERR_CORPUS_CORRUPT, as of every file and section that is not what was written. */
export const corrupt = (expected: string, found: string, cause?: unknown): AsOfError =>
  new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected ${expected}, found ${found}. Restore the corpus from a backup, or run asof repair.`,
    { cause },
  );

const endsEarly = (path: string, at: number): AsOfError =>
  new AsOfError('ERR_STORAGE', `Expected to read ${path}, it ended after ${at} bytes.`);

const diskRemedy =
  "Check the disk's free space and rights and the limit of open files, and repeat the call.";

const codeOf = (cause: unknown): string => String((cause as NodeJS.ErrnoException).code);

function storageError(
  operation: string,
  path: string,
  cause: unknown,
  remedy: string,
  details: { durability?: 'unknown' } = {},
): AsOfError {
  return new AsOfError(
    'ERR_STORAGE',
    `Expected to ${operation} ${path}, the system answered: ${(cause as Error).message}. ${remedy}`,
    { cause, details: { operation, path, ...details } },
  );
}

const doubtfulError = (operation: string, path: string, cause: unknown): AsOfError =>
  storageError(operation, path, cause, 'Check the disk.', { durability: 'unknown' });
