// A TextModel over any server that speaks OpenAI's chat completions, by fetch: tries again what may pass, gives up in time,
// and never shows a key. It streams nothing, follows no redirect (a key is for one server) and rewrites no prompt.
import { abortError, invalidArgument, throwIfAborted } from '../errors.js';
import { AsOfError, type GenerateRequest, type Generation, type TextModel, type TokenUsage } from '../index.js';
import { secretsOf, type Hide } from './secrets.js';

export interface OpenAiCompatibleOptions {
  /** What stands before `/chat/completions`, with the version: `https://api.openai.com/v1`, `http://127.0.0.1:8080/v1`. A query is kept. */
  baseURL: string;
  /** The model's name on that server, 1 to 180 characters. */
  model: string;
  /** Sent as a bearer token; visible ASCII. Without one no such header is sent. */
  apiKey?: string;
  /** Further headers. Their values are treated as secrets too. */
  headers?: Readonly<Record<string, string>>;
  /** For one try, from the request to the last byte of its answer, in milliseconds, 1 to 300000. Default 120000. */
  timeoutMs?: number;
  /** Tries after the first one, 0 to 10. Default 3. */
  retries?: number;
}

interface Server {
  url: URL;
  model: string;
  headers: Headers;
  timeoutMs: number;
  retries: number;
  hide: Hide;
}

/** What came of one try that gave no answer. */
interface Failure {
  fault: string;
  /** Whether the same request may pass later. */
  passing: boolean;
  status?: number;
  /** How long the server asks to wait. */
  waitMs?: number;
  cause?: unknown;
}

const firstWaitMs = 500;
const longestBackoffMs = 30_000;
/** A server that asks for more than this is not waited for. */
const longestWaitMs = 60_000;
const bodyBytesMax = 16 * 1024 * 1024;

/**
 * A model behind an OpenAI-compatible server. `jsonSchema` is sent as response_format json_schema, not strict: servers differ
 * in what they enforce, so `generateJson` checks the answer.
 *
 * Statuses 408, 429 and 5xx, network errors, time-outs and bodies that are cut or broken are tried again after 0.5 s, 1 s,
 * 2 s ... (at most 30 s), each shortened at random by up to half; Retry-After is honoured, up to a minute.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range. Its generate() rejects with ERR_ABORTED at once when the
 *   signal fires, else with ERR_MODEL_FAILED, with details { model, status?, tries }.
 * @example openAiCompatible({ baseURL: 'http://127.0.0.1:8080/v1', model: 'smollm2-135m-instruct' })
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): TextModel {
  const server = checkOptions(options);
  return { id: `openai-compatible:${server.model}`, generate: (request) => generate(server, request) };
}

function checkOptions(options: OpenAiCompatibleOptions): Server {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', 'an object { baseURL, model, ... }', options);
  const { baseURL, model, apiKey, headers = {}, timeoutMs = 120_000, retries = 3 } = options;
  if (typeof model !== 'string' || model.length === 0 || model.length > 180) throw invalidArgument('model', 'a string of 1 to 180 characters', model);
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 300_000) throw invalidArgument('timeoutMs', 'a whole number from 1 to 300000', timeoutMs);
  if (!Number.isSafeInteger(retries) || retries < 0 || retries > 10) throw invalidArgument('retries', 'a whole number from 0 to 10', retries);
  const { all, hide } = secretsOf(apiKey, headers);
  all.set('content-type', 'application/json');
  all.set('accept', 'application/json');
  return { url: completionsUrl(baseURL), model, headers: all, timeoutMs, retries, hide };
}

function completionsUrl(baseURL: string): URL {
  const url = typeof baseURL === 'string' && URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalidArgument('baseURL', 'an http or https URL', baseURL);
  if (url.username !== '' || url.password !== '') {
    const message = 'Expected baseURL to be a URL without a user name and password, received one with them. Give them as headers.';
    throw new AsOfError('ERR_INVALID_ARGUMENT', message, { details: { argument: 'baseURL' } });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  return url;
}

async function generate(server: Server, request: GenerateRequest): Promise<Generation> {
  const { signal } = request;
  throwIfAborted(signal);
  const body = requestBody(server.model, request);
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(server, body, signal);
    throwIfAborted(signal);
    if ('text' in outcome) return outcome;
    const waitMs = outcome.waitMs ?? backoff(tries);
    if (!outcome.passing || tries > server.retries || waitMs > longestWaitMs) throw failed(server, outcome, tries);
    await pause(waitMs, signal);
  }
}

function requestBody(model: string, request: GenerateRequest): string {
  const { system, prompt, maxTokens, temperature, stop, seed, jsonSchema } = request;
  const messages = [...(system === undefined ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }];
  const format = jsonSchema && { type: 'json_schema', json_schema: { name: 'answer', schema: jsonSchema } };
  // What is undefined is left out by JSON.stringify.
  return JSON.stringify({ model, messages, max_tokens: maxTokens, temperature, stop, seed, response_format: format });
}

async function tryOnce(server: Server, body: string, signal: AbortSignal | undefined): Promise<Generation | Failure> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, server.timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(server.url, { method: 'POST', headers: server.headers, body, redirect: 'manual', signal: controller.signal });
    return response.ok ? readAnswer(server, await bodyText(response)) : await refusal(server, response);
  } catch (cause) {
    throwIfAborted(signal);
    if (late) return { fault: `no whole answer within ${server.timeoutMs} ms`, passing: true, cause };
    return { fault: server.hide(reasonOf(cause)), passing: !(cause instanceof TooLong), cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

class TooLong extends Error {}

async function bodyText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  if (response.body) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) throw new TooLong(`an answer of more than ${bodyBytesMax} bytes`);
      text += decoder.decode(chunk, { stream: true });
    }
  }
  return text + decoder.decode();
}

/** The failure of an answer whose status is not 2xx; what the server says about it is kept, without secrets. */
async function refusal(server: Server, response: Response): Promise<Failure> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return { fault: `status ${status}, a redirect, which is not followed; give the final address as baseURL`, passing: false, status };
  }
  const text = await bodyText(response).catch(() => ''); // the status says enough
  const { message, code } = errorOf(parsed(text));
  const said = message ?? text.trim();
  // A spent quota has the status of a full queue, but waiting does not refill it.
  const passing = status === 408 || (status === 429 && code !== 'insufficient_quota') || status >= 500;
  const waitMs = retryAfter(response.headers);
  const asked = passing && waitMs !== undefined && waitMs > longestWaitMs ? `; it asks to wait ${Math.ceil(waitMs / 1000)} s` : '';
  return { fault: `status ${status}${said === '' ? '' : `: ${shortened(server.hide(said))}`}${asked}`, passing, status, ...(waitMs === undefined ? {} : { waitMs }) };
}

function readAnswer(server: Server, text: string): Generation | Failure {
  const body = parsed(text);
  if (body === undefined) return { fault: text.trim() === '' ? 'an empty body' : `a body that is no JSON object: ${shortened(server.hide(text))}`, passing: true };
  const { message } = errorOf(body);
  if (message !== undefined) return { fault: `an error: ${shortened(server.hide(message))}`, passing: false };
  const choice = Array.isArray(body.choices) ? record(body.choices[0]) : undefined;
  const answer = record(choice?.message);
  const content = contentOf(answer?.content);
  if (content !== undefined) {
    const usage = usageOf(record(body.usage));
    return { text: content, ...(usage ? { usage } : {}) };
  }
  if (typeof answer?.refusal === 'string') return { fault: `a refusal: ${shortened(server.hide(answer.refusal))}`, passing: false };
  const reason = typeof choice?.finish_reason === 'string' ? ` (finish_reason ${shortened(server.hide(choice.finish_reason))})` : '';
  return { fault: `a completion without choices[0].message.content${reason}`, passing: false };
}

/** Text, or the text parts of a list of parts. */
function contentOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) => record(part)?.text).filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}

function usageOf(usage: Record<string, unknown> | undefined): TokenUsage | undefined {
  const count = (name: keyof TokenUsage, value: unknown): TokenUsage => (Number.isSafeInteger(value) && (value as number) >= 0 ? { [name]: value as number } : {});
  const counts = { ...count('inputTokens', usage?.prompt_tokens), ...count('outputTokens', usage?.completion_tokens) };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/** Servers write { error: { message, code } }, { error: "..." } or { message }. */
function errorOf(body: Record<string, unknown> | undefined): { message?: string; code?: unknown } {
  const error = record(body?.error);
  const message = error?.message ?? body?.error ?? (body?.choices === undefined ? body?.message : undefined);
  return { ...(typeof message === 'string' && message !== '' ? { message } : {}), code: error?.code ?? error?.type };
}

/** Milliseconds that the server asks to wait: Retry-After as seconds or as a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Doubles with each try; shortened at random by up to half, so that callers that failed together do not return together. */
function backoff(tries: number): number {
  return Math.min(firstWaitMs * 2 ** (tries - 1), longestBackoffMs) * (1 - Math.random() / 2);
}

function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortError(signal!));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, Math.ceil(waitMs));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}

function failed(server: Server, { fault, status, cause }: Failure, tries: number): AsOfError {
  const place = `${server.url.origin}${server.url.pathname}`;
  const message = `Expected ${server.hide(place)} to answer as ${server.model}, received ${fault}${tries > 1 ? `, after ${tries} tries` : ''}. ${remedy(status)}`;
  const details = { model: `openai-compatible:${server.model}`, ...(status === undefined ? {} : { status }), tries };
  return new AsOfError('ERR_MODEL_FAILED', message, { ...(cause === undefined ? {} : { cause }), details });
}

function remedy(status: number | undefined): string {
  if (status === 401 || status === 403) return 'Check apiKey.';
  if (status === 404) return 'Check baseURL and model.';
  if (status === 429) return 'Send fewer requests at once, or raise retries.';
  return status !== undefined && status < 500 ? 'Check the request and what the server supports.' : 'Check that the server is well and that baseURL is its address.';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { message?: unknown; code?: unknown } | undefined) : undefined;
  const inner = cause?.message || cause?.code;
  return error instanceof Error ? `${error.message}${inner ? ` (${String(inner)})` : ''}` : String(error);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}
