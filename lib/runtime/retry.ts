// Exponential backoff, Retry-After headers, and an abortable delay.
import { abortError } from '../errors.js';

const longestBackoffMs = 30_000;
/** Longest delay of a retry; a server that requests more counts as failed. */
export const longestWaitMs = 60_000;

/** Delay of a Retry-After header (seconds or a date) in milliseconds. */
export function retryAfter(header: string | null | undefined): number | undefined {
  const value = header?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/**
 * Delay in milliseconds before the next try, after `tries`: exponential from `firstMs`, at most 30
 * s, up to half of it removed at random, so that callers do not retry together.
 */
export function backoff(tries: number, firstMs = 500): number {
  return Math.min(firstMs * 2 ** (tries - 1), longestBackoffMs) * (1 - Math.random() / 2);
}

/** Rejects with ERR_ABORTED at once when the signal fires. */
export function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
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
