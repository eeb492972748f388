import { AsOfError } from '../../errors.js';
import { type PassageSchema } from '../fields/types.js';
import type { Passage, StoredPassage } from '../../records.js';
import { type KeptRows, type OwnRows, type VectorShape } from './ownVectors.js';
/** What a corpus asks of its passages. */
export interface PassageRules extends VectorShape, Pick<PassageSchema, 'fields' | 'timeZone'> {
}
/** Those of a corpus; `encodes`: whether it has an encoder. */
export declare function passageRules({ encoder, sentences, fields, timeZone, }: PassageSchema & {
    encoder: {
        dimensions: number;
    };
}, encodes: boolean): PassageRules;
/** Their names, as in code. */
export declare const passageFields: string[];
/** The name of a field in files: `published_at`. */
export declare const fileFieldName: (field: string) => string;
/** Bytes of a record's hash. */
export declare const hashBytes = 16;
/** A validated passage; vectors that it brings have length 1. */
export interface PreparedPassage extends OwnRows {
    stored: StoredPassage;
    /** Of a passage whose text stays. */
    kept?: KeptRows | undefined;
    /** Its position in the call, for messages; absent of those that are stored again. */
    index?: number | undefined;
    /** When it was recorded and ended, of a version that is stored as it was. */
    version?: {
        recordedAt: number;
        endedAt?: number | undefined;
    } | undefined;
    /** `stored` as JSON. */
    record: string;
    /** Hash of the record; equal hashes mean an unchanged passage. */
    hash: Uint8Array;
}
/** With the rows that they take over. */
export declare function withKeptRows(batch: readonly PreparedPassage[]): PreparedPassage[];
/** @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, index, id } */
export declare function preparePassage(passage: Passage, index: number, rules: PassageRules): PreparedPassage;
/** @throws AsOfError ERR_INVALID_ARGUMENT for a state of a series without a start */
export declare function checkStart(source: Source, stored: StoredPassage): void;
/** @throws AsOfError ERR_INVALID_ARGUMENT for an entry of another type than its field */
export declare function checkFieldValues(source: Source, { fields, timeZone }: PassageSchema, metadata: StoredPassage['metadata']): void;
/** Hash of a record; equal ones are of unchanged passages. */
export declare const recordHash: (record: string | Uint8Array) => Uint8Array;
/**
 * Validates a passage as `add` to a corpus of this shape does and returns its stored form, for
 * readers of files that report each fault's line.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, id }.
 */
export declare const checkPassage: (passage: Passage, rules: PassageRules) => StoredPassage;
/**
 * The passage of a stored record; `where` names it. Throws ERR_CORPUS_CORRUPT: sections are not
 * compared with their checksums at each read.
 */
export declare function readRecord(record: string, where: string): StoredPassage;
/** Checks an id; `invalid` creates the error for an invalid one. */
export declare function checkId(id: unknown, invalid: (expected: string, remedy?: string) => AsOfError): asserts id is string;
/** A passage of a call, for messages. */
export interface Source {
    passage: unknown;
    index: number;
}
export declare function invalidField(source: Source, field: string, expected: string, received: unknown, remedy?: string): AsOfError;
