// Public entry @asof/opensearch: a corpus on an OpenSearch cluster.
export type { OpenSearchInfo } from './info.js';
export { OpenSearchCorpus } from './openSearchCorpus.js';
export type { OpenSearchOptions } from './options.js';
