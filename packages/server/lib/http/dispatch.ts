// From a request to its route: who may call it, the checks of what it brings, and its handler.
import { addRoute, createRouter, findRoute, type RouterContext } from 'rou3';
import { AsOfError } from 'asof';
import { TaskQueue, checkConditions } from 'asof/kit';
import { tokenCheck } from './access.js';
import { jsonBody } from './body.js';
import { HttpError, badRequest, forbidden, httpError, notFound, overloaded } from './errors.js';
import { Exchanges, type Exchange } from './exchanges.js';
import { jsonPieces } from './jsonPieces.js';
import type { CheckedOptions } from './options.js';
import { methods, type Reply, type Route, type RouteContext } from './route.js';
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

const noQuery = { type: 'object', properties: {}, additionalProperties: false } as const;

/** More at a time would take the same time in all, more memory, and the turns of questions. */
const bulkAtOnce = 2;

export class Dispatcher {
  readonly exchanges: Exchanges;
  private readonly bulk = new TaskQueue({
    concurrency: bulkAtOnce,
    closedError: (cause) => new AsOfError('ERR_CLOSED', 'The server has closed.', { cause }),
  });
  private bulkInFlight = 0;
  private readonly router: RouterContext<PreparedRoute> = createRouter();
  private readonly checkToken: (request: Request) => void;

  constructor(
    private readonly options: CheckedOptions,
    private readonly served: ServedCorpora,
    routes: readonly Route[],
    closing: AbortSignal,
  ) {
    const { limits, log, tokens } = options;
    this.exchanges = new Exchanges({ limits, log, closing });
    this.checkToken = tokenCheck(tokens);
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
  respond(request: Request, refuse?: (request: Request) => void): Promise<Response> {
    const handle = async (exchange: Exchange): Promise<Reply> => {
      refuse?.(request);
      return this.answer(exchange);
    };
    return this.exchanges.respond(request, handle, () => corsHeaders(request, this.options.cors));
  }

  private async answer(exchange: Exchange): Promise<Reply> {
    const { request, scope } = exchange;
    const { served, options, exchanges } = this;
    const { limits, cors } = options;
    const url = new URL(request.url);
    if (request.method === 'OPTIONS' && cors.length > 0) return preflight();
    const { route, params } = this.match(request.method, url.pathname);
    exchange.route = route;
    if (!route.open) {
      this.checkToken(request);
      if (route.writes && !options.write)
        throw forbidden(
          'Expected a server that writes, this one only reads. Start it with --write.',
        );
      exchanges.admission.enter(scope, route.always);
    }
    if (!route.writes) scope.endAfter(limits.seconds);
    const query = queryOf(url.searchParams, route.query ?? noQuery);
    const body = route.body ? await jsonBody(request, limits, scope) : {};
    for (const { where } of [query, body]) this.checkWhere(where);
    route.checkQuery(query);
    route.checkBody?.(body);
    const { metrics } = exchanges;
    const context: RouteContext = { served, options, metrics, request, scope, params, query, body };
    if (!route.bulk) return route.handle(context);
    return this.inTurn(scope.signal, async () => {
      const { json, ...reply } = await route.handle(context);
      const { less } = route;
      const stream = await jsonPieces(json, { most: limits.answerBytes, scope, less });
      return { ...reply, stream };
    });
  }

  /** Bulk work, whose waiting requests leave half of the places to others. */
  private async inTurn(signal: AbortSignal, work: () => Promise<Reply>): Promise<Reply> {
    const most = Math.ceil(this.options.limits.inFlight / 2);
    if (this.bulkInFlight >= most)
      throw overloaded(
        'inFlight',
        `at most ${most} requests of this kind at a time, more are waiting`,
      );
    this.bulkInFlight += 1;
    try {
      return await this.bulk.run(signal, work);
    } finally {
      this.bulkInFlight -= 1;
    }
  }

  private checkWhere(where: unknown): void {
    try {
      checkConditions(where, this.options.limits.conditions);
    } catch (error) {
      const { message, more } = httpError(error);
      throw new HttpError(400, 'ERR_INVALID_ARGUMENT', message, { ...more, limit: 'conditions' });
    }
  }

  private match(method: string, path: string): Match {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = findRoute(this.router, wanted, path);
    if (found) return { route: found.data, params: decoded(found.params ?? {}) };
    const others = methods.filter((each) => findRoute(this.router, each, path));
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

/** To a browser's question before the request itself. */
const preflight = (): Reply => ({
  status: 204,
  headers: {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, accept, x-request-id',
    'access-control-max-age': '600',
  },
});

function corsHeaders(request: Request, origins: readonly string[]): Record<string, string> {
  if (origins.length === 0) return { 'cross-origin-resource-policy': 'same-origin' };
  const origin = request.headers.get('origin');
  return {
    vary: 'origin',
    ...(origin !== null && origins.includes(origin)
      ? {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'x-request-id, retry-after',
        }
      : {}),
  };
}
