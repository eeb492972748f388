// Encoder over a server with OpenAI's embeddings.
import { invalidArgument, mustBeWhole } from '../errors.js';
import type { Encoder } from '../vectors/encoder.js';
import { embeddingEncoder, type EmbeddingOptions } from './embeddings.js';
import type { Attempt } from './retry.js';
import { record } from './connection.js';
import { openServer, type Server, type ServerOptions } from './server.js';

export interface OpenAiCompatibleEncoderOptions extends ServerOptions, EmbeddingOptions {
  /**
   * Requests vectors of `dimensions` numbers, which models with variable dimensions support.
   * Default false: not requested.
   */
  shorten?: boolean | undefined;
  /** Texts in one request, 1 to 512; default 64. Requests of one call are sequential. */
  batchSize?: number | undefined;
}

/**
 * Opens an encoder behind an OpenAI-compatible server. Its id is the model's name there, the
 * dimensions and the prefixes. Blank texts are not sent and give zeros; vectors are normalized to
 * length 1. Retries, time-outs and secrets as in `openAiCompatible`.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options out of range; ERR_ENCODER_FAILED, also of
 * encode(), if the server fails or returns no vectors, with details; ERR_ABORTED.
 * @example await openAiCompatibleEncoder({ baseURL: 'http://127.0.0.1:8080/v1', model: 'e5-small',
 * prefixes: { query: 'query: ', passage: 'passage: ' } })
 */
export async function openAiCompatibleEncoder(
  options: OpenAiCompatibleEncoderOptions,
): Promise<Encoder> {
  const server = openServer(options, { path: 'embeddings', code: 'ERR_ENCODER_FAILED' });
  const { dimensions, shorten = false, batchSize = 64 } = options;
  mustBeWhole({ batchSize }, 1, 512);
  if (typeof shorten !== 'boolean') throw invalidArgument('shorten', 'true or false', shorten);
  if (shorten && dimensions === undefined)
    throw invalidArgument('dimensions', 'present if shorten is true', dimensions);
  const { id, model } = server;
  const embed = (input: readonly string[], signal: AbortSignal | undefined) =>
    server.post(
      () => ({ model, input, encoding_format: 'float', ...(shorten ? { dimensions } : {}) }),
      (body, from) => readVectors(body, from, input.length),
      signal,
    );
  return embeddingEncoder({ id, embed, batchSize, parallel: 1 }, options);
}

/** The vectors in the order of their texts, by their index if present. */
function readVectors(
  { data }: Record<string, unknown>,
  { model }: Server,
  count: number,
): Attempt<readonly unknown[]> {
  if (!Array.isArray(data)) {
    return {
      reason: `an answer without data, the list of vectors; ${model} may not be an embedding model`,
      transient: false,
    };
  }
  const vectors: unknown[] = [];
  data.forEach((each: unknown, at) => {
    const item = record(each);
    vectors[Number.isInteger(item?.index) ? (item!.index as number) : at] = item?.embedding;
  });
  if (data.length !== count || vectors.length !== count || vectors.includes(undefined)) {
    return { reason: `${data.length} vectors for ${count} texts`, transient: false };
  }
  return { value: vectors };
}
