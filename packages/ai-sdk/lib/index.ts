// Vercel's AI SDK: reranking and embedding models, and a tool.
export type { AiSdkCallOptions } from './call.js';
export { asofEmbedding, type AsOfEmbeddingCall, type AsOfEmbeddingModel } from './embedding.js';
export {
  asofReranking,
  type AsOfRerankingCall,
  type AsOfRerankingModel,
  type AsOfRerankingOptions,
  type DocumentRanking,
} from './reranking.js';
export {
  asofTool,
  type AsOfTool,
  type AsOfToolInput,
  type AsOfToolOptions,
  type AsOfToolOutput,
  type AsOfToolSchema,
} from './tool.js';
