// Cancellation of the public calls: checks of their signals, and linked signals that leave no
// listener behind.
import { setMaxListeners } from 'node:events';
import { abortError, invalidArgument, throwIfAborted } from '../errors.js';
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

/** Both signals are released at the end, which AbortSignal.any leaves to the collector. */
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

/**
 * The items of an iterable of the caller's. The signal also ends the wait for an item that never
 * comes; the iterator is then asked to return, which it may do when it gets to it.
 */
export async function* abortableItems<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  throwIfAborted(signal);
  const iterator: Iterator<Item | PromiseLike<Item>> | AsyncIterator<Item> =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let stop: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => stop?.(abortError(signal!));
  const settled = <Value>(work: PromiseLike<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      stop = reject;
      if (signal?.aborted) onAbort();
      work.then(resolve, reject);
    });
  signal?.addEventListener('abort', onAbort);
  let [isOpen, waits] = [true, true];
  try {
    for (;;) {
      waits = true;
      const next = iterator.next();
      const result = isThenable(next) ? await settled(next) : next;
      if (result.done) isOpen = false;
      if (result.done) return;
      const item = isThenable(result.value) ? await settled(result.value) : result.value;
      waits = false;
      yield item;
      throwIfAborted(signal);
    }
  } catch (error) {
    // An iterator that has thrown is at its end.
    if (waits && !signal?.aborted) isOpen = false;
    throw error;
  } finally {
    if (isOpen) {
      const returned = Promise.resolve(iterator.return?.());
      if (waits) returned.catch(() => undefined);
      else await settled(returned);
    }
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Whether `abortableItems` takes it; texts are no lists. */
export const isIterable = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.iterator in value || Symbol.asyncIterator in value);

const isThenable = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function';
