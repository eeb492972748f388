// Rows of TEMPO's files: parquet as published, JSON lines, or JSON with all rows in one array.
// Errors name file and row, counted from 1.
import { readFile } from 'node:fs/promises';
import { AsOfError } from 'asof';
import { throwIfAborted, invalidLine, readJsonLines, type LineLocation } from 'asof/kit';
import { idField as anyIdField, shown } from '../files/fields.js';
import { parquetRows, type ParquetOptions } from '@asof/documents';

/** File extensions in order of preference. */
export const rowEndings = ['parquet', 'jsonl', 'json'] as const;

/**
 * The rows of a file, each as `read` makes it. Errors: as `parquetRows` and `readJsonLines`;
 * ERR_INVALID_INPUT for rows that lack a column.
 */
export async function* readRows<T>(
  path: string,
  read: (record: Record<string, unknown>, where: LineLocation) => T,
  options: ParquetOptions,
): AsyncGenerator<T> {
  if (path.endsWith('.parquet')) {
    for await (const { record, where } of parquetRows(path, options)) yield read(record, where);
    return;
  }
  const checked = (record: Record<string, unknown>, where: LineLocation): T => {
    const missing = options.needed.filter((name) => record[name] === undefined);
    if (missing.length === 0) return read(record, where);
    const names = Object.keys(record).slice(0, 12);
    const remedy = 'Is it the file of another part of the data?';
    throw invalidLine(
      where,
      `the columns ${options.needed.join(', ')}`,
      names.length === 0 ? 'none' : names.join(', '),
      remedy,
    );
  };
  if (path.endsWith('.jsonl'))
    yield* readJsonLines(path, checked, options.signal ? { signal: options.signal } : {});
  else yield* rowsOfArray(path, checked, options.signal);
}

/** A JSON file whole: an array of rows, or an object that has it as "rows" or "data". */
async function* rowsOfArray<T>(
  path: string,
  read: (record: Record<string, unknown>, where: LineLocation) => T,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  throwIfAborted(signal);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const message = `Expected a file at ${path}, found no readable file. Check the path.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { cause, details: { file: path } });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const message = `Expected ${path} to be JSON, received invalid JSON: ${(cause as Error).message}. Use .jsonl for one row per line.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { cause, details: { file: path } });
  }
  const { rows, data } = (value ?? {}) as Record<string, unknown>;
  const array = [value, rows, data].find(Array.isArray);
  if (!array) {
    const message = `Expected ${path} to have an array of rows, received ${shown(value)}. Give [{...}, ...] or { "rows": [...] }.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { details: { file: path } });
  }
  for (const [at, record] of array.entries()) {
    throwIfAborted(signal);
    const where = { file: path, line: at + 1 };
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      throw invalidLine(where, 'a row as an object', shown(record));
    yield read(record as Record<string, unknown>, where);
  }
}

/** Passes every row of a file to `read`. */
export async function forEachRow(
  file: string,
  read: (record: Record<string, unknown>, where: LineLocation) => void,
  options: ParquetOptions,
): Promise<void> {
  for await (const _ of readRows(file, read, options)) throwIfAborted(options.signal);
}

/** The non-empty id of a row. */
export function idField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): string {
  const id = anyIdField(record, name, where);
  if (id === '') throw invalidLine(where, `"${name}" to be an id`, 'an empty text');
  return id;
}
