// Public entry @asof/server/mcp: the tools of a corpus for agents, by the Model Context Protocol.
export { mcpHandler, mcpServer, type McpOptions } from './server.js';
