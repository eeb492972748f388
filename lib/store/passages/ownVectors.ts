// Vectors that a passage brings with it, in place of an encoder's.
import { splitSentences, type Span } from '../../text/sentences.js';
import { unitVector, type VectorInput } from '../../vectors/unitVector.js';
import type { AsOfError } from '../../errors.js';
import type { Interval } from '../../time/interval.js';

/** What a corpus says of the vectors of its passages. */
export interface VectorShape {
  dimensions: number;
  /** Whether sentences have rows, and so vectors, of their own. */
  sentences: boolean;
  /** Whether its encoder can encode what a passage brings no vector for. */
  encodes: boolean;
}

/** Vectors of length 1; those of sentences end to end, absent where there is but one. */
export interface OwnVectors {
  vector?: Float32Array | undefined;
  sentenceVectors?: Float32Array | undefined;
}

/** Content times of each sentence, or of the passage without rows of them, if they are known. */
interface OwnTimes {
  contents?: readonly (readonly Interval[])[] | undefined;
}

/** What is stored of a passage's text: a new version with the same text takes it over. */
export interface OwnRows extends OwnVectors, OwnTimes {
  /** Its sentences, where they have rows. */
  sentences?: readonly Span[] | undefined;
  /** Packed, of segments that have them. */
  statements?: Uint8Array | undefined;
}

/** Those of a stored version, which are read together with those of others of the same write. */
export interface KeptRows {
  readEach(all: readonly KeptRows[]): OwnRows[];
}

interface VectorFields {
  text: string;
  vector?: VectorInput | null;
  sentenceVectors?: readonly VectorInput[] | null;
}

/** Creates the error of a field: its name, what was expected, what was received, what to do. */
type Invalid = (field: string, expected: string, received: unknown, remedy: string) => AsOfError;

/** Checks the vectors of a passage and copies them. */
export function ownVectors(
  { text, vector, sentenceVectors }: VectorFields,
  { dimensions, sentences, encodes }: VectorShape,
  invalid: Invalid,
): OwnVectors {
  const hasSentences = sentenceVectors !== undefined && sentenceVectors !== null;
  if (vector === undefined || vector === null) {
    if (!encodes || hasSentences) {
      const expected = `${dimensions} numbers, since ${
        encodes ? 'sentenceVectors are given' : 'the encoder has no encode()'
      }`;
      throw invalid('vector', expected, vector, 'Give the vector of title and text.');
    }
    return {};
  }
  const whole = unitVector('vector', vector, dimensions, invalid);
  if (hasSentences && !sentences)
    throw invalid(
      'sentenceVectors',
      'absent in a corpus of passages without sentences',
      sentenceVectors,
      'Leave them out, or create the corpus without sentences: false.',
    );
  const count = sentences && (hasSentences || !encodes) ? splitSentences(text).length : 0;
  if (!hasSentences && count <= 1) return { vector: whole };
  const isList = Array.isArray(sentenceVectors) && sentenceVectors.length === count;
  if (!isList)
    throw invalid(
      'sentenceVectors',
      `an array of ${count}, one for each sentence`,
      sentenceVectors,
      'Split the text by splitSentences of asof/time, and encode each with the title before it.',
    );
  const all = new Float32Array(count * dimensions);
  sentenceVectors.forEach((each: unknown, nth) =>
    all.set(unitVector(`sentenceVectors[${nth}]`, each, dimensions, invalid), nth * dimensions),
  );
  return count === 1 ? { vector: whole } : { vector: whole, sentenceVectors: all };
}
