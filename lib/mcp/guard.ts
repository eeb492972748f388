// What stands before the tools on HTTP: path, Host and Origin, against pages that a browser on this
// machine shows (DNS rebinding), and a bearer token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Sdk } from './sdk.js';

export interface GuardOptions {
  /** Path of the tools. */
  path: string;
  /** Every request has to bring it, if one is given. */
  token?: string | undefined;
  /** Whether only this machine is to reach the server, by a name of its own. */
  local: boolean;
  /** Hostname of pages that may call besides those of this machine. */
  hostname: string;
}

/** The handler behind the checks. */
export function guarded(
  sdk: Sdk,
  handler: (request: Request) => Promise<Response>,
  { path, token, local, hostname }: GuardOptions,
): (request: Request) => Promise<Response> {
  const origins = [...sdk.localhostAllowedOrigins(), hostname];
  const wanted = token === undefined ? undefined : digest(`Bearer ${token}`);
  return async (request) => {
    const refused =
      (local
        ? sdk.hostHeaderValidationResponse(request, sdk.localhostAllowedHostnames())
        : undefined) ?? sdk.originValidationResponse(request, origins);
    if (refused) return refused;
    if (wanted && !timingSafeEqual(digest(request.headers.get('authorization') ?? ''), wanted))
      return answer(401, 'Expected Authorization: Bearer with the token of ASOF_TOKEN.', {
        'www-authenticate': 'Bearer',
      });
    if (new URL(request.url).pathname !== path)
      return answer(404, `Expected the path ${path}, which has the tools.`);
    return handler(request);
  };
}

/** Of the same length for every header. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const answer = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32000, message }, id: null },
    { status, headers },
  );
