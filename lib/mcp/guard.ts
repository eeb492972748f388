// What stands before the tools on HTTP: path, Host and Origin, against pages that a browser on this
// machine shows (DNS rebinding), and the tokens of every server.
import { tokenCheck } from '../server/access.js';
import { httpError, notFound } from '../server/errors.js';
import type { Sdk } from './sdk.js';

export interface GuardOptions {
  /** Path of the tools. */
  path: string;
  /** Every request has to bring one of them, if there are any. */
  tokens: readonly string[];
  /** Whether only this machine is to reach the server, by a name of its own. */
  local: boolean;
  /** Hostname of pages that may call besides those of this machine. */
  hostname: string;
}

/** The handler behind the checks. */
export function guarded(
  sdk: Sdk,
  handler: (request: Request) => Promise<Response>,
  { path, tokens, local, hostname }: GuardOptions,
): (request: Request) => Promise<Response> {
  const origins = [...sdk.localhostAllowedOrigins(), hostname];
  const checkToken = tokenCheck(tokens);
  return async (request) => {
    const refused =
      (local
        ? sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames())
        : undefined) ?? sdk.originValidationResponse(request, origins);
    if (refused) return refused;
    try {
      checkToken(request);
      if (new URL(request.url).pathname !== path)
        throw notFound(`Expected the path ${path}, which has the tools.`);
    } catch (error) {
      const { status, message, more } = httpError(error);
      const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
      return Response.json(body, { status, headers: more.headers ?? {} });
    }
    return handler(request);
  };
}
