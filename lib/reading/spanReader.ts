// The interface of extractive readers, and the one function through which the library calls them,
// so that foreign results are validated in one place.
import { AsOfError, callModel, describe, invalidArgument, throwIfAborted } from '../errors.js';

/** A span of one of several texts. */
export interface ReadSpan {
  /** Index of the text. */
  text: number;
  /** Offsets in the text in UTF-16 units, half-open. */
  start: number;
  end: number;
  /** How likely it is the answer, 0 to 1. */
  probability: number;
}

/**
 * A model that finds the answer to a question as a span of texts.
 * @example const mine: SpanReader = { id: 'my-reader-v1', read: async (question, texts) => {
 * const { index, start, end, score } = await callMyModel(question, texts);
 * return { text: index, start, end, probability: score }; } };
 */
export interface SpanReader {
  /** Stable name of the model and its version, 1 to 200 characters; the trace has it (`by`). */
  readonly id: string;
  /** Resolves with the best span of all texts; undefined where the model finds no answer. */
  read(
    question: string,
    texts: readonly string[],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<ReadSpan | undefined>;
}

/** Throws ERR_INVALID_ARGUMENT for a value that is no reader. */
export function checkSpanReader(reader: SpanReader): SpanReader {
  const whole = typeof reader === 'object' && reader !== null && typeof reader.read === 'function';
  if (!whole) throw invalidArgument('read.reader', 'a SpanReader { id, read }', reader);
  const { id } = reader;
  if (typeof id !== 'string' || id.length === 0 || id.length > 200)
    throw invalidArgument('read.reader.id', 'a string of 1 to 200 characters', id);
  return reader;
}

/**
 * Calls a reader and validates its result.
 * @throws AsOfError ERR_ABORTED; ERR_MODEL_FAILED for anything but a span of a text, and errors
 * of the reader, as `cause`; its AsOfErrors pass unchanged
 */
export async function readSpan(
  reader: SpanReader,
  question: string,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadSpan | undefined> {
  throwIfAborted(signal);
  const span = await callModel(
    () => reader.read(question, texts, signal ? { signal } : {}),
    signal,
    (reason, cause) => failed(reader, `read ${texts.length} texts, it failed: ${reason}`, cause),
  );
  if (span === undefined) return undefined;
  const { text, start, end, probability } = Object(span) as ReadSpan;
  const isWhole =
    [text, start, end].every(Number.isInteger) && probability >= 0 && probability <= 1;
  if (isWhole && start >= 0 && start < end && end <= (texts[text]?.length ?? 0)) return span;
  const expected = 'give a span of a text { text, start, end, probability } or undefined';
  throw failed(reader, `${expected}, received ${describe(span)}`);
}

function failed({ id }: SpanReader, what: string, cause?: unknown): AsOfError {
  const message = `Expected the reader ${id} to ${what}. Its read() must implement SpanReader.`;
  return new AsOfError('ERR_MODEL_FAILED', message, { cause, details: { reader: id } });
}
