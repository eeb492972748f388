// Low-rank adapter over a frozen encoder (re-implementation, section 4.2): y = x + B A x,
// normalised to length 1. Weights, weight files, and adapted encoders; packages/training trains.
import { binding, withCancellation } from '../binding.js';
import { AsOfError, checkPath, invalidArgument } from '../errors.js';
import { checkEncoder, encodeTexts, type EncodeOptions, type Encoder } from './encoder.js';
import { readWeightFile, writeWeightFile, type WeightFile } from './weightFile.js';

/** A trained adapter: x + B A x over the vectors of the encoder `base`. */
export interface AdapterWeights {
  /** The encoder of the training. */
  base: { id: string; dimensions: number };
  rank: number;
  /** Whether questions and passages share matrices. */
  shared: boolean;
  /**
   * A (rank x dimensions, row-major), then B transposed (rank x dimensions); if not shared, those
   * of questions before those of passages.
   */
  parameters: Float32Array;
  /** Training settings; informative. */
  settings: Record<string, unknown>;
  /** Training statistics: counts of triplets, steps, losses. */
  statistics: Record<string, unknown>;
}

/** Rows per native task, which are copied on the JS thread. */
const taskRows = 4096;

/**
 * Writes an adapter's weights; an existing file is replaced atomically.
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_NOT_FOUND (no such folder), ERR_STORAGE, ERR_ABORTED
 */
export async function writeAdapter(
  file: string,
  weights: AdapterWeights,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (!(weights?.parameters instanceof Float32Array))
    throw invalidArgument('weights', 'AdapterWeights, the result of trainAdapter', weights);
  const { parameters, ...header } = weights;
  await writeWeightFile(checkPath('file', file), 'adapter', header, { parameters }, options.signal);
}

/**
 * Reads an adapter's weights. Errors: ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER,
 * ERR_CORPUS_CORRUPT.
 */
export async function readAdapter(file: string): Promise<AdapterWeights> {
  return weightsOf(file, await readWeightFile(checkPath('file', file), 'adapter'));
}

/**
 * The encoder `base` with an adapter. Its id contains the weights' checksum, so that a corpus opens
 * only with the adapter that it was indexed with.
 * @throws AsOfError ERR_ENCODER_MISMATCH if the weights were trained on another encoder; as
 * readAdapter
 * @example const corpus = await Corpus.open('wiki.asof', { encoder: await adaptedEncoder(await
 * staticEncoder(), 'times.adapter') });
 */
export async function adaptedEncoder(base: Encoder, file: string): Promise<Encoder> {
  checkEncoder(base);
  const read = await readWeightFile(checkPath('file', file), 'adapter');
  const weights = weightsOf(file, read);
  if (weights.base.id !== base.id || weights.base.dimensions !== base.dimensions) {
    throw new AsOfError(
      'ERR_ENCODER_MISMATCH',
      `Expected the encoder ${weights.base.id} (${weights.base.dimensions} dimensions) of the ` +
        `adapter ${file}, received ${base.id} (${base.dimensions} dimensions). ` +
        'Pass that encoder, or train an adapter for this one.',
      { details: { expected: weights.base.id, received: base.id } },
    );
  }
  return encoderOf(base, weights, read.checksum);
}

function encoderOf(base: Encoder, { parameters, shared }: AdapterWeights, name: string): Encoder {
  const { dimensions } = base;
  const size = parameters.length / (shared ? 1 : 2);
  return checkEncoder({
    id: `${base.id}+adapter-${name}`,
    dimensions,
    async encode(texts: readonly string[], options: EncodeOptions): Promise<Float32Array> {
      const vectors = await encodeTexts(base, texts, options);
      const matrices =
        shared || options.kind === 'query'
          ? parameters.subarray(0, size)
          : parameters.subarray(size);
      const out = new Float32Array(vectors.length);
      for (let from = 0; from < vectors.length; from += taskRows * dimensions) {
        const batch = vectors.subarray(from, from + taskRows * dimensions);
        out.set(
          await withCancellation(options.signal, (cancellation) =>
            binding.adaptVectors(batch, matrices, dimensions, cancellation),
          ),
          from,
        );
      }
      return out;
    },
  });
}

function weightsOf(file: string, { header, arrays }: WeightFile): AdapterWeights {
  const { base, rank, shared, settings = {}, statistics = {} } = header as Partial<AdapterWeights>;
  const { parameters } = arrays;
  const valid =
    base &&
    typeof base.id === 'string' &&
    Number.isInteger(base.dimensions) &&
    Number.isInteger(rank) &&
    typeof shared === 'boolean';
  if (!valid || parameters?.length !== 2 * rank! * base.dimensions * (shared ? 1 : 2)) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected base, rank, sides and the corresponding number of parameters in the adapter ${file}, ` +
        'found others. Train it again.',
    );
  }
  return { base, rank: rank!, shared: shared, parameters, settings, statistics };
}
