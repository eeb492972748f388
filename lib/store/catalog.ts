// The catalog: one LMDB file with the manifest, passages by ordinal, ids and deleted ordinals. A commit is one transaction
// that is on disk when its promise resolves. It knows nothing of segment files but what the manifest says.
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { AsOfError } from '../errors.js';
import { checkLmdbFile } from './lmdbFile.js';
import type { Manifest } from './manifest.js';
import { readManifest } from './manifest.js';

/** What the catalog keeps of an id: the passage's ordinal, how many sentences it has, and the hash of its record. */
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

interface Environment {
  root: RootDatabase<string, string>;
  manifest: Database<string, string>;
  passages: Database<string, number>;
  ids: Database<Buffer, Buffer>;
  deleted: Database<Buffer, number>;
  users: number;
}

// LMDB must not be opened twice in a process: every corpus of this thread that lies at one path shares one environment.
const environments = new Map<string, Environment>();
const closing = new Map<string, Promise<void>>();

/** A consistent view of the catalog, until done() is called. LMDB's own type is not named: its declarations do not compile in a user's program. */
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

  /** Opens the file; creates it where `create` is set. Throws ERR_CORPUS_FOREIGN or ERR_CORPUS_CORRUPT for a file that is no LMDB. */
  static async open(path: string, create: boolean): Promise<Catalog> {
    const key = existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
    await closing.get(key);
    let environment = environments.get(key);
    if (!environment) {
      const known = checkLmdbFile(path);
      if (!known && !create) {
        throw new AsOfError('ERR_NOT_FOUND', `Expected a corpus at ${dirname(path)}, found none. Check the path, or open with create: true.`);
      }
      environment = openEnvironment(key, known && !writable(path));
      environments.set(key, environment);
    }
    environment.users += 1;
    return new Catalog(key, environment);
  }

  /** Closes it; the promise resolves once the file is closed. Reads that hold a transaction must have called done(). */
  async close(): Promise<void> {
    const { path, environment } = this;
    environment.users -= 1;
    if (environment.users > 0) return;
    environments.delete(path);
    const closed = environment.root.close().finally(() => closing.delete(path));
    closing.set(path, closed);
    await closed;
  }

  /** A view that later commits do not change. Cheap; it holds one of LMDB's reader slots, and old pages, until done(). */
  read(): ReadTransaction {
    this.environment.root.resetReadTxn();
    return this.environment.root.useReadTransaction();
  }

  generation(transaction: ReadTransaction): number {
    return Number(this.environment.manifest.get('generation', { transaction }) ?? -1);
  }

  manifest(transaction: ReadTransaction): Manifest {
    return readManifest(this.environment.manifest.get('manifest', { transaction }), dirname(this.path));
  }

  hasManifest(transaction: ReadTransaction): boolean {
    return this.environment.manifest.get('manifest', { transaction }) !== undefined;
  }

  /** A passage's record as JSON text. */
  record(ordinal: number, transaction: ReadTransaction): string | undefined {
    return this.environment.passages.get(ordinal, { transaction });
  }

  /** The same as its UTF-8 bytes, a character for each: several times sooner had than the text. */
  recordBytes(ordinal: number, transaction: ReadTransaction): string | undefined {
    const { passages } = this.environment as unknown as { passages: { getBinaryFast(key: number, options: object): Uint8Array | undefined } };
    const bytes = passages.getBinaryFast(ordinal, { transaction }); // LMDB's own, until the next are read
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  }

  id(key: Buffer, transaction: ReadTransaction): IdEntry | undefined {
    const value = this.environment.ids.get(key, { transaction });
    return value === undefined
      ? undefined
      : { ordinal: value.readUInt32LE(0), sentences: value.readUInt32LE(4), hash: Buffer.from(value.subarray(8)) };
  }

  /** Deleted ordinals in [start, end), ascending. */
  deletedOrdinals(start: number, end: number, transaction: ReadTransaction): Iterable<number> {
    return this.environment.deleted.getKeys({ start, end, transaction } as never);
  }

  counts(transaction: ReadTransaction): { passages: number; ids: number } {
    const count = (database: Database<never, never>): number => database.getKeysCount({ transaction } as never);
    return { passages: count(this.environment.passages as never), ids: count(this.environment.ids as never) };
  }

  /** Removes what readers that died have left in LMDB's table of readers. */
  removeStaleReaders(): void {
    this.environment.root.readerCheck();
  }

  /** Writes all changes or none; they are on disk once it resolves. */
  async commit(changes: Changes): Promise<void> {
    const { manifest, passages, ids, deleted, root } = this.environment;
    const nothing = Buffer.alloc(0);
    try {
      // One batch is one transaction, written by another thread.
      await root.batch(() => {
        for (const { ordinal, key } of changes.deleted ?? []) {
          void passages.remove(ordinal);
          void deleted.put(ordinal, nothing);
          if (key) void ids.remove(key);
        }
        for (const each of changes.added ?? []) {
          void passages.put(each.ordinal, each.record);
          void ids.put(each.key, idValue(each));
        }
        for (const ordinal of changes.forgotten ?? []) void deleted.remove(ordinal);
        void manifest.put('manifest', JSON.stringify(changes.manifest));
        void manifest.put('generation', String(changes.manifest.generation));
      });
    } catch (cause) {
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected to commit to ${this.path}, the system answered: ${String(cause)}. Check the disk's free space and rights.`,
        { cause },
      );
    }
  }
}

function idValue({ ordinal, sentences, hash }: NewPassage): Buffer {
  const value = Buffer.alloc(8 + hashBytes);
  value.writeUInt32LE(ordinal, 0);
  value.writeUInt32LE(sentences, 4);
  hash.copy(value, 8);
  return value;
}

function openEnvironment(path: string, readOnly: boolean): Environment {
  let root: RootDatabase<string, string>;
  try {
    // With overlappingSync a commit would be visible, and acknowledged, before it is on disk.
    root = open<string, string>({ path, noSubdir: true, overlappingSync: false, maxDbs: 8, maxReaders: 1022, readOnly, encoding: 'string' });
  } catch (cause) {
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected a corpus of asof's at ${dirname(path)}, found a catalog that does not open: ${String(cause)}. Check the path.`,
      { cause },
    );
  }
  try {
    // Looked at before databases are opened, which would make them: a file of someone else's stays as it is.
    const names = [...root.getKeys()];
    if (names.length > 0 && !names.includes('manifest')) throw new Error(`it holds ${JSON.stringify(names.slice(0, 3))}`);
    return {
      root,
      manifest: root.openDB('manifest', { encoding: 'string' }),
      passages: root.openDB('passages', { encoding: 'string', keyEncoding: 'uint32' }),
      ids: root.openDB('ids', { encoding: 'binary', keyEncoding: 'binary' }),
      deleted: root.openDB('deleted', { encoding: 'binary', keyEncoding: 'uint32' }),
      users: 0,
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

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
