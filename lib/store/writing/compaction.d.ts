import type { NewFile } from '../format/files.js';
import type { Manifest, SegmentEntry, Storage } from '../format/manifest.js';
import type { Snapshot } from '../views/snapshot.js';
import { type Tombstones } from '../format/tombstones.js';
/** Segments [from, to) of the manifest. */
export interface MergeRange {
    from: number;
    to: number;
}
/**
 * All segments, unless it is one of the storage type to write without passages to drop. A history
 * that is kept for good drops none.
 */
export declare function fullMerge({ segments, storage: stored, history }: Manifest, { storage, keepMs }: WriterOptions): MergeRange | undefined;
/**
 * The newest segments, back to the last one of a higher tier, once more than eight of them are of
 * one tier: a row is rewritten once for each factor of eight that the corpus grows. Otherwise a
 * segment with more tombstones than live passages, where there is no history.
 */
export declare function tieredMerge({ segments, history }: Manifest): MergeRange | undefined;
/** For the merge after an add, which a full or failing disk defers: the passages are on disk. */
export declare function deferIfDiskFull(error: unknown): {
    merged: number;
    dropped: number;
};
export interface WriterOptions {
    /** Storage type of new segments. Default: the manifest's. */
    storage?: Storage | undefined;
    /** How long ended versions are kept, in milliseconds. Default: for good. */
    keepMs?: number | undefined;
}
export interface MergedSegment {
    /** Absent if no passage is left. */
    merged?: {
        entry: SegmentEntry;
        file: NewFile;
        tombstones?: Tombstones;
    };
    /** Passages that were dropped. */
    dropped: number;
}
/**
 * Merges a range of the snapshot's segments in to - from + 3 steps, each followed by `onStep`. In
 * corpora with history passages stay that ended at `keptFrom` or later (default: all).
 */
export declare function mergeSegments(snapshot: Snapshot, range: MergeRange, place: {
    path: string;
    id: string;
    storage: Storage;
    keptFrom?: number | undefined;
}, signal: AbortSignal | undefined, onStep: () => void): Promise<MergedSegment>;
/** The manifest with the segments of the range replaced by the merged one. */
export declare function applyMerge(manifest: Manifest, range: MergeRange, entry: SegmentEntry | undefined): Manifest;
