// The interface of text encoders, and the one function through which the library calls them, so
// that foreign results are validated in one place.
import {
  AsOfError,
  callModel,
  describe,
  invalidArgument,
  mustBe,
  mustBeWhole,
  throwIfAborted,
} from '../errors.js';
import { modelCall, observe } from '../runtime/telemetry.js';

/** Options of an encoding. */
export interface EncodeOptions {
  /** Kind of the texts: some models use different prefixes for questions and passages. */
  kind: 'query' | 'passage';
  signal?: AbortSignal | undefined;
}

/**
 * A text encoder. Encoders with the same id return the same vectors: a corpus stores the id and
 * rejects another.
 * @example const mine: Encoder = { id: 'my-model-v2', dimensions: 768, encode: async (texts, { kind
 * }) => callMyModel(texts, kind) };
 */
export interface Encoder {
  /** Stable name of the model and its version, 1 to 200 characters. */
  readonly id: string;
  /** Components of a vector, 1 to 16384. */
  readonly dimensions: number;
  /**
   * Resolves with texts.length * dimensions floats, row-major: component j of text i at [i *
   * dimensions + j]. Rows have length 1, or are zero for texts without content (such as empty
   * ones).
   */
  encode(texts: readonly string[], options: EncodeOptions): Promise<Float32Array>;
}

/** An encoder, or without `encode` the name of a model whose vectors come from elsewhere. */
export type NamedEncoder = Omit<Encoder, 'encode'> & { encode?: Encoder['encode'] | undefined };

/** Tolerance of a row's length, for encoders that normalise in half precision. */
const lengthTolerance = 0.01;

/** Throws ERR_INVALID_ARGUMENT for a value that is no encoder. */
export function checkEncoder(encoder: Encoder): Encoder {
  if (typeof encoder?.encode !== 'function')
    throw invalidArgument('encoder', 'an Encoder { id, dimensions, encode }', encoder);
  checkNamedEncoder(encoder);
  return encoder;
}

/** Throws ERR_INVALID_ARGUMENT for a value that is none. */
export function checkNamedEncoder(encoder: NamedEncoder): NamedEncoder {
  const isNamed =
    typeof encoder === 'object' &&
    encoder !== null &&
    (encoder.encode === undefined || typeof encoder.encode === 'function');
  if (!isNamed) throw invalidArgument('encoder', 'an Encoder { id, dimensions, encode? }', encoder);
  const { id, dimensions } = encoder;
  if (typeof id !== 'string' || id.length === 0 || id.length > 200)
    throw invalidArgument('encoder.id', 'a string of 1 to 200 characters', id);
  mustBeWhole({ 'encoder.dimensions': dimensions }, 1, 16_384);
  return encoder;
}

const refusing = new WeakSet<NamedEncoder>();

/** Whether it encodes texts. */
export const canEncode = (encoder: NamedEncoder): boolean =>
  encoder.encode !== undefined && !refusing.has(encoder);

/** The encoder; without `encode` one that rejects every text with ERR_ENCODER_MISMATCH. */
export function withEncode(encoder: NamedEncoder, whose: string): Encoder {
  const { id, dimensions, encode } = encoder;
  if (encode) return encoder as Encoder;
  const message =
    `Expected the encoder ${id} (${dimensions} dimensions) of ${whose}, received none that ` +
    'encodes. Give the vectors of passages and questions, pass an encoder with encode() to ' +
    'Corpus.open, or name one with --encoder.';
  const refuse = (): Promise<never> =>
    Promise.reject(new AsOfError('ERR_ENCODER_MISMATCH', message, { details: { expected: id } }));
  const named = { id, dimensions, encode: refuse };
  refusing.add(named);
  return named;
}

/** Throws ERR_INVALID_ARGUMENT for values that are no array of strings. */
export function checkTexts(texts: readonly string[]): void {
  if (!Array.isArray(texts)) throw invalidArgument('texts', 'an array of strings', texts);
  const wrong = texts.findIndex((text) => typeof text !== 'string');
  if (wrong !== -1) throw invalidArgument(`texts[${wrong}]`, 'a string', texts[wrong]);
}

/**
 * Calls an encoder and validates its result: type, length, finiteness and the length of every row
 * (ERR_ENCODER_FAILED names the text). Other errors of the encoder are wrapped, with the original
 * as `cause`; AsOfErrors pass unchanged.
 */
export async function encodeTexts(
  encoder: Encoder,
  texts: readonly string[],
  options: EncodeOptions,
): Promise<Float32Array> {
  mustBe('an object', { encoder, options });
  mustBe('an array', { texts });
  throwIfAborted(options.signal);
  if (texts.length === 0) return new Float32Array(0);
  const { id, dimensions } = encoder;
  // The id of a service's encoder ends with its dimensions; the name of its model does not.
  const call = modelCall('embeddings', id.split(`:${dimensions}`)[0]!, {
    'gen_ai.embeddings.dimension.count': dimensions,
    'asof.texts.count': texts.length,
  });
  return observe(call, () => checkedVectors(encoder, texts, options));
}

async function checkedVectors(
  encoder: Encoder,
  texts: readonly string[],
  options: EncodeOptions,
): Promise<Float32Array> {
  const { id, dimensions } = encoder;
  const vectors = await callModel(
    () => encoder.encode(texts, options),
    options.signal,
    (reason, cause) => {
      const message = `Expected the encoder ${id} to encode ${texts.length} texts, it failed: ${reason}`;
      return new AsOfError('ERR_ENCODER_FAILED', message, { cause, details: { encoder: id } });
    },
  );
  if (!(vectors instanceof Float32Array) || vectors.length !== texts.length * dimensions) {
    throw failed(
      encoder,
      `a Float32Array of ${texts.length} x ${dimensions} = ${texts.length * dimensions}`,
      describe(vectors),
    );
  }
  for (let i = 0; i < texts.length; i += 1) {
    let squares = 0;
    for (let j = i * dimensions; j < (i + 1) * dimensions; j += 1)
      squares += vectors[j]! * vectors[j]!;
    if (squares !== 0 && !(Math.abs(Math.sqrt(squares) - 1) <= lengthTolerance)) {
      throw failed(
        encoder,
        'rows of length 1 (or all zero)',
        `one of length ${Math.sqrt(squares)} for text ${i}, ${describe(texts[i])}`,
      );
    }
  }
  return vectors;
}

function failed(encoder: Encoder, expected: string, received: string): AsOfError {
  const message =
    `Expected the encoder ${encoder.id} to return ${expected}, received ${received}. ` +
    'Its encode() must implement the interface Encoder.';
  return new AsOfError('ERR_ENCODER_FAILED', message, { details: { encoder: encoder.id } });
}
