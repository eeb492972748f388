// Public API of asof/server: corpora over HTTP.
export { corpusServer, type CorpusServer } from './server.js';
export type { CorpusServerOptions, RequestLog, ServerLimits } from './options.js';
