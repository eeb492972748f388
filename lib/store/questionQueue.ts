// Admission of questions to a corpus: a bounded number runs at a time, the others wait in turn.
import { AsyncLocalStorage } from 'node:async_hooks';
import { basename } from 'node:path';
import { TaskQueue } from '../runtime/taskQueue.js';
import { closedError } from './writing/writerLease.js';

/** Questions at the same time by default: more were no faster, and take some 10 MB each. */
export const defaultConcurrency = 8;

/** The question that the current call is part of, of whatever corpus. */
const current = new AsyncLocalStorage<{ isRunning: boolean }>();

export class QuestionQueue {
  private readonly queue: TaskQueue;

  /** Name of the corpus in traces: that of its folder. */
  readonly name: string;

  constructor(path: string, concurrency = defaultConcurrency) {
    this.name = basename(path);
    this.queue = new TaskQueue({ concurrency, closedError: (cause) => closedError(path, cause) });
  }

  /**
   * Answers a question once there is a place for it, under a signal that also fires when the corpus
   * closes. What a question asks in turn, through a model of the caller's, is part of it: if it had
   * to wait for a place, all that have one could wait for one another.
   * @throws AsOfError ERR_ABORTED and ERR_CLOSED, also of a question that waits, and what `answer`
   * throws
   */
  run<Result>(
    signal: AbortSignal | undefined,
    answer: (signal: AbortSignal | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (current.getStore()?.isRunning) return answer(signal);
    return this.queue.run(signal, async (linked) => {
      const question = { isRunning: true };
      try {
        return await current.run(question, () => answer(linked));
      } finally {
        question.isRunning = false;
      }
    });
  }

  /** Ends all questions, running and waiting ones, with ERR_CLOSED. */
  close(): Promise<void> {
    return this.queue.close();
  }
}
