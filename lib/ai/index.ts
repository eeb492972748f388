// Vercel's AI SDK: reranking and embedding models, and a tool.
export type { AiSdkCallOptions } from './call.js';
export {
  asofEmbedding,
  type AsofEmbeddingCall,
  type AsofEmbeddingModel,
} from './embedding.js';
export {
  asofReranking,
  type AsofRerankingCall,
  type AsofRerankingModel,
  type AsofRerankingOptions,
} from './reranking.js';
export {
  asofTool,
  type AsofTool,
  type AsofToolInput,
  type AsofToolOptions,
  type AsofToolOutput,
  type AsofToolSchema,
} from './tool.js';
export type { DocumentRanking } from '../systems/rankDocuments.js';
