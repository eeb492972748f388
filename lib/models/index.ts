// Models: ONNX, model servers, the AI SDK.
export type { JsonSchema, TokenUsage } from '../text/textModel.js';
export { devices, type Device, type DeviceInfo } from '../vectors/device.js';
export type { HubOptions } from './hub/options.js';
export type { Activation, Pooling } from './onnx/messages.js';
export type { Prefixes } from './onnx/modelFolder.js';
export {
  learnedTimeExtractor,
  type LearnedTimeExtractor,
  type LearnedTimeExtractorOptions,
} from './onnx/learnedTimeExtractor.js';
export { onnxEncoder, type OnnxEncoder, type OnnxEncoderOptions } from './onnx/onnxEncoder.js';
export { onnxReader, type OnnxReader, type OnnxReaderOptions } from './onnx/onnxReader.js';
export { onnxReranker, type OnnxReranker, type OnnxRerankerOptions } from './onnx/onnxReranker.js';
export type { FolderOptions, ModelLocation, RunSettings } from './onnx/options.js';
export type { Reranker } from '../vectors/reranker.js';
export type { ReadSpan, SpanReader } from '../reading/spanReader.js';
export type {
  AiSdkCall,
  AiSdkEmbedCall,
  AiSdkEmbeddingModel,
  AiSdkLanguageModel,
  AiSdkProviderOptions,
  AiSdkSpecification,
} from './aiSdk.js';
export { aiSdkEncoder, type AiSdkEncoderOptions } from './aiSdkEncoder.js';
export { aiSdkTextModel, type AiSdkTextModelOptions } from './aiSdkTextModel.js';
export { httpReranker, type HttpRerankerOptions } from './httpReranker.js';
export { openAiCompatible, type OpenAiCompatibleOptions } from './openAiCompatible.js';
export {
  openAiCompatibleEncoder,
  type OpenAiCompatibleEncoderOptions,
} from './openAiCompatibleEncoder.js';
export type { ServerOptions } from './server.js';
export {
  adaptedEncoder,
  readAdapter,
  writeAdapter,
  type AdapterWeights,
} from '../vectors/adapter.js';
export {
  readTimeEncoder,
  timeEncoder,
  writeTimeEncoder,
  type TimeEncoder,
  type TimeEncoderWeights,
} from '../vectors/timeEncoder.js';
