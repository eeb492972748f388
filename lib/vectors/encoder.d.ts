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
export type NamedEncoder = Omit<Encoder, 'encode'> & {
    encode?: Encoder['encode'] | undefined;
};
/** Throws ERR_INVALID_ARGUMENT for a value that is no encoder. */
export declare function checkEncoder(encoder: Encoder): Encoder;
/** Throws ERR_INVALID_ARGUMENT for a value that is none. */
export declare function checkNamedEncoder(encoder: NamedEncoder): NamedEncoder;
/** Whether it encodes texts. */
export declare const canEncode: (encoder: NamedEncoder) => boolean;
/** The encoder; without `encode` one that rejects every text with ERR_ENCODER_MISMATCH. */
export declare function withEncode(encoder: NamedEncoder, whose: string): Encoder;
/** Throws ERR_INVALID_ARGUMENT for values that are no array of strings. */
export declare function checkTexts(texts: readonly string[]): void;
/**
 * Calls an encoder and validates its result: type, length, finiteness and the length of every row
 * (ERR_ENCODER_FAILED names the text). Other errors of the encoder are wrapped, with the original
 * as `cause`; AsOfErrors pass unchanged.
 */
export declare function encodeTexts(encoder: Encoder, texts: readonly string[], options: EncodeOptions): Promise<Float32Array>;
