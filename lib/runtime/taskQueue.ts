// Task queue: tasks run in the order of their calls, a bounded number at a time, each under a
// signal that also fires when the queue closes.
import { AsOfError, abortError, rejectOnAbort, throwIfAborted } from '../errors.js';
import { closingController, withLinkedSignal } from './cancellation.js';

export interface TaskQueueOptions {
  /** Tasks that run at the same time, from 1. Default 1. */
  concurrency?: number;
  /** The error of a task that the closing of the queue refused or ended (ERR_CLOSED). */
  closedError: (cause?: unknown) => AsOfError;
  /**
   * Whether an aborted call rejects at once, before its running task has stopped. Default false: a
   * caller of a task with effects learns how it ended.
   */
  rejectAtOnce?: boolean;
}

export class TaskQueue {
  private readonly running = new Set<Promise<unknown>>();
  private places: number;
  /** Starts of pending tasks, the first in front. A place that gets free is handed over to it. */
  private readonly pending = new Set<() => void>();
  private readonly closing = closingController();

  constructor(private readonly options: TaskQueueOptions) {
    this.places = options.concurrency ?? 1;
  }

  /** Whether no task is running or pending. */
  get idle(): boolean {
    return this.running.size === 0 && this.pending.size === 0;
  }

  /**
   * Runs a task once it has a place: first come, first served. A pending task that is aborted
   * rejects at once and never runs.
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
    try {
      return await withLinkedSignal(signal, closing, async (linked) => {
        await this.place(linked);
        const result = this.runInPlace(linked, task);
        return rejectAtOnce ? rejectOnAbort(result, linked) : result;
      });
    } catch (error) {
      if (!closing.aborted || !AsOfError.is(error) || error.code !== 'ERR_ABORTED') throw error;
      throw closedError(error);
    }
  }

  /** Aborts all tasks; resolves when none runs any more. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.running);
  }

  /** Takes a place, or waits for one. */
  private place(signal: AbortSignal): Promise<void> | undefined {
    if (this.places > 0) {
      this.places -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.pending.delete(start);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.pending.delete(start);
        reject(abortError(signal));
      };
      this.pending.add(start);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  private async runInPlace<Result>(
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    let result: Promise<Result> | undefined;
    try {
      throwIfAborted(signal);
      result = task(signal);
      this.running.add(result);
      return await result;
    } finally {
      if (result) this.running.delete(result);
      const [next] = this.pending;
      if (next) next();
      else this.places += 1;
    }
  }
}
