// From a caller's signal to the addon's Cancellation, for the length of one native task.
import { binding } from '../binding.js';
import type { Cancellation } from '../../binding.js';
import { AsOfError, abortError, throwIfAborted } from '../errors.js';

/** Runs a native task that ends with ERR_ABORTED once the signal fires. */
export async function withCancellation<Result>(signal: AbortSignal | undefined, task: (cancellation: Cancellation) => Promise<Result>): Promise<Result> {
  throwIfAborted(signal);
  const cancellation = new binding.Cancellation();
  const cancel = (): void => cancellation.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await task(cancellation);
  } catch (error) {
    if (signal?.aborted && AsOfError.is(error) && error.code === 'ERR_ABORTED') throw abortError(signal);
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
