import type { PassageFilter, Segment } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import type { CacheRegistry } from '../../runtime/cacheRegistry.js';
import type { Device } from '../../vectors/device.js';
import { type Manifest, type SegmentEntry } from '../format/manifest.js';
import type { ManifestFile } from '../format/manifestFile.js';
import type { RemoteRows } from '../scorePlan.js';
import type { PassagePlace, SnapshotSegment } from './snapshotSegment.js';
import { type IdBytes, type OpenSegment, type OpenSegments } from '../format/openSegments.js';
import { type Ended } from '../format/tombstones.js';
/** A consistent view of a corpus at one commit. It holds files: release it when done. */
export declare class Snapshot {
    readonly manifest: Manifest;
    private readonly segmentFiles;
    private readonly onRelease;
    readonly segments: readonly SnapshotSegment[];
    /** Those that it joins. */
    readonly parts: readonly Snapshot[];
    private readonly tombstones;
    private released;
    protected constructor(manifest: Manifest, segmentFiles: {
        files: OpenSegments;
        opened: readonly OpenSegment[];
    }, onRelease: () => void);
    /** The newest commit. */
    static take(file: ManifestFile, files: OpenSegments, onRelease: () => void): Snapshot;
    /** A view of several snapshots as one corpus, in their order. It releases them. */
    static join(parts: readonly Snapshot[], manifest: Manifest, caches: CacheRegistry): Snapshot;
    /** Names of shards that could not be reached, whose passages it lacks. */
    get missingShards(): readonly string[];
    /** Whether searches ranked all rows, where they are elsewhere; undefined before the first. */
    get ranksAll(): boolean | undefined;
    /** What fetches its rows, if they are elsewhere. */
    get remote(): RemoteRows | undefined;
    get generation(): number;
    /** Time zone of the corpus's days, an IANA name; undefined for UTC. */
    get timeZone(): string | undefined;
    /** Device of its vector searches. */
    get device(): Device;
    /** The corpus's caches, freed when it is closed. */
    get caches(): CacheRegistry;
    get isOpen(): boolean;
    /** The record of a local passage, parsed at each call. */
    passage(segment: number, passage: number): StoredPassage;
    /** The id of a local passage, without reading its record: the tie-breaker of rankings. */
    id(segment: number, passage: number): string;
    /** Ids of passages, given as parallel arrays of segments and local passages. */
    ids(segments: ArrayLike<number>, passages: ArrayLike<number>): string[];
    /** The same ids as concatenated UTF-8 with their ends: for thousands of which few are decoded. */
    idBytes(segments: ArrayLike<number>, passages: ArrayLike<number>): IdBytes;
    /** Address of the passage of an id; undefined if there is none. */
    find(id: string): PassagePlace | undefined;
    /** Addresses of the passages of ids; undefined of an id that no live passage has. */
    findEach(ids: readonly string[]): (PassagePlace | undefined)[];
    /** The hash that a record was stored with. */
    hash({ segment, passage }: PassagePlace): Uint8Array;
    /** A record as it was stored: JSON text. */
    record({ segment, passage }: PassagePlace): string;
    /** What ranking reads of passages, packed; undefined where their segment does not have it. */
    statements(segment: number, passages: readonly number[]): Uint8Array[] | undefined;
    /** All live passages, segment by segment. */
    livePassages(): Generator<PassagePlace>;
    /** This view restricted to some of its passages; it ends when this one is released. */
    restrictedTo(places: Iterable<PassagePlace>): Snapshot;
    /** The same to those of ids, of which unknown ones are ignored. */
    restrictedToIds(ids: readonly string[]): Snapshot;
    /**
     * This view restricted to the passages that pass a filter; it ends when this one is released.
     * `countsPassing`: BM25's statistics count them alone.
     */
    filteredBy(filter: PassageFilter, options: {
        countsPassing?: boolean;
        signal?: AbortSignal | undefined;
    }): Promise<Snapshot>;
    /**
     * The corpus as it was recorded at a time in UTC epoch milliseconds, with statistics of its own;
     * it ends when this view is released. Only of corpora with history. A time that has not passed
     * sees all writes, also those that a clock which was ahead has recorded later.
     */
    asRecordedAt(time: number, signal: AbortSignal | undefined): Promise<Snapshot>;
    /** Passages of a segment that were replaced or deleted, in corpora with history. */
    endedIn(segment: number): [before: Ended, since: Ended];
    /** Every version of a passage that is kept, the oldest first. */
    versions(id: string): PassagePlace[];
    /** This view of other passages; `counted`: those of statistics, if not the same as before. */
    private withLiveDocs;
    private withSegments;
    /** Running searches keep their mappings. Later calls throw ERR_CLOSED. */
    release(): void;
    [Symbol.dispose](): void;
    /** Appends a segment of a temporary file, for views whose rows are fetched. */
    protected addSegment(native: Segment, entry: SegmentEntry): void;
    private checkInUse;
    private segmentAt;
}
