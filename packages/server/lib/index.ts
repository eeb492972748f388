// Public API of @asof/server: corpora over HTTP.
export { corpusServer, type CorpusServer } from './http/server.js';
export type { ServerLimits } from './http/limits.js';
export type { CorpusServerOptions, RequestLog } from './http/options.js';
