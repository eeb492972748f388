// `asof mcp`: the tools of a corpus on standard input and output, or by HTTP.
import {
  type Command,
  countOption,
  listOption,
  option,
  UsageError,
  type Invocation,
  encoderChoice,
  corpusChoice,
} from 'asof/command';
import { once } from 'node:events';
import { guarded } from '../mcp/guard.js';
import { loadSdk, loadStdio } from '../mcp/sdk.js';
import { serverFactory } from '../mcp/server.js';
import { checkTokens, isLoopback } from '../http/access.js';
import { checkLimits, type Limits } from '../http/limits.js';
import { listen } from '../http/listener.js';
import { createSystem } from 'asof/papers';
import { foldersOf, namesHelp, openCorpora } from './corpora.js';
import { limitOptions, limitsOf, tokensOfEnvironment } from './limits.js';

export const command: Command = {
  name: 'mcp',
  summary:
    'Serves corpora as tools of agents (Model Context Protocol) on standard input and output, ' +
    'or by HTTP.',
  positionals: ['DIR...'],
  options: {
    write: { help: 'also the tools that add, change and delete passages' },
    system: {
      short: 's',
      value: 'S,S',
      multiple: true,
      help: 'systems of the tool search, the first by default: hybrid,bm25,dense',
    },
    http: { help: 'serve streamable HTTP at /mcp in place of standard input' },
    port: { value: 'N', help: 'with --http, default 8733; 0 takes a free one' },
    host: {
      value: 'H',
      help: 'with --http, address to listen on, default 127.0.0.1: this machine alone',
    },
    ...limitOptions,
    ...encoderChoice.options,
    schema: corpusChoice.schema,
  },
  details:
    `${namesHelp} Of several, each tool takes a name as corpus.\n` +
    'tools: search, timeline, read_time, get, list; with --write add, update, delete and, of a ' +
    'folder, alter_fields. With ' +
    'ASOF_TOKEN in the environment each HTTP request has to bring it as a bearer token; another ' +
    'address than those of this machine needs one. Limits are those of --http, whose requests ' +
    'are logged to standard error as JSON. Ends with its input, or by SIGINT or SIGTERM.',
  example: 'asof mcp wiki.asof news=2024/news.asof',
};

const path = '/mcp';
const defaultPort = 8733;
/** Seconds that requests have to end in. */
const closeSeconds = 5;

type Factory = Awaited<ReturnType<typeof serverFactory>>;

/** Something that serves until it is closed. */
interface Serving {
  close(): Promise<void>;
  /** Settles when the other side has ended it. */
  ended: Promise<unknown>;
}

export async function run(invocation: Invocation): Promise<number | void> {
  const { signal } = invocation;
  const folders = foldersOf(invocation);
  const http = httpOptions(invocation);
  const names = listOption(invocation, 'system');
  const encoder = await encoderChoice.open(invocation);
  await using corpora = await openCorpora(folders, invocation, { create: false, encoder });
  const factory = await serverFactory(corpora.byName, {
    systems:
      names && ((corpus) => [...new Set(names)].map((name) => createSystem(name, { corpus }))),
    write: invocation.flags.has('write'),
  });
  const say = (fault: Error): void => invocation.terminal.say(`asof: ${fault.message}`);
  const serving = http
    ? await serveHttp(factory, { ...http, say, announce: invocation.terminal.say })
    : await serveStdio(factory, say);
  const interrupted = new AbortController();
  const stopped = AbortSignal.any([signal, interrupted.signal]);
  process.once('SIGTERM', () => interrupted.abort());
  if (!stopped.aborted) await Promise.race([serving.ended, once(stopped, 'abort')]);
  await serving.close();
  return 0;
}

interface HttpOptions {
  limits: Limits;
  port: number;
  host: string;
  tokens: readonly string[];
}

function httpOptions(invocation: Invocation): HttpOptions | undefined {
  const port = countOption(invocation, 'port', { least: 0, most: 65_535 });
  const host = option(invocation, 'host');
  if (!invocation.flags.has('http')) {
    const given = ['port', 'host', ...Object.keys(limitOptions)].find(
      (name) => option(invocation, name) !== undefined,
    );
    if (given === undefined) return undefined;
    throw new UsageError(`--${given} is an option of --http: give it too.`);
  }
  const tokens = checkTokens(tokensOfEnvironment());
  if (host !== undefined && !isLoopback(host) && tokens.length === 0)
    throw new UsageError(
      `--host ${host} lets other machines in: set ASOF_TOKEN to the token that they are to bring.`,
    );
  const limits = checkLimits({ ...limitsOf(invocation), closeSeconds });
  return { limits, port: port ?? defaultPort, host: host ?? '127.0.0.1', tokens };
}

async function serveStdio(factory: Factory, onerror: (fault: Error) => void): Promise<Serving> {
  const { serveStdio: serve, StdioServerTransport } = await loadStdio();
  const transport = new StdioServerTransport();
  const handle = serve(factory, { onerror, transport });
  // The input has ended, or brought a message of more than the transport takes.
  const ended = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return {
    ended,
    async close() {
      await handle.close();
      process.stdin.destroy(); // else it would keep the process alive
    },
  };
}

async function serveHttp(
  factory: Factory,
  options: HttpOptions & { say(fault: Error): void; announce(line: string): void },
): Promise<Serving> {
  const { port, host, tokens, limits, say: onerror, announce } = options;
  const sdk = await loadSdk();
  // A stream of notifications holds a place, and most clients never read from theirs.
  const maxSubscriptions = Math.ceil(limits.inFlight / 4);
  const handler = sdk.createMcpHandler(factory, { onerror, maxSubscriptions });
  const closing = new AbortController();
  const { respond, exchanges } = guarded(sdk, (...given) => handler.fetch(...given), {
    path,
    tokens,
    local: isLoopback(host),
    hostname: host,
    limits,
    closing: closing.signal,
    log: (record) => announce(JSON.stringify(record)),
  });
  const counts = exchanges.metrics.connections;
  const makeRoom = (): boolean => exchanges.admission.makeRoom();
  const listener = await listen(respond, { port, host, limits, counts, makeRoom });
  announce(`asof: tools at ${listener.url}${path}`);
  return {
    ended: new Promise(() => {}),
    async close() {
      await handler.close();
      const ended = listener.close(closeSeconds);
      await exchanges.admission.stop(closeSeconds);
      closing.abort();
      await ended;
    },
  };
}
