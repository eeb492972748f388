// Validation of passages to add, and their stored records. Splitting, tagging and encoding:
// segmentBuilder.ts.
import { AsOfError, describe } from '../../errors.js';
import { declaredFields, fieldValue, seriesField, type PassageSchema } from '../fields/types.js';
import type { Passage, StoredPassage, TimeInput } from '../../records.js';
import { suggestion } from '../../runtime/nearestName.js';
import { parseInstant } from '../../time/instant.js';
import { checkedChunk } from './chunkField.js';
import { copyJsonObject } from './jsonCopy.js';
import { startOf } from './seriesRecord.js';
import { ownVectors, type KeptRows, type OwnRows, type VectorShape } from './ownVectors.js';
import { createHash } from '../../runtime/digest.js';

/** What a corpus asks of its passages. */
export interface PassageRules extends VectorShape, Pick<PassageSchema, 'fields' | 'timeZone'> {}

/** Those of a corpus; `encodes`: whether it has an encoder. */
export function passageRules(
  {
    encoder,
    sentences = true,
    fields,
    timeZone,
  }: PassageSchema & { encoder: { dimensions: number } },
  encodes: boolean,
): PassageRules {
  return { dimensions: encoder.dimensions, sentences, encodes, fields, timeZone };
}

/** All fields of a passage; others are refused. */
const fields: Readonly<Record<keyof Passage, true>> = {
  id: true,
  text: true,
  title: true,
  publishedAt: true,
  validFrom: true,
  validTo: true,
  metadata: true,
  chunk: true,
  vector: true,
  sentenceVectors: true,
  series: true,
  supersedes: true,
  supersededBy: true,
};
/** Their names, as in code. */
export const passageFields = Object.keys(fields);
/** The name of a field in files: `published_at`. */
export const fileFieldName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Bytes of an id in UTF-8: every segment keeps all of its ids in one section. */
const maxIdBytes = 1000;
/**
 * Longest fields in UTF-16 units, metadata as JSON. Each question parses the records of hundreds of
 * candidates, and a title is encoded with every sentence of its text.
 */
const longest = { text: 1 << 20, title: 1000, metadata: 1 << 18 };
/** Bytes of a record's hash. */
export const hashBytes = 16;

/** A validated passage; vectors that it brings have length 1. */
export interface PreparedPassage extends OwnRows {
  stored: StoredPassage;
  /** Of a passage whose text stays. */
  kept?: KeptRows | undefined;
  /** Its position in the call, for messages; absent of those that are stored again. */
  index?: number | undefined;
  /** When it was recorded and ended, of a version that is stored as it was. */
  version?: { recordedAt: number; endedAt?: number | undefined } | undefined;
  /** `stored` as JSON. */
  record: string;
  /** Hash of the record; equal hashes mean an unchanged passage. */
  hash: Buffer;
}

/** With the rows that they take over. */
export function withKeptRows(batch: readonly PreparedPassage[]): PreparedPassage[] {
  const kept = batch.flatMap((passage) => passage.kept ?? []);
  const rows = kept[0]?.readEach(kept) ?? [];
  let next = 0;
  return batch.map(({ kept, ...passage }) => (kept ? { ...passage, ...rows[next++] } : passage));
}

/** What UTF-8 can represent. */
const wellFormed = {
  expected: 'well-formed UTF-16',
  remedy: 'Remove the lone surrogate, or call toWellFormed().',
};

/** @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, index, id } */
export function preparePassage(
  passage: Passage,
  index: number,
  rules: PassageRules,
): PreparedPassage {
  const source: Source = { passage, index };
  if (typeof passage !== 'object' || passage === null)
    throw invalidField(source, 'passage', 'an object { id, text, ... }', passage);
  const { id, text, title, metadata } = passage;
  checkFieldNames(source, passage);
  checkId(id, (expected, remedy) => invalidField(source, 'id', expected, id, remedy));
  checkText(source, text, title);
  if (title !== undefined && title !== null && typeof title !== 'string')
    throw invalidField(source, 'title', 'a string or absent', title);
  checkLength(source, 'title', title ?? '', 'Keep the rest in text or metadata.');
  for (const [field, value] of Object.entries({ text, title }))
    if (value?.isWellFormed() === false)
      throw invalidField(source, field, wellFormed.expected, value, wellFormed.remedy);
  const stored: StoredPassage = { id, text };
  if (typeof title === 'string') stored.title = title;
  for (const [field, edge] of timeFields) {
    const instant = instantOf(source, field, passage[field], { edge, timeZone: rules.timeZone });
    if (instant !== undefined) stored[field] = instant;
  }
  openValidity(source, passage, stored, rules.timeZone);
  if (
    stored.validFrom !== undefined &&
    stored.validTo !== undefined &&
    stored.validFrom > stored.validTo
  ) {
    throw invalidField(
      source,
      'validFrom',
      'no later than validTo',
      passage.validFrom,
      'A passage is valid from validFrom until validTo: swap them, or omit one.',
    );
  }
  if (metadata !== undefined && metadata !== null)
    stored.metadata = plainMetadata(source, metadata);
  const { chunk } = passage;
  if (chunk !== undefined && chunk !== null)
    stored.chunk = checkedChunk(stored, chunk, (expected, received) =>
      invalidField(source, 'chunk', expected, received, 'Use the passages that chunk() returns.'),
    );
  checkFieldValues(source, rules, stored.metadata);
  addSeries(source, passage, stored, rules);
  const vectors = ownVectors({ ...passage, text: stored.text }, rules, (...fault) =>
    invalidField(source, ...fault),
  );
  const record = JSON.stringify(stored);
  return { stored, index, record, hash: recordHash(record), ...vectors };
}

/** The end of validity that a closed passage (`supersededBy`) had of its own. */
function openValidity(
  source: Source,
  { supersededBy }: Passage,
  stored: StoredPassage,
  timeZone: string | undefined,
): void {
  if (supersededBy === undefined || supersededBy === null) return;
  const { id, from, validTo } = supersededBy;
  const start = instantOf(source, 'supersededBy.from', from, { edge: 'start', timeZone });
  if (typeof id !== 'string' || start === undefined)
    throw invalidField(
      source,
      'supersededBy',
      '{ id, from, validTo? }, as the store returns it',
      supersededBy,
      'Leave it out: the store closes what a later passage of the series supersedes.',
    );
  if (stored.validTo !== start) return;
  delete stored.validTo;
  const end = instantOf(source, 'supersededBy.validTo', validTo, { edge: 'end', timeZone });
  if (end !== undefined) stored.validTo = end;
}

function addSeries(
  source: Source,
  { series, supersedes }: Passage,
  stored: StoredPassage,
  { fields }: PassageRules,
): void {
  for (const [field, key] of Object.entries({ series, supersedes })) {
    if (key === undefined || key === null) continue;
    checkId(key, (expected, remedy) => invalidField(source, field, expected, key, remedy));
    stored[field as 'series' | 'supersedes'] = key;
    if (fields[seriesField] === undefined)
      throw invalidField(
        source,
        field,
        'absent in a corpus that was created without series',
        key,
        'Index the passages into a new corpus.',
      );
  }
  if (stored.supersedes === stored.id)
    throw invalidField(source, 'supersedes', "another id than the passage's own", supersedes);
  const isOfSeries = stored.series !== undefined || stored.supersedes !== undefined;
  // The first passage of a series that is named by its id needs none.
  if (isOfSeries && stored.series !== stored.id) checkStart(source, stored);
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for a state of a series without a start */
export function checkStart(source: Source, stored: StoredPassage): void {
  if (startOf(stored) !== undefined) return;
  throw invalidField(
    source,
    'validFrom',
    'a time, since the states of a series are ordered by it',
    undefined,
    'Give validFrom, or publishedAt that is no later than validTo.',
  );
}

/** Ignored, a misspelt field would silently leave a passage without its times. */
function checkFieldNames(source: Source, passage: Passage): void {
  for (const name of Object.keys(passage)) {
    if (Object.hasOwn(fields, name) || passage[name as keyof Passage] === undefined) continue;
    const known = passageFields.find((field) => fileFieldName(field) === name);
    const meant = known ? ` Did you mean ${known}?` : suggestion(name, passageFields);
    const remedy = `${meant} What else there is to store goes into metadata.`.trimStart();
    const expected = `to have no fields but ${passageFields.join(', ')}`;
    const message = `Expected a passage ${expected}, received ${describe(name)}. ${remedy}`;
    throw fieldError(source, name, message);
  }
}

function checkText(source: Source, text: unknown, title: unknown): asserts text is string {
  if (typeof text !== 'string') throw invalidField(source, 'text', 'a string', text);
  const hasTitle = typeof title === 'string' && title.trim() !== '';
  if (text.trim() === '' && !hasTitle) {
    const remedy = 'Nothing could be found by it: leave the passage out, or give it a title.';
    throw invalidField(source, 'text', 'more than white space', text, remedy);
  }
  checkLength(source, 'text', text, 'Split it by chunk(): passages are returned as a whole.');
}

const timeFields = [
  ['publishedAt', 'start'],
  ['validFrom', 'start'],
  ['validTo', 'end'],
] as const;
/** 1990 to 2100 in seconds, which in milliseconds are 8 January to 17 February 1970. */
const likelySeconds = [631_152_000, 4_102_444_800] as const;

function instantOf(
  source: Source,
  field: string,
  input: TimeInput | undefined | null,
  { edge, timeZone }: { edge: 'start' | 'end'; timeZone: string | undefined },
): number | undefined {
  if (input === undefined || input === null) return undefined;
  const [first, last] = likelySeconds;
  if (typeof input === 'number' && input >= first && input < last) {
    const remedy = 'Multiply by 1000, or give a Date or ISO 8601 text.';
    throw invalidField(source, field, 'epoch milliseconds, not seconds', input, remedy);
  }
  try {
    return parseInstant(input, edge, field, timeZone);
  } catch (cause) {
    if (!AsOfError.is(cause)) throw cause;
    throw fieldError(source, field, cause.message, cause);
  }
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for an entry of another type than its field */
export function checkFieldValues(
  source: Source,
  { fields, timeZone }: PassageSchema,
  metadata: StoredPassage['metadata'],
): void {
  for (const [name, type] of Object.entries(declaredFields(fields))) {
    const value = metadata?.[name];
    try {
      fieldValue({ name, type, timeZone }, value, (expected, remedy) =>
        invalidField(source, `metadata.${name}`, expected, value, remedy),
      );
    } catch (cause) {
      if (!AsOfError.is(cause) || cause.details['index'] !== undefined) throw cause;
      throw fieldError(source, `metadata.${name}`, cause.message, cause);
    }
  }
}

/** Hash of a record; equal ones are of unchanged passages. */
export const recordHash = (record: string | Uint8Array): Buffer =>
  createHash('sha256').update(record).digest().subarray(0, hashBytes);

/**
 * Validates a passage as `add` to a corpus of this shape does and returns its stored form, for
 * readers of files that report each fault's line.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, id }.
 */
export const checkPassage = (passage: Passage, rules: PassageRules): StoredPassage =>
  preparePassage(passage, 0, rules).stored;

/**
 * The passage of a stored record; `where` names it. Throws ERR_CORPUS_CORRUPT: sections are not
 * compared with their checksums at each read.
 */
export function readRecord(record: string, where: string): StoredPassage {
  let passage: unknown;
  try {
    passage = JSON.parse(record);
  } catch {
    // Reported below.
  }
  const { id, text, title } = (passage ?? {}) as Partial<StoredPassage>;
  if (
    typeof id === 'string' &&
    typeof text === 'string' &&
    (title === undefined || typeof title === 'string')
  )
    return passage as StoredPassage;
  throw new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected the record of ${where} to be a passage, found other text. ` +
      'Run verify, and restore the corpus from a backup, or add the passage again.',
  );
}

/** Checks an id; `invalid` creates the error for an invalid one. */
export function checkId(
  id: unknown,
  invalid: (expected: string, remedy?: string) => AsOfError,
): asserts id is string {
  if (typeof id !== 'string' || id === '') throw invalid('a string that is not empty');
  if (!id.isWellFormed()) throw invalid(wellFormed.expected, wellFormed.remedy);
  const bytes = Buffer.byteLength(id, 'utf8');
  if (bytes > maxIdBytes) {
    throw invalid(
      `at most ${maxIdBytes} bytes in UTF-8`,
      `It has ${bytes}. Use a hash of it in its place, and keep the long form in metadata.`,
    );
  }
}

function plainMetadata(source: Source, metadata: unknown): Record<string, unknown> {
  const copy = copyJsonObject('metadata', metadata, 4 * longest.metadata, (...fault) =>
    invalidField(source, ...fault),
  );
  checkLength(source, 'metadata', JSON.stringify(copy), 'Keep the rest elsewhere, under the id.');
  return copy;
}

/** A passage of a call, for messages. */
export interface Source {
  passage: unknown;
  index: number;
}

/** @param value the field's string; of metadata the JSON */
function checkLength(
  source: Source,
  field: keyof typeof longest,
  value: string,
  remedy: string,
): void {
  if (value.length <= longest[field]) return;
  const [most, received] = [longest[field], value.length].map((n) => n.toLocaleString('en-US'));
  const unit = field === 'metadata' ? 'UTF-16 units of JSON' : 'UTF-16 units';
  const message = `Expected ${field} to have at most ${most} ${unit}, received ${received}. ${remedy}`;
  throw fieldError(source, field, message);
}

export function invalidField(
  source: Source,
  field: string,
  expected: string,
  received: unknown,
  remedy?: string,
): AsOfError {
  const tail = remedy ? ` ${remedy}` : '';
  const message = `Expected ${field} to be ${expected}, received ${describe(received)}.${tail}`;
  return fieldError(source, field, message);
}

function fieldError(
  { passage, index }: Source,
  field: string,
  message: string,
  cause?: unknown,
): AsOfError {
  const id: unknown = (passage as Passage | null)?.id;
  const where =
    typeof id === 'string' && field !== 'id'
      ? `Passage ${index} (id ${JSON.stringify(id.slice(0, 60))})`
      : `Passage ${index}`;
  const details = { argument: field, index, ...(typeof id === 'string' ? { id } : {}) };
  return new AsOfError('ERR_INVALID_ARGUMENT', `${where}: ${message}`, { details, cause });
}
