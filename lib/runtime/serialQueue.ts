// Serial queue: tasks run one after another, each under a signal that also fires when the queue
// closes.
import { AsOfError, throwIfAborted, rejectOnAbort } from '../errors.js';
import { closingController, withLinkedSignal } from './cancellation.js';

export interface SerialQueueOptions {
  /** The error of a task that the closing of the queue refused or ended (ERR_CLOSED). */
  closedError: (cause?: unknown) => AsOfError;
  /**
   * Whether an aborted call rejects at once, before its task has stopped. Default false: a caller
   * of a task with effects learns how it ended.
   */
  rejectAtOnce?: boolean;
}

export class SerialQueue {
  private tail: Promise<void> = Promise.resolve();
  private pending = 0;
  private readonly closing = closingController();

  constructor(private readonly options: SerialQueueOptions) {}

  /** Whether no task is running or pending. */
  get idle(): boolean {
    return this.pending === 0;
  }

  /**
   * Runs a task after all earlier ones; a pending task that is aborted never runs.
   * @throws AsOfError ERR_ABORTED, ERR_CLOSED, and what the task throws
   */
  async run<Result>(
    signal: AbortSignal | undefined,
    task: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const closing = this.closing.signal;
    const { closedError, rejectAtOnce = false } = this.options;
    if (closing.aborted) throw closedError();
    throwIfAborted(signal);
    const result = this.enqueue(() => {
      throwIfAborted(closing);
      throwIfAborted(signal);
      return withLinkedSignal(signal, closing, task);
    });
    try {
      if (!rejectAtOnce) return await result;
      return await withLinkedSignal(signal, closing, (linked) => rejectOnAbort(result, linked));
    } catch (error) {
      if (!closing.aborted || !AsOfError.is(error) || error.code !== 'ERR_ABORTED') throw error;
      throw closedError(error);
    }
  }

  /** Aborts all tasks; resolves when none runs any more. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.tail;
  }

  private enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.tail.then(task);
    const settle = (): void => void (this.pending -= 1);
    this.pending += 1;
    this.tail = result.then(settle, settle);
    return result;
  }
}
