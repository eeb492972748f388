// Trying again what may pass: how often, how long to wait in between, and when not to wait at all. It knows no protocol: the
// caller says of each try whether it may pass later and how long it was asked to wait.
import { abortError, invalidArgument, throwIfAborted } from '../errors.js';

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

const firstWaitMs = 500;
const longestBackoffMs = 30_000;
/** Who asks for more than this is not waited for. */
export const longestWaitMs = 60_000;

/**
 * Tries until something comes of it, at most `retries` times more, 0.5 s, 1 s, 2 s ... apart (30 s at most) or as long as the
 * other side asks. Rejects with ERR_ABORTED alone; any other end is the last failure, with the number of tries.
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
    if (!outcome.passing || tries > retries || waitMs > longestWaitMs) return { failure: outcome, tries };
    await pause(waitMs, signal);
  }
}

export function checkRetries(retries: number): number {
  if (!Number.isSafeInteger(retries) || retries < 0 || retries > 10) throw invalidArgument('retries', 'a whole number from 0 to 10', retries);
  return retries;
}

/** Milliseconds that a Retry-After header asks to wait: seconds or a date. */
export function retryAfter(header: string | null | undefined): number | undefined {
  const value = header?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
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

/** Doubles with each try; shortened at random by up to half, so that callers that failed together do not return together. */
function backoff(tries: number): number {
  return Math.min(firstWaitMs * 2 ** (tries - 1), longestBackoffMs) * (1 - Math.random() / 2);
}

function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortError(signal!));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, Math.ceil(waitMs));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
