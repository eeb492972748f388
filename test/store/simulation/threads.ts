// Simulated threads as the scheduler knows them.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Channel } from './channel.js';
import type { Operation, Request } from './messages.js';
import type { Change } from './model.js';

const handlesOfThread = 2;
/** Milliseconds within which a running thread makes a call. */
const hangTimeout = 120_000;

export interface Handle {
  isOpen: boolean;
  readOnly: boolean;
  /** Whether a sync or rename of its has failed. */
  isDoubtful: boolean;
  /** The generation of the snapshot that it holds. */
  held?: number | undefined;
}

/** An operation that runs. */
export interface Running {
  operation: Operation;
  /** The newest generation at its start. */
  from: number;
  startedAt: number;
  commits: number[];
  change?: Change;
  /** Whether it has had the lock: what it writes from then on are merges. */
  hasWritten: boolean;
  /** Whether an earlier write of its handle left open what is on disk: it may not write. */
  isDoubtful: boolean;
  /** Whether a call of it failed, its signal fired, or its corpus was closed meanwhile. */
  isFaulty: boolean;
  isAborted: boolean;
  isClosed: boolean;
}

export interface SimulatedThread {
  number: number;
  channel: Channel;
  worker: Worker;
  request: Request;
  running: Running | undefined;
  /** A reading operation inside the running one. */
  meanwhile: Running | undefined;
  handles: Handle[];
  /** Share of the processor. */
  weight: number;
}

export const closedHandles = (): Handle[] =>
  Array.from({ length: handlesOfThread }, () => ({
    isOpen: false,
    readOnly: false,
    isDoubtful: false,
  }));

/** Starts a thread, which waits with its first request. */
export async function startThread(number: number): Promise<SimulatedThread> {
  const channel = new Channel();
  const code = `
    const { register } = await import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))});
    register();
    await import(${JSON.stringify(new URL('thread.ts', import.meta.url).href)});`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: channel.memory,
    execArgv: [],
  });
  await once(worker, 'message');
  return {
    number,
    channel,
    worker,
    request: channel.request(hangTimeout),
    running: undefined,
    meanwhile: undefined,
    handles: closedHandles(),
    weight: 1,
  };
}

/** Answers the thread's request and waits for its next one. */
export function proceed(thread: SimulatedThread, answer: unknown): void {
  thread.channel.answer(answer);
  thread.request = thread.channel.request(hangTimeout);
}

/** A new run of an operation. */
export const newRunning = (
  { handles }: SimulatedThread,
  operation: Operation,
  from: number,
  now: number,
): Running => ({
  operation,
  isDoubtful: !/^(?:open|restore)$/.test(operation.kind) && handles[operation.handle]!.isDoubtful,
  from,
  startedAt: now,
  commits: [],
  hasWritten: false,
  isFaulty: false,
  isAborted: false,
  isClosed: false,
});
