// Validation of passages to add, and their stored records. Splitting, tagging and encoding:
// segmentBuilder.ts.
import { createHash } from 'node:crypto';
import { AsOfError, describe } from '../errors.js';
import type { Passage, StoredPassage, TimeInput } from '../records.js';
import { parseInstant } from '../time/instant.js';
import { checkedChunk } from './chunkField.js';

/**
 * Spellings of time fields in files; ignored, they would silently leave a passage without its
 * times.
 */
const fileFieldNames: Readonly<Record<string, string>> = {
  published_at: 'publishedAt',
  valid_from: 'validFrom',
  valid_to: 'validTo',
};

/** Bytes of an id in UTF-8: every segment keeps all of its ids in one section. */
const maxIdBytes = 1000;
/**
 * Longest fields in UTF-16 units, metadata as JSON. Each question parses the records of hundreds of
 * candidates, and a title is encoded with every sentence of its text.
 */
const longest = { text: 1 << 20, title: 1000, metadata: 1 << 18 };
/** Bytes of a record's hash. */
export const hashBytes = 16;

export interface PreparedPassage {
  stored: StoredPassage;
  /** `stored` as JSON. */
  record: string;
  /** Hash of the record; equal hashes mean an unchanged passage. */
  hash: Buffer;
}

/**
 * Validates a passage and creates its record. A lone surrogate in text or title becomes U+FFFD
 * (offsets are unchanged). `index` is its position in the call, for messages.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, index, id }.
 */
export function preparePassage(passage: Passage, index: number): PreparedPassage {
  const source: Source = { passage, index };
  if (typeof passage !== 'object' || passage === null)
    throw invalidField(source, 'passage', 'an object { id, text, ... }', passage);
  const { id, text, title, metadata } = passage;
  const misspelling = Object.keys(fileFieldNames).find((name) => Object.hasOwn(passage, name));
  if (misspelling)
    throw invalidField(
      source,
      misspelling,
      `left to files, and written ${fileFieldNames[misspelling]!} in code`,
      passage[misspelling as keyof Passage],
    );
  checkId(id, (expected, remedy) => invalidField(source, 'id', expected, id, remedy));
  if (typeof text !== 'string') throw invalidField(source, 'text', 'a string', text);
  if (title !== undefined && title !== null && typeof title !== 'string')
    throw invalidField(source, 'title', 'a string or absent', title);
  checkLength(source, 'text', text, 'Split it by chunk(): passages are returned as a whole.');
  checkLength(source, 'title', title ?? '', 'Keep the rest in text or metadata.');
  const stored: StoredPassage = { id, text: wellFormed(text) };
  if (typeof title === 'string') stored.title = wellFormed(title);
  const time = (field: 'publishedAt' | 'validFrom' | 'validTo', edge: 'start' | 'end'): void => {
    const input: TimeInput | undefined | null = passage[field];
    if (input === undefined || input === null) return;
    try {
      stored[field] = parseInstant(input, edge, field);
    } catch (cause) {
      if (!AsOfError.is(cause)) throw cause;
      throw fieldError(source, field, cause.message, cause);
    }
  };
  time('publishedAt', 'start');
  time('validFrom', 'start');
  time('validTo', 'end');
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
  const record = JSON.stringify(stored);
  return { stored, record, hash: recordHash(record) };
}

/** Hash of a record; equal ones are of unchanged passages. */
export const recordHash = (record: string | Uint8Array): Buffer =>
  createHash('sha256').update(record).digest().subarray(0, hashBytes);

/**
 * Validates a passage as `add` does and returns its stored form, for readers of files that report
 * each fault's line.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, id }.
 */
export function checkPassage(passage: Passage): StoredPassage {
  return preparePassage(passage, 0).stored;
}

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

/** Characters that JSON and UTF-8 represent by themselves. */
const plain = '[ !#-[\\]-~]*';
const plainRecord = new RegExp(
  `^\\{"id":"${plain}","text":"(${plain})"(?:,"title":"(${plain})"|(?!,"title":))`,
);

/**
 * Title and text of a record, extracted from the UTF-8 bytes of its JSON without parsing it;
 * undefined unless both are plain ASCII.
 */
export function plainTexts(recordBytes: string): Pick<StoredPassage, 'title' | 'text'> | undefined {
  const [, text, title] = plainRecord.exec(recordBytes) ?? [];
  return text === undefined ? undefined : { text, ...(title === undefined ? {} : { title }) };
}

/** Checks an id; `invalid` creates the error for an invalid one. */
export function checkId(
  id: unknown,
  invalid: (expected: string, remedy?: string) => AsOfError,
): asserts id is string {
  if (typeof id !== 'string' || id === '') throw invalid('a string that is not empty');
  if (wellFormed(id) !== id) throw invalid('well-formed UTF-16', 'Remove the lone surrogate.');
  const bytes = Buffer.byteLength(id, 'utf8');
  if (bytes > maxIdBytes) {
    throw invalid(
      `at most ${maxIdBytes} bytes in UTF-8`,
      `It has ${bytes}. Use a hash of it as the id, and keep the long form in metadata.`,
    );
  }
}

/** The text with U+FFFD for every lone surrogate. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function plainMetadata(source: Source, metadata: unknown): Record<string, unknown> {
  const expected = 'a plain object of JSON values';
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    throw invalidField(source, 'metadata', expected, metadata);
  let text: string | undefined;
  try {
    text = JSON.stringify(metadata);
  } catch (cause) {
    throw fieldError(
      source,
      'metadata',
      `Expected metadata to be ${expected}, received a value that is not JSON ` +
        `(${String(cause)}). Remove cycles and bigints.`,
      cause,
    );
  }
  checkLength(source, 'metadata', text ?? '', 'Keep the rest elsewhere, under the id.');
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    throw invalidField(source, 'metadata', expected, metadata);
  return copy as Record<string, unknown>;
}

/** A passage of a call, for messages. */
interface Source {
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

function invalidField(
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
  return new AsOfError('ERR_INVALID_ARGUMENT', `${where}: ${message}`, {
    details,
    ...(cause === undefined ? {} : { cause }),
  });
}
