import type { OutputFile } from '../../../binding.js';
import type { Encoder } from '../../vectors/encoder.js';
import type { Progress } from '../../records.js';
import { type AddOptions } from '../corpusOptions.js';
import { type MergeRange, type WriterOptions } from './compaction.js';
import { type FieldChanges, type Fields } from '../fields/types.js';
import type { CorpusFolder } from '../format/folder.js';
import { type DerivedEntry, type Manifest } from '../format/manifest.js';
import type { ManifestFile } from '../format/manifestFile.js';
import { type PassagePatch } from '../passages/patch.js';
import { type PreparedPassage } from '../passages/passages.js';
import type { Snapshot } from '../views/snapshot.js';
import type { PassagePlace } from '../views/snapshotSegment.js';
import { type Version } from '../views/storedVersion.js';
/** Result of `add`, in passages. */
export interface AddCounts {
    /** Passages whose id was new. */
    added: number;
    /** Passages whose id was there with another record. */
    replaced: number;
    /** Passages whose id was there with the same record. */
    unchanged: number;
}
/** Result of `compact`. */
export interface CompactCounts {
    /** Segments merged into one. */
    merged: number;
    /** Deleted passages removed from the files. */
    dropped: number;
}
export declare class Writer {
    private readonly file;
    private readonly folder;
    private readonly options;
    /** Files of replaced commits, until they are removed. */
    private readonly unnamed;
    constructor(file: ManifestFile, folder: CorpusFolder, options?: WriterOptions);
    /** Removes files that the manifest does not name: of writers that died. */
    removeOrphans(): Promise<void>;
    /**
     * Tries again to remove what the newest commit does not name: Windows removes no file that is
     * mapped. Where that cannot be read, or is another corpus's by now, everything stays.
     */
    removeUnnamed(): void;
    /** The current manifest, with the storage type to write; only this writer changes it. */
    manifest(): Manifest;
    /**
     * The manifest to change by a write, and when it is recorded, if the corpus has a history: later
     * than all before it, whatever the clock.
     */
    private nextWrite;
    /**
     * Adds passages in one commit, as if one by one: of equal ids the last wins. `snapshot` is of the
     * newest commit.
     */
    add(batch: readonly PreparedPassage[], encoder: Encoder, snapshot: Snapshot, { signal, onRefused }: Pick<AddOptions, 'signal' | 'onRefused'>): Promise<AddCounts>;
    /**
     * Makes new versions of passages by a patch, in one commit: they keep vectors,
     * sentences and statements. All are in memory until then.
     */
    update(places: Iterable<PassagePlace>, patch: PassagePatch, encoder: Encoder, snapshot: Snapshot, signal: AbortSignal | undefined): Promise<AddCounts>;
    /** Commits new passages, ascending by id, in place of stored ones. */
    private replace;
    /**
     * Writes all segments anew with other fields, in one commit. Versions keep their times of
     * recording, vectors, sentences and statements.
     * @returns the fields
     */
    alter(changes: FieldChanges, encoder: Encoder, snapshot: Snapshot, signal: AbortSignal | undefined): Promise<Fields>;
    /** Writes a segment of each batch. */
    private build;
    /**
     * Deletes live passages of the newest commit, and opens what they superseded.
     * @returns passages deleted, and those that were written anew for it
     */
    delete(places: Iterable<PassagePlace>, encoder: Encoder, snapshot: Snapshot, signal?: AbortSignal): Promise<{
        deleted: number;
        rewritten: number;
    }>;
    /**
     * Merges the range of segments that the merge policy `choose` selects, if any. Versions of
     * passages that ended more than `keepMs` ago are dropped.
     */
    merge(choose: (manifest: Manifest) => MergeRange | undefined, snapshot: Snapshot, signal: AbortSignal | undefined, onProgress?: (progress: Progress) => void): Promise<CompactCounts>;
    /** From when on ended versions are kept; undefined for all. */
    private keptFrom;
    /**
     * Commits a manifest, without segments that have no live passage nor a history, and removes the
     * files that it does not name any more; processes that map them continue to read them.
     * `tombstones` are new ones by id of the segment, `files` the other new files that it names.
     */
    private commit;
    private mayBeNewest;
    /** Writes a derived column; it replaces one of the same key and segment. */
    addDerived({ key, segment }: Omit<DerivedEntry, 'bytes'>, write: (file: OutputFile) => Promise<void>): Promise<string>;
    /** Removes all derived columns; processes that map them continue to read them. */
    dropDerived(): Promise<void>;
    private pathOf;
}
export declare const byId: (a: PreparedPassage, b: PreparedPassage) => number;
/** Passages of a batch to write, ascending by id, and the stored ones that they replace. */
export declare function compareBatch(batch: readonly PreparedPassage[], snapshot: Snapshot, options: Pick<AddOptions, 'signal' | 'onRefused'>): Promise<{
    counts: AddCounts;
    fresh: PreparedPassage[];
    gone: PassagePlace[];
}>;
/** The same where nothing is of a series; `before` are the stored versions by id. */
export declare function compareVersions(batch: readonly PreparedPassage[], before: ReadonlyMap<string, Version>, signal: AbortSignal | undefined): Promise<{
    counts: AddCounts;
    fresh: PreparedPassage[];
}>;
