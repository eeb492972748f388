// Servers of asof mcp as a client meets them: in this process, by standard input, and by HTTP.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { bm25, Corpus, type Passage, type System } from '../../../../lib/index.js';
import { mcpServer } from '../../lib/mcp/index.js';
import { commandLine } from '../../../../test/cli/spawn.js';
import { shippedEnvironment } from '../../../../test/selectAddon.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** States of one office, two of which are of the field `country`. */
export const ministers: readonly Passage[] = [
  ['may', 'Theresa May', '13 July 2016', '2016-07-14'],
  ['johnson', 'Boris Johnson', '24 July 2019', '2019-07-25'],
  ['sunak', 'Rishi Sunak', '25 October 2022', '2022-10-26'],
].map(([id, name, day, publishedAt]) => ({
  id: id!,
  text: `${name} became prime minister of the UK on ${day}.`,
  publishedAt,
  series: 'prime minister',
  ...(id === 'sunak' ? {} : { metadata: { country: 'uk' } }),
}));

/** A corpus of the ministers in a folder of its own, closed before the tests. */
export function withMinisters(give: (folder: string) => void): void {
  const home = temporaryFolder();
  before(async () => {
    const folder = home.path('ministers.asof');
    const corpus = await Corpus.open(folder, { fields: { country: 'keyword' } });
    await corpus.add(ministers);
    await corpus.close();
    give(folder);
  });
}

/** What a tool answers, narrowed to what asof's tools send. */
export interface Answer {
  text: string;
  structured: Record<string, unknown>;
  isError: boolean;
}

export async function call(
  client: Client,
  name: string,
  given: Record<string, unknown>,
  options: Parameters<Client['callTool']>[1] = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: given }, options);
  const [content] = result.content as { text: string }[];
  return {
    text: content!.text,
    structured: result.structuredContent as Record<string, unknown>,
    isError: result.isError ?? false,
  };
}

/** The two revisions of the protocol that the SDK speaks. */
export const eras = { 2025: 'legacy', 2026: 'auto' } as const;
export type Mode = (typeof eras)[keyof typeof eras];

export const newClient = (mode: Mode = 'legacy'): Client =>
  new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });

/** A system that answers nothing, and what it notices. */
export function endless(corpus: Corpus): {
  system: System;
  started: Promise<unknown>;
  aborted: Promise<unknown>;
} {
  const events = new EventTarget();
  const seen = (name: string): Promise<unknown> =>
    new Promise((resolve) => events.addEventListener(name, resolve, { once: true }));
  const run: System['run'] = (_, options) =>
    new Promise((_, reject) => {
      options!.signal!.addEventListener('abort', () => {
        events.dispatchEvent(new Event('aborted'));
        reject(new Error('aborted'));
      });
      events.dispatchEvent(new Event('started'));
    });
  return {
    system: { ...bm25({ corpus }), run },
    started: seen('started'),
    aborted: seen('aborted'),
  };
}

/** A client of a server in this process. */
export async function connected(...given: Parameters<typeof mcpServer>): Promise<Client> {
  const server = await mcpServer(...given);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = newClient();
  await client.connect(near);
  return client;
}

const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shippedEnvironment()).filter((each): each is [string, string] => !!each[1]),
  );

/** The transport of a spawned `asof mcp`, whose standard error is a pipe. */
export const spawned = (folder: string, options: readonly string[] = []): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [...commandLine, 'mcp', folder, ...options],
    cwd: root,
    env: environment(),
    stderr: 'pipe',
  });

export interface HttpServer {
  url: URL;
  child: ChildProcess;
  /** Sends SIGTERM; the exit code. */
  stop(): Promise<number | null>;
}

/** `asof mcp --http` at a free port. */
export async function listening(
  folder: string,
  { options = [], token }: { options?: readonly string[]; token?: string } = {},
): Promise<HttpServer> {
  const child = spawn(
    process.execPath,
    [...commandLine, 'mcp', folder, '--http', '--port', '0', ...options],
    { cwd: root, env: { ...environment(), ...(token === undefined ? {} : { ASOF_TOKEN: token }) } },
  );
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const exit = once(child, 'exit');
  const [address] = /http\S+/.exec(line.toString())!;
  return {
    url: new URL(address),
    child,
    async stop() {
      child.kill('SIGTERM');
      return ((await exit) as [number | null])[0];
    },
  };
}

export async function connectedByHttp(url: URL, mode: Mode, token?: string): Promise<Client> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = newClient(mode);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}
