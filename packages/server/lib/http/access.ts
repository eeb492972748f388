// Who may call: bearer tokens, and for servers without one the checks that keep pages of other
// sites away from a loopback address.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerRequest } from 'srvx';
import { invalidArgument } from 'asof/kit';
import { badRequest, forbidden, unauthorized } from './errors.js';

const leastToken = 16;

/** @throws AsOfError ERR_INVALID_ARGUMENT for tokens that are short or cannot be sent */
export function checkTokens(token: string | readonly string[] | undefined): string[] {
  const tokens = token === undefined ? [] : typeof token === 'string' ? [token] : [...token];
  for (const each of tokens)
    if (typeof each !== 'string' || !/^[\x21-\x7e]+$/.test(each) || each.length < leastToken)
      // The token itself is not for messages, which end in logs.
      throw invalidArgument(
        'token',
        `${leastToken} visible ASCII characters or more, without blanks`,
        undefined,
        'Make one: openssl rand -hex 32',
      );
  return tokens;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * A check of a request's token, in a time that says nothing about the tokens.
 * @throws HttpError 401
 */
export function tokenCheck(tokens: readonly string[]): (request: Request) => void {
  const digests = tokens.map(digestOf);
  return (request) => {
    if (digests.length === 0) return;
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    const digest = digestOf(given ?? '');
    const matches = digests.filter((each) => timingSafeEqual(each, digest)).length;
    if (given === undefined || matches === 0) throw unauthorized(given !== undefined);
  };
}

/**
 * One host, also of HTTP/1.0, which may leave it out: of two, a proxy and this server could each
 * take another one. Of a request that came by the listener.
 * @throws HttpError 400
 */
export function checkHost(request: ServerRequest): void {
  const { rawHeaders = [] } = request.runtime?.node?.req ?? {};
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts === 1) return;
  throw badRequest(`Expected one header Host, received ${hosts === 0 ? 'none' : hosts}.`);
}

/** Whether a host is one that only programs of the same machine reach. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/**
 * Refuses what a page of another site could send to a server without a token: by a name of its own
 * that leads to loopback (DNS rebinding), which the host shows, or in its own name, which the
 * origin shows.
 * @throws HttpError 403
 */
export function checkSameSite(request: Request, cors: readonly string[]): void {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!isLoopback(host.replace(/:\d*$/, '')))
    throw forbidden(
      `Expected the host localhost or 127.0.0.1, received ${JSON.stringify(host.slice(0, 80))}. ` +
        'A server that others reach needs a token: set ASOF_TOKEN.',
    );
  const origin = request.headers.get('origin');
  if (origin === null || cors.includes(origin) || origin.toLowerCase() === `http://${host}`) return;
  throw forbidden(
    `Expected a request of this server's own page, received one of ${JSON.stringify(origin.slice(0, 80))}. ` +
      'Allow the site: asof serve --cors ORIGIN.',
  );
}
