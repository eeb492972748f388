import type { Segment } from '../../../binding.js';
import type { CacheRegistry } from '../../runtime/cacheRegistry.js';
/** One segment of a snapshot. */
export interface SnapshotSegment {
    /** Mapped; for the addon's searches. */
    segment: Segment;
    /** What its content is, in whatever corpus (`segmentIdentity`): for cache keys. */
    identity: string;
    /** P, M and R: passages, passages of several sentences, rows. */
    passages: number;
    multiSentence: number;
    rows: number;
    /**
     * Bitmap of live docs: bit p % 8 of byte p >> 3 is set if local passage p is live; absent if all
     * are. Read-only.
     */
    liveDocs?: Uint8Array;
    /** Bitmap of the passages that BM25's statistics count; absent if all do. Read-only. */
    countedDocs?: Uint8Array;
    /** Mapped derived columns, by the key of their spec. */
    derived: Map<string, Segment>;
    /** Caches of this segment's data, freed when it is closed. */
    caches: CacheRegistry<Segment>;
}
/** Address of a passage in a snapshot. */
export interface PassagePlace {
    /** Index in the snapshot's segments. */
    segment: number;
    /** Local passage number. */
    passage: number;
}
