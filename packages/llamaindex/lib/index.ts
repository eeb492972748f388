// Classes of LlamaIndex.TS over a corpus: a separate package, since @llamaindex/core is a peer.
export { AsOfEmbedding } from './embedding.js';
export {
  AsOfRetriever,
  llamaIndexRetriever,
  type LlamaIndexRetrieverOptions,
} from './retriever.js';
export { AsOfVectorStore, type AsOfVectorStoreOptions } from './vectorStore.js';
