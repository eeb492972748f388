// Passages on their way in: checks each one, reads its times, and makes the record that the corpus
// keeps and compares. It splits, tags and encodes nothing.
import { createHash } from 'node:crypto';
import { AsOfError, describe } from '../errors.js';
import type { Passage, StoredPassage, TimeInput } from '../records.js';
import { parseInstant } from '../time/instant.js';
import { hashBytes } from './catalog.js';

/**
 * As the command line's files name the times of a passage: taken for what nobody reads, they would
 * leave it without its times.
 */
const namesInFiles: Readonly<Record<string, string>> = {
  published_at: 'publishedAt',
  valid_from: 'validFrom',
  valid_to: 'validTo',
};

/** Ids are keys of an LMDB database, which bounds their length. */
const maxIdBytes = 1000;

export interface PreparedPassage {
  stored: StoredPassage;
  /** The id in UTF-8. */
  key: Buffer;
  /** `stored` as JSON: what the catalog keeps. */
  record: string;
  /** Of the record: equal hashes mean that nothing changed. */
  hash: Buffer;
}

/**
 * Checks a passage and makes its record. A lone surrogate in text or title becomes U+FFFD (offsets
 * stay as they are).
 * `index` is its place in the call, for messages.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, index, id }.
 */
export function preparePassage(passage: Passage, index: number): PreparedPassage {
  if (typeof passage !== 'object' || passage === null)
    throw refused(passage, index, 'passage', 'an object { id, text, ... }', passage);
  const { id, text, title, metadata } = passage;
  const line = Object.keys(namesInFiles).find((name) => Object.hasOwn(passage, name));
  if (line)
    throw refused(
      passage,
      index,
      line,
      `left to files, and written ${namesInFiles[line]!} in code`,
      passage[line as keyof Passage],
    );
  const key = idKey(id, (expected, remedy) => refused(passage, index, 'id', expected, id, remedy));
  if (typeof text !== 'string') throw refused(passage, index, 'text', 'a string', text);
  if (title !== undefined && title !== null && typeof title !== 'string')
    throw refused(passage, index, 'title', 'a string or absent', title);
  const stored: StoredPassage = { id, text: wellFormed(text) };
  if (typeof title === 'string') stored.title = wellFormed(title);
  const time = (field: 'publishedAt' | 'validFrom' | 'validTo', edge: 'start' | 'end'): void => {
    const given: TimeInput | undefined | null = passage[field];
    if (given === undefined || given === null) return;
    try {
      stored[field] = parseInstant(given, edge, field);
    } catch (cause) {
      if (!AsOfError.is(cause)) throw cause;
      throw refusal(passage, index, field, cause.message, cause);
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
    throw refused(
      passage,
      index,
      'validFrom',
      'no later than validTo',
      passage.validFrom,
      'A passage holds from validFrom until validTo: swap them, or leave one out.',
    );
  }
  if (metadata !== undefined && metadata !== null)
    stored.metadata = plainMetadata(passage, index, metadata);
  const record = JSON.stringify(stored);
  return {
    stored,
    key,
    record,
    hash: createHash('sha256').update(record).digest().subarray(0, hashBytes),
  };
}

/**
 * Checks a passage as adding it would, and gives what would be kept: for readers of files, who want
 * to know each fault's line.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, id }.
 */
export function checkPassage(passage: Passage): StoredPassage {
  return preparePassage(passage, 0).stored;
}

/**
 * The passage in a record as the catalog keeps it; `where` names it. Throws ERR_CORPUS_CORRUPT:
 * LMDB keeps no checksums.
 */
export function readRecord(record: string, where: string): StoredPassage {
  let passage: unknown;
  try {
    passage = JSON.parse(record);
  } catch {
    // Said below.
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
    `Expected the record of ${where} to be a passage, found text that is none. Run verify, and restore the corpus from a backup, or add the ` +
      'passage again.',
  );
}

/** Characters that JSON and UTF-8 write as they are. */
const plain = '[ !#-[\\]-~]*';
const plainRecord = new RegExp(
  `^\\{"id":"${plain}","text":"(${plain})"(?:,"title":"(${plain})"|(?!,"title":))`,
);

/**
 * Title and text of a record without reading all of it, from the UTF-8 bytes of its JSON; undefined
 * where they are not all plain ASCII.
 */
export function plainTexts(recordBytes: string): Pick<StoredPassage, 'title' | 'text'> | undefined {
  const [, text, title] = plainRecord.exec(recordBytes) ?? [];
  return text === undefined ? undefined : { text, ...(title === undefined ? {} : { title }) };
}

/** The key of an id; `refuse` makes the error for one that cannot be. */
export function idKey(
  id: unknown,
  refuse: (expected: string, remedy?: string) => AsOfError,
): Buffer {
  if (typeof id !== 'string' || id === '') throw refuse('a string that is not empty');
  if (wellFormed(id) !== id)
    throw refuse('well-formed UTF-16', 'Take the lone surrogate out of it.');
  const key = Buffer.from(id, 'utf8');
  if (key.length > maxIdBytes) {
    throw refuse(
      `at most ${maxIdBytes} bytes in UTF-8`,
      `It has ${key.length}. Use a hash of it as the id, and keep the long form in metadata.`,
    );
  }
  return key;
}

/** With U+FFFD for every lone surrogate. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function plainMetadata(
  passage: Passage,
  index: number,
  metadata: unknown,
): Record<string, unknown> {
  const expected = 'a plain object of JSON values';
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    throw refused(passage, index, 'metadata', expected, metadata);
  let text: string | undefined;
  try {
    text = JSON.stringify(metadata);
  } catch (cause) {
    throw refusal(
      passage,
      index,
      'metadata',
      `Expected metadata to be ${expected}, received one that JSON cannot hold (${String(cause)}). Leave out cycles and bigints.`,
      cause,
    );
  }
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    throw refused(passage, index, 'metadata', expected, metadata);
  return copy as Record<string, unknown>;
}

function refused(
  passage: unknown,
  index: number,
  field: string,
  expected: string,
  received: unknown,
  remedy?: string,
): AsOfError {
  return refusal(
    passage,
    index,
    field,
    `Expected ${field} to be ${expected}, received ${describe(received)}.${remedy ? ` ${remedy}` : ''}`,
  );
}

function refusal(
  passage: unknown,
  index: number,
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
