// One JSON POST to a model server: retries, time-out, size limit, no redirects.
import { AsOfError, invalidArgument, mustBeWhole, throwIfAborted } from '../errors.js';
import { longestWaitMs, retryAfter } from '../runtime/retry.js';
import {
  checkRetries,
  retry,
  truncated,
  attemptsNote,
  type Attempt,
  type Failure,
} from './retry.js';
import { secretsOf, type Hide } from './secrets.js';

/** Server, credentials, time-out and retries. */
export interface ServerOptions {
  /**
   * The URL up to `/chat/completions`, `/embeddings` and `/rerank`, with the version:
   * `https://api.openai.com/v1`, `http://127.0.0.1:8080/v1`. A query string is kept.
   */
  baseURL: string;
  /** The model's name on that server, 1 to 180 characters. */
  model: string;
  /** Sent as a bearer token; visible ASCII. Without one no such header is sent. */
  apiKey?: string | undefined;
  /** Additional headers. Their values are redacted like the key. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Time-out of one attempt, from the request to the last byte of the answer, in milliseconds.
   * Default 120000; 1 to 300000, Node's own limit, or to 3600000 with `fetch`.
   */
  timeoutMs?: number | undefined;
  /** Retries of transient failures, 0 to 10. Default 3. */
  retries?: number | undefined;
  /**
   * Replaces Node's fetch: for proxies, certificates, or servers that take more than five minutes.
   * It receives the key.
   */
  fetch?: typeof fetch | undefined;
}

/** What the requests of an adapter have in common. */
export interface Endpoint {
  /** Path from baseURL on. */
  path: string;
  /** Code of the errors of its post(). */
  code: 'ERR_MODEL_FAILED' | 'ERR_ENCODER_FAILED' | 'ERR_RERANKER_FAILED';
  /** Beginning of `Server.id`. Default 'openai-compatible'. */
  protocol?: string;
  /** Default: no refusal is adapted to. */
  adapt?: Adapt;
}

export interface Server {
  /** Protocol and model. */
  id: string;
  model: string;
  /** Sends a body, with retries, and reads the answer. */
  post<T>(
    body: () => unknown,
    read: (answer: Record<string, unknown>, server: Server) => Attempt<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>;
  hide: Hide;
}

/** Adapts to a refusal of a request; returns whether the changed body is worth sending. */
export type Adapt = (status: number, error: ServerError) => boolean;

export interface ServerError {
  message?: string;
  code?: unknown;
  /** The parameter that the server blames. */
  param?: unknown;
}

interface Settings {
  url: URL;
  id: string;
  model: string;
  headers: Headers;
  timeoutMs: number;
  retries: number;
  hide: Hide;
  fetch: typeof fetch;
  code: Endpoint['code'];
  adapt: Adapt;
}

const maxBodyBytes = 64 * 1024 * 1024;
const nodeFetchLimitMs = 300_000;
const longestTimeoutMs = 3_600_000;
/** Changes of a body within one call, after refusals that name what is unsupported. */
const maxAdaptations = 4;

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range. post() rejects with ERR_ABORTED
 * at once when the signal
 * fires, else with `code`, with details { model, status?, tries }.
 */
export function openServer(
  options: ServerOptions,
  { path, code, protocol = 'openai-compatible', adapt = () => false }: Endpoint,
): Server {
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { baseURL, model, ... }', options);
  const {
    baseURL,
    model,
    apiKey,
    headers = {},
    timeoutMs = 120_000,
    retries = 3,
    fetch: customFetch,
  } = options;
  if (typeof model !== 'string' || model.length === 0 || model.length > 180)
    throw invalidArgument('model', 'a string of 1 to 180 characters', model);
  if (customFetch !== undefined && typeof customFetch !== 'function')
    throw invalidArgument('fetch', 'a function like fetch', customFetch);
  const longest = customFetch === undefined ? nodeFetchLimitMs : longestTimeoutMs;
  const remedy =
    customFetch === undefined
      ? "Node's fetch has this limit: pass another fetch, or request fewer tokens."
      : undefined;
  mustBeWhole({ timeoutMs }, 1, longest, remedy);
  const { all, hide } = secretsOf(apiKey, headers);
  all.set('content-type', 'application/json');
  all.set('accept', 'application/json');
  const id = `${protocol}:${model}`;
  const settings: Settings = {
    url: endpointUrl(baseURL, path),
    id,
    model,
    headers: all,
    timeoutMs,
    retries: checkRetries(retries),
    hide,
    fetch: customFetch ?? ((...args) => fetch(...args)),
    code,
    adapt,
  };
  const server: Server = {
    id,
    model,
    hide,
    post: (body, read, signal) => post(settings, body, (answer) => read(answer, server), signal),
  };
  return server;
}

function endpointUrl(baseURL: string, path: string): URL {
  const url = typeof baseURL === 'string' && URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidArgument(
      'baseURL',
      'an http or https URL',
      baseURL,
      'Write it with its version: http://127.0.0.1:8080/v1.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    const message =
      'Expected baseURL to be a URL without a user name and password, received one with ' +
      'them. Give them as headers.';
    throw new AsOfError('ERR_INVALID_ARGUMENT', message, { details: { argument: 'baseURL' } });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.hash = '';
  return url;
}

type AnswerReader<T> = (answer: Record<string, unknown>) => Attempt<T>;

async function post<T>(
  settings: Settings,
  body: () => unknown,
  read: AnswerReader<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const attempt = async (): Promise<Attempt<T>> => {
    for (let adaptations = 0; ; adaptations += 1) {
      const outcome = await tryOnce(settings, JSON.stringify(body()), read, signal);
      if (!('again' in outcome) || adaptations === maxAdaptations) return outcome;
      throwIfAborted(signal);
    }
  };
  const outcome = await retry(attempt, { retries: settings.retries, signal });
  if ('value' in outcome) return outcome.value;
  throw failed(settings, outcome.failure, outcome.tries);
}

async function tryOnce<T>(
  settings: Settings,
  body: string,
  read: AnswerReader<T>,
  signal: AbortSignal | undefined,
): Promise<Attempt<T> | (Failure & { again: true })> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, settings.timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const request = {
      method: 'POST',
      headers: settings.headers,
      body,
      redirect: 'manual',
      signal: controller.signal,
    } as const;
    const response = await settings.fetch(settings.url, request);
    return response.ok
      ? readBody(settings, await bodyText(response), read)
      : await refusal(settings, response);
  } catch (cause) {
    throwIfAborted(signal);
    if (late)
      return { reason: `no whole answer within ${settings.timeoutMs} ms`, transient: true, cause };
    return {
      reason: settings.hide(reasonOf(cause)),
      transient: !(cause instanceof AnswerTooLong),
      cause,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

class AnswerTooLong extends Error {}

async function bodyText(response: Response): Promise<string> {
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

/**
 * The failure of an answer with another status than 2xx, with the server's message without secrets.
 */
async function refusal(
  settings: Settings,
  response: Response,
): Promise<Failure | (Failure & { again: true })> {
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

function readBody<T>(settings: Settings, text: string, read: AnswerReader<T>): Attempt<T> {
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
function errorOf(body: Record<string, unknown> | undefined): ServerError {
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

function failed(
  { url, hide, id, model, code }: Settings,
  { reason, status, cause }: Failure,
  tries: number,
): AsOfError {
  const message = `Expected ${hide(`${url.origin}${url.pathname}`)} to answer as ${model}, received ${reason}${attemptsNote(tries)}. ${remedy(status)}`;
  const details = {
    model: id,
    ...(status === undefined ? {} : { status }),
    tries,
  };
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
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? { list: value } : record(value);
  } catch {
    return undefined;
  }
}

export function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
