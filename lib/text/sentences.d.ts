/** UTF-16 offsets into the passage, half-open, without surrounding white space. */
export interface Span {
    start: number;
    end: number;
}
/**
 * The sentences of a text in order, as the rows of a corpus have them: UTF-16 offsets, half-open,
 * without surrounding white space. A text of white space only has none.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a value that is no text
 * @example splitSentences('It opened in 1932. Nobody knows why.').map(({ start, end }) =>
 * text.slice(start, end))
 */
export declare function splitSentences(text: string): {
    start: number;
    end: number;
}[];
/**
 * The sentences window by window, for readers of long texts that yield to the event loop or stop
 * early. `from`: where to begin; what is before the first cut after it counts as a sentence.
 */
export declare function sentenceWindows(text: string, from?: number): Generator<readonly Span[]>;
