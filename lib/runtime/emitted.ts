// Values that a callback receives, as an async generator.

/**
 * Yields what `work` emits, and returns what it resolves with. To end it early does not end `work`:
 * give that a signal.
 */
export async function* emitted<Value, Result>(
  work: (emit: (value: Value) => void) => Promise<Result>,
): AsyncGenerator<Value, Result, undefined> {
  const pending: Value[] = [];
  let isDone = false;
  let wake = (): void => undefined;
  const end = (): void => {
    isDone = true;
    wake();
  };
  const result = work((value) => {
    pending.push(value);
    wake();
  });
  result.then(end, end);
  for (;;) {
    yield* pending.splice(0);
    if (pending.length > 0) continue;
    if (isDone) return result;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}
