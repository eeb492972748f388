// A server of the Model Context Protocol over corpora: tools, and passages as resources.
import type {
  CallToolResult,
  McpHttpHandler,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { AsOfError, type Fields, type Progress, type StoredCorpusInfo } from 'asof';
import { buildInfo, inWordsOf, schemaFaults, toJson } from 'asof/kit';
import type { ObjectSchema } from '../http/route.js';
import { toolCorpora, withCorpus, type GivenCorpora, type McpOptions } from './corpora.js';
import { instructionsOf } from './instructions.js';
import { loadSdk, type Sdk } from './sdk.js';
import type { Tool, ToolCall, ToolCorpus } from './tool.js';
import { alterFieldsTool } from './tools/alterFields.js';
import { toolsOf } from './tools/index.js';

/**
 * A server of the official SDK with the tools `search`, `timeline`, `read_time`, `get`, `list` and,
 * with `write`, `add`, `update`, `delete` and, of a folder, `alter_fields`; connect it to one
 * transport. Of several corpora by name each tool has an argument `corpus`. They stay open when it
 * closes.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_NATIVE_UNAVAILABLE without the peer
 * `@modelcontextprotocol/server` 2.x; ERR_CLOSED
 * @example const server = await mcpServer(corpus);
 * await server.connect(new StdioServerTransport());
 */
export async function mcpServer(
  corpora: GivenCorpora,
  options: McpOptions = {},
): Promise<McpServer> {
  return (await serverFactory(corpora, options))();
}

/**
 * The same tools by streamable HTTP: `fetch` answers a request, whatever its path, without a
 * session. It checks neither token, Origin nor Host: mount it behind a server that does.
 * @throws AsOfError as `mcpServer`
 * @example const { fetch } = await mcpHandler(corpus); // for Hono: app.all('/mcp', (c) =>
 * fetch(c.req.raw))
 */
export async function mcpHandler(
  corpora: GivenCorpora,
  options: McpOptions = {},
): Promise<McpHttpHandler> {
  const factory = await serverFactory(corpora, options);
  return (await loadSdk()).createMcpHandler(factory);
}

/** Makes a server for every connection: the protocol has one each. */
export async function serverFactory(
  given: GivenCorpora,
  options: McpOptions = {},
): Promise<() => Promise<McpServer>> {
  const corpora = toolCorpora(given, options);
  const sdk = await loadSdk();
  let known: { key: string; tools: Registration[] } | undefined;
  return async () => {
    const infos = new Map<string, StoredCorpusInfo>();
    for (const { name, corpus } of corpora) infos.set(name, await corpus.info());
    const fields = new Map([...infos].map(([name, info]) => [name, info.fields]));
    const key = JSON.stringify([...fields]);
    // Schemas are made once, and again where fields have changed.
    if (known?.key !== key)
      known = { key, tools: registrations(corpora, fields, options.write ?? false) };
    const server = new sdk.McpServer(
      { name: 'asof', title: 'asof: search by time', version: buildInfo().version },
      { instructions: instructionsOf(infos) },
    );
    for (const register of known.tools) register(server);
    registerPassages(sdk, server, corpora);
    return server;
  };
}

type Registration = (server: McpServer) => void;

function registrations(
  corpora: readonly ToolCorpus[],
  fields: ReadonlyMap<string, Fields>,
  write: boolean,
): Registration[] {
  const [first] = corpora as [ToolCorpus];
  const systems = new Set(corpora.flatMap((each) => each.systems.map(({ name }) => name)));
  const where = corpora.length > 1 ? {} : { fields: fields.get(first.name)! };
  const canAlter = corpora.some(({ corpus }) => corpus.alterFields);
  return toolsOf({ systems: [...systems], where })
    .filter(({ name, writes }) => (write || !writes) && (canAlter || name !== alterFieldsTool.name))
    .map((tool) => {
      if (corpora.length === 1) return prepared(tool, tool.input, () => first);
      const byName = new Map(corpora.map((each) => [each.name, each]));
      return prepared(tool, withCorpus(tool.input, fields), (name) => byName.get(name)!);
    });
}

/** The registration of a tool, whose schemas are read once. */
function prepared(
  tool: Tool<never>,
  input: ObjectSchema,
  corpusOf: (name: string) => ToolCorpus,
): Registration {
  const faultsOf = schemaFaults(input, `the arguments of ${tool.name}`);
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: asStandard(input),
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
    const { corpus, ...own } = given as { corpus: string };
    const call = { ...corpusOf(corpus), ...callOf(context) };
    const { structured, text } = await tool.run(own as never, call).catch(renamed);
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

function callOf({ mcpReq, http }: ServerContext): Pick<ToolCall, 'signal' | 'onProgress'> {
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
function registerPassages(sdk: Sdk, server: McpServer, corpora: readonly ToolCorpus[]): void {
  const path = corpora.length > 1 ? '{corpus}/{+id}' : '{+id}';
  const template = new sdk.ResourceTemplate(`asof://passage/${path}`, { list: undefined });
  const config = {
    title: 'Passage',
    description: 'A whole passage with its times, by its id (percent-encoded).',
    mimeType: 'application/json',
  };
  server.registerResource('passage', template, config, async ({ href }, { id, corpus: name }) => {
    const { corpus } = corpora.find((each) => name === undefined || each.name === name) ?? {};
    const passage = await corpus?.get(decoded(String(id)));
    if (!corpus || !passage) throw new sdk.ResourceNotFoundError(href);
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
