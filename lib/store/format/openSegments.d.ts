import type { Cancellation, OutputFile, Segment } from '../../../binding.js';
import type { AsOfError } from '../../errors.js';
import { CacheRegistry } from '../../runtime/cacheRegistry.js';
import type { Device } from '../../vectors/device.js';
import { NewFile } from './files.js';
import { type SegmentEntry } from './manifest.js';
import { type Ended, type Tombstones } from './tombstones.js';
/** The number of no passage. */
export declare const noPassage = 4294967295;
/** Sections of the passages that had ended when a segment was written: u32 and f64. */
export declare const endedSections: {
    passages: string;
    times: string;
};
/** Concatenated UTF-8 ids, or other bytes, and the end of each. */
export interface IdBytes {
    bytes: Uint8Array;
    ends: Uint32Array;
}
/** The bytes of a passage in a section of `length` that has offsets of passages. */
export declare function passageBytes(segment: Segment, section: string, local: number, length?: number): Uint8Array;
export declare class OpenSegment {
    readonly native: Segment;
    readonly entry: SegmentEntry;
    users: number;
    readonly identity: string;
    /** Mapped derived columns, by the key of their spec. */
    readonly derived: Map<string, Segment>;
    /** Caches of this segment's data, freed when it is closed. */
    readonly caches: CacheRegistry<Segment>;
    private lengths;
    private latest;
    private endedBefore;
    constructor(native: Segment, entry: SegmentEntry);
    /** The id of a local passage. */
    id(local: number): string;
    /** Ids of many passages, in two reads. */
    ids(locals: ArrayLike<number>): string[];
    /** Their UTF-8 bytes; undefined if the file is too large for 32-bit offsets. */
    idBytes(locals: ArrayLike<number>): IdBytes | undefined;
    private bytesOfEach;
    /** Offset and length of texts; undefined where one ends beyond 32-bit offsets. */
    private rangesOf;
    /** The record of a local passage: JSON text. */
    record(local: number): string;
    /** The packed statements of local passages; undefined in a segment without. */
    statements(locals: readonly number[]): Uint8Array[] | undefined;
    /** The hash that a record was stored with. */
    hash(local: number): Uint8Array;
    /** The live version of each id, without `liveDocs` the oldest; else `noPassage`. */
    find(ids: readonly string[], liveDocs: Uint8Array | undefined): Uint32Array;
    private text;
    private lengthOf;
    /** As `readTombstones`, once for each file. */
    tombstones(entry: SegmentEntry, folder: string): Tombstones | undefined;
    /** Passages that had ended when the segment was written, by a merge that kept them. */
    ended(): Ended;
}
/** What tells a segment's file from all others: its size and its checksum. */
export interface Seal {
    bytes: number;
    checksum: number;
}
/** Writes a segment's file, which is yet to be synced. */
export declare function writeSegment(path: string, signal: AbortSignal | undefined, write: (file: OutputFile, cancellation: Cancellation) => Promise<void>): Promise<{
    file: NewFile;
    seal: Seal;
}>;
export declare function sealOf(path: string): Seal;
export declare class OpenSegments {
    readonly folder: string;
    /** Device of vector searches. */
    readonly device: Device;
    /** By identity. */
    private readonly segments;
    private current;
    /** Caches of the corpus's data, freed by `closeAll`. */
    readonly caches: CacheRegistry<unknown>;
    constructor(folder: string, 
    /** Device of vector searches. */
    device: Device);
    /** Counts a use of each, until release(). @throws AsOfError ERR_NOT_FOUND */
    acquire(entries: readonly SegmentEntry[]): OpenSegment[];
    /** A segment of a temporary file, in use until release(). */
    adopt(native: Segment, entry: SegmentEntry): OpenSegment;
    release(segments: readonly OpenSegment[]): void;
    /** Closes all segments and frees the caches; running tasks keep their mappings. */
    closeAll(): void;
    private close;
}
/** The error for offsets that do not ascend or lead beyond the section that they are of. */
export declare const wrongOffsets: (segment: Segment, section: string) => AsOfError;
