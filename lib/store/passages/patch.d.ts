import type { StoredPassage, TimeInput } from '../../records.js';
import { type PassageRules, type PreparedPassage } from './passages.js';
/** What `update` changes of passages: fields that are given; null removes one. */
export type PassagePatch = {
    publishedAt?: TimeInput | null | undefined;
    validFrom?: TimeInput | null | undefined;
    validTo?: TimeInput | null | undefined;
    /** Entries to set, each as a whole; an entry that is null is removed, and by null all of them. */
    metadata?: Readonly<Record<string, unknown>> | null | undefined;
    /** The passage moves to this series. */
    series?: string | undefined;
    supersedes?: string | undefined;
};
/** Their names, as in code. */
export declare const patchFields: readonly string[];
/** A patch with a copy of its metadata. @throws AsOfError ERR_INVALID_ARGUMENT */
export declare function checkedPatch(patch: PassagePatch): PassagePatch;
/**
 * The new version of a stored passage, whose text stays.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, index, id }
 */
export declare const patchedPassage: (stored: StoredPassage, patch: PassagePatch, index: number, rules: PassageRules) => PreparedPassage;
/** Whether a passage's words speak of the same times: "yesterday" is that of its publication. */
export declare const haveSameTimes: (a: StoredPassage, b: StoredPassage) => boolean;
/**
 * A passage with entries of its metadata under other names; itself if it has none of them.
 * @throws AsOfError ERR_INVALID_ARGUMENT if it has an entry of such a name
 */
export declare function withRenamed(stored: StoredPassage, names: Readonly<Record<string, string>>): StoredPassage;
