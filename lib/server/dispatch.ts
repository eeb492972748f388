// From a request to its response: the route, who may call it, its limits, the checks of what it
// brings, the handler, and a record of how it ended.
import { randomUUID } from 'node:crypto';
import { addRoute, createRouter, findRoute, type RouterContext } from 'rou3';
import { tokenCheck } from './access.js';
import { jsonBody } from './body.js';
import { corsHeaders, preflight } from './cors.js';
import {
  HttpError,
  badRequest,
  endError,
  errorJson,
  forbidden,
  logText,
  notFound,
  unavailable,
} from './errors.js';
import { Metrics } from './metrics.js';
import type { CheckedOptions, RequestLog } from './options.js';
import { lineStream } from './lineStream.js';
import type { Reply, Route, RouteContext } from './route.js';
import { RequestScope, type EndOfRequest } from './scope.js';
import type { ServedCorpora } from './served.js';
import { objectCheck, queryOf } from './validation.js';

type Check = (value: Record<string, unknown>) => void;

/** A route with the checks that are made of its schemas. */
interface PreparedRoute extends Route {
  checkQuery: Check;
  checkBody: Check | undefined;
}

interface Match {
  route: PreparedRoute;
  params: Record<string, string>;
}

/** A request while it runs. */
interface Exchange {
  request: Request;
  id: string;
  started: number;
  time: string;
  route?: PreparedRoute;
  scope?: RequestScope;
  error?: unknown;
}

const noQuery = { type: 'object', properties: {}, additionalProperties: false } as const;

export class Dispatcher {
  readonly metrics = new Metrics();
  /** Called once nothing runs any more, after `stop`. */
  private stopped: (() => void) | undefined;
  private readonly router: RouterContext<PreparedRoute> = createRouter();
  private readonly checkToken: (request: Request) => void;

  constructor(
    private readonly options: CheckedOptions,
    private readonly served: ServedCorpora,
    routes: readonly Route[],
    private readonly closing: AbortSignal,
  ) {
    this.checkToken = tokenCheck(options.tokens);
    for (const route of routes) {
      const pattern = options.basePath + route.path.replace(/\{(\w+)\}/g, ':$1');
      addRoute(this.router, route.method, pattern, {
        ...route,
        checkQuery: objectCheck('the query', route.query ?? noQuery),
        checkBody: route.body && objectCheck('the body', route.body),
      });
    }
  }

  /** Answers a request, also with errors. `refuse` throws for one that must not be answered. */
  async respond(request: Request, refuse?: (request: Request) => void): Promise<Response> {
    const exchange: Exchange = {
      request,
      id: requestId(request),
      started: performance.now(),
      time: new Date().toISOString(),
    };
    let reply: Reply;
    try {
      refuse?.(request);
      reply = await this.answer(exchange);
    } catch (error) {
      exchange.error = error;
      reply = errorReply(error, exchange.scope?.ended, this.options.limits.seconds);
    }
    return this.response(reply, exchange);
  }

  /** Refuses further requests; resolves once none runs, or after `seconds`. */
  async stop(seconds: number): Promise<void> {
    const idle = new Promise<void>((resolve) => (this.stopped = resolve));
    if (this.metrics.inFlight === 0) return;
    const timer = setTimeout(() => this.stopped!(), seconds * 1000);
    await idle.finally(() => clearTimeout(timer));
  }

  private async answer(exchange: Exchange): Promise<Reply> {
    const { request } = exchange;
    const { limits, cors } = this.options;
    const url = new URL(request.url);
    if (request.method === 'OPTIONS' && cors.length > 0) return preflight();
    const { route, params } = this.match(request.method, url.pathname);
    exchange.route = route;
    if (!route.open) {
      this.checkToken(request);
      if (route.writes && !this.options.write)
        throw forbidden(
          'Expected a server that writes, this one only reads. Start it with --write.',
        );
      this.admit(limits.inFlight);
    }
    const scope = new RequestScope(
      request.signal,
      this.closing,
      route.writes ? undefined : limits.seconds,
    );
    exchange.scope = scope;
    const query = queryOf(url.searchParams, route.query ?? noQuery);
    route.checkQuery(query);
    const body = route.body ? await jsonBody(request, limits.bodyBytes, scope) : {};
    route.checkBody?.(body);
    const { served, options, metrics } = this;
    const context: RouteContext = { served, options, metrics, request, scope, params, query, body };
    return route.handle(context);
  }

  /** Counted until the response has ended: `finish`. */
  private admit(most: number): void {
    if (this.stopped)
      throw unavailable(
        'ERR_CLOSED',
        'Expected a running server, this one stops. Repeat it later.',
      );
    if (this.metrics.inFlight >= most)
      throw unavailable(
        'ERR_OVERLOADED',
        `Expected at most ${most} requests at a time, more are running. Repeat it later.`,
      );
    this.metrics.inFlight += 1;
  }

  private match(method: string, path: string): Match {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = findRoute(this.router, wanted, path);
    if (found) return { route: found.data, params: decoded(found.params ?? {}) };
    const others = ['GET', 'POST', 'DELETE'].filter((each) => findRoute(this.router, each, path));
    if (others.length === 0)
      throw notFound(
        `Expected a path of this server, received ${JSON.stringify(path.slice(0, 100))}. ` +
          `GET ${this.options.basePath}/openapi.json lists them.`,
      );
    throw new HttpError(
      405,
      'ERR_METHOD_NOT_ALLOWED',
      `Expected ${others.join(' or ')} for this path, received ${method.slice(0, 20)}.`,
      { headers: { allow: others.join(', ') } },
    );
  }

  private response(reply: Reply, exchange: Exchange): Response {
    const { status = 200, json, text, lines, headers } = reply;
    const { request, id } = exchange;
    const all = {
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': id,
      ...corsHeaders(request, this.options.cors),
      ...(this.stopped ? { connection: 'close' } : {}),
    };
    if (lines) {
      const type = { 'content-type': 'application/x-ndjson; charset=utf-8' };
      const end = (bytes: number, error?: unknown): void => {
        exchange.error ??= error;
        this.finish(exchange, status, bytes);
      };
      const body = lineStream(lines, exchange.scope!, end);
      return new Response(body, { status, headers: { ...all, ...type, ...headers } });
    }
    const body = json === undefined ? (text ?? '') : JSON.stringify(json);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    this.finish(exchange, status, Buffer.byteLength(body));
    return new Response(request.method === 'HEAD' || status === 204 ? null : body, {
      status,
      headers: { ...all, ...type, ...headers },
    });
  }

  private finish(exchange: Exchange, answered: number, bytes: number): void {
    const { request, route, scope, started, time, id } = exchange;
    const error = exchange.error ?? scope?.failure;
    scope?.release();
    if (scope && !route?.open) this.metrics.inFlight -= 1;
    if (this.metrics.inFlight === 0) this.stopped?.();
    const ms = performance.now() - started;
    const status = scope?.ended === 'client' ? 499 : answered;
    const method = route?.method ?? 'OTHER';
    this.metrics.request(method, route?.path ?? '(none)', status, ms);
    const { log } = this.options;
    if (!log) return;
    const record: RequestLog = {
      time,
      request_id: id,
      method: request.method,
      route: route?.path ?? '(none)',
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

/** Parameters of the path, which ids with a slash escape. */
function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw badRequest('Expected a path whose % signs escape UTF-8, received another.');
  }
}

function errorReply(error: unknown, ended: EndOfRequest | undefined, seconds: number): Reply {
  const known = endError(error, ended, seconds);
  return {
    status: known.status,
    json: { error: errorJson(known) },
    ...(known.more.headers ? { headers: known.more.headers } : {}),
  };
}
