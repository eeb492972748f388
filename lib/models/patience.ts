// Trying again what may pass: how often, and when not to wait at all. It knows no protocol: the
// caller says of each try whether it may pass later and how long it was asked to wait.
import { invalidArgument, throwIfAborted } from '../errors.js';
import { backoff, longestWaitMs, pause } from '../runtime/retry.js';

/** What came of a try that gave nothing. */
export interface Failure {
  /** What was received, worded to follow "received". */
  fault: string;
  /** Whether the same request may pass later. */
  passing: boolean;
  status?: number;
  /** How long the other side asks to wait, in milliseconds. */
  waitMs?: number;
  cause?: unknown;
}

export type Attempt<T> = { value: T } | Failure;

/**
 * Tries until something comes of it, at most `retries` times more, 0.5 s, 1 s, 2 s ... apart (30 s
 * at most) or as long as the other side asks. Rejects with ERR_ABORTED alone; any other end is the
 * last failure, with the number of tries.
 */
export async function persist<T>(
  attempt: () => Promise<Attempt<T>>,
  { retries, signal }: { retries: number; signal?: AbortSignal | undefined },
): Promise<{ value: T } | { failure: Failure; tries: number }> {
  for (let tries = 1; ; tries += 1) {
    throwIfAborted(signal);
    const outcome = await attempt();
    throwIfAborted(signal);
    if ('value' in outcome) return outcome;
    const waitMs = outcome.waitMs ?? backoff(tries);
    if (!outcome.passing || tries > retries || waitMs > longestWaitMs)
      return { failure: outcome, tries };
    await pause(waitMs, signal);
  }
}

export function checkRetries(retries: number): number {
  if (!Number.isSafeInteger(retries) || retries < 0 || retries > 10)
    throw invalidArgument('retries', 'a whole number from 0 to 10', retries);
  return retries;
}

/** `, after 3 tries`, or nothing after one. */
export function triesNote(tries: number): string {
  return tries > 1 ? `, after ${tries} tries` : '';
}

/** Words of another program for a message of ours: one line, at most 300 characters. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}
