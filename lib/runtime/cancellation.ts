// Cancellation of the public calls: checks of their signals, and linked signals that leave no
// listener behind.
import { setMaxListeners } from 'node:events';
import { invalidArgument, throwIfAborted } from '../errors.js';
import type { RunOptions } from '../records.js';

/** Checks `signal` and `onProgress` before any work is done. */
export function checkRunOptions(options: RunOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object', options);
  const { signal, onProgress } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidArgument(
      'signal',
      'an AbortSignal',
      signal,
      'Pass the signal of an AbortController, not the controller.',
    );
  }
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalidArgument('onProgress', 'a function', onProgress);
  throwIfAborted(signal);
}

/** A controller that any number of concurrent calls may listen to. */
export function closingController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Runs `work` under a signal that fires when either does. Both are released when it ends, which
 * AbortSignal.any leaves to the garbage collector.
 */
export async function withLinkedSignal<Result>(
  first: AbortSignal | undefined,
  second: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const linked = new AbortController();
  const signals = first ? [first, second] : [second];
  // Node.js takes the listeners of concurrent calls with one signal for a leak.
  setMaxListeners(0, linked.signal, ...signals);
  const aborts = signals.map((signal) => () => linked.abort(signal.reason));
  signals.forEach((signal, i) =>
    signal.aborted ? aborts[i]!() : signal.addEventListener('abort', aborts[i]!, { once: true }),
  );
  try {
    return await work(linked.signal);
  } finally {
    signals.forEach((signal, i) => signal.removeEventListener('abort', aborts[i]!));
  }
}
