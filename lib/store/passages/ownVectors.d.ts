import { type Span } from '../../text/sentences.js';
import { type VectorInput } from '../../vectors/unitVector.js';
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
export declare function ownVectors({ text, vector, sentenceVectors }: VectorFields, { dimensions, sentences, encodes }: VectorShape, invalid: Invalid): OwnVectors;
export {};
