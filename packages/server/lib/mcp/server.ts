// A server of the Model Context Protocol over one corpus: tools, and passages as resources.
import type {
  CallToolResult,
  McpHttpHandler,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import {
  AsOfError,
  type Progress,
  type StoredCorpus,
  bm25,
  dense,
  hybrid,
  type System,
} from 'asof';
import {
  buildInfo,
  checkOptionNames,
  inWordsOf,
  invalidArgument,
  schemaFaults,
  toJson,
} from 'asof/kit';
import { instructionsOf } from './instructions.js';
import { loadSdk, type Sdk } from './sdk.js';
import type { Tool, ToolCall } from './tool.js';
import { addTool } from './tools/add.js';
import { deleteTool, getTool, listTool } from './tools/passages.js';
import { readTimeTool } from './tools/readTime.js';
import { searchTool } from './tools/search.js';
import { timelineTool } from './tools/timeline.js';
import { updateTool } from './tools/update.js';

export interface McpOptions {
  /**
   * Systems that `search` can run, the first by default, over the same corpus. Default: `hybrid`,
   * `bm25` and `dense`.
   */
  systems?: readonly System[] | undefined;
  /** Whether there are tools that add, change and delete passages. Default false. */
  write?: boolean | undefined;
}

/**
 * A server of the official SDK with the tools `search`, `timeline`, `read_time`, `get`, `list` and,
 * with `write`, `add`, `update` and `delete`; connect it to one transport. The corpus stays open
 * when it closes.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NATIVE_UNAVAILABLE without the peer
 * `@modelcontextprotocol/server` 2.x; ERR_CLOSED
 * @example const server = await mcpServer(corpus);
 * await server.connect(new StdioServerTransport());
 */
export async function mcpServer(
  corpus: StoredCorpus,
  options: McpOptions = {},
): Promise<McpServer> {
  return (await serverFactory(corpus, options))();
}

/**
 * The same tools by streamable HTTP: `fetch` answers a request, whatever its path, without a
 * session. It checks neither token, Origin nor Host: mount it behind a server that does.
 * @throws AsOfError as `mcpServer`
 * @example const { fetch } = await mcpHandler(corpus); // for Hono: app.all('/mcp', (c) =>
 * fetch(c.req.raw))
 */
export async function mcpHandler(
  corpus: StoredCorpus,
  options: McpOptions = {},
): Promise<McpHttpHandler> {
  const factory = await serverFactory(corpus, options);
  return (await loadSdk()).createMcpHandler(factory);
}

/** Makes a server for every connection: the protocol has one each. */
export async function serverFactory(
  corpus: StoredCorpus,
  options: McpOptions = {},
): Promise<() => Promise<McpServer>> {
  if (typeof corpus?.snapshot !== 'function' || typeof corpus.info !== 'function')
    throw invalidArgument('corpus', 'a Corpus', corpus, "Open one: await Corpus.open('a.asof').");
  checkOptionNames('mcpServer', options, ['systems', 'write']);
  const { systems = [hybrid({ corpus }), bm25({ corpus }), dense({ corpus })], write } = options;
  checkSystems(systems);
  if (write !== undefined && typeof write !== 'boolean')
    throw invalidArgument('write', 'a boolean', write);
  const sdk = await loadSdk();
  const { fields } = await corpus.info();
  const tools = [
    prepared(searchTool(corpus, systems, fields)),
    prepared(timelineTool(corpus, fields)),
    prepared(readTimeTool(corpus)),
    prepared(getTool(corpus)),
    prepared(listTool(corpus, fields)),
    ...(write
      ? [
          prepared(addTool(corpus)),
          prepared(updateTool(corpus, fields)),
          prepared(deleteTool(corpus)),
        ]
      : []),
  ];
  return async () => {
    const instructions = instructionsOf(corpus, await corpus.info());
    const server = new sdk.McpServer(
      { name: 'asof', title: 'asof: search by time', version: buildInfo().version },
      { instructions },
    );
    for (const register of tools) register(server);
    registerPassages(sdk, server, corpus);
    return server;
  };
}

function checkSystems(systems: readonly System[]): void {
  const isList: boolean = Array.isArray(systems); // would narrow to any[]
  if (!isList || systems.length === 0 || systems.some((each) => typeof each?.run !== 'function'))
    throw invalidArgument('systems', 'an array of systems', systems, 'Pass [hybrid({ corpus })].');
  const names = systems.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw invalidArgument('systems', 'systems of different names', names.join(', '));
}

/** The registration of a tool, whose schemas are read once. */
function prepared<Arguments>(tool: Tool<Arguments>): (server: McpServer) => void {
  const faultsOf = schemaFaults(tool.input, `the arguments of ${tool.name}`);
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: asStandard(tool.input),
    outputSchema: asStandard(tool.output),
    annotations: {
      readOnlyHint: !tool.writes,
      destructiveHint: tool.writes ?? false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  const run = async (given: unknown, context: ServerContext): Promise<CallToolResult> => {
    // The SDK answers whatever is thrown as an error of the tool, by its message.
    const [fault] = faultsOf(given);
    if (fault) throw fault;
    const { structured, text } = await tool.run(given as Arguments, callOf(context)).catch(renamed);
    return { content: [{ type: 'text', text }], structuredContent: structured };
  };
  return (server) => void server.registerTool(tool.name, config, run);
}

/** An error of the library with its arguments named as those of tools. */
function renamed(error: unknown): never {
  if (!AsOfError.is(error)) throw error;
  const { code, details } = error;
  throw new AsOfError(code, inWordsOf(error.message, '_'), { cause: error, details });
}

/**
 * A schema as the SDK takes it. It lets every value pass: arguments are checked by `schemaFaults`,
 * whose errors are of the house form, and results by tests.
 */
function asStandard(schema: object): StandardSchemaWithJSON {
  const json = (): Record<string, unknown> => structuredClone(schema) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'asof',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

function callOf({ mcpReq, http }: ServerContext): ToolCall {
  const { _meta } = mcpReq;
  // By HTTP, a client of the protocol of 2025 that is gone has cancelled nothing.
  const gone = http?.req?.signal;
  const signal = gone ? AbortSignal.any([mcpReq.signal, gone]) : mcpReq.signal;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { signal };
  const onProgress = ({ done, total }: Progress): void => {
    const params = { progressToken, progress: done, total };
    // A client that is gone needs none.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  return { signal, onProgress };
}

/** A passage by its id, as the command line and the server print it. */
function registerPassages(sdk: Sdk, server: McpServer, corpus: StoredCorpus): void {
  const template = new sdk.ResourceTemplate('asof://passage/{+id}', { list: undefined });
  const config = {
    title: 'Passage',
    description: 'A whole passage with its times, by its id (percent-encoded).',
    mimeType: 'application/json',
  };
  server.registerResource('passage', template, config, async ({ href }, { id }) => {
    const passage = await corpus.get(decoded(String(id)));
    if (!passage) throw new sdk.ResourceNotFoundError(href);
    const text = JSON.stringify(toJson.passage(passage, corpus.timeZone));
    return { contents: [{ uri: href, mimeType: 'application/json', text }] };
  });
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch (cause) {
    const message = `Expected a percent-encoded id, received ${JSON.stringify(id.slice(0, 60))}.`;
    throw new AsOfError('ERR_INVALID_ARGUMENT', message, { cause });
  }
}
