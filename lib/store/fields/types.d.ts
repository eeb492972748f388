import { type AsOfError } from '../../errors.js';
/** Types of fields, in the words of `Corpus.open`. */
export declare const fieldTypes: readonly ['keyword', 'keyword[]', 'number', 'boolean', 'time'];
/**
 * keyword: a string that is compared as a whole, at most 1,000 bytes in UTF-8; keyword[]: several;
 * number: finite; time: as `Passage.publishedAt`.
 */
export type FieldType = (typeof fieldTypes)[number];
/** Types of fields by name: entries of `metadata`. A passage may lack any. */
export type Fields = Readonly<Record<string, FieldType>>;
/** What a corpus says of its passages' fields and times; a manifest has it. */
export interface PassageSchema {
    fields: Fields;
    /** IANA name; UTC if absent. */
    timeZone?: string | undefined;
    /** Whether sentences have rows; true if absent. */
    sentences?: boolean | undefined;
}
/** Times of every passage, which filters and orders can name like fields. */
export declare const timesOfPassages: readonly ['publishedAt', 'validFrom', 'validTo'];
/** In corpora with history a field of every version: when it was written. */
export declare const recordedAt = "recordedAt";
/** Its number, below 0 without history. */
export declare const recordedField: (fields: Fields) => number;
export declare const hasHistory: ({ fields }: PassageSchema) => boolean;
/** The column of passages' series (`Passage.series`), of corpora that have it. */
export declare const seriesField = "series";
export declare const withSeries: (fields: Fields) => Fields;
/** Those that were declared. */
export declare const declaredFields: ({ [seriesField]: _, [recordedAt]: __, ...fields }: Fields) => Fields;
/** @throws AsOfError ERR_INVALID_ARGUMENT */
export declare function checkFields(fields: Fields): void;
/** What `alterFields` changes, all at once. */
export type FieldChanges = {
    /** Fields to declare, of which passages may have entries of metadata already. */
    add?: Fields | undefined;
    /** New names of fields, and of the entries of metadata, by their names. */
    rename?: Readonly<Record<string, string>> | undefined;
    /** Names of fields to declare no longer: the entries of metadata stay. */
    drop?: readonly string[] | undefined;
};
/** The fields of a corpus after a change. @throws AsOfError ERR_INVALID_ARGUMENT */
export declare function alteredFields(fields: Fields, changes: FieldChanges): Fields;
/** A value of a field, of a boolean `true` or `false`, and how many passages have it. */
export interface ValueCount {
    value: string;
    count: number;
}
/** What a passage has in a field: keywords, a number, or nothing. */
export type FieldValue = readonly string[] | number | undefined;
/**
 * The value of a field in metadata; a boolean is a keyword, a time its UTC epoch milliseconds, of
 * `timeZone` where it names no offset. `invalid` makes the error of a value of another type.
 */
export declare function fieldValue({ name, type, timeZone }: {
    name: string;
    type: FieldType;
    timeZone?: string | undefined;
}, value: unknown, invalid: (expected: string, remedy?: string) => AsOfError): FieldValue;
