// URL of a shard: its place in words without credentials, and its mode of TLS.
import { AsOfError } from 'asof';

/** HOST:PORT/DATABASE of a URL; its user and password go into no message. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = parsedUrl(url);
  return `${hostname || 'localhost'}:${port || 5432}${pathname === '/' ? '' : pathname}`;
}

/** Of libpq, in which 'verify-ca' and 'require' do not compare the name of the server. */
const verifying = ['prefer', 'require', 'verify-ca'];
const modes = ['disable', 'no-verify', 'verify-full', ...verifying];

/**
 * The URL with verify-full in place of weaker modes, which pg@8 takes for that with a warning on
 * stderr, and pg@9 takes as libpq does. `uselibpqcompat=true` leaves them as they are.
 */
export function withTlsMode(url: string): string {
  const parsed = parsedUrl(url);
  const mode = parsed.searchParams.get('sslmode');
  if (mode === null || parsed.searchParams.get('uselibpqcompat') === 'true') return url;
  if (!modes.includes(mode))
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected sslmode of ${placeOf(url)} to be one of ${modes.join(', ')}, received ` +
        `${JSON.stringify(mode)}. Use verify-full, or leave it out for a connection without TLS.`,
      { details: { argument: 'url' } },
    );
  if (!verifying.includes(mode)) return url;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}

function parsedUrl(url: string): URL {
  try {
    const parsed = new URL(url);
    [parsed.username, parsed.password, parsed.pathname].forEach(decodeURIComponent);
    if (/^postgres(?:ql)?:$/.test(parsed.protocol)) return parsed;
  } catch {
    // Its message may repeat the URL.
  }
  throw new AsOfError(
    'ERR_INVALID_ARGUMENT',
    'Expected the url of a shard to be postgres://USER:PASSWORD@HOST:PORT/DATABASE, received ' +
      'another text, which is not repeated here since it may hold a password. ' +
      'Percent-encode special characters of the password.',
    { details: { argument: 'url' } },
  );
}
