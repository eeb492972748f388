// Request of a hub file: redirects without the token, metadata of the file, time-outs.
import { abortError } from '../../errors.js';

export interface RemoteFile {
  url: string;
  token: string | undefined;
}

/** Metadata of a file on the hub. */
export interface FileFacts {
  commit: string | undefined;
  /** Identifies the content; a checksum only in the hub's own headers. */
  etag: string | undefined;
  /** SHA-256 of the content, or SHA-1 of its git blob. */
  checksum: { algorithm: 'sha256' | 'gitBlob'; hex: string } | undefined;
  /** Bytes of the whole file. */
  size: number | undefined;
}

export interface Answer extends FileFacts {
  status: number;
  headers: Headers;
  /** The first byte of the file that the body has. */
  from: number;
  /** The body's bytes. Rejects if the server stalls or closes early. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Cancels a body that is not read. */
  discard(): Promise<void>;
}

/** Longest stall of a server, in milliseconds. */
const longestStallMs = 60_000;
const redirectsMost = 8;

/** The first byte to request of a file, by its metadata; its size if it is complete. */
export type StartOf = (facts: FileFacts) => Promise<number>;

interface LinkMetadata {
  commit: string | null;
  etag: string | null;
  size: string | null;
}

/**
 * Asks for a file, from the byte that `startOf` gives where the hub names the file before it
 * redirects to its bytes, else from `from` on. Rejects with what fetch threw, or with ERR_ABORTED.
 */
export async function ask(
  remote: RemoteFile,
  from: number,
  startOf: StartOf,
  signal: AbortSignal | undefined,
  stallMs = longestStallMs,
): Promise<Answer> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => silence.abort(new Error(`the server was silent for ${stallMs / 1000} s`)),
      stallMs,
    );
  };
  const done = (): void => clearTimeout(timer);
  const both = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  const linked: LinkMetadata = { commit: null, etag: null, size: null };
  let [at, start, known] = [remote.url, from, false];
  try {
    for (let step = 0; step <= redirectsMost; step += 1) {
      heard();
      const response = await fetch(at, {
        headers: headersFor(remote, at, start),
        redirect: 'manual',
        signal: both,
      });
      linked.commit ??= response.headers.get('x-repo-commit');
      linked.etag ??= response.headers.get('x-linked-etag');
      linked.size ??= response.headers.get('x-linked-size');
      const next = [301, 302, 303, 307, 308].includes(response.status)
        ? response.headers.get('location')
        : null;
      if (next === null) return answerOf(response, linked, heard, done);
      await response.body?.cancel(); // the body of a redirect
      if (linked.etag !== null && !known) {
        known = true;
        const facts = factsOf(response, linked);
        start = await startOf(facts);
        if (start === facts.size) return nothingMore(response, facts, done);
      }
      at = new URL(next, at).href;
      if (!/^https?:/.test(at)) throw new Error(`it redirects to ${new URL(at).protocol}`);
    }
    throw new Error(`it redirects more than ${redirectsMost} times`);
  } catch (error) {
    done();
    if (signal?.aborted) throw abortError(signal);
    throw error;
  }
}

function headersFor({ url, token }: RemoteFile, at: string, from: number): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': 'asof' };
  if (from > 0) headers.range = `bytes=${from}-`;
  if (token !== undefined && new URL(at).origin === new URL(url).origin)
    headers.authorization = `Bearer ${token}`;
  return headers;
}

function factsOf({ status, headers }: Response, linked: LinkMetadata): FileFacts {
  const range = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '');
  const plain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  const length = status === 200 && plain ? headers.get('content-length') : null;
  const etag =
    (linked.etag ?? headers.get('etag') ?? '').replace(/^W\//, '').replaceAll('"', '') || undefined;
  return {
    commit:
      linked.commit !== null && /^(?!\.+$)[\w.-]{1,64}$/.test(linked.commit)
        ? linked.commit
        : undefined,
    etag,
    checksum: linked.etag !== null || linked.commit !== null ? checksumOf(etag) : undefined,
    size: whole(linked.size ?? range?.[1] ?? length),
  };
}

function answerOf(
  response: Response,
  linked: LinkMetadata,
  heard: () => void,
  done: () => void,
): Answer {
  const { status, headers, body } = response;
  return {
    ...factsOf(response, linked),
    status,
    headers,
    from:
      status === 206
        ? Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1)
        : 0,
    async *chunks() {
      try {
        if (!body) return;
        for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
          heard();
          yield chunk;
        }
      } finally {
        done();
      }
    },
    async discard() {
      done();
      // Read or failed: nothing to cancel.
      await body?.cancel().catch(() => undefined);
    },
  };
}

/** All bytes are present already. */
function nothingMore({ headers }: Response, facts: FileFacts, done: () => void): Answer {
  done();
  return {
    ...facts,
    status: 206,
    headers,
    from: facts.size!,
    async *chunks() {},
    discard: async () => {},
  };
}

/** Hubs identify a large file by its SHA-256 and a small one by its git blob hash. */
function checksumOf(etag: string | undefined): FileFacts['checksum'] {
  if (etag !== undefined && /^[0-9a-f]{64}$/.test(etag)) return { algorithm: 'sha256', hex: etag };
  if (etag !== undefined && /^[0-9a-f]{40}$/.test(etag)) return { algorithm: 'gitBlob', hex: etag };
  return undefined;
}

function whole(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
