// Embedding model of the AI SDK over an encoder.
import { invalidArgument, checkEncoder, encodeTexts } from 'asof/kit';
import { type Encoder, staticEncoder } from 'asof';
import { optionsOfCall, type AiSdkCallOptions } from './call.js';

/** What the SDK's `embed` and `embedMany` pass on. */
export interface AsOfEmbeddingCall extends AiSdkCallOptions {
  values: string[];
  /** Of ai@7. Other than the encoder's, it is reported as unsupported. */
  dimensions?: number | undefined;
}

/** An embedding model of the SDK's specification v3, which ai@6 and ai@7 take. */
export interface AsOfEmbeddingModel {
  readonly specificationVersion: 'v3';
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: number;
  readonly supportsParallelCalls: boolean;
  doEmbed(call: AsOfEmbeddingCall): Promise<{
    embeddings: number[][];
    warnings: { type: 'unsupported'; feature: string; details: string }[];
  }>;
}

/** Id of the embedded encoder, which is opened at the first call. */
const embeddedId = 'asof-static-256-v1';
const kinds = ['passage', 'query'] as const;

/**
 * An embedding model for `embed()` and `embedMany()` of ai@6 and ai@7: an encoder of asof, by
 * default the embedded one, offline. Values are encoded as passages, or as questions with
 * `providerOptions: { asof: { kind: 'query' } }`, which matters to encoders with prefixes. Vectors
 * have length 1.
 * @throws AsOfError ERR_INVALID_ARGUMENT. Its doEmbed() rejects with ERR_ABORTED, and as the
 * encoder does.
 * @example const { embeddings } = await embedMany({ model: asofEmbedding(), values });
 */
export function asofEmbedding(encoder?: Encoder): AsOfEmbeddingModel {
  if (encoder !== undefined) checkEncoder(encoder);
  return {
    specificationVersion: 'v3',
    provider: 'asof',
    modelId: encoder?.id ?? embeddedId,
    maxEmbeddingsPerCall: 2048,
    supportsParallelCalls: false,
    async doEmbed(call) {
      const { values, dimensions: requested, abortSignal: signal } = call;
      const { kind = 'passage' } = optionsOfCall(call, ['kind']) as { kind?: 'query' | 'passage' };
      if (!kinds.includes(kind))
        throw invalidArgument('providerOptions.asof.kind', `one of ${kinds.join(', ')}`, kind);
      const used = encoder ?? (await staticEncoder());
      const vectors = await encodeTexts(used, values, { kind, signal });
      const { dimensions } = used;
      const details = `The vectors of ${used.id} have ${dimensions} numbers.`;
      const isOther = requested !== undefined && requested !== dimensions;
      return {
        embeddings: values.map((_, i) =>
          Array.from(vectors.subarray(i * dimensions, (i + 1) * dimensions)),
        ),
        warnings: isOther ? [{ type: 'unsupported', feature: 'dimensions', details }] : [],
      };
    },
  };
}
