// Errors of requests: one table from codes to statuses, and messages that say nothing of the
// inside.
import { AsOfError, type ErrorCode } from 'asof';
import { inWordsOf } from 'asof/kit';
import type { Limit } from './limits.js';
import type { EndOfRequest } from './scope.js';

/** An error that is the client's, or a state of the server that the client may know. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: {
      headers?: Record<string, string>;
      details?: Record<string, unknown>;
      /** The limit that was exceeded, for the metrics. */
      limit?: Limit;
    } = {},
  ) {
    super(message);
    this.name = 'HttpError';
  }
}

export const badRequest = (message: string, details?: Record<string, unknown>): HttpError =>
  new HttpError(400, 'ERR_INVALID_ARGUMENT', message, details ? { details } : {});

export const unauthorized = (hasToken: boolean): HttpError =>
  new HttpError(
    401,
    'ERR_UNAUTHORIZED',
    `Expected a token of this server, received ${hasToken ? 'another one' : 'none'}. ` +
      'Send the header Authorization: Bearer TOKEN.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );

export const forbidden = (message: string): HttpError =>
  new HttpError(403, 'ERR_FORBIDDEN', message);

export const notFound = (message: string): HttpError =>
  new HttpError(404, 'ERR_NOT_FOUND', message);

/** The connection closes with it: the rest of the body is not read. */
export const tooLarge = (most: number): HttpError =>
  new HttpError(
    413,
    'ERR_TOO_LARGE',
    `Expected a body of at most ${most} bytes, received a longer one. Send passages as lines ` +
      '(application/x-ndjson), which are read as they come.',
    { headers: { connection: 'close' }, limit: 'bodyBytes' },
  );

export const tooManyValues = (most: number, received: number): HttpError =>
  new HttpError(
    413,
    'ERR_TOO_LARGE',
    `Expected a JSON body of at most ${most} objects, lists and texts, received ${received}. ` +
      'Send it in parts, or passages as lines (application/x-ndjson).',
    { limit: 'bodyBytes' },
  );

/** `less`: how to ask for less. */
export const answerTooLarge = (most: number, less = 'Ask for less.'): HttpError =>
  new HttpError(
    413,
    'ERR_ANSWER_TOO_LARGE',
    `Expected to answer with at most ${most} bytes, received a request for more. ${less}`,
    { limit: 'answerBytes' },
  );

export const slowBody = (): HttpError =>
  new HttpError(408, 'ERR_TIMEOUT', 'Expected the body within the time limit. Send it faster.', {
    headers: { connection: 'close' },
    limit: 'seconds',
  });

export const unsupported = (expected: string, received: string | null): HttpError =>
  new HttpError(
    415,
    'ERR_UNSUPPORTED_TYPE',
    `Expected a body of the type ${expected}, received ${received === null ? 'none' : JSON.stringify(received.slice(0, 80))}. Set the header Content-Type.`,
  );

/** Retry-After is in seconds. */
export const unavailable = (code: string, message: string, limit?: Limit): HttpError =>
  new HttpError(503, code, message, {
    headers: { 'retry-after': '1' },
    ...(limit ? { limit } : {}),
  });

export const overloaded = (limit: Limit, expected: string): HttpError =>
  unavailable('ERR_OVERLOADED', `Expected ${expected}. Repeat it later.`, limit);

const log = 'The log of the server says why, by the request id.';

/** Statuses of the library's errors; a message here takes the place of theirs, which name paths. */
const statuses: Readonly<Record<ErrorCode, readonly [status: number, message?: string]>> = {
  ERR_INVALID_ARGUMENT: [400],
  ERR_INVALID_INPUT: [400],
  ERR_ABORTED: [503, 'Expected to end this request, it was stopped. Repeat it.'],
  ERR_CLOSED: [503, 'Expected an open corpus, it is closed or the server stops. Repeat it later.'],
  ERR_CORPUS_LOCKED: [503, 'Expected to write, another program is writing. Repeat it later.'],
  ERR_OUT_OF_MEMORY: [503, 'Expected memory for this request, there was none. Ask for less.'],
  ERR_ENCODER_MISMATCH: [
    409,
    "Expected an encoder of this corpus's texts, the server has none. Start it with the one that " +
      'the corpus was indexed with (asof serve --encoder).',
  ],
  ERR_MODEL_FAILED: [502, `Expected the language model to answer, it failed. ${log}`],
  ERR_ENCODER_FAILED: [502, `Expected the encoder to encode, it failed. ${log}`],
  ERR_RERANKER_FAILED: [502, `Expected the reranker to score, it failed. ${log}`],
  ERR_NOT_FOUND: [500, `Expected a file of the server, it is missing. ${log}`],
  ERR_STORAGE: [500, `Expected to read or write files, the system refused. ${log}`],
  ERR_CORPUS_CORRUPT: [500, `Expected an intact corpus, it is damaged. ${log}`],
  ERR_CORPUS_REPLACED: [
    500,
    'Expected the corpus that the server opened, its folder has another. Restart the server.',
  ],
  ERR_CORPUS_EXISTS: [500],
  ERR_CORPUS_FOREIGN: [500],
  ERR_CORPUS_NEWER: [500],
  ERR_DOWNLOAD_FAILED: [500],
  ERR_DEVICE_UNAVAILABLE: [500],
  ERR_NATIVE_UNAVAILABLE: [500],
  ERR_INTERNAL: [500],
};

const internal = `Expected to answer, the server failed. ${log}`;

/** Words of the library, with its arguments named as the fields of requests are. */
export const inFieldNames = (words: string): string =>
  inWordsOf(words, '_').replace(/(?<![\w."'])(orderBy|publishedAt|validFrom|validTo)\b/g, (name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );

/** The error of a request, whatever was thrown. */
export function httpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!AsOfError.is(error)) return new HttpError(500, 'ERR_INTERNAL', internal);
  const [status, message] = statuses[error.code] ?? [500];
  if (status === 503) return unavailable(error.code, message!);
  if (status > 400) return new HttpError(status, error.code, message ?? internal);
  const { argument } = error.details;
  const details =
    typeof argument === 'string'
      ? { ...error.details, argument: inFieldNames(argument) }
      : error.details;
  return new HttpError(400, error.code, inFieldNames(error.message), { details });
}

/** What clients get of an error. */
export const errorJson = ({ code, message, more }: HttpError): Record<string, unknown> => ({
  code,
  message,
  ...(more.details && Object.keys(more.details).length > 0 ? { details: more.details } : {}),
});

/** For the log: what happened inside, where that is not the client's fault. */
export function logText(error: unknown): string {
  const { status, code } = httpError(error);
  if (status < 500) return code;
  return `${code}: ${error instanceof Error ? error.message : String(error)}`;
}

const slowestEnded = (): HttpError => {
  const known = overloaded(
    'inFlight',
    'bodies and answers to move on while others wait for a place, this was the slowest',
  );
  known.more.headers!['connection'] = 'close';
  return known;
};

/** The error of a request, by why its signal fired where that is its cause. */
export function endError(
  error: unknown,
  ended: EndOfRequest | undefined,
  seconds: number,
): HttpError {
  const known = httpError(error);
  if (known.code !== 'ERR_ABORTED' && known.code !== 'ERR_CLOSED') return known;
  if (ended === 'body') return slowBody();
  if (ended === 'room') return slowestEnded();
  if (ended === 'time')
    return new HttpError(
      503,
      'ERR_TIMEOUT',
      `Expected an answer within ${seconds} s, it took longer. Ask for less, or raise the limit.`,
      { limit: 'seconds' },
    );
  return known;
}

/** Arguments of the library that hold an answer to its budget. */
const budgets: readonly unknown[] = ['mostUnits', 'mostMentions'];

/** Whether the library has refused to read more than an answer may have. */
export const isOverBudget = (error: unknown): boolean =>
  AsOfError.is(error) && budgets.includes(error.details['argument']);

/** The limit that a request exceeded, if that is how it ended. */
export const limitOf = (error: unknown): Limit | undefined =>
  error instanceof HttpError ? error.more.limit : undefined;
