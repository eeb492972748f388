// LMDB environments of this thread: one for each catalog file, shared by every corpus that has it
// open, since LMDB must not be opened twice in a process.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { binding } from '../binding.js';
import type { GuardedFile } from '../../binding.js';
import { AsOfError } from '../errors.js';
import { checkLmdbFile, type LmdbFile } from './lmdbFile.js';

/** LMDB's reader slots: open transactions over all processes. */
export const maxReaders = 1022;
/** Bytes of the reader table for these, which LMDB maps: allocated on disk before it is opened. */
const readerTableBytes = 65_616;

export interface Environment {
  root: RootDatabase<string, string>;
  manifest: Database<string, string>;
  passages: Database<string, number>;
  ids: Database<Buffer, Buffer>;
  deleted: Database<Buffer, number>;
  /** Open catalogs. */
  users: number;
  /** State of the file before it was opened. */
  found: LmdbFile;
  /** Guards LMDB's mapping: pages that cannot be read any more read as zeros. */
  guard: GuardedFile;
  /** The open file, and the largest size that was seen: LMDB never shortens it. */
  file: { device: number; inode: number; bytes: number };
}

/** Reference-counted environments by the real path of their file. */
class EnvironmentPool {
  private readonly open = new Map<string, Environment>();
  private readonly closing = new Map<string, Promise<void>>();

  /**
   * Opens the file, or counts one more user of it; creates it with `create`.
   * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_CORRUPT, ERR_STORAGE
   */
  async acquire(
    path: string,
    create: boolean,
  ): Promise<{ path: string; environment: Environment }> {
    const key = existsSync(path)
      ? realpathSync(path)
      : join(realpathSync(dirname(path)), basename(path));
    await this.closing.get(key);
    let environment = this.open.get(key);
    if (!environment) {
      const found = await checkLmdbFile(path);
      if (found === 'none' && !create) {
        throw new AsOfError(
          'ERR_NOT_FOUND',
          `Expected a corpus at ${dirname(path)}, found none. ` +
            'Check the path, or open with create: true.',
        );
      }
      // A concurrent call may have opened it during the check.
      environment =
        this.open.get(key) ?? openEnvironment(key, found, found !== 'none' && !writable(path));
      this.open.set(key, environment);
    }
    environment.users += 1;
    return { path: key, environment };
  }

  /** Counts one user less; closes the file after the last. */
  async release(path: string, environment: Environment): Promise<void> {
    environment.users -= 1;
    if (environment.users > 0) return;
    this.open.delete(path);
    const closed = environment.root.close().finally(() => {
      environment.guard.release();
      this.closing.delete(path);
    });
    this.closing.set(path, closed);
    await closed;
  }
}

export const environments = new EnvironmentPool();

function openEnvironment(path: string, found: LmdbFile, readOnly: boolean): Environment {
  let root: RootDatabase<string, string>;
  checkHandles(dirname(path));
  if (!readOnly) binding.allocateFile(`${path}-lock`, readerTableBytes);
  try {
    // overlappingSync would acknowledge a commit before it is on disk. eventTurnBatching would put
    // each batch into one of LMDB's own, whose promise nobody handles and which a full disk
    // rejects.
    root = open<string, string>({
      path,
      noSubdir: true,
      overlappingSync: false,
      eventTurnBatching: false,
      maxDbs: 8,
      maxReaders,
      readOnly,
      encoding: 'string',
    });
  } catch (cause) {
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected an asof corpus at ${dirname(path)}, found a catalog that does not open: ` +
        `${String(cause)}. Check the path.`,
      { cause },
    );
  }
  try {
    // Checked before openDB, which would create databases in a foreign file.
    const names = [...root.getKeys()];
    if (names.length > 0 && !names.includes('manifest'))
      throw new Error(`it holds ${JSON.stringify(names.slice(0, 3))}`);
    const { dev, ino, size } = statSync(path);
    return {
      root,
      manifest: root.openDB('manifest', { encoding: 'string' }),
      passages: root.openDB('passages', { encoding: 'string', keyEncoding: 'uint32' }),
      ids: root.openDB('ids', { encoding: 'binary', keyEncoding: 'binary' }),
      deleted: root.openDB('deleted', { encoding: 'binary', keyEncoding: 'uint32' }),
      users: 0,
      found,
      guard: new binding.GuardedFile(path),
      file: { device: dev, inode: ino, bytes: size },
    };
  } catch (cause) {
    void root.close();
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected an asof corpus at ${dirname(path)}, found a database of another kind ` +
        `(${String(cause)}). Check the path.`,
      { cause },
    );
  }
}

/**
 * Checks that this process may open as many files as LMDB needs: lmdb 3.5.6 ends the process if it
 * cannot open one of them.
 */
function checkHandles(folder: string): void {
  const handles: number[] = [];
  try {
    while (handles.length < 6) handles.push(openSync(folder, 'r'));
  } catch (cause) {
    // An unreadable folder is no obstacle: LMDB opens its files only.
    if (!/^E[MN]FILE$/.test(String((cause as NodeJS.ErrnoException).code))) return;
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to open the catalog in ${folder}, the system answered: ` +
        `${(cause as Error).message}. Close other corpora, or raise the limit (ulimit -n).`,
      { cause },
    );
  } finally {
    for (const each of handles) closeSync(each);
  }
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
