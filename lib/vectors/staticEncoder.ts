// The embedded default encoder: a sum of static token vectors, computed in native code, without
// network, other packages or user models. Insensitive to word order (models/README.md gives its
// quality).
import { binding, withCancellation } from '../binding.js';
import type { StaticEncoderHandle } from '../../binding.js';
import { AsOfError, checkPath, mustBe, throwIfAborted } from '../errors.js';
import { checkTexts, type EncodeOptions, type Encoder } from './encoder.js';
import { installedFile } from '../runtime/installation.js';

/** At the package root, both for lib/ and for dist/. */
const embeddedModel = installedFile('models/default-encoder.bin');

/** Texts and UTF-16 units of one native task, which copies them on the JS thread: about 2 ms. */
const taskTexts = 2048;
const taskUnits = 1 << 20;

/**
 * Opens the embedded encoder, or `model`, a file of the same format (models/README.md). Encoders of
 * one file share its memory within a process. Questions and passages are encoded alike. A text
 * without a known token yields the zero vector.
 * @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER or ERR_CORPUS_CORRUPT for
 * an invalid file
 * @example const encoder = await staticEncoder(); const vectors = await encoder.encode(['Who was
 * the UK prime minister in 2021?'], { kind: 'query' });
 */
export async function staticEncoder(
  options: { model?: string | undefined } = {},
): Promise<Encoder> {
  mustBe('an object', { options });
  const path = checkPath('model', options.model ?? embeddedModel, 'the path of a model file');
  const handle = await binding.openStaticEncoder(path);
  const { id, dimensions } = readHeader(path, binding.staticEncoderHeader(handle));
  return {
    id,
    dimensions,
    async encode(texts: readonly string[], { signal }: EncodeOptions): Promise<Float32Array> {
      throwIfAborted(signal);
      checkTexts(texts);
      const vectors = new Float32Array(texts.length * dimensions);
      for (let from = 0; from < texts.length; ) {
        const to = taskEnd(texts, from);
        vectors.set(
          await withCancellation(signal, (cancellation) =>
            binding.encodeTexts(handle, texts.slice(from, to), cancellation),
          ),
          from * dimensions,
        );
        from = to;
      }
      return vectors;
    },
  };
}

/** One after another: list t is `ids[i]` for i from `ends[t - 1]` (0 of the first) to `ends[t]`. */
export interface TokenLists {
  ids: Uint32Array;
  ends: Uint32Array;
}

/** The embedded encoder for texts that are made of the same words again and again. */
export interface TokenEncoder {
  handle: StaticEncoderHandle;
  /** Tokens of each word, in place; about a microsecond each. */
  tokenize(words: string[]): TokenLists;
  /** How rare a word in small letters is in English: about 1 ("the") to 19; 18 of no token. */
  rarity(word: string): number;
  /** Cosines of the first `asked` texts with each other one, row by row, to 1e-6. */
  cosines(texts: TokenLists, asked: number, signal?: AbortSignal): Promise<Float64Array>;
}

/** @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_CORRUPT and others as of `staticEncoder` */
export async function tokenEncoder(): Promise<TokenEncoder> {
  const handle = await binding.openStaticEncoder(embeddedModel);
  return {
    handle,
    tokenize: (words) => binding.tokenizeWords(handle, words),
    rarity: (word) => binding.wordRarity(handle, word),
    cosines: ({ ids, ends }, asked, signal) =>
      withCancellation(signal, (cancellation) =>
        binding.cosinesOfTokens(handle, ids, ends, asked, cancellation),
      ),
  };
}

function taskEnd(texts: readonly string[], from: number): number {
  const most = Math.min(texts.length, from + taskTexts);
  let to = from + 1;
  for (
    let units = texts[from]!.length;
    to < most && units + texts[to]!.length <= taskUnits;
    to += 1
  )
    units += texts[to]!.length;
  return to;
}

function readHeader(path: string, text: string): { id: string; dimensions: number } {
  try {
    const header = JSON.parse(text) as { id?: unknown; dimensions?: unknown };
    if (typeof header.id === 'string' && typeof header.dimensions === 'number')
      return { id: header.id, dimensions: header.dimensions };
  } catch {
    // Reported below: a header that is no JSON is as unusable as one without an id.
  }
  throw new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected the header of ${path} to be JSON with id and dimensions, received other text. ` +
      'Build the model again (models/README.md).',
  );
}
