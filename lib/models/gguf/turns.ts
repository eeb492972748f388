// One piece of work after another, each with a signal, until closed: a model in memory has one
// context and answers one prompt at a time. Who gives up while waiting is rejected at once and
// never runs. It knows nothing of models.
import { AsOfError, throwIfAborted, unlessAborted } from '../../errors.js';

export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  /** @param what names what is closed, for ERR_CLOSED. */
  constructor(private readonly what: string) {}

  /**
   * Runs the work when all before it has ended. Rejects with ERR_ABORTED or ERR_CLOSED at once,
   * whatever the work does then.
   */
  async take<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const closing = this.#closing.signal;
    if (closing.aborted) throw this.#closed();
    throwIfAborted(signal);
    const stop = signal ? AbortSignal.any([signal, closing]) : closing;
    const mine = this.#last.then(() => {
      throwIfAborted(stop);
      return work(stop);
    });
    this.#last = mine.catch(() => undefined);
    try {
      return await unlessAborted(mine, stop);
    } catch (error) {
      throwIfAborted(signal);
      throw closing.aborted ? this.#closed() : error;
    }
  }

  /** Rejects what waits and what runs, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  #closed(): AsOfError {
    return new AsOfError(
      'ERR_CLOSED',
      `Expected ${this.what} to be open, it is closed. Open it again.`,
    );
  }
}
