// One request to a model server, and what its answer says: time-out, size limit, no redirects.
import { AsOfError, isObject, throwIfAborted } from '../errors.js';
import type { Fetch } from '../runtime/ambient.js';
import { longestWaitMs, retryAfter } from '../runtime/retry.js';
import { attemptsNote, retry, truncated, type Attempt, type Failure } from './retry.js';

/** Adapts to a refusal of a request; returns whether the changed body is worth sending. */
export type Adapt = (status: number, error: ServerError) => boolean;

export interface ServerError {
  message?: string;
  code?: unknown;
  /** The parameter that the server blames. */
  param?: unknown;
}

export interface Settings {
  url: URL;
  id: string;
  model: string;
  headers: Headers;
  timeoutMs: number;
  retries: number;
  hide: Hide;
  fetch: Fetch;
  code: 'ERR_MODEL_FAILED' | 'ERR_ENCODER_FAILED' | 'ERR_RERANKER_FAILED';
  adapt: Adapt;
}

const maxBodyBytes = 64 * 1024 * 1024;
/** Changes of a body within one call, after refusals that name what is unsupported. */
const maxAdaptations = 4;

export type AnswerReader<T> = (answer: Record<string, unknown>) => Attempt<T>;

/** One request, under the time-out of an attempt and the caller's signal until it is ended. */
export function connect(
  settings: Settings,
  signal: AbortSignal | undefined,
): {
  send(body: string, accept?: string): Promise<Response>;
  /** @throws AsOfError ERR_ABORTED */
  failureOf(cause: unknown): Failure;
  /** Frees what it holds; an answer that is not read to its end is cancelled. */
  end(): void;
} {
  const late = AbortSignal.timeout(settings.timeoutMs);
  const ended = new AbortController();
  const linked = AbortSignal.any([late, ended.signal, ...(signal ? [signal] : [])]);
  return {
    send(body, accept = 'application/json') {
      const headers = new Headers(settings.headers);
      headers.set('accept', accept);
      const request = {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: linked,
      } as const;
      return settings.fetch(settings.url, request);
    },
    failureOf(cause) {
      throwIfAborted(signal);
      if (late.aborted)
        return {
          reason: `no whole answer within ${settings.timeoutMs} ms`,
          transient: true,
          cause,
        };
      const isTooLong = cause instanceof AnswerTooLong || cause instanceof EventTooLong;
      return { reason: settings.hide(reasonOf(cause)), transient: !isTooLong, cause };
    },
    end: () => ended.abort(),
  };
}

class AnswerTooLong extends Error {}

export async function bodyText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: string[] = [];
  let bytes = 0;
  if (response.body) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBodyBytes)
        throw new AnswerTooLong(`an answer of more than ${maxBodyBytes} bytes`);
      pieces.push(decoder.decode(chunk, { stream: true }));
    }
  }
  return pieces.join('') + decoder.decode();
}

/** The failure of another status than 2xx, with the server's message without secrets. */
export async function refusal(settings: Settings, response: Response): Promise<Failure> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return {
      reason: `status ${status}, a redirect, which is not followed; give the final address as baseURL`,
      transient: false,
      status,
    };
  }
  const text = await bodyText(response).catch(() => ''); // the status is enough
  const error = errorOf(parsed(text));
  const message = error.message ?? text.trim();
  // An exhausted quota has the status of a full queue, but is not transient.
  const transient =
    status === 408 ||
    (status === 429 && error.code !== 'insufficient_quota') ||
    (status >= 500 && status !== 501);
  const waitMs = retryAfter(response.headers.get('retry-after'));
  const delayNote =
    transient && waitMs !== undefined && waitMs > longestWaitMs
      ? `; it requests a delay of ${Math.ceil(waitMs / 1000)} s`
      : '';
  const reason = `status ${status}${message === '' ? '' : `: ${truncated(settings.hide(message))}`}${delayNote}`;
  const again = !transient && settings.adapt(status, { ...error, message });
  return {
    reason,
    transient,
    status,
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(again ? { again } : {}),
  };
}

export function readBody<T>(settings: Settings, text: string, read: AnswerReader<T>): Attempt<T> {
  const body = parsed(text);
  if (body === undefined) {
    return {
      reason:
        text.trim() === ''
          ? 'an empty body'
          : `a body that is not a JSON object: ${truncated(settings.hide(text))}`,
      transient: true,
    };
  }
  const { message } = errorOf(body);
  if (message !== undefined)
    return { reason: `an error: ${truncated(settings.hide(message))}`, transient: false };
  return read(body);
}

/** Names under which answers hold their content, next to which `message` is no error. */
const contents = ['choices', 'data', 'results'];

/** Servers write { error: { message, code } }, { error: "..." } or { message }. */
export function errorOf(body: Record<string, unknown> | undefined): ServerError {
  const error = record(body?.error);
  const message =
    error?.message ??
    body?.error ??
    (contents.every((name) => body?.[name] === undefined) ? body?.message : undefined);
  return {
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
    code: error?.code ?? error?.type,
    param: error?.param,
  };
}

/** What one of several attempts returns, each of the body as it has been adapted by then. */
export async function sent<T>(
  settings: Settings,
  body: () => unknown,
  signal: AbortSignal | undefined,
  tryOnce: (body: string) => Promise<Attempt<T>>,
): Promise<T> {
  const attempt = async (): Promise<Attempt<T>> => {
    for (let adaptations = 0; ; adaptations += 1) {
      const outcome = await tryOnce(JSON.stringify(body()));
      if (!('again' in outcome) || adaptations === maxAdaptations) return outcome;
      throwIfAborted(signal);
    }
  };
  const outcome = await retry(attempt, { retries: settings.retries, signal });
  if ('value' in outcome) return outcome.value;
  throw failed(settings, outcome.failure, outcome.tries);
}

export function failed(
  { url, hide, id, model, code }: Settings,
  { reason, status, cause }: Failure,
  tries: number,
): AsOfError {
  const message = `Expected ${hide(`${url.origin}${url.pathname}`)} to answer as ${model}, received ${reason}${attemptsNote(tries)}. ${remedy(status)}`;
  const details = { model: id, ...(status === undefined ? {} : { status }), tries };
  return new AsOfError(code, message, { cause, details });
}

function remedy(status: number | undefined): string {
  if (status === 401 || status === 403) return 'Check apiKey.';
  if (status === 404) return 'Check baseURL and model.';
  if (status === 429) return 'Send fewer requests at once, or raise retries.';
  return status !== undefined && status < 500
    ? 'Check the request and what the server supports.'
    : 'Check that the server is healthy and that baseURL is its address.';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code } = (error.cause ?? {}) as { message?: unknown; code?: unknown };
  const inner = [message, code].find((each) => typeof each === 'string' && each !== '');
  return `${error.message}${inner === undefined ? '' : ` (${inner as string})`}`;
}

/** A JSON object. A list, as TEI answers, is its property `list`. */
export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? { list: value } : record(value);
  } catch {
    return undefined;
  }
}

export function record(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}

/** A text without the secrets. */
export type Hide = (text: string) => string;

/** Values shorter than this ("1", "gpt") are words that occur anywhere; they are no secrets. */
const shortestSecret = 6;

export function secretsOf(
  apiKey: string | undefined,
  headers: Readonly<Record<string, string>>,
): { all: Headers; hide: Hide } {
  const all = new Headers();
  if (typeof headers !== 'object' || headers === null)
    throw refused('headers', 'an object of strings');
  for (const [name, value] of Object.entries(headers)) {
    try {
      if (typeof value !== 'string') throw new TypeError('not a string');
      all.set(name, value);
    } catch {
      throw refused(
        `headers[${JSON.stringify(name.slice(0, 60))}]`,
        'a header name with a string that a header can carry',
      );
    }
  }
  if (apiKey !== undefined) {
    if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
      throw refused('apiKey', 'visible ASCII characters without spaces or line ends');
    all.set('authorization', `Bearer ${apiKey}`);
  }
  const secrets = [
    apiKey ?? '',
    ...Object.values(headers),
    ...Object.values(headers).map((value) => value.replace(/^\S+\s+/, '')),
  ]
    .flatMap((secret) => [
      secret.trim(),
      JSON.stringify(secret.trim()).slice(1, -1),
      encodeURIComponent(secret.trim()),
    ])
    .filter((secret) => secret.length >= shortestSecret || (secret !== '' && secret === apiKey))
    .sort((a, b) => b.length - a.length);
  const unique = [...new Set(secrets)];
  return {
    all,
    hide: (text) => unique.reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text),
  };
}

function refused(argument: string, expected: string): AsOfError {
  return new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected ${argument} to be ${expected}, received something else, which is not shown.`,
    { details: { argument } },
  );
}

/** More than this in one event, or without an end of a line, is no answer of a model. */
const maxUnits = 4 * 1024 * 1024;

class EventTooLong extends Error {}

/** The data of each event; one that breaks off is skipped. @throws EventTooLong */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5));
    }
  }
}

/** Lines that end in LF, CR or both. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    // A CR at the end may be half of an end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop()!;
    yield* lines;
    if (text.length > maxUnits) throw new EventTooLong(`an event of more than ${maxUnits} units`);
  }
  if (text.endsWith('\r')) yield text.slice(0, -1);
}
