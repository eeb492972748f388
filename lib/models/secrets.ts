// Request headers with an API key, and the redaction of keys in messages.
import { AsOfError } from '../errors.js';

/** A text without the secrets. */
export type Hide = (text: string) => string;

/** Values shorter than this ("1", "gpt") are words that occur anywhere; they are no secrets. */
const shortestSecret = 6;

export function secretsOf(
  apiKey: string | undefined,
  headers: Readonly<Record<string, string>>,
): { all: Headers; hide: Hide } {
  const all = new Headers();
  if (typeof headers !== 'object' || headers === null)
    throw refused('headers', 'an object of strings');
  for (const [name, value] of Object.entries(headers)) {
    try {
      if (typeof value !== 'string') throw new TypeError('not a string');
      all.set(name, value);
    } catch {
      throw refused(
        `headers[${JSON.stringify(name.slice(0, 60))}]`,
        'a header name with a string that a header can carry',
      );
    }
  }
  if (apiKey !== undefined) {
    if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
      throw refused('apiKey', 'visible ASCII characters without spaces or line ends');
    all.set('authorization', `Bearer ${apiKey}`);
  }
  const secrets = [
    apiKey ?? '',
    ...Object.values(headers),
    ...Object.values(headers).map((value) => value.replace(/^\S+\s+/, '')),
  ]
    .flatMap((secret) => [
      secret.trim(),
      JSON.stringify(secret.trim()).slice(1, -1),
      encodeURIComponent(secret.trim()),
    ])
    .filter((secret) => secret.length >= shortestSecret || (secret !== '' && secret === apiKey))
    .sort((a, b) => b.length - a.length);
  const unique = [...new Set(secrets)];
  return {
    all,
    hide: (text) => unique.reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text),
  };
}

function refused(argument: string, expected: string): AsOfError {
  return new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected ${argument} to be ${expected}, received something else, which is not shown.`,
    {
      details: { argument },
    },
  );
}
