// The body of an answer, which a client takes piece by piece within a time; its end is the end of
// the request.
import type { RequestScope } from './scope.js';

type Piece = string | Uint8Array;

/** All at hand, or as they are made. */
export type Pieces = readonly Piece[] | AsyncIterable<Piece>;

export interface AnswerStreamOptions {
  scope: RequestScope;
  /** Longest time that the client takes over all pieces, in seconds. */
  seconds: number;
  /**
   * Whether a short answer counts as taken at once: where nobody says that a client has it, or that
   * it has gone.
   */
  handsOver: boolean;
  /** Called once: when all is taken, or when the answer has broken off. */
  ended: (bytes: number, error?: unknown) => void;
}

/** Largest part that is handed over at once, in UTF-16 units or bytes. */
const partLength = 65_536;
/** Of an answer that any socket buffers, whether its client reads or not. */
const shortLength = 8192;
/** Time in which the last line, which says what went wrong, can still be taken. */
const graceMs = 1000;

/**
 * Pieces as a body. It breaks off when the request's scope ends, and ends that when the client
 * goes or takes too long.
 */
export function answerStream(
  pieces: Pieces,
  { scope, seconds, handsOver, ended }: AnswerStreamOptions,
): ReadableStream<Uint8Array> {
  const parts = partsOf(pieces);
  const whole = Array.isArray(pieces) ? (pieces as readonly Piece[]) : undefined;
  let bytes = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let leftMs = seconds * 1000;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const finish = (error?: unknown): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    scope.signal.removeEventListener('abort', breakOff);
    ended(bytes, error);
  };
  const fail = (): void => {
    if (isOver) return;
    controller.error(new Error('The request has ended.'));
    finish();
    void parts.return(undefined).catch(() => undefined);
  };
  // Also where the client takes no more and nothing would ask for the next part.
  const breakOff = (): void => {
    if (scope.ended === 'room' || whole) return fail();
    if (scope.ended === 'client') finish();
    setTimeout(fail, graceMs).unref();
  };
  let since: number;
  const waitForClient = (): void => {
    since = performance.now();
    scope.waits();
    timer = setTimeout(() => scope.abort('time'), leftMs).unref();
  };
  const handOver = async (): Promise<void> => {
    try {
      const next = await parts.next();
      if (isOver) return;
      if (next.done) {
        controller.close();
        return finish();
      }
      bytes += next.value.length;
      controller.enqueue(next.value);
      waitForClient();
    } catch (error) {
      if (isOver) return;
      controller.error(error);
      finish(error);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async start(given) {
        controller = given;
        const isShort = whole?.length === 1 && whole[0]!.length <= shortLength;
        // Of a request that has ended it says why.
        if (isShort && (handsOver || scope.signal.aborted)) while (!isOver) await handOver();
        if (isOver) return;
        if (scope.signal.aborted) return breakOff();
        scope.signal.addEventListener('abort', breakOff, { once: true });
        waitForClient();
      },
      pull() {
        clearTimeout(timer);
        leftMs = Math.max(0, leftMs - (performance.now() - since));
        // What is made as it is taken waits for its client only while that takes a part.
        if (!whole) scope.works();
        return handOver();
      },
      async cancel() {
        scope.abort('client');
        finish();
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

const encoder = new TextEncoder();

/** UTF-8 of pieces in parts, each encoded when it is asked for. */
async function* partsOf(pieces: Pieces): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces)
    for (let from = 0, to; from < piece.length; from = to) {
      to = Math.min(from + partLength, piece.length);
      if (typeof piece !== 'string') {
        yield piece.subarray(from, to);
        continue;
      }
      if (to < piece.length && isHighSurrogate(piece.charCodeAt(to - 1))) to += 1;
      yield encoder.encode(piece.slice(from, to));
    }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
