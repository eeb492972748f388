// The catalog: one LMDB file with the manifest, passages by ordinal, ids and deleted ordinals. A
// commit is one transaction that is on disk when its promise resolves. It knows nothing of segment
// files but what the manifest says.
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
import { checkLmdbFile, checkLmdbPages, type LmdbFile } from './lmdbFile.js';
import type { Manifest } from './manifest.js';
import { readManifest } from './manifest.js';

/**
 * What the catalog keeps of an id: the passage's ordinal, how many sentences it has, and the hash
 * of its record.
 */
export interface IdEntry {
  ordinal: number;
  sentences: number;
  hash: Buffer;
}

/** A passage as it is stored: its record as JSON text. */
export interface NewPassage {
  key: Buffer;
  ordinal: number;
  sentences: number;
  hash: Buffer;
  record: string;
}

/** One transaction's worth of changes. */
export interface Changes {
  manifest: Manifest;
  added?: readonly NewPassage[];
  /** Passages that went: their ids where no new passage takes them. */
  deleted?: readonly { ordinal: number; key?: Buffer }[];
  /** Ordinals to be forgotten: their segment is gone. */
  forgotten?: Iterable<number>;
}

export const hashBytes = 16;

/**
 * LMDB's readers, and with them the size of its table, which it maps and writes to: the file beside
 * the catalog, whole on the disk before that.
 */
const maxReaders = 1022;
const readersBytes = 65_616;

interface Environment {
  root: RootDatabase<string, string>;
  manifest: Database<string, string>;
  passages: Database<string, number>;
  ids: Database<Buffer, Buffer>;
  deleted: Database<Buffer, number>;
  users: number;
  /** What was found of the file before it was opened. */
  found: LmdbFile;
  /** Of the mapping that LMDB reads: a page that could not be had since reads as zeros. */
  guard: GuardedFile;
  /** The file that is open, and the most that it was seen to hold: LMDB never makes it shorter. */
  file: { device: number; inode: number; bytes: number };
}

// LMDB must not be opened twice in a process: every corpus of this thread that lies at one path
// shares one environment.
const environments = new Map<string, Environment>();
const closing = new Map<string, Promise<void>>();

/**
 * A consistent view of the catalog, until done() is called. LMDB's own type is not named: its
 * declarations do not compile in a user's program.
 */
export interface ReadTransaction {
  done(): void;
}

export class Catalog {
  private constructor(
    private readonly path: string,
    private readonly environment: Environment,
  ) {}

  static exists(path: string): boolean {
    return existsSync(path);
  }

  /**
   * Opens the file; creates it where `create` is set. Throws ERR_CORPUS_FOREIGN or
   * ERR_CORPUS_CORRUPT for a file that is no LMDB.
   */
  static async open(path: string, create: boolean): Promise<Catalog> {
    const key = existsSync(path)
      ? realpathSync(path)
      : join(realpathSync(dirname(path)), basename(path));
    await closing.get(key);
    let environment = environments.get(key);
    if (!environment) {
      const found = await checkLmdbFile(path);
      if (found === 'none' && !create) {
        throw new AsOfError(
          'ERR_NOT_FOUND',
          `Expected a corpus at ${dirname(path)}, found none. Check the path, or open with create: true.`,
        );
      }
      // Another call may have opened it meanwhile.
      environment =
        environments.get(key) ?? openEnvironment(key, found, found !== 'none' && !writable(path));
      environments.set(key, environment);
    }
    environment.users += 1;
    return new Catalog(key, environment);
  }

  /**
   * Closes it; the promise resolves once the file is closed. Reads that hold a transaction must
   * have called done().
   */
  async close(): Promise<void> {
    const { path, environment } = this;
    environment.users -= 1;
    if (environment.users > 0) return;
    environments.delete(path);
    const closed = environment.root.close().finally(() => {
      environment.guard.release();
      closing.delete(path);
    });
    closing.set(path, closed);
    await closed;
  }

  /**
   * A view that later commits do not change. Cheap; it holds one of LMDB's reader slots, and old
   * pages, until done().
   */
  read(): ReadTransaction {
    return this.asked(({ root }) => {
      root.resetReadTxn();
      return root.useReadTransaction();
    });
  }

  generation(transaction: ReadTransaction): number {
    return this.asked(({ manifest }) => Number(manifest.get('generation', { transaction }) ?? -1));
  }

  manifest(transaction: ReadTransaction): Manifest {
    return readManifest(
      this.asked(({ manifest }) => manifest.get('manifest', { transaction })),
      dirname(this.path),
    );
  }

  hasManifest(transaction: ReadTransaction): boolean {
    return this.asked(({ manifest }) => manifest.get('manifest', { transaction })) !== undefined;
  }

  /** A passage's record as JSON text. */
  record(ordinal: number, transaction: ReadTransaction): string | undefined {
    return this.asked(({ passages }) => passages.get(ordinal, { transaction }));
  }

  /** The same as its UTF-8 bytes, a character for each: several times sooner had than the text. */
  recordBytes(ordinal: number, transaction: ReadTransaction): string | undefined {
    return this.asked((environment) => {
      const { passages } = environment as unknown as {
        passages: { getBinaryFast(key: number, options: object): Uint8Array | undefined };
      };
      const bytes = passages.getBinaryFast(ordinal, { transaction }); // LMDB's own, until the next are read
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    });
  }

  id(key: Buffer, transaction: ReadTransaction): IdEntry | undefined {
    return this.asked(({ ids }) => {
      const value = ids.get(key, { transaction });
      if (value === undefined) return undefined;
      if (value.length !== 8 + hashBytes) throw new Error(`an id's entry of ${value.length} bytes`);
      return {
        ordinal: value.readUInt32LE(0),
        sentences: value.readUInt32LE(4),
        hash: Buffer.from(value.subarray(8)),
      };
    });
  }

  /** Deleted ordinals in [start, end), ascending. */
  tombstones(start: number, end: number, transaction: ReadTransaction): number[] {
    return this.asked(({ deleted }) => [
      ...(deleted.getKeys({ start, end, transaction } as never) as Iterable<number>),
    ]);
  }

  counts(transaction: ReadTransaction): { passages: number; ids: number } {
    const count = (database: Database<never, never>): number =>
      database.getKeysCount({ transaction } as never);
    return this.asked(({ passages, ids }) => ({
      passages: count(passages as never),
      ids: count(ids as never),
    }));
  }

  /** Removes what readers that died have left in LMDB's table of readers. */
  removeStaleReaders(): void {
    this.environment.root.readerCheck();
  }

  /**
   * Looks at every page, where opening it did not: nothing is written over a damaged one. Throws
   * ERR_CORPUS_CORRUPT.
   */
  async checkWhole(signal?: AbortSignal): Promise<void> {
    if (this.environment.found !== 'branches') return;
    await checkLmdbPages(this.path, signal);
    this.environment.found = 'whole';
  }

  /** Every page, as it is now. Throws ERR_CORPUS_CORRUPT. */
  async verify(signal?: AbortSignal): Promise<void> {
    this.checkInPlace();
    await checkLmdbPages(this.path, signal);
  }

  /** Bytes of the file. */
  get bytes(): number {
    return this.checkInPlace();
  }

  /** Writes all changes or none; they are on disk once it resolves. */
  async commit(changes: Changes): Promise<void> {
    const { manifest, passages, ids, deleted, root } = this.environment;
    this.checkInPlace();
    const nothing = Buffer.alloc(0);
    try {
      // One batch is one transaction, written by another thread. Where it fails, the promise of
      // every change in it is rejected beside the batch's.
      await root.batch(() => {
        for (const { ordinal, key } of changes.deleted ?? []) {
          passages.remove(ordinal).catch(saidByBatch);
          deleted.put(ordinal, nothing).catch(saidByBatch);
          if (key) ids.remove(key).catch(saidByBatch);
        }
        for (const each of changes.added ?? []) {
          passages.put(each.ordinal, each.record).catch(saidByBatch);
          ids.put(each.key, idValue(each)).catch(saidByBatch);
        }
        for (const ordinal of changes.forgotten ?? []) deleted.remove(ordinal).catch(saidByBatch);
        manifest.put('manifest', JSON.stringify(changes.manifest)).catch(saidByBatch);
        manifest.put('generation', String(changes.manifest.generation)).catch(saidByBatch);
      });
    } catch (failure) {
      const cause = await commitFailure(failure);
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected to commit to ${this.path}, the system answered: ${String(cause)}. Check the disk's free space and rights, and repeat the call.`,
        { cause },
      );
    }
    this.checkInPlace(); // else nobody will find what was written
  }

  // What `read` gets of LMDB. What LMDB says of a damaged file, and what it reads where pages could
  // not be had, becomes ERR_CORPUS_CORRUPT.
  private asked<Result>(read: (environment: Environment) => Result): Result {
    const { environment } = this;
    let result: Result;
    try {
      result = read(environment);
    } catch (cause) {
      if (environment.guard.faulted)
        throw this.damaged('the system could not give a part of it', cause);
      const said = cause instanceof Error ? cause.message : String(cause);
      if (!saidOfSystem.test(said)) throw this.damaged(said, cause);
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected to read ${this.path}, the system answered: ${said}. ${remedyFor(said)}`,
        { cause },
      );
    }
    if (environment.guard.faulted) throw this.damaged('the system could not give a part of it');
    return result;
  }

  // That the path still leads to the file that is open, and nothing was cut off from it; gives its
  // bytes.
  private checkInPlace(): number {
    const { guard, file } = this.environment;
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (!found || found.ino !== file.inode || found.dev !== file.device) {
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected the catalog that was opened at ${this.path}, found ${found ? 'another' : 'none'}: it was ${found ? 'replaced' : 'removed'} ` +
          'while it was open. Close the corpus, put it back, and open it again.',
      );
    }
    if (guard.faulted || found.size < file.bytes)
      throw this.damaged(
        `it was cut from ${file.bytes} bytes to ${found.size}, or could not be read`,
      );
    file.bytes = found.size;
    return found.size;
  }

  private damaged(found: string, cause?: unknown): AsOfError {
    return new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a whole catalog at ${this.path}, found damage (${found}). Close the corpus, and restore it from a backup or index it again.`,
      cause === undefined ? {} : { cause },
    );
  }
}

/**
 * What LMDB says where not its file but its surroundings are at fault: the rest of what reading it
 * throws is of damage.
 */
const saidOfSystem =
  /READERS_FULL|TLS_FULL|MAP_RESIZED|Cannot allocate|No such file|Permission|Too many open|closed/i;

function remedyFor(said: string): string {
  if (/READERS_FULL/.test(said))
    return `At most ${maxReaders} views of a corpus may be open at once, over all processes: release snapshots.`;
  return 'Check memory, open files and rights, and open the corpus again.';
}

const saidByBatch = (): void => {};

/**
 * Why a commit failed: LMDB's error has it in a promise of its own, which is rejected at about the
 * same time.
 */
async function commitFailure(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<unknown> };
  const reason = await Promise.race([
    commitError?.catch((error: unknown) => error),
    new Promise((resolve) => setTimeout(resolve, 100)),
  ]);
  return reason ?? failure;
}

function idValue({ ordinal, sentences, hash }: NewPassage): Buffer {
  const value = Buffer.alloc(8 + hashBytes);
  value.writeUInt32LE(ordinal, 0);
  value.writeUInt32LE(sentences, 4);
  hash.copy(value, 8);
  return value;
}

function openEnvironment(path: string, found: LmdbFile, readOnly: boolean): Environment {
  let root: RootDatabase<string, string>;
  checkHandles(dirname(path));
  if (!readOnly) binding.allocateFile(`${path}-lock`, readersBytes);
  try {
    // With overlappingSync a commit would be visible, and acknowledged, before it is on disk. With
    // eventTurnBatching LMDB puts each batch into one of its own, whose promise nobody gets and
    // which a full disk rejects.
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
      `Expected a corpus of asof's at ${dirname(path)}, found a catalog that does not open: ${String(cause)}. Check the path.`,
      { cause },
    );
  }
  try {
    // Looked at before databases are opened, which would make them: a file of someone else's stays
    // as it is.
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
      `Expected a corpus of asof's at ${dirname(path)}, found a database of another kind (${String(cause)}). Check the path.`,
      { cause },
    );
  }
}

/**
 * That this process may have as many more files open as LMDB needs: where it cannot open one of
 * them, lmdb 3.5.6 ends the process.
 */
function checkHandles(folder: string): void {
  const handles: number[] = [];
  try {
    while (handles.length < 6) handles.push(openSync(folder, 'r'));
  } catch (cause) {
    // a folder that may not be read: LMDB asks for its files alone
    if (!/^E[MN]FILE$/.test(String((cause as NodeJS.ErrnoException).code))) return;
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to open the catalog in ${folder}, the system answered: ${(cause as Error).message}. ` +
        'Close some corpora, or raise the limit (ulimit -n).',
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
