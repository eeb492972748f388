// JSON POSTs to a model server: options, retries, adapted requests.
import type { Fetch } from '../runtime/ambient.js';
import { AsOfError, invalidArgument, mustBeWhole } from '../errors.js';
import {
  bodyText,
  connect,
  readBody,
  refusal,
  sent,
  type Adapt,
  type AnswerReader,
  type Settings,
  secretsOf,
  type Hide,
} from './connection.js';
import { checkRetries, type Attempt } from './retry.js';
import { streamAnswer, type EventReader } from './serverStream.js';

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
  fetch?: Fetch | undefined;
}

/** What the requests of an adapter have in common. */
export interface Endpoint {
  /** Path from baseURL on. */
  path: string;
  /** Code of the errors of its post(). */
  code: Settings['code'];
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
  /** Sends a body and reads the answer as it comes (serverStream.ts). */
  stream<T extends { text: string }>(
    body: () => unknown,
    reader: (server: Server) => EventReader<T>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<string, T, undefined>;
  hide: Hide;
}

const nodeFetchLimitMs = 300_000;
const longestTimeoutMs = 3_600_000;

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range. post() rejects with ERR_ABORTED
 * at once when the signal fires, else with `code`, with details { model, status?, tries }.
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
    post: (body, read, signal) =>
      sent(settings, body, signal, (text) =>
        tryOnce(settings, text, (answer) => read(answer, server), signal),
      ),
    stream: (body, reader, signal) => streamAnswer(settings, body, () => reader(server), signal),
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

async function tryOnce<T>(
  settings: Settings,
  body: string,
  read: AnswerReader<T>,
  signal: AbortSignal | undefined,
): Promise<Attempt<T>> {
  const connection = connect(settings, signal);
  try {
    const response = await connection.send(body);
    return response.ok
      ? readBody(settings, await bodyText(response), read)
      : await refusal(settings, response);
  } catch (cause) {
    return connection.failureOf(cause);
  } finally {
    connection.end();
  }
}
