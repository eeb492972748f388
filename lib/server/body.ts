// Bodies of requests, within their limits: JSON whole, lines of passages as they come.
import { Readable } from 'node:stream';
import { throwIfAborted } from '../errors.js';
import type { LineSource } from '../text/lines.js';
import { badRequest, slowBody, tooLarge, unsupported } from './errors.js';
import type { RequestScope } from './scope.js';

/** Types of a body of passages, one a line. */
export const lineTypes = ['application/x-ndjson', 'application/jsonl'];

/** The media type of a request's body, without parameters; null without one. */
export function bodyType(request: Request): string | null {
  const type = request.headers.get('content-type');
  return type === null ? null : type.split(';')[0]!.trim().toLowerCase();
}

/**
 * The JSON object of a body.
 * @throws HttpError 400, 408, 413, 415
 */
export async function jsonBody(
  request: Request,
  most: number,
  scope: RequestScope,
): Promise<Record<string, unknown>> {
  const type = bodyType(request);
  // Also of what a page of another site can send without asking.
  if (type !== 'application/json') throw unsupported('application/json', type);
  checkEncoding(request);
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  const text = utf8(await readAll(request, most, scope));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `Expected JSON as the body, received what is none (${(error as Error).message}).`,
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw badRequest(
    `Expected a JSON object as the body, received ${Array.isArray(value) ? 'an array' : JSON.stringify(value).slice(0, 60)}.`,
  );
}

function checkEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    throw unsupported('application/json without a Content-Encoding', encoding);
}

async function readAll(request: Request, most: number, scope: RequestScope): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of chunksOf(request, scope)) {
    bytes += part.length;
    if (bytes > most) throw tooLarge(most);
    parts.push(part);
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** The parts of a body until the request ends; a read that waits ends with it. */
async function* chunksOf(request: Request, scope: RequestScope): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  scope.signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (scope.ended === 'time' || scope.ended === 'body') throw slowBody();
      throwIfAborted(scope.signal);
      if (done) return;
      yield value;
    }
  } finally {
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
export function linesOfBody(request: Request, scope: RequestScope, seconds: number): LineSource {
  checkEncoding(request);
  async function* timed(): AsyncGenerator<Uint8Array> {
    const parts = chunksOf(request, scope);
    for (;;) {
      const timer = setTimeout(() => scope.abort('body'), seconds * 1000).unref();
      const next = await parts.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      // The reader of lines is one of buffers.
      yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
  }
  return { name: 'body', stream: Readable.from(timed(), { objectMode: false }) };
}
