// Writer of an open corpus: its writes one after another, and the lock, which the first write takes
// and close() frees.
import { AsOfError, throwIfAborted } from '../errors.js';
import { SerialQueue } from '../runtime/serialQueue.js';
import type { Catalog } from './catalog.js';
import type { CorpusFolder } from './folder.js';
import type { Storage } from './manifest.js';
import { Writer } from './writer.js';

export class WriterLease {
  private readonly queue: SerialQueue;

  constructor(
    private readonly catalog: Catalog,
    private readonly folder: CorpusFolder,
    private writer?: Writer,
    /** Storage type of new segments. Default: the manifest's. */
    private readonly storage?: Storage,
  ) {
    this.queue = new SerialQueue({ closedError: (cause) => closedError(folder.path, cause) });
  }

  /**
   * Runs work that needs the lock, which is kept until the corpus closes.
   * @throws AsOfError ERR_CORPUS_LOCKED, ERR_CLOSED, ERR_ABORTED, and what the work throws
   */
  write<Result>(
    signal: AbortSignal | undefined,
    work: (writer: Writer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.queue.run(signal, async (linked) => {
      if (!this.writer) await this.catalog.checkIntegrity(linked);
      return work((this.writer ??= this.newWriter()), linked);
    });
  }

  /**
   * Runs work that can do without the lock. It gets no writer if another process holds the lock, if
   * the lock cannot be taken, or with `readOnly`; a lock taken here is freed when the work ends.
   */
  tryWrite<Result>(
    signal: AbortSignal | undefined,
    readOnly: boolean,
    work: (writer: Writer | undefined, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.queue.run(signal, async (linked) => {
      if (this.writer || readOnly) return work(this.writer, linked);
      const writer = await this.tryLock(linked);
      try {
        return await work(writer, linked);
      } finally {
        writer?.release();
      }
    });
  }

  /** Frees the lock: synchronously if nothing runs, so that a disposed corpus can be reopened. */
  async close(): Promise<void> {
    if (this.queue.idle) this.writer?.release();
    await this.queue.close();
    this.writer?.release();
  }

  private newWriter(): Writer {
    return new Writer(this.catalog, this.folder, this.storage);
  }

  private async tryLock(signal: AbortSignal): Promise<Writer | undefined> {
    try {
      await this.catalog.checkIntegrity(signal);
      return this.newWriter();
    } catch (error) {
      throwIfAborted(signal);
      if (AsOfError.is(error)) return undefined;
      throw error;
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
