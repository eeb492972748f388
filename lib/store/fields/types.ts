// Fields of a corpus: which entries of passages' metadata are kept as typed columns, for filters.
import { checkOptionNames, invalidArgument, mustBe, type AsOfError } from '../../errors.js';
import type { TimeInput } from '../../records.js';
import { parseInstant } from '../../time/instant.js';

/** Types of fields, in the words of `Corpus.open`. */
export const fieldTypes = ['keyword', 'keyword[]', 'number', 'boolean', 'time'] as const;
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
export const timesOfPassages = ['publishedAt', 'validFrom', 'validTo'] as const;

/** In corpora with history a field of every version: when it was written. */
export const recordedAt = 'recordedAt';
/** Its number, below 0 without history. */
export const recordedField = (fields: Fields): number => Object.keys(fields).indexOf(recordedAt);

export const hasHistory = ({ fields }: PassageSchema): boolean => recordedField(fields) >= 0;

/** The column of passages' series (`Passage.series`), of corpora that have it. */
export const seriesField = 'series';
export const withSeries = (fields: Fields): Fields => ({ ...fields, [seriesField]: 'keyword' });

/** Those that were declared. */
export const declaredFields = ({ [seriesField]: _, [recordedAt]: __, ...fields }: Fields): Fields =>
  fields;

const reserved = ['and', 'or', 'not', 'id', seriesField, recordedAt, ...timesOfPassages];
const mostFields = 64;
const mostKeywordBytes = 1000;

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkFields(fields: Fields): void {
  mustBe('an object', { fields });
  const names = Object.keys(fields);
  if (names.length > mostFields)
    throw invalidArgument('fields', `at most ${mostFields} fields`, names.length);
  for (const name of names) {
    if (!/^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u.test(name) || reserved.includes(name)) {
      throw invalidArgument(
        'the name of a field',
        'letters, digits, _, . and -, at most 64',
        name,
        `These have a meaning of their own: ${reserved.join(', ')}.`,
      );
    }
    if (!fieldTypes.includes(fields[name]!))
      throw invalidArgument(`fields.${name}`, `one of ${fieldTypes.join(', ')}`, fields[name]);
  }
}

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
export function alteredFields(fields: Fields, changes: FieldChanges): Fields {
  checkOptionNames('alterFields', changes, ['add', 'rename', 'drop']);
  const { add = {}, rename = {}, drop = [] } = changes;
  mustBe('an object', { add, rename });
  mustBe('an array', { drop });
  const declared = declaredFields(fields);
  const names = Object.keys(declared);
  const changed = [...drop, ...Object.keys(rename)];
  const unknown = changed.find((name, at) => !names.includes(name) || changed.indexOf(name) < at);
  if (unknown !== undefined)
    throw invalidArgument(
      'the fields to rename and drop',
      `fields of the corpus, each once: ${names.join(', ') || 'it has none'}`,
      unknown,
    );
  const left = Object.entries(declared).filter(([name]) => !drop.includes(name));
  const altered = [
    ...left.map(([name, type]) => [rename[name] ?? name, type] as const),
    ...Object.entries(add),
  ];
  const twice = altered.find(([name], at) => altered.findIndex(([each]) => each === name) < at);
  if (twice) throw invalidArgument('fields', 'fields of different names', `${twice[0]} twice`);
  if (changed.length === 0 && altered.length === names.length)
    throw invalidArgument('changes', 'fields to add, rename or drop', changes);
  checkFields(Object.fromEntries(altered));
  const own = Object.entries(fields).filter(([name]) => !Object.hasOwn(declared, name));
  return Object.fromEntries([...altered, ...own]);
}

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
export function fieldValue(
  { name, type, timeZone }: { name: string; type: FieldType; timeZone?: string | undefined },
  value: unknown,
  invalid: (expected: string, remedy?: string) => AsOfError,
): FieldValue {
  if (value === undefined || value === null) return undefined;
  const keyword = (each: unknown): string => {
    if (typeof each !== 'string') throw invalid(`a ${type}`);
    if (Buffer.byteLength(each, 'utf8') > mostKeywordBytes)
      throw invalid(`a keyword of at most ${mostKeywordBytes} bytes`, 'Keep a hash of it.');
    return each.toWellFormed();
  };
  switch (type) {
    case 'keyword':
      return [keyword(value)];
    case 'keyword[]':
      if (!Array.isArray(value)) throw invalid('an array of strings');
      return value.map(keyword);
    case 'boolean':
      if (typeof value !== 'boolean') throw invalid('a boolean');
      return [String(value)];
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid('a finite number');
      return value;
    case 'time':
      return parseInstant(value as TimeInput, 'start', name, timeZone);
  }
}
