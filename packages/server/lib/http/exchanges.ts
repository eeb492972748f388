// The course of every request, of HTTP and of the tools of agents: its scope, its answer or its
// error, the sending of either within their limits, and a record of how it ended.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ServerRequest } from 'srvx';
import { AsOfError } from 'asof';
import { Admission } from './admission.js';
import { answerStream, type Pieces } from './answerStream.js';
import {
  answerTooLarge,
  endError,
  errorJson,
  httpError,
  isOverBudget,
  limitOf,
  logText,
} from './errors.js';
import { jsonPieces, type AnswerBudget } from './jsonPieces.js';
import type { Limits } from './limits.js';
import { Metrics } from './metrics.js';
import type { RequestLog } from './options.js';
import type { Reply } from './route.js';
import { RequestScope } from './scope.js';

/** A request while it runs. */
export interface Exchange {
  readonly request: Request;
  readonly id: string;
  readonly scope: RequestScope;
  /** Its route, once known. `less`: how to ask for less, for an answer that is too large. */
  route?: { readonly method: string; readonly path: string; readonly less?: string };
}

export interface ExchangeOptions {
  limits: Limits;
  /** Ends all requests. */
  closing: AbortSignal;
  log?: ((record: RequestLog) => void) | undefined;
  /** The body of an error's answer. Default: `{ error }`. */
  errorBody?: (error: Record<string, unknown>) => Record<string, unknown>;
}

export class Exchanges {
  readonly admission: Admission;
  readonly metrics: Metrics;

  constructor(private readonly options: ExchangeOptions) {
    setMaxListeners(0, options.closing); // each request listens
    this.admission = new Admission(options.limits);
    this.metrics = new Metrics(this.admission);
  }

  /** Answers a request, also with the error of its handler; it never rejects. */
  async respond(
    request: Request,
    handle: (exchange: Exchange) => Promise<Reply>,
    headers: (request: Request) => Record<string, string>,
  ): Promise<Response> {
    const started = performance.now();
    const time = new Date().toISOString();
    const { closing, limits } = this.options;
    const scope = new RequestScope(request.signal, closing, this.admission);
    const exchange: Exchange = { request, id: requestId(request), scope };
    let error: unknown;
    let reply: Reply;
    let pieces: Pieces;
    try {
      reply = await handle(exchange);
      pieces = await this.piecesOf(reply, exchange);
    } catch (thrown) {
      const { less } = exchange.route ?? {};
      error = isOverBudget(thrown) ? answerTooLarge(limits.answerBytes, less) : thrown;
      [reply, pieces] = this.failed(error, exchange);
    }
    const { status = 200 } = reply;
    const all = {
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': exchange.id,
      ...headers(request),
      ...(this.admission.isStopping ? { connection: 'close' } : {}),
      'content-type': 'application/json; charset=utf-8',
      ...reply.headers,
    };
    const ended = (bytes: number, later?: unknown): void => {
      error ??= later ?? scope.failure;
      if (scope.ended !== undefined && scope.ended !== 'client')
        error ??= endError(
          new AsOfError('ERR_ABORTED', `Ended: ${scope.ended}.`),
          scope.ended,
          limits.seconds,
        );
      scope.release();
      const ms = performance.now() - started;
      this.record(exchange, { time, status, ms, bytes, error });
    };
    if (request.method === 'HEAD' || status === 204) {
      ended(0);
      return new Response(null, { status, headers: all });
    }
    const handsOver = (request as ServerRequest).runtime?.node === undefined;
    const body = answerStream(pieces, { scope, seconds: limits.seconds, handsOver, ended });
    return new Response(body, { status, headers: all });
  }

  private async piecesOf(reply: Reply, exchange: Exchange): Promise<Pieces> {
    const { json, text = '', lines, stream } = reply;
    const { scope, route: { less } = {} } = exchange;
    const { answerBytes: most, seconds } = this.options.limits;
    if (stream) return stream;
    if (lines) return linePieces(lines, { most, scope, less, seconds });
    if (json === undefined) return [text];
    return jsonPieces(json, { most, scope, less });
  }

  /** The answer of an error; where its details are no JSON, one without them. */
  private failed(thrown: unknown, { scope }: Exchange): [Reply, Pieces] {
    const { errorBody = (error) => ({ error }), limits } = this.options;
    let known = endError(thrown, scope.ended, limits.seconds);
    let body: string;
    try {
      body = JSON.stringify(errorBody(errorJson(known)));
    } catch (fault) {
      known = httpError(fault);
      body = JSON.stringify(errorBody(errorJson(known)));
    }
    const { status, more } = known;
    return [{ status, ...(more.headers ? { headers: more.headers } : {}) }, [body]];
  }

  private record(
    { request, id, scope, route }: Exchange,
    ended: { time: string; status: number; ms: number; bytes: number; error: unknown },
  ): void {
    const { time, ms, bytes, error } = ended;
    const status = scope.ended === 'client' ? 499 : ended.status;
    const { method = 'OTHER', path = '(none)' } = route ?? {};
    this.metrics.request(method, path, status, ms);
    const limit = limitOf(error);
    if (limit) this.metrics.refused(limit);
    const { log } = this.options;
    if (!log) return;
    const record: RequestLog = {
      time,
      request_id: id,
      method: request.method,
      route: path,
      status,
      ms: Math.round(ms * 1000) / 1000,
      bytes,
      ...(error === undefined ? {} : { error: logText(error) }),
    };
    queueMicrotask(() => log(record)); // its errors are its program's, not the client's
  }
}

/** The client's own id, so that logs of both can be joined, or a new one. */
function requestId(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
}

/** The last line is an error where one arises, and in place of one that goes beyond the budget. */
async function* linePieces(
  lines: AsyncIterable<Record<string, unknown>>,
  { most, scope, less, seconds }: AnswerBudget & { seconds: number },
): AsyncGenerator<string> {
  let bytes = 0;
  try {
    for await (const each of lines) {
      const line = `${JSON.stringify(each)}\n`;
      bytes += Buffer.byteLength(line);
      if (bytes > most) throw answerTooLarge(most, less);
      yield line;
    }
  } catch (error) {
    scope.failure = error;
    const known = endError(error, scope.ended, seconds);
    yield `${JSON.stringify({ type: 'error', error: errorJson(known) })}\n`;
  }
}
