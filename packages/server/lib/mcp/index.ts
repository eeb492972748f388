// Public entry @asof/server/mcp: the tools of corpora for agents, by the Model Context Protocol.
export type { McpOptions } from './corpora.js';
export { mcpHandler, mcpServer } from './server.js';
