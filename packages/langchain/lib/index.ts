// Classes of LangChain over a corpus: a separate entry, since @langchain/core is an optional peer.
export type { Clocks } from 'asof/kit';
export type { EvidenceMetadata } from './documents.js';
export { AsOfRetriever, langchainRetriever, type LangchainRetrieverOptions } from './retriever.js';
export { AsOfVectorStore, type AsOfFilter, type AsOfVectorStoreOptions } from './vectorStore.js';
export { AsOfCompressor, type AsOfCompressorOptions } from './compressor.js';
export { AsOfTimeWeightedRetriever, type AsOfTimeWeightedRetrieverFields } from './timeWeighted.js';
