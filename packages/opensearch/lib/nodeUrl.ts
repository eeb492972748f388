// URL of a node: what the client takes, and its place in words without credentials.
import { readFileSync } from 'node:fs';
import { AsOfError } from 'asof';

/** HOST:PORT of a URL; its user and password go into no message. */
export const placeOf = (url: string): string => parsedUrl(url).host;

/** The index that the path of a URL names. */
export function indexOf(url: string): string | undefined {
  const path = parsedUrl(url).pathname.replace(/^\/|\/$/g, '');
  return path === '' ? undefined : decodeURIComponent(path);
}

interface NodeConfig {
  node: { url: URL; ssl?: { ca: string } };
  /** Absent without a user. */
  auth: { username: string; password: string } | undefined;
}

/** What the client takes. @throws AsOfError ERR_INVALID_ARGUMENT for a file that cannot be read */
export function nodeOf(url: string): NodeConfig {
  const { host, username, password, protocol, searchParams } = parsedUrl(url);
  const { OPENSEARCH_USERNAME: name = '', OPENSEARCH_PASSWORD: secret = '' } = process.env;
  const user = username === '' ? name : decodeURIComponent(username);
  const ca = searchParams.get('ca');
  return {
    node: {
      url: new URL(`${protocol}//${host}`),
      ...(ca === null ? {} : { ssl: { ca: certificate(ca, host) } }),
    },
    auth:
      user === ''
        ? undefined
        : { username: user, password: password === '' ? secret : decodeURIComponent(password) },
  };
}

function certificate(file: string, host: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = 'an error' } = cause as NodeJS.ErrnoException;
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected ca of the URL of ${host} to name a readable PEM file, received ${code}. ` +
        'Check the path.',
      { details: { argument: 'nodes' } },
    );
  }
}

/** With http or https; of opensearch:// with the port 9200 unless it has another. */
export function parsedUrl(text: string): URL {
  try {
    const isOwn = text.startsWith('opensearch://');
    const isPlain = isOwn && /[?&]tls=false(?:&|$)/.test(text);
    const url = new URL(isOwn ? text.replace('opensearch:', isPlain ? 'http:' : 'https:') : text);
    [url.username, url.password, url.pathname].forEach(decodeURIComponent);
    const unknown = [...url.searchParams.keys()].some((name) => !['tls', 'ca'].includes(name));
    const hasPort = /^[a-z]+:\/\/[^/?#]*:\d+(?:[/?#]|$)/.test(text);
    if (isOwn && !hasPort) url.port = '9200';
    if (/^https?:$/.test(url.protocol) && url.hostname !== '' && !unknown) return url;
  } catch {
    // Its message may repeat the URL.
  }
  throw new AsOfError(
    'ERR_INVALID_ARGUMENT',
    'Expected the url of a node to be https://USER:PASSWORD@HOST:PORT or opensearch:// with ' +
      'tls=false or ca=FILE at most, received another text, which is not repeated here since it ' +
      'may hold a password. Percent-encode special characters of the password.',
    { details: { argument: 'nodes' } },
  );
}
