// Retries of transient failures with exponential backoff, independent of the protocol.
import { mustBeWhole, throwIfAborted } from '../errors.js';
import { backoff, longestWaitMs, pause } from '../runtime/retry.js';

/** A failed attempt. */
export interface Failure {
  /** What was received, as the object of "received". */
  reason: string;
  /** Whether the same request may succeed later. */
  transient: boolean;
  status?: number;
  /** Whether the request has been changed since, to what the server may take. */
  again?: true;
  /** Delay requested by the server, in milliseconds. */
  waitMs?: number;
  cause?: unknown;
}

export type Attempt<T> = { value: T } | Failure;

/**
 * Retries transient failures, at most `retries` times, after 0.5 s, 1 s, 2 s ... (at most 30 s) or
 * the delay that the server requests. Rejects with ERR_ABORTED only; otherwise returns the last
 * failure with the number of attempts.
 */
export async function retry<T>(
  attempt: () => Promise<Attempt<T>>,
  { retries, signal }: { retries: number; signal?: AbortSignal | undefined },
): Promise<{ value: T } | { failure: Failure; tries: number }> {
  for (let tries = 1; ; tries += 1) {
    throwIfAborted(signal);
    const outcome = await attempt();
    throwIfAborted(signal);
    if ('value' in outcome) return outcome;
    const waitMs = outcome.waitMs ?? backoff(tries);
    if (!outcome.transient || tries > retries || waitMs > longestWaitMs)
      return { failure: outcome, tries };
    await pause(waitMs, signal);
  }
}

export function checkRetries(retries: number): number {
  mustBeWhole({ retries }, 0, 10);
  return retries;
}

/** `, after 3 tries`, or an empty string after one. */
export function attemptsNote(tries: number): string {
  return tries > 1 ? `, after ${tries} tries` : '';
}

/** Text of another program on one line, at most 300 characters. */
export function truncated(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}
