// Time budget of one turn of the event loop, shared by all work on the JavaScript thread, so that
// timers and sockets are served between its slices.
import { throwIfAborted } from '../errors.js';

/** Budget of stages and loops in one turn, in milliseconds. */
const turnBudgetMs = 2;
/** Longest inline task, and the time at which it must have ended within its turn. */
const inlineTaskMs = 0.5;
const inlineDeadlineMs = 1;
/** Initial estimate, in milliseconds a byte: 10 GB/s. */
const initialMsPerByte = 1e-7;
/** Inline tasks that read less than this are too short to measure throughput. */
const measurableBytes = 1 << 20;

/** There is one loop, so one budget, which holds nothing of any corpus. */
class EventLoopBudget {
  private turnStart: number | undefined;
  private readonly waiters: (() => void)[] = [];
  /** Close to the fastest measurement, since other load of the machine is no task's cost. */
  private msPerByte = initialMsPerByte;

  /** Milliseconds since the first call in this turn. */
  elapsedMs(): number {
    const now = performance.now();
    if (this.turnStart === undefined) {
      this.turnStart = now;
      setImmediate(this.endTurn);
    }
    return now - this.turnStart;
  }

  nextTurn(): Promise<void> | undefined {
    if (this.elapsedMs() < turnBudgetMs) return undefined;
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  tryInline<Result>(bytes: number, task: () => Result): Result | undefined {
    const expectedMs = bytes * this.msPerByte;
    const startMs = this.elapsedMs();
    if (expectedMs > inlineTaskMs || startMs + expectedMs > inlineDeadlineMs) {
      // Decays, so that a machine that was slow once is measured again.
      this.msPerByte = Math.max(initialMsPerByte, this.msPerByte * 0.999);
      return undefined;
    }
    const result = task();
    if (bytes >= measurableBytes) {
      const measured = (this.elapsedMs() - startMs) / bytes;
      this.msPerByte = Math.min(this.msPerByte * 1.05, Math.max(initialMsPerByte / 4, measured));
    }
    return result;
  }

  private readonly endTurn = (): void => {
    this.turnStart = undefined;
    const next = this.waiters.shift();
    if (!next) return;
    this.elapsedMs();
    next();
  };
}

const budget = new EventLoopBudget();

/**
 * Undefined if this turn has budget left, else a promise that resolves in a later turn: one waiter
 * a turn, first come, first served. The promise rejects with ERR_ABORTED if the signal has fired by
 * then.
 * @example const turn = yieldToEventLoop(signal); if (turn) await turn;
 */
export function yieldToEventLoop(signal?: AbortSignal): Promise<void> | undefined {
  const turn = budget.nextTurn();
  return turn && signal ? turn.then(() => throwIfAborted(signal)) : turn;
}

/**
 * Runs a task that reads `bytes` bytes at once if its estimated time fits into this turn, else
 * returns undefined: handing it to another thread costs more than a search of a few thousand rows.
 */
export function runInline<Result>(bytes: number, task: () => Result): Result | undefined {
  return budget.tryInline(bytes, task);
}

/** Work with a result that pauses at each `yield`, where another turn may begin. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs steps in as many turns as they need. Rejects with ERR_ABORTED if the signal has fired. */
export async function inTurns<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
  }
}

/** Runs steps at once: for short work. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
