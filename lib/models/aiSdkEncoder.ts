// Encoder over an embedding model of the AI SDK.
import { invalidArgument } from '../errors.js';
import type { Encoder } from '../vectors/encoder.js';
import {
  checkAiSdkModel,
  checkProviderOptions,
  callWithRetries,
  type AiSdkEmbedCall,
  type AiSdkEmbeddingModel,
  type AiSdkProviderOptions,
} from './aiSdk.js';
import { embeddingEncoder, type EmbeddingOptions } from './embeddings.js';
import { checkRetries, type Attempt } from './retry.js';
import { createHash } from '../runtime/digest.js';

export interface AiSdkEncoderOptions extends EmbeddingOptions {
  /** Retries of errors that the SDK marks as retryable, 0 to 10. Default 2, as in the SDK. */
  retries?: number | undefined;
  /**
   * Passed to the model with every call: `{ openai: { dimensions: 256 } }`. Their hash is part of
   * the encoder's id.
   */
  providerOptions?: AiSdkProviderOptions | undefined;
}

/** Texts in a call to a model without a limit of its own. */
const defaultBatchSize = 256;
/** Concurrent calls to a model that allows them. */
const maxConcurrentCalls = 4;

/**
 * Opens an embedding model of the AI SDK (specification v2, v3 or v4: ai@5 to ai@7) as an Encoder.
 * Texts go in batches of maxEmbeddingsPerCall (default 256), four concurrently if the model allows
 * parallel calls. Blank texts are not sent and give zeros; vectors are normalized to length 1. Its
 * id is ai-sdk:PROVIDER/MODEL with the dimensions and the prefixes.
 * @throws AsOfError ERR_INVALID_ARGUMENT for any other model; ERR_ENCODER_FAILED, also of encode(),
 * the SDK's error as `cause`; ERR_ABORTED.
 * @example const encoder = await aiSdkEncoder(openai.embeddingModel('text-embedding-3-small'), {
 * dimensions: 1536 });
 */
export async function aiSdkEncoder(
  model: AiSdkEmbeddingModel,
  options: AiSdkEncoderOptions = {},
): Promise<Encoder> {
  const name = checkAiSdkModel(model, 'doEmbed');
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { dimensions?, prefixes?, ... }', options);
  const retries = checkRetries(options.retries ?? 2);
  const providerOptions = checkProviderOptions(options.providerOptions);
  const [most, several] = await Promise.all([
    model.maxEmbeddingsPerCall,
    model.supportsParallelCalls,
  ]);
  const batchSize =
    typeof most === 'number' && most >= 1 ? Math.min(Math.floor(most), 2048) : defaultBatchSize;
  const mark = providerOptions
    ? `:${createHash('sha256').update(JSON.stringify(providerOptions)).digest('hex').slice(0, 8)}`
    : '';
  const embed = (
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> => {
    const call: AiSdkEmbedCall = {
      values: [...texts],
      ...(signal ? { abortSignal: signal } : {}),
      ...(providerOptions ? { providerOptions } : {}),
    };
    return callWithRetries(name, () => model.doEmbed(call), readResult, {
      retries,
      signal,
      code: 'ERR_ENCODER_FAILED',
    });
  };
  return embeddingEncoder(
    { id: `${name}${mark}`, embed, batchSize, parallel: several === true ? maxConcurrentCalls : 1 },
    options,
  );
}

function readResult({ embeddings }: Record<string, unknown>): Attempt<readonly unknown[]> {
  return Array.isArray(embeddings)
    ? { value: embeddings }
    : { reason: 'a result without embeddings', transient: false };
}
