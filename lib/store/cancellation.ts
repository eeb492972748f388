// Signals of the store's callers: checked before any work, and two of them as one. Nothing here
// stays attached to a signal after the work that it was given for.
import { setMaxListeners } from 'node:events';
import { invalidArgument, throwIfAborted } from '../errors.js';
import type { RunOptions } from '../records.js';

/** Refuses a signal or a progress callback that is none, before any work is done. */
export function checkRunOptions(options: RunOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object', options);
  const { signal, onProgress } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidArgument(
      'signal',
      'an AbortSignal',
      signal,
      'Give the signal of an AbortController, not the controller.',
    );
  }
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalidArgument('onProgress', 'a function', onProgress);
  throwIfAborted(signal);
}

/**
 * For what ends all calls at once: each call that runs listens to its signal, which is no leak
 * however many there are.
 */
export function closingController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * A signal that fires when either does, for the length of `work`: nothing stays attached to the two
 * afterwards.
 */
export async function withEither<Result>(
  first: AbortSignal | undefined,
  second: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const linked = new AbortController();
  const signals = first ? [first, second] : [second];
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
