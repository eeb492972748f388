import { type Fields } from '../fields/types.js';
import type { Device } from '../../vectors/device.js';
/**
 * [first, last] instants in UTC epoch milliseconds; null for an open end, since JSON has no
 * infinity.
 */
export type TimeSpan = [number | null, number | null];
/**
 * Types of the quantized copy of a corpus's vectors, from which scans compute bounds; 'f32' is no
 * copy.
 */
export declare const storages: readonly ['int4', 'int8', 'bf16', 'f32'];
/** Type of the quantized copy of the vectors (`CorpusOptions.storage`). */
export type Storage = (typeof storages)[number];
/** int4, of which one question reads half; a device multiplies int8. */
export declare const defaultStorage: (device?: Device) => Storage;
export interface SegmentEntry {
    /**
     * Its number, which rises over the life of a corpus, and 64 random bits, by which no two segments
     * of any corpora have the same; names its file (`segmentFile`).
     */
    id: string;
    bytes: number;
    /** `Segment.checksum` of the file, by which the manifest vouches for all of its content. */
    checksum: number;
    /** P, deleted ones included until a merge drops them. */
    passages: number;
    /** M: passages of several sentences. */
    multiSentence: number;
    /** R */
    rows: number;
    /** Passages deleted or replaced since the segment was written, and their rows and sentences. */
    deleted: number;
    deletedRows: number;
    deletedSentences: number;
    /**
     * The file of live passages (`tombstoneFile`): the generation that wrote it, CRC32C. Absent if
     * none is deleted.
     */
    tombstones?: {
        generation: number;
        checksum: number;
    };
    storage: Storage;
    /** Time spans of its clocks, deleted passages included; absent if no row has the clock. */
    spans: {
        published?: TimeSpan;
        valid?: TimeSpan;
        content?: TimeSpan;
    };
}
/** A derived column of a segment; `key` is the hash of everything that it depends on. */
export interface DerivedEntry {
    /** 16 hexadecimal digits; with the segment's id it names the file (`derivedFile`). */
    key: string;
    segment: string;
    bytes: number;
}
export interface Manifest {
    product: 'asof corpus';
    format: number;
    /** 128 random bits of its creation, in hexadecimal digits: a copy is another corpus. */
    id: string;
    /** Rises by one with every commit. */
    generation: number;
    encoder: {
        id: string;
        dimensions: number;
    };
    /** Storage type of new segments. */
    storage: Storage;
    /** Time zone of days, an IANA name; absent for UTC. */
    timeZone?: string;
    /** Where sentences have no rows, from creation on; else absent. */
    sentences?: false;
    /**
     * Versions of the splitter, tagger and analyzer that produced the rows; merges keep rows
     * unchanged.
     */
    pipeline: {
        sentences: string;
        times: string;
        terms: string;
    };
    /** In the order of the segments' columns. */
    fields: Fields;
    /**
     * Of corpora that keep ended versions of passages: the time of the last write, and from when on
     * they are kept (absent: all), in UTC epoch milliseconds.
     */
    history?: {
        last: number;
        from?: number;
    };
    segments: SegmentEntry[];
    derived: DerivedEntry[];
    nextSegment: number;
}
export declare const newCorpusId: () => string;
export declare const newSegmentId: (number: number) => string;
/** Of two segments of a corpus the one of the higher number was written later. */
export declare const segmentNumber: (id: string) => number;
/** Identity of a segment's content in any folder: the key of its caches. */
export declare const segmentIdentity: ({ id, checksum }: Pick<SegmentEntry, 'id' | 'checksum'>) => string;
/**
 * Names of files in the folder of segments, made from ids that are checked, so that none leads
 * elsewhere. No two contents have the same, so that whatever folder takes the place of this one no
 * file is taken for another.
 */
export declare const segmentFile: ({ id }: Pick<SegmentEntry, 'id'>) => string;
export declare const tombstoneFile: ({ id, tombstones, }: Pick<SegmentEntry, 'id' | 'tombstones'>) => string;
export declare const derivedFile: ({ segment, key }: Pick<DerivedEntry, 'segment' | 'key'>) => string;
/** Whether a file has the name of one of them; others in the folder are not the store's. */
export declare const isSegmentsFile: (name: string) => boolean;
/** The id in the name of a segment's file; undefined of others. */
export declare const segmentOfFile: (name: string) => string | undefined;
/** The segment and the generation in the name of a file of tombstones; undefined of others. */
export declare function tombstonesOfFile(name: string): {
    segment: string;
    generation: number;
} | undefined;
/** All files that a manifest names. */
export declare const filesOf: ({ segments, derived }: Manifest) => string[];
export declare function newManifest(encoder: Manifest['encoder'], pipeline: Manifest['pipeline'], options?: {
    storage?: Storage | undefined;
    device?: Device | undefined;
    fields?: Fields;
    timeZone?: string | undefined;
    sentences?: boolean | undefined;
    history?: boolean | object | undefined;
}): Manifest;
/** Bytes of a manifest's file, at most: of some 100,000 segments and columns. */
export declare const maxManifestBytes: number;
/** Bytes in which a manifest's first line, with its checksum, and the corpus's id have ended. */
export declare const headBytes = 160;
/** The manifest's file: product, format, generation and checksum in a line, then JSON. */
export declare function manifestText(manifest: Manifest): string;
/**
 * The manifest of its file's content; `path` is that of the corpus.
 * @throws AsOfError ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT
 */
export declare function readManifest(content: Uint8Array, path: string): Manifest;
/** What corpora have to have in common for one question to read both. */
export declare function settingsOf(manifest: Manifest): Record<string, unknown>;
/** Whether handles of one can go on with the other: fields may change under them. */
export declare function haveSameSettings(a: Manifest, b: Manifest): boolean;
/** Whether sentences have rows of their own. */
export declare const hasSentenceRows: ({ sentences }: Pick<Manifest, 'sentences'>) => boolean;
/** Passages, rows and sentences that are not deleted. */
export declare function liveCounts(manifest: Manifest): {
    passages: number;
    rows: number;
    sentences: number;
};
