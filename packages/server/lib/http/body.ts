// Bodies of requests, within their limits: JSON whole, lines of passages as they come.
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { throwIfAborted } from 'asof/kit';
import { badRequest, slowBody, tooLarge, tooManyValues, unsupported } from './errors.js';
import type { Limits } from './limits.js';
import type { RequestScope } from './scope.js';

/**
 * Objects, lists and texts of a JSON body, keys included: parsing takes its time by their number,
 * not by their bytes, and no other request is served meanwhile. Numbers cost a tenth.
 */
const mostValues = 320_000;

/** Types of a body of passages, one a line. */
export const lineTypes = ['application/x-ndjson', 'application/jsonl'];

/** The media type of a request's body, without parameters; null without one. */
export function bodyType(request: Request): string | null {
  const type = request.headers.get('content-type');
  return type === null ? null : type.split(';')[0]!.trim().toLowerCase();
}

/**
 * The JSON object of a body, which has to arrive within the time limit.
 * @throws HttpError 400, 408, 413, 415
 */
export async function jsonBody(
  request: Request,
  limits: Limits,
  scope: RequestScope,
): Promise<Record<string, unknown>> {
  const value = await jsonValue(request, limits, scope);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw badRequest(
    `Expected a JSON object as the body, received ${Array.isArray(value) ? 'an array' : JSON.stringify(value).slice(0, 60)}.`,
  );
}

/** Any JSON of a body. @throws HttpError 400, 408, 413, 415 */
export async function jsonValue(
  request: Request,
  limits: Limits,
  scope: RequestScope,
): Promise<unknown> {
  const type = bodyType(request);
  // Also of what a page of another site can send without asking.
  if (type !== 'application/json') throw unsupported('application/json', type);
  const bytes = await bodyBytes(request, limits, scope);
  checkValues(bytes);
  const text = utf8(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `Expected JSON as the body, received what is none (${(error as Error).message}).`,
    );
  }
}

/** All of a body, which has to arrive within the time limit. @throws HttpError 408, 413, 415 */
export async function bodyBytes(
  request: Request,
  { bodyBytes: most, seconds }: Limits,
  scope: RequestScope,
): Promise<Uint8Array> {
  checkEncoding(request);
  const timer = setTimeout(() => scope.abort('body'), seconds * 1000).unref();
  return readAll(request, most, scope).finally(() => clearTimeout(timer));
}

/** Counts the values of JSON before it is parsed. */
function checkValues(bytes: Uint8Array): void {
  if (bytes.length <= mostValues) return;
  let count = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) {
      isText = true;
      count += 1;
    } else if (byte === brace || byte === bracket) count += 1;
  }
  if (count > mostValues) throw tooManyValues(mostValues, count);
}

const [quote, backslash, brace, bracket] = [0x22, 0x5c, 0x7b, 0x5b];

function checkEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    throw unsupported('its own without a Content-Encoding', encoding);
}

async function readAll(request: Request, most: number, scope: RequestScope): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const chunks = chunksOf(request, scope);
  let bytes = 0;
  for (let isLong = Number(request.headers.get('content-length')) > most; ; ) {
    if (isLong) {
      parts.length = 0;
      await Promise.race([dropped(chunks), wait(lingerMs, undefined, { ref: false })]);
      throw tooLarge(most);
    }
    const next = await chunks.next();
    if (next.done) break;
    bytes += next.value.length;
    isLong = bytes > most;
    if (isLong) continue;
    scope.hold(next.value.length);
    parts.push(next.value);
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/**
 * Time in which a client may send on what is too long: one that still sends when its connection
 * closes would not learn why.
 */
const lingerMs = 2000;

async function dropped(chunks: AsyncGenerator<Uint8Array>): Promise<void> {
  try {
    for await (const _ of chunks);
  } catch {
    // It is refused anyway.
  }
}

/** The parts of a body until the request ends; a read that waits ends with it. */
async function* chunksOf(request: Request, scope: RequestScope): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  scope.signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      scope.waits();
      const { done, value } = await reader.read();
      if (scope.ended === 'time' || scope.ended === 'body') throw slowBody();
      throwIfAborted(scope.signal);
      if (done) return;
      yield value;
    }
  } finally {
    scope.works();
    scope.signal.removeEventListener('abort', stop);
    stop();
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('Expected a body in UTF-8, received other bytes.');
  }
}

/** The lines of a body; its request ends if the next part takes longer than `seconds`. */
export function linesOfBody(request: Request, scope: RequestScope, seconds: number) {
  checkEncoding(request);
  async function* timed(): AsyncGenerator<Uint8Array> {
    const parts = chunksOf(request, scope);
    for (;;) {
      const timer = setTimeout(() => scope.abort('body'), seconds * 1000).unref();
      const next = await parts.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      scope.works();
      // The reader of lines is one of buffers.
      yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
  }
  return { name: 'body', stream: Readable.from(timed(), { objectMode: false }) };
}
