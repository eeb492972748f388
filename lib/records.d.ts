/**
 * A passage as input. Times are ISO 8601 strings, epoch milliseconds or Dates; a date alone is that
 * day in the corpus's time zone, by default UTC.
 */
export interface Passage {
    /** Unique in the corpus, 1 to 1,000 bytes in UTF-8. Adding an id again replaces the passage. */
    id: string;
    /**
     * At most 1,048,576 UTF-16 units (`text.length`): a long chapter. Split longer ones by `chunk`,
     * since a passage is ranked and returned as a whole. More than white space, unless there is a
     * title.
     */
    text: string;
    /** Read with every sentence of the text; at most 1,000 UTF-16 units. */
    title?: string | undefined;
    /**
     * Publication time, which the publication mask compares. A date alone is the start of that day.
     */
    publishedAt?: TimeInput | undefined;
    /** Start of validity, inclusive. */
    validFrom?: TimeInput | undefined;
    /** End of validity; a date alone includes that whole day. */
    validTo?: TimeInput | undefined;
    /**
     * Stored and returned unchanged but for -0, which becomes 0; JSON values only, at most 262,144
     * UTF-16 units of JSON. Properties that are undefined are omitted.
     */
    metadata?: Record<string, unknown> | undefined;
    /**
     * The vector of title and text by the model that the corpus's encoder names, of any length but 0;
     * it is scaled to length 1. Default: encoded.
     */
    vector?: Float32Array | readonly number[] | undefined;
    /**
     * One vector for each sentence of the text, in the order of `splitSentences` (asof/time), each of
     * title and sentence; only with `vector`. Of a text of one sentence `vector` alone counts.
     * Default: encoded.
     */
    sentenceVectors?: readonly (Float32Array | readonly number[])[] | undefined;
    /**
     * Where the text lies in a longer document, as `chunk` sets it: the document's id, UTF-16 offsets
     * into its text, and the headings above, from the outermost. The passage's id is the parent's,
     * `#` and the number of the chunk, from 0: its neighbours are found by it.
     */
    chunk?: {
        parent: string;
        start: number;
        end: number;
        headings?: string[] | undefined;
    } | undefined;
    /**
     * Key of its series, 1 to 1,000 bytes in UTF-8: the states of one thing, each of which is valid
     * until the next one starts (`validFrom`, else `publishedAt`; one of them is needed). A passage
     * stays in its series until it names another one or is deleted.
     */
    series?: string | undefined;
    /**
     * Id of an earlier state, in the corpus or added before: the passage is of its series, or of one
     * named by that id.
     */
    supersedes?: string | undefined;
    /** As in stored passages: where `validTo` is `from`, `validTo` of this is the passage's own. */
    supersededBy?: {
        id: string;
        from: TimeInput;
        validTo?: TimeInput | undefined;
    } | undefined;
}
/**
 * A time as input: an ISO 8601 date or date-time (years -271821 to 275760), UTC epoch milliseconds,
 * or a Date. A date, or a date-time without `Z` or an offset, is of the time zone that applies.
 */
export type TimeInput = string | number | Date;
/** A stored passage: times are UTC epoch milliseconds, `validTo` is exclusive. */
export interface StoredPassage {
    id: string;
    text: string;
    title?: string | undefined;
    publishedAt?: number | undefined;
    validFrom?: number | undefined;
    validTo?: number | undefined;
    metadata?: Record<string, unknown> | undefined;
    chunk?: NonNullable<Passage['chunk']> | undefined;
    /** Key of its series, also of one that it joined by `supersedes`, its own or another's. */
    series?: string | undefined;
    supersedes?: string | undefined;
    /**
     * The next state of its series, which starts at `from`: its `validTo` then. `validTo` here is the
     * passage's own, if it had a later one.
     */
    supersededBy?: {
        id: string;
        from: number;
        validTo?: number | undefined;
    } | undefined;
}
/**
 * A question. `askedAt` is the reference time of "now" and relative dates and the limit of the
 * publication mask, also in words ("yesterday"); default: the current time.
 */
export interface Question {
    /** At most 20,000 UTF-16 units; rules read the last 4,000. */
    text: string;
    askedAt?: TimeInput | undefined;
    /**
     * IANA name of the time zone that decides which days "today" and "5 May" are, and of which
     * `askedAt` is if it says no offset. Default: that of the corpus, or UTC without one.
     */
    timeZone?: string | undefined;
    /**
     * Vector of the question by the model of the corpus, scaled to length 1. Systems encode the
     * question without its dates (`parseQuestion(question).mainContent`): give the vector of that.
     * Default: encoded.
     */
    vector?: Float32Array | readonly number[] | undefined;
}
/** Progress of a task; `total` is Infinity if unknown in advance. */
export interface Progress {
    done: number;
    total: number;
}
/** Options of every long-running function. */
export interface RunOptions {
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: Progress) => void) | undefined;
}
