// Catalog: one LMDB file with the manifest, records by ordinal, ids and tombstones. A commit is one
// transaction, on disk when its promise resolves.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'lmdb';
import { AsOfError } from '../errors.js';
import { environments, maxReaders, type Environment } from './lmdbEnvironment.js';
import { checkLmdbPages } from './lmdbFile.js';
import type { Manifest } from './manifest.js';
import { readManifest } from './manifest.js';

/** Entry of an id: the passage's ordinal, its number of sentences, the hash of its record. */
export interface IdEntry {
  ordinal: number;
  sentences: number;
  hash: Buffer;
}

/** A passage to store; `record` is JSON text. */
export interface NewPassage {
  key: Buffer;
  ordinal: number;
  sentences: number;
  hash: Buffer;
  record: string;
}

/** Changes of one transaction. */
export interface Changes {
  manifest: Manifest;
  added?: readonly NewPassage[];
  /** Tombstones to add; `key` removes the id too, unless a new passage takes it. */
  deleted?: readonly { ordinal: number; key?: Buffer }[];
  /** Tombstones to remove: their segment was merged away. */
  forgotten?: Iterable<number>;
}

export const hashBytes = 16;

/**
 * A consistent view of the catalog, until done() is called. Stands in for LMDB's type, whose
 * declarations do not compile in users' programs.
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
   * Opens the file; creates it with `create`.
   * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_CORRUPT, ERR_STORAGE
   */
  static async open(path: string, create: boolean): Promise<Catalog> {
    const { path: realPath, environment } = await environments.acquire(path, create);
    return new Catalog(realPath, environment);
  }

  /** Resolves once the file is closed. All read transactions must be done. */
  async close(): Promise<void> {
    await environments.release(this.path, this.environment);
  }

  /** Opens a read transaction. It holds a reader slot and old pages until done(). */
  read(): ReadTransaction {
    return this.readEnvironment(({ root }) => {
      root.resetReadTxn();
      return root.useReadTransaction();
    });
  }

  generation(transaction: ReadTransaction): number {
    return this.readEnvironment(({ manifest }) =>
      Number(manifest.get('generation', { transaction }) ?? -1),
    );
  }

  manifest(transaction: ReadTransaction): Manifest {
    return readManifest(
      this.readEnvironment(({ manifest }) => manifest.get('manifest', { transaction })),
      dirname(this.path),
    );
  }

  hasManifest(transaction: ReadTransaction): boolean {
    return (
      this.readEnvironment(({ manifest }) => manifest.get('manifest', { transaction })) !==
      undefined
    );
  }

  /** A passage's record as JSON text. */
  record(ordinal: number, transaction: ReadTransaction): string | undefined {
    return this.readEnvironment(({ passages }) => passages.get(ordinal, { transaction }));
  }

  /** The record's UTF-8 bytes, one character each: several times faster than decoding them. */
  recordBytes(ordinal: number, transaction: ReadTransaction): string | undefined {
    return this.readEnvironment((environment) => {
      const { passages } = environment as unknown as {
        passages: { getBinaryFast(key: number, options: object): Uint8Array | undefined };
      };
      // LMDB's buffer, valid until the next read
      const bytes = passages.getBinaryFast(ordinal, { transaction });
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    });
  }

  id(key: Buffer, transaction: ReadTransaction): IdEntry | undefined {
    return this.readEnvironment(({ ids }) => {
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
    return this.readEnvironment(({ deleted }) => [
      ...(deleted.getKeys({ start, end, transaction }) as Iterable<number>),
    ]);
  }

  counts(transaction: ReadTransaction): { passages: number; ids: number } {
    const count = (database: Database<never, never>): number =>
      database.getKeysCount({ transaction });
    return this.readEnvironment(({ passages, ids }) => ({
      passages: count(passages as never),
      ids: count(ids as never),
    }));
  }

  /** Frees the reader slots of processes that died. */
  removeStaleReaders(): void {
    this.environment.root.readerCheck();
  }

  /**
   * Checks every page, unless opening did, so that nothing is written over a damaged one.
   * @throws AsOfError ERR_CORPUS_CORRUPT
   */
  async checkIntegrity(signal?: AbortSignal): Promise<void> {
    if (this.environment.found !== 'branches') return;
    await checkLmdbPages(this.path, signal);
    this.environment.found = 'whole';
  }

  /** Checks every page. @throws AsOfError ERR_CORPUS_CORRUPT */
  async verify(signal?: AbortSignal): Promise<void> {
    this.checkInPlace();
    await checkLmdbPages(this.path, signal);
  }

  /** Size of the file in bytes. */
  get bytes(): number {
    return this.checkInPlace();
  }

  /** Writes all changes or none; they are on disk once it resolves. */
  async commit(changes: Changes): Promise<void> {
    const { manifest, passages, ids, deleted, root } = this.environment;
    this.checkInPlace();
    const nothing = Buffer.alloc(0);
    try {
      // One batch is one transaction, written by another thread. If it fails, LMDB rejects the
      // promise of every change as well as the batch's.
      await root.batch(() => {
        for (const { ordinal, key } of changes.deleted ?? []) {
          passages.remove(ordinal).catch(reportedByBatch);
          deleted.put(ordinal, nothing).catch(reportedByBatch);
          if (key) ids.remove(key).catch(reportedByBatch);
        }
        for (const each of changes.added ?? []) {
          passages.put(each.ordinal, each.record).catch(reportedByBatch);
          ids.put(each.key, idValue(each)).catch(reportedByBatch);
        }
        for (const ordinal of changes.forgotten ?? [])
          deleted.remove(ordinal).catch(reportedByBatch);
        manifest.put('manifest', JSON.stringify(changes.manifest)).catch(reportedByBatch);
        manifest.put('generation', String(changes.manifest.generation)).catch(reportedByBatch);
      });
    } catch (failure) {
      const cause = await commitFailure(failure);
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected to commit to ${this.path}, the system answered: ${String(cause)}. ` +
          "Check the disk's free space and rights, and repeat the call.",
        { cause },
      );
    }
    this.checkInPlace(); // a commit to a file that was moved away is lost
  }

  /** Runs a read; LMDB's errors on a damaged file, and unreadable pages, are ERR_CORPUS_CORRUPT. */
  private readEnvironment<Result>(read: (environment: Environment) => Result): Result {
    const { environment } = this;
    let result: Result;
    try {
      result = read(environment);
    } catch (cause) {
      if (environment.guard.faulted) throw this.damaged('a part of it is unreadable', cause);
      const message = cause instanceof Error ? cause.message : String(cause);
      if (!systemError.test(message)) throw this.damaged(message, cause);
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected to read ${this.path}, the system answered: ${message}. ${remedyFor(message)}`,
        { cause },
      );
    }
    if (environment.guard.faulted) throw this.damaged('a part of it is unreadable');
    return result;
  }

  /**
   * Checks that the path still names the open file and that it did not shrink; returns its size.
   */
  private checkInPlace(): number {
    const { guard, file } = this.environment;
    const stat = statSync(this.path, { throwIfNoEntry: false });
    if (!stat || stat.ino !== file.inode || stat.dev !== file.device) {
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected the catalog that was opened at ${this.path}, found ${stat ? 'another' : 'none'}: ` +
          `it was ${stat ? 'replaced' : 'removed'} while it was open. ` +
          'Close the corpus, put it back, and open it again.',
      );
    }
    if (guard.faulted || stat.size < file.bytes)
      throw this.damaged(
        `it was truncated from ${file.bytes} bytes to ${stat.size}, or is unreadable`,
      );
    file.bytes = stat.size;
    return stat.size;
  }

  private damaged(fault: string, cause?: unknown): AsOfError {
    return new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected an undamaged catalog at ${this.path}, found damage (${fault}). ` +
        'Close the corpus, and restore it from a backup or index it again.',
      cause === undefined ? {} : { cause },
    );
  }
}

/** LMDB's errors that are the system's fault; all others mean a damaged file. */
const systemError =
  /READERS_FULL|TLS_FULL|MAP_RESIZED|Cannot allocate|No such file|Permission|Too many open|closed/i;

function remedyFor(message: string): string {
  if (/READERS_FULL/.test(message))
    return `Release snapshots: at most ${maxReaders} may be open at once, over all processes.`;
  return 'Check memory, open files and rights, and open the corpus again.';
}

const reportedByBatch = (): void => {};

/** The cause of a failed commit, which LMDB reports in a promise that rejects shortly after. */
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
