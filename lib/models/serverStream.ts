// One POST to a model server whose answer is read as it comes, by server-sent events.
import {
  serverSentEvents,
  bodyText,
  connect,
  errorOf,
  failed,
  parsed,
  readBody,
  refusal,
  sent,
  type Settings,
} from './connection.js';
import { truncated, type Attempt, type Failure } from './retry.js';

/** Reads the events of one attempt. */
export interface EventReader<T> {
  /** The text that an event adds, '' for none. */
  read(event: Record<string, unknown>): Attempt<string>;
  /** The answer; `isMarked` is whether the server said that it was the end. */
  end(isMarked: boolean): Attempt<T>;
  /** The answer of a server that does not stream. */
  whole(answer: Record<string, unknown>): Attempt<T>;
}

/** A failure of an attempt, thrown through its generator. */
class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.reason);
  }
}

/**
 * Yields the pieces of an answer and returns the whole. Failures before the first piece are retried
 * as of any request, later ones are not: text once shown cannot be taken back.
 */
export async function* streamAnswer<T extends { text: string }>(
  settings: Settings,
  body: () => unknown,
  reader: () => EventReader<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, T, undefined> {
  const { pieces, first } = await sent(settings, body, signal, (text) =>
    firstPiece(attempt(settings, text, reader(), signal)),
  );
  if (first.done) return first.value;
  try {
    yield first.value;
    return yield* pieces;
  } catch (error) {
    throw error instanceof Failed ? failed(settings, error.failure, 1) : error;
  } finally {
    await pieces.return(undefined as never);
  }
}

interface Opened<T> {
  pieces: AsyncGenerator<string, T, undefined>;
  first: IteratorResult<string, T>;
}

async function firstPiece<T>(pieces: Opened<T>['pieces']): Promise<Attempt<Opened<T>>> {
  try {
    return { value: { pieces, first: await pieces.next() } };
  } catch (error) {
    if (error instanceof Failed) return error.failure;
    throw error;
  }
}

async function* attempt<T extends { text: string }>(
  settings: Settings,
  body: string,
  reader: EventReader<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, T, undefined> {
  const connection = connect(settings, signal);
  try {
    const response = await connection.send(body, 'text/event-stream, application/json');
    if (!response.ok) throw new Failed(await refusal(settings, response));
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const text = await bodyText(response);
      return valueOf(readBody(settings, text, (answer) => reader.whole(answer)));
    }
    let isMarked = false;
    for await (const data of serverSentEvents(
      response.body as unknown as AsyncIterable<Uint8Array>,
    )) {
      isMarked = data === '[DONE]';
      if (isMarked) break;
      const piece = valueOf(reader.read(eventOf(settings, data)));
      if (piece !== '') yield piece;
    }
    return valueOf(reader.end(isMarked));
  } catch (error) {
    throw error instanceof Failed ? error : new Failed(connection.failureOf(error));
  } finally {
    connection.end();
  }
}

function eventOf({ hide }: Settings, data: string): Record<string, unknown> {
  const event = parsed(data);
  if (!event) {
    const reason = `an event that is not a JSON object: ${truncated(hide(data))}`;
    throw new Failed({ reason, transient: true });
  }
  const { message } = errorOf(event);
  if (message === undefined) return event;
  throw new Failed({ reason: `an error: ${truncated(hide(message))}`, transient: false });
}

function valueOf<Value>(outcome: Attempt<Value>): Value {
  if ('value' in outcome) return outcome.value;
  throw new Failed(outcome);
}
