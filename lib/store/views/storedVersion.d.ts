import type { KeptRows, OwnRows, OwnVectors } from '../passages/ownVectors.js';
import type { PreparedPassage } from '../passages/passages.js';
import type { Snapshot } from './snapshot.js';
import type { PassagePlace } from './snapshotSegment.js';
export type Version = Pick<PreparedPassage, 'hash' | 'vector' | 'sentenceVectors'>;
export type StoredVersion = Version & {
    place: PassagePlace;
};
/** Whether a passage adds nothing: one without vectors leaves those that are there. */
export declare function isUnchanged(known: Version, { hash, vector, sentenceVectors }: Version, isSame?: boolean): boolean;
/** Hash and vectors are read where they are compared. */
export declare function storedVersion(snapshot: Snapshot, place: PassagePlace): StoredVersion;
/** Its vectors; none of sentences where it has but one. */
export declare const storedVectors: (snapshot: Snapshot, place: PassagePlace) => Required<OwnVectors>;
/** All that was made of a passage's text, or without what depends on its time of publication. */
export declare class StoredRows implements KeptRows {
    private readonly snapshot;
    private readonly place;
    private readonly hasSameTimes;
    constructor(snapshot: Snapshot, place: PassagePlace, hasSameTimes?: boolean);
    /** In a few reads of each segment. */
    readEach(all: readonly StoredRows[]): OwnRows[];
    private vectorsOf;
}
