// Writes of an open corpus, one after another, each under the lock of the corpus, for which it
// waits: handles, threads and processes write in turn.
import type { FileLock } from '../../../binding.js';
import { AsOfError, abortError, throwIfAborted } from '../../errors.js';
import { TaskQueue } from '../../runtime/taskQueue.js';
import { leavesDoubt } from '../format/files.js';
import { fileSystem } from '../format/fileSystem.js';
import type { CorpusFolder } from '../format/folder.js';
import type { ManifestFile } from '../format/manifestFile.js';
import { Writer } from './writer.js';
import type { WriterOptions } from './compaction.js';

/** Milliseconds between two tries for the lock, from the first to all later ones. */
const [firstPause, longestPause] = [1, 25];

export interface WriterLeaseOptions extends WriterOptions {
  /** Milliseconds to wait for the lock. */
  lockTimeout: number;
}

export class WriterLease {
  private readonly queue: TaskQueue;
  private readonly writer: Writer;
  /** Whether a writer that died, or a write that failed, may have left files. */
  private mayHaveOrphans = true;
  private failure: AsOfError | undefined;

  constructor(
    file: ManifestFile,
    private readonly folder: CorpusFolder,
    readonly options: WriterLeaseOptions,
  ) {
    this.writer = new Writer(file, folder, options);
    this.queue = new TaskQueue({ closedError: (cause) => closedError(folder.path, cause) });
  }

  /**
   * Runs work that needs the lock, and frees it.
   * @throws AsOfError ERR_CORPUS_LOCKED if another writer holds it for longer than the timeout,
   * ERR_STORAGE after a failed sync or rename, ERR_CLOSED, ERR_ABORTED, and what the work throws
   */
  write<Result>(
    signal: AbortSignal | undefined,
    work: (writer: Writer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.queue.run(signal, async (linked) => {
      const lock = await waitForLock(this.folder.lock, this.options.lockTimeout, linked);
      return this.locked(lock, () => work(this.writer, linked));
    });
  }

  /**
   * Runs work that can do without the lock. It gets no writer if another one holds the lock, if it
   * cannot be taken, or with `readOnly`.
   */
  tryWrite<Result>(
    signal: AbortSignal | undefined,
    readOnly: boolean,
    work: (writer: Writer | undefined, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.queue.run(signal, async (linked) => {
      const lock = readOnly || this.failure ? undefined : await this.tryLock(linked);
      return lock ? this.locked(lock, () => work(this.writer, linked)) : work(undefined, linked);
    });
  }

  /** Resolves when nothing runs any more. */
  async close(): Promise<void> {
    await this.queue.close();
    this.writer.removeUnnamed();
  }

  private async locked<Result>(lock: FileLock, work: () => Promise<Result>): Promise<Result> {
    try {
      if (this.failure) throw this.unusable(this.failure);
      if (this.mayHaveOrphans) await this.writer.removeOrphans();
      this.mayHaveOrphans = false;
      return await work();
    } catch (error) {
      this.mayHaveOrphans ||= AsOfError.is(error) && error.code === 'ERR_STORAGE';
      if (!leavesDoubt(error)) throw error;
      // What the system has lost of earlier writes is unknown, and a second sync would not tell.
      this.failure = error;
      throw new AsOfError(
        error.code,
        `${error.message} This handle writes no more: close the corpus and open it again.`,
        { cause: error.cause, details: error.details },
      );
    } finally {
      lock.release();
    }
  }

  private unusable(cause: AsOfError): AsOfError {
    return new AsOfError(
      'ERR_STORAGE',
      `Expected to write to ${this.folder.path}, but the system failed to sync an earlier write. ` +
        'Check the disk, close the corpus and open it again.',
      { cause },
    );
  }

  private async tryLock(signal: AbortSignal): Promise<FileLock | undefined> {
    try {
      return await waitForLock(this.folder.lock, 0, signal);
    } catch (error) {
      throwIfAborted(signal);
      if (AsOfError.is(error)) return undefined;
      throw error;
    }
  }
}

/**
 * The lock of a corpus, once it is free.
 * @throws AsOfError ERR_CORPUS_LOCKED, naming the holder, after `timeout` milliseconds; ERR_ABORTED
 */
export async function waitForLock(
  path: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<FileLock> {
  const until = fileSystem.now() + timeout;
  for (let pause = firstPause; ; pause = Math.min(longestPause, 2 * pause)) {
    try {
      return fileSystem.lock(path);
    } catch (error) {
      const left = until - fileSystem.now();
      if (!AsOfError.is(error) || error.code !== 'ERR_CORPUS_LOCKED' || left <= 0) throw error;
      await fileSystem.pause(Math.min(pause, left), signal).catch(() => {
        throw abortError(signal!);
      });
    }
  }
}

export function closedError(path: string, cause?: unknown): AsOfError {
  return new AsOfError(
    'ERR_CLOSED',
    `Expected an open corpus, received one that was closed (${path}). ` +
      'Open it again with Corpus.open.',
    cause === undefined ? {} : { cause },
  );
}

export const readOnlyError = (path: string): AsOfError =>
  new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected a corpus opened for writing, received ${path} opened with readOnly: true. ` +
      'Open it without.',
  );
