// What stands before the tools on HTTP: path, Host and Origin, against pages that a browser on this
// machine shows (DNS rebinding), the tokens of every server, and its limits.
import { checkHost, tokenCheck } from '../http/access.js';
import type { Pieces } from '../http/answerStream.js';
import { jsonValue } from '../http/body.js';
import { answerTooLarge, badRequest, errorJson, notFound } from '../http/errors.js';
import { Exchanges, type Exchange } from '../http/exchanges.js';
import type { Limits } from '../http/limits.js';
import type { RequestLog } from '../http/options.js';
import type { Reply } from '../http/route.js';
import type { Sdk } from './sdk.js';
import { writers } from './tools/index.js';

export interface GuardOptions {
  /** Path of the tools. */
  path: string;
  /** Every request has to bring one of them, if there are any. */
  tokens: readonly string[];
  /** Whether only this machine is to reach the server, by a name of its own. */
  local: boolean;
  /** Hostname of pages that may call besides those of this machine. */
  hostname: string;
  limits: Limits;
  /** Ends all requests. */
  closing: AbortSignal;
  log?: ((record: RequestLog) => void) | undefined;
}

/** The handler of the SDK, which gets the JSON of a body with its request. */
type Handler = (request: Request, options: { parsedBody?: unknown }) => Promise<Response>;

/** Messages of one request. */
const mostMessages = 100;

/** The handler behind the checks. */
export function guarded(
  sdk: Sdk,
  handler: Handler,
  { path, tokens, local, hostname, limits, closing, log }: GuardOptions,
): { respond: (request: Request) => Promise<Response>; exchanges: Exchanges } {
  const origins = [...sdk.localhostAllowedOrigins(), hostname];
  const checkToken = tokenCheck(tokens);
  const exchanges = new Exchanges({ limits, closing, log, errorBody: rpcError(null) });
  const handle = async (exchange: Exchange): Promise<Reply> => {
    const { request, scope } = exchange;
    const { method, headers } = request;
    checkHost(request);
    const refused =
      (local
        ? sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames())
        : undefined) ?? sdk.originValidationResponse(request, origins);
    if (refused) return replyOf(refused, exchange, limits.answerBytes);
    checkToken(request);
    if (new URL(request.url).pathname !== path)
      throw notFound(`Expected the path ${path}, which has the tools.`);
    exchange.route = { method, path };
    exchanges.admission.enter(scope);
    const parsedBody = method === 'POST' ? await jsonValue(request, limits, scope) : undefined;
    if (Array.isArray(parsedBody) && parsedBody.length > mostMessages)
      throw badRequest(
        `Expected at most ${mostMessages} messages, received ${parsedBody.length}. Send them in parts.`,
      );
    if (!writes(parsedBody)) scope.endAfter(limits.seconds);
    const inner = new Request(request.url, { method, headers, signal: scope.signal });
    const response = await handler(inner, { parsedBody });
    return replyOf(response, exchange, limits.answerBytes, idOf(parsedBody));
  };
  return { exchanges, respond: (request) => exchanges.respond(request, handle, () => ({})) };
}

interface Message {
  id?: unknown;
  params?: { name?: unknown };
}

/** Whether a call of a tool that writes is among the messages: it has no limit of time. */
const writes = (body: unknown): boolean =>
  [body].flat().some((each) => writers.includes(String((each as Message | null)?.params?.name)));

const idOf = (body: unknown): unknown => (body as Message | null | undefined)?.id ?? null;

const rpcError =
  (id: unknown) =>
  ({ message }: Record<string, unknown>): Record<string, unknown> => ({
    jsonrpc: '2.0',
    error: { code: -32000, message },
    id,
  });

/** The answer of the SDK, within its budget: events as they come, anything else whole. */
async function replyOf(
  { status, headers, body }: Response,
  { scope }: Exchange,
  most: number,
  id: unknown = null,
): Promise<Reply> {
  const bytes = (body ?? []) as AsyncIterable<Uint8Array>;
  const isEvents = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  let stream: Pieces = events(bytes, most, id);
  if (!isEvents) {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of bytes) {
      length += part.length;
      if (length > most) throw answerTooLarge(most);
      scope.hold(part.length);
      parts.push(part);
    }
    stream = [Buffer.concat(parts)];
  }
  return { status, stream, headers: Object.fromEntries(headers) };
}

/** The last event is an error in place of one that goes beyond the budget. */
async function* events(
  parts: AsyncIterable<Uint8Array>,
  most: number,
  id: unknown,
): AsyncGenerator<Uint8Array | string> {
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > most) {
      const error = rpcError(id)(errorJson(answerTooLarge(most)));
      yield `event: message\ndata: ${JSON.stringify(error)}\n\n`;
      return;
    }
    yield part;
  }
}
