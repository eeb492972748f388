// The writes of one opened corpus, one after another, and the writer that holds its lock: taken by
// the first write and kept, or borrowed for the length of work that can do without. It knows
// nothing of what is written.
import { AsOfError, throwIfAborted } from '../errors.js';
import { withEither } from './cancellation.js';
import type { Catalog } from './catalog.js';
import type { CorpusFolder } from './folder.js';
import type { Storage } from './manifest.js';
import { Writer } from './writer.js';

export class WriteQueue {
  private tail: Promise<unknown> = Promise.resolve();
  private running = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly folder: CorpusFolder,
    /** Fires when the corpus closes. */
    private readonly closing: AbortSignal,
    private writer?: Writer,
    /** What a writer writes, where the caller said so. */
    private readonly storage?: Storage,
  ) {}

  /**
   * Work that needs the lock; it is kept until the corpus closes. Errors: ERR_CORPUS_LOCKED,
   * ERR_CLOSED, ERR_ABORTED and the work's.
   */
  write<Result>(
    signal: AbortSignal | undefined,
    work: (writer: Writer, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.queued(signal, async (either) => {
      if (!this.writer) await this.catalog.checkWhole(either);
      return work((this.writer ??= this.newWriter()), either);
    });
  }

  /**
   * Work that saves what it makes where it may: it gets the writer, for its own length where nobody
   * held the lock; none where another has the lock, where it cannot be taken, or where `readOnly`
   * says that nothing may be written.
   */
  borrow<Result>(
    signal: AbortSignal | undefined,
    readOnly: boolean,
    work: (writer: Writer | undefined, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.queued(signal, async (either) => {
      if (this.writer || readOnly) return work(this.writer, either);
      const writer = await this.tryWriter(either);
      try {
        return await work(writer, either);
      } finally {
        writer?.release();
      }
    });
  }

  /**
   * Frees the lock: at once where nothing runs, so that a corpus disposed of synchronously can be
   * written by another.
   */
  async close(): Promise<void> {
    if (this.running === 0) this.writer?.release();
    await this.tail;
    this.writer?.release();
  }

  private newWriter(): Writer {
    return new Writer(this.catalog, this.folder, this.storage);
  }

  private async tryWriter(signal: AbortSignal): Promise<Writer | undefined> {
    try {
      await this.catalog.checkWhole(signal);
      return this.newWriter();
    } catch (error) {
      throwIfAborted(signal);
      if (AsOfError.is(error)) return undefined;
      throw error;
    }
  }

  private async queued<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const run = this.tail.then(async () => {
      if (this.closing.aborted) throw closedError(this.folder.path);
      throwIfAborted(signal);
      return withEither(signal, this.closing, work);
    });
    this.running += 1;
    this.tail = run
      .then(
        () => {},
        () => {},
      )
      .finally(() => void (this.running -= 1));
    try {
      return await run;
    } catch (error) {
      if (this.closing.aborted && AsOfError.is(error) && error.code === 'ERR_ABORTED')
        throw closedError(this.folder.path, error);
      throw error;
    }
  }
}

export function closedError(path: string, cause?: unknown): AsOfError {
  return new AsOfError(
    'ERR_CLOSED',
    `Expected an open corpus, received one that was closed (${path}). Open it again with Corpus.open.`,
    cause === undefined ? {} : { cause },
  );
}
