import { type SegmentEntry } from './manifest.js';
/** Passages that were replaced or deleted, ascending, and when: UTC epoch milliseconds. */
export interface Ended {
    passages: Uint32Array;
    times: Float64Array;
}
export interface Tombstones {
    /** Bit p % 8 of byte p >> 3 is set if passage p is live. */
    live: Uint8Array;
    ended: Ended;
}
export declare const noneEnded: Ended;
/** Bytes of the tombstones of a segment, at most. */
export declare const maxTombstoneBytes: (passages: number) => number;
export declare function tombstoneBytes({ live, ended }: Tombstones): Uint8Array;
/** Tombstones of a file's content; undefined if it contradicts itself. */
export declare function parseTombstones(content: Uint8Array, passages: number): Tombstones | undefined;
/**
 * The tombstones that an entry names; undefined if it names none. The entry is that of the manifest
 * in force, the folder that of the segments.
 * @throws AsOfError ERR_NOT_FOUND if the file is gone; ERR_CORPUS_CORRUPT
 */
export declare function readTombstones(entry: SegmentEntry, folder: string): Tombstones | undefined;
/** Ended passages of both, of which none is the other's. */
export declare function mergeEnded(a: Ended, b: Ended): Ended;
/** Passages that ended at one time, in any order. */
export declare const endedAt: (passages: readonly number[], time: number) => Ended;
/** The ended passages of a column of times by passage, NaN of a live one. */
export declare function endedOfColumn(column: Float64Array): Ended;
export declare const isLive: (live: Uint8Array, passage: number) => boolean;
/** The bitmap of a segment in which all passages are live. */
export declare function allLive(passages: number): Uint8Array;
export declare function withPassages(live: Uint8Array, passages: ArrayLike<number>): Uint8Array;
export declare function withoutPassages(live: Uint8Array, passages: ArrayLike<number>): Uint8Array;
/** Bits that are set. */
export declare function liveIn(bits: Uint8Array): number;
