import { AsOfError } from '../errors.js';
import type { RunOptions } from '../records.js';
import { type Device } from '../vectors/device.js';
import type { NamedEncoder } from '../vectors/encoder.js';
import { type Fields } from './fields/types.js';
import { type Storage } from './format/manifest.js';
export interface CorpusOptions {
    /**
     * Encodes passages and questions. Without `encode` it only names the model of vectors that all
     * passages and questions bring (`Passage.vector`, `Question.vector`). Default: the embedded
     * encoder, if the corpus is new or was created with it.
     */
    encoder?: NamedEncoder | undefined;
    /**
     * Whether sentences have vectors, words and times of their own, to be ranked by. Decided when the
     * corpus is created; default: as it was, true for a new one. With false each passage is one row,
     * of the whole: for tens of millions of passages.
     */
    sentences?: boolean | undefined;
    /** Creates a corpus if the folder has none. Default true; false with `readOnly`. */
    create?: boolean | undefined;
    /** Refuses all writes. Default false. Opening takes no lock; each write does, while it runs. */
    readOnly?: boolean | undefined;
    /**
     * Milliseconds that a write waits while another handle, thread or process writes, 0 to Infinity.
     * Default 10,000. Then it rejects with ERR_CORPUS_LOCKED.
     */
    lockTimeout?: number | undefined;
    /**
     * Questions that run at the same time, from 1; further ones wait their turn. Default 8: more are
     * slower, and each holds some 10 MB. Raise it where questions wait for a slow model.
     */
    concurrency?: number | undefined;
    /**
     * Type of the quantized copy of the vectors, by which scans prune most rows: 'int4' (25 % more on
     * disk, of which one question reads half), 'int8' (as much; faster for batches of eight queries
     * and more, and on devices), 'bf16' (50 % more) or 'f32' (no copy). Results are the same.
     * Default: the corpus's own; 'int4' for a new one, 'int8' with a device. A new type applies to
     * later writes; compact() rewrites the rest.
     */
    storage?: Storage | undefined;
    /**
     * Entries of the passages' metadata that filters and orders can name, and their types. Given when
     * the corpus is created; afterwards they can be omitted, no others are accepted, and
     * `alterFields` changes them.
     */
    fields?: Fields | undefined;
    /**
     * Keeps versions of passages that were replaced or deleted, for `asRecorded`: the corpus as it
     * was at an earlier time. Decided when the corpus is created. `keepDays`: writes of this handle
     * drop, as they merge segments, versions that ended longer ago; default: none. Default: as the
     * corpus was created, false for a new one.
     */
    history?: boolean | {
        keepDays: number;
    } | undefined;
    /**
     * IANA name of the time zone in which dates and times without an offset are read: those of
     * passages, those in their texts, and those of questions that name no other. It is set when the
     * corpus is created. Default: the corpus's own; UTC for a new one.
     */
    timeZone?: string | undefined;
    /**
     * Device of vector searches: 'cuda' copies each segment to the first CUDA device at its first
     * search (docs/cuda.md). Default 'cpu'.
     */
    device?: Device | undefined;
    signal?: AbortSignal | undefined;
}
/** What paths of corpora are, in errors. */
export declare const aFolder = "the path of a folder";
/** Milliseconds to wait for the lock by default. */
export declare const defaultLockTimeout = 10000;
export interface AddOptions extends RunOptions {
    /** Passages of one commit. Default 2048; a commit of more than 4 Mi characters ends sooner. */
    batchSize?: number | undefined;
    /**
     * Receives the error of a passage that is refused, with details.index and details.id; the others
     * are added. Default: the call rejects with it.
     */
    onRefused?: ((error: AsOfError) => void) | undefined;
}
/** Whether a check passes; its error is thrown where nothing receives it. */
export declare function accepts(check: () => void, onRefused: AddOptions['onRefused']): boolean;
export declare function checkCorpusOptions(path: unknown, options: CorpusOptions): void;
/** Checks the options that corpora have whatever keeps their passages. */
export declare function checkCommonOptions(options: CorpusOptions): void;
/** How long ended versions are kept, in milliseconds; undefined for good. */
export declare function keptMs(history: CorpusOptions['history']): number | undefined;
