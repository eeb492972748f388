// A server over a small corpus for a suite of tests; every answer of it is checked against its own
// description.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { Corpus, type CorpusOptions, type Passage } from '../../../../lib/index.js';
import { corpusServer, type CorpusServer, type CorpusServerOptions } from '../../lib/index.js';

type Json = Record<string, any>;

export const ministers: readonly Passage[] = [
  {
    id: 'may',
    text: 'Theresa May became prime minister of the UK on 13 July 2016.',
    publishedAt: '2016-07-14',
    metadata: { tenant: 'a' },
  },
  {
    id: 'johnson',
    text: 'Boris Johnson became prime minister of the UK on 24 July 2019.',
    publishedAt: '2019-07-25',
    metadata: { tenant: 'a' },
  },
  {
    id: 'uk/truss',
    text: 'Liz Truss became prime minister of the UK on 6 September 2022.',
    publishedAt: '2022-09-07',
    metadata: { tenant: 'b' },
  },
];
export const question = 'Who was UK prime minister as of 6 May 2021?';

export interface Started {
  server: CorpusServer;
  corpus: Corpus;
  url: string;
  /** Operations of the description that have answered with 200. */
  answered: Set<string>;
  /** Sends a request, checks the answer, and gives its status, headers and JSON. */
  call(
    method: string,
    path: string,
    sent?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  json: Json;
  text: string;
}

/** A server over a corpus of the caller, or of the ministers in one that it closes and removes. */
export async function start(
  options: Partial<CorpusServerOptions> = {},
  given: Corpus | CorpusOptions = { fields: { tenant: 'keyword' } },
): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-server-'));
  const isOwn = !(given instanceof Corpus);
  const corpus = isOwn ? await Corpus.open(join(folder, 'pm.asof'), given) : given;
  if (isOwn) await corpus.add(ministers);
  const server = await corpusServer({ corpora: { pm: corpus }, ...options });
  const { url } = await server.listen({ port: 0 });
  const token = typeof options.token === 'string' ? options.token : undefined;
  const own: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const described = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
  const answered = new Set<string>();
  return {
    server,
    corpus,
    url,
    answered,
    async call(method, path, sent, headers = {}) {
      const body = sent === undefined || typeof sent === 'string' ? sent : JSON.stringify(sent);
      const type: Record<string, string> =
        body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(url + path, {
        method,
        headers: { ...own, ...type, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const operation = checkAnswer(described, { method, path, response, text });
      if (response.ok && operation) answered.add(operation);
      const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        json: isJson && text !== '' ? (JSON.parse(text) as Json) : {},
        text,
      };
    },
    async stop() {
      await server.close();
      if (isOwn) await corpus.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The JSON lines of a streamed answer. */
export const linesOf = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

interface Received {
  method: string;
  path: string;
  response: Response;
  text: string;
}

/** @returns the operation's id */
function checkAnswer(described: Json, received: Received): string | undefined {
  const { method, path, response, text } = received;
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  const operation = operationOf(described, method, path);
  const answers = (operation?.['responses'] ?? {}) as Record<string, Json>;
  if (!operation || response.status === 204 || method === 'HEAD') return undefined;
  const content = (answers[String(response.status)] ?? answers['default'])?.['content'] as
    | Record<string, { schema: Json }>
    | undefined;
  assert.ok(content?.[type!], `${method} ${path}: ${response.status} ${type} is not described`);
  const { schema } = content[type!]!;
  const components: unknown = structuredClone(described['components']);
  const validator = new Validator({ ...structuredClone(schema), components }, '2020-12', false);
  const values =
    type === 'application/json'
      ? [JSON.parse(text) as unknown]
      : type === 'application/x-ndjson'
        ? linesOf(text)
        : [text];
  for (const value of values)
    assert.deepEqual(validator.validate(value).errors, [], `${method} ${path}: ${text}`);
  return operation['operationId'] as string;
}

function operationOf(described: Json, method: string, path: string): Json | undefined {
  const [plain] = path.split('?');
  for (const [pattern, operations] of Object.entries(described['paths'] as Record<string, Json>)) {
    const expression = new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`);
    const found = expression.test(plain!) && (operations[method.toLowerCase()] as Json | undefined);
    if (found) return found;
  }
  return undefined;
}
