// Streaming readers of UTF-8 text lines and JSONL records, with faults located by file and line. A
// file is never held in memory whole; broken UTF-8 is a fault of its line, never a replacement
// character.
import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import {
  AsOfError,
  abortError,
  describe,
  checkPath,
  isObject,
  mustBe,
  throwIfAborted,
} from '../errors.js';

/** Position of a record, for messages. */
export interface LineLocation {
  file: string;
  /** From 1. */
  line: number;
}

export interface Line extends LineLocation {
  text: string;
}

export interface ReadLineOptions {
  signal?: AbortSignal;
  /**
   * Receives the fault of a line, after which reading continues. Default: the first fault is
   * thrown.
   */
  onFault?: (fault: AsOfError) => void;
  /** Receives the size of each chunk of the file, in bytes, as it is read. */
  onBytes?: (count: number) => void;
  /** Longest line in bytes. Default 64 MiB: a longer one indicates a file that is not text. */
  mostBytes?: number;
}

/** Lines that come from elsewhere than a file, and their name in messages. */
export interface LineSource {
  name: string;
  stream: Readable;
}

const defaultLineBytes = 64 * 1024 * 1024;

/**
 * ERR_INVALID_INPUT for a line of input: expected, received, remedy. `details` carry file and line.
 */
export function invalidLine(
  where: LineLocation,
  expected: string,
  received: string,
  remedy = '',
): AsOfError {
  mustBe('an object', { where });
  const place = `${where.file}:${where.line}`;
  const tail = remedy ? ` ${remedy}` : '';
  const message = `${place}: Expected ${expected}, received ${received}.${tail}`;
  return new AsOfError('ERR_INVALID_INPUT', message, {
    details: { file: where.file, line: where.line },
  });
}

/** The beginning of a text for an error message, quoted. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/**
 * The lines of a file without line ends (LF or CRLF) and byte order mark; `-` is standard input.
 * Errors: ERR_NOT_FOUND for a missing file, ERR_INVALID_INPUT for broken UTF-8 and lines that are
 * too long, ERR_ABORTED.
 */
export async function* readLines(
  source: string | LineSource,
  options: ReadLineOptions = {},
): AsyncGenerator<Line> {
  const read = (text: string, where: LineLocation): Line => ({ ...where, text });
  for await (const lines of lineChunks(source, read, options)) yield* lines;
}

/**
 * The records of a JSONL file: every line that is not blank, parsed and passed to `read`, which
 * validates it and throws `invalidLine`. Memory use is that of a chunk of the file.
 */
export async function* readJsonLines<T>(
  source: string | LineSource,
  read: (record: Record<string, unknown>, where: LineLocation) => T,
  options: ReadLineOptions = {},
): AsyncGenerator<T> {
  for await (const records of readJsonChunks(source, read, options)) yield* records;
}

/** As readJsonLines, by chunk of the file: each is read as it is iterated, before the next one. */
export function readJsonChunks<T>(
  source: string | LineSource,
  read: (record: Record<string, unknown>, where: LineLocation) => T,
  options: ReadLineOptions = {},
): AsyncGenerator<Iterable<T>> {
  return lineChunks(
    source,
    (text, where) => (text.trim() === '' ? skipped : read(parseObject(text, where), where)),
    options,
  );
}

const skipped = Symbol('skipped');

/** What `read` makes of each line, when it is asked for: it may compare with those before. */
async function* lineChunks<T>(
  source: string | LineSource,
  read: (text: string, where: LineLocation) => T | typeof skipped,
  options: ReadLineOptions,
): AsyncGenerator<Iterable<T>> {
  mustBe('an object', { options });
  const { signal, onFault } = options;
  throwIfAborted(signal);
  const { name: file, stream } = opened(source);
  const decode = lineDecoder(options.mostBytes ?? defaultLineBytes);
  let line = 0;
  function* readEach(lines: readonly (Uint8Array | typeof tooLong)[]): Generator<T> {
    for (const bytes of lines) {
      const where = { file, line: (line += 1) };
      let made: T | typeof skipped = skipped;
      try {
        made = read(decode(bytes, where), where);
      } catch (fault) {
        if (!AsOfError.is(fault) || !onFault) throw fault;
        onFault(fault);
      }
      if (made !== skipped) yield made;
    }
  }
  for await (const lines of byteLines(stream, file, options)) yield readEach(lines);
}

function lineDecoder(mostBytes: number) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (bytes: Uint8Array | typeof tooLong, where: LineLocation): string => {
    if (bytes === tooLong) {
      const size = mostBytes % 2 ** 20 === 0 ? `${mostBytes / 2 ** 20} MiB` : `${mostBytes} bytes`;
      throw invalidLine(where, `lines of at most ${size}`, 'a longer one', 'Is it a text file?');
    }
    try {
      const text = decoder.decode(bytes);
      return where.line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
    } catch (cause) {
      if (
        !(cause instanceof TypeError) ||
        (cause as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA'
      )
        throw cause;
      throw invalidLine(
        where,
        'UTF-8 text',
        'bytes that are not UTF-8',
        'Convert the file to UTF-8.',
      );
    }
  };
}

/** A string field, valid Unicode; `absent` allows it to be missing or null. */
export function stringField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
  absent: 'allowed',
): string | undefined;
export function stringField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): string;
export function stringField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
  absent?: 'allowed',
): string | undefined {
  mustBe('an object', { record });
  const value = record[name];
  if (absent === 'allowed' && (value === undefined || value === null)) return undefined;
  if (typeof value !== 'string') {
    throw invalidLine(
      where,
      `a string "${name}"`,
      value === undefined ? `a record with ${fieldNames(record)}` : describe(value),
    );
  }
  if (!value.isWellFormed())
    throw invalidLine(where, `"${name}" to be Unicode text`, 'a lone surrogate in it');
  return value;
}

function fieldNames(record: Record<string, unknown>): string {
  const names = Object.keys(record);
  return names.length === 0 ? 'no fields' : `the fields ${names.slice(0, 8).join(', ')}`;
}

function parseObject(text: string, where: LineLocation): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidLine(
      where,
      'a JSON object on one line',
      excerpt(text),
      'Each line must be one whole JSON object.',
    );
  }
  if (isObject(value)) return value;
  throw invalidLine(where, 'a JSON object', describe(value));
}

/** Stands for a line over the limit. */
const tooLong = Symbol('too long');

function opened(source: string | LineSource): LineSource {
  if (typeof source === 'object' && source !== null) return source;
  checkPath('path', source, 'the path of a file, or -');
  return source === '-'
    ? { name: '(standard input)', stream: process.stdin }
    : { name: source, stream: createReadStream(source, { highWaterMark: 1 << 18 }) };
}

/** The lines of each chunk, and the last one without an end. */
async function* byteLines(
  stream: Readable,
  file: string,
  { signal, onBytes, onFault, mostBytes: lineBytesMax = defaultLineBytes }: ReadLineOptions,
): AsyncGenerator<(Uint8Array | typeof tooLong)[]> {
  if (signal) addAbortSignal(signal, stream); // ends a blocked read, such as standard input's
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const take = (last: Buffer): Buffer | typeof tooLong => {
    const line =
      pendingBytes + last.length > lineBytesMax
        ? tooLong
        : pending.length === 0
          ? last
          : Buffer.concat([...pending, last]);
    pending = [];
    pendingBytes = 0;
    return line !== tooLong && line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onBytes?.(chunk.length);
      const lines: (Uint8Array | typeof tooLong)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        lines.push(take(chunk.subarray(start, end)));
        start = end + 1;
      }
      pendingBytes += chunk.length - start;
      if (pendingBytes > lineBytesMax) {
        // The fault will be thrown, so that the rest need not be read.
        if (!onFault) {
          yield [...lines, tooLong];
          return;
        }
        pending = []; // the rest of the line is skipped
      } else if (start < chunk.length) pending.push(chunk.subarray(start));
      if (lines.length > 0) yield lines;
    }
  } catch (cause) {
    if (signal?.aborted) throw abortError(signal);
    throw AsOfError.is(cause) ? cause : unreadable(file, cause as NodeJS.ErrnoException);
  }
  if (pendingBytes > 0) yield [take(Buffer.alloc(0))];
}

function unreadable(file: string, cause: NodeJS.ErrnoException): AsOfError {
  if (cause.code === 'ENOENT') {
    return new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a file at ${file}, found none. Check the path.`,
      { cause, details: { file } },
    );
  }
  const fault = cause.code === 'EISDIR' ? 'a folder' : cause.message;
  return new AsOfError(
    'ERR_INVALID_INPUT',
    `Expected ${file} to be a readable file, received ${fault}. Check the path.`,
    { cause, details: { file } },
  );
}

/** Adds the location of a line to an error of the library. */
export function withLocation<T>(work: () => T, where: LineLocation): T {
  try {
    return work();
  } catch (fault) {
    if (!AsOfError.is(fault) || 'line' in fault.details) throw fault;
    throw errorAtLine(fault, where);
  }
}

/** The same error with file and line in its message. */
export function errorAtLine(fault: AsOfError, where: LineLocation): AsOfError {
  // The line replaces the library's passage number.
  const message = fault.message.replace(/^Passage \d+(?: \(id "(?:[^"\\]|\\.)*"\))?: /, '');
  return new AsOfError('ERR_INVALID_INPUT', `${where.file}:${where.line}: ${message}`, {
    cause: fault,
    details: { ...fault.details, ...where },
  });
}

/** An optional field that is a list. */
export function listField<T>(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
  { of, is }: { of: string; is(each: unknown): boolean },
): T[] | undefined {
  const value = record[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every(is))
    throw invalidLine(where, `"${name}" to be a list of ${of}`, JSON.stringify(value).slice(0, 60));
  return value as T[];
}
