// A response of JSON lines: each is made when the client takes it.
import type { RequestScope } from './scope.js';

const encoder = new TextEncoder();

/**
 * The lines as a body. It breaks off when the request's scope ends, and ends that when the client
 * goes; `ended` is called once.
 */
export function lineStream(
  lines: AsyncIterable<Record<string, unknown>>,
  scope: RequestScope,
  ended: (bytes: number, error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = lines[Symbol.asyncIterator]();
  let bytes = 0;
  let isOver = false;
  const finish = (error?: unknown): void => {
    if (isOver) return;
    isOver = true;
    scope.signal.removeEventListener('abort', breakOff);
    ended(bytes, error);
  };
  let controller: ReadableStreamDefaultController<Uint8Array>;
  // Also where the client takes no more and nothing would ask for the next line.
  const breakOff = (): void => {
    if (scope.ended === 'client') finish();
    setTimeout(() => {
      if (isOver) return;
      controller.error(new Error('The request has ended.'));
      finish();
    }, graceMs).unref();
  };
  scope.signal.addEventListener('abort', breakOff, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      async pull() {
        try {
          const next = await iterator.next();
          if (isOver) return;
          if (next.done) {
            controller.close();
            return finish();
          }
          const line = encoder.encode(`${JSON.stringify(next.value)}\n`);
          bytes += line.length;
          controller.enqueue(line);
        } catch (error) {
          if (isOver) return;
          controller.error(error);
          finish(error);
        }
      },
      async cancel() {
        scope.abort('client');
        finish();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Time in which the last line, which says what went wrong, can still be taken. */
const graceMs = 1000;
