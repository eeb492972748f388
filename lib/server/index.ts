// Public API of asof/server: corpora over HTTP.
export { corpusServer, type CorpusServer } from './server.js';
export type { ServerLimits } from './limits.js';
export type { CorpusServerOptions, RequestLog } from './options.js';
