// Answers to browsers that ask whether a page of another site may call the server.
import type { Reply } from './route.js';

/** To a browser's question before the request itself. */
export const preflight = (): Reply => ({
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type, accept, x-request-id',
    'access-control-max-age': '600',
  },
});

export function corsHeaders(request: Request, origins: readonly string[]): Record<string, string> {
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
