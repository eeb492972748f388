// Passages from files of every format, one at a time, with a report of what was read.
import { AsOfError, type Passage } from 'asof';
import {
  checkPassage,
  invalidArgument,
  invalidLine,
  passageOfRecord,
  readJsonLines,
  throwIfAborted,
  withLocation,
  type LineLocation,
} from 'asof/kit';
import { beirPassage } from './beir.js';
import type { ChunkSize } from './chunk.js';
import { inputFiles, thrown, type FileOptions, type InputFile } from './files.js';
import { InputReport } from './inputReport.js';
import { parquetRows } from './parquet.js';
import { readBytes, readDocument, type DocumentFormat } from './read.js';
import { readCsv } from './csv.js';
import { dateOfFile, type Undated } from './undated.js';

export interface InputOptions extends FileOptions, ChunkSize {
  /**
   * Receives the fault of a line, of a file where that is one document, of a folder or link; the
   * rest is read. Default: it is thrown.
   */
  onFault?: FileOptions['onFault'] | undefined;
  /** What the corpus requires of its passages, checked by line. Default: `add` checks it. */
  rules?: Rules | undefined;
  /**
   * Date of a document that gives none: of the last commit of its file, or of its last change on
   * the disk, which a copy or a clone sets anew. Default: none.
   */
  undated?: Undated | undefined;
}

/** The options with what every reader needs. */
type Reading = Required<Pick<InputOptions, 'onFault'>> &
  Pick<InputOptions, 'signal' | 'rules' | 'undated' | 'maxTokens' | 'overlap'> & {
    onBytes: (count: number) => void;
  };

type JsonRecord = Record<string, unknown>;
type Rules = Parameters<typeof checkPassage>[1];

/**
 * The passages of files, folders and globs (`inputFiles`), one at a time, in the formats of `asof
 * index`: PDF needs unpdf, Parquet hyparquet. A document is cut into chunks, with its date of front
 * matter, HTML, PDF, file name, text, or `undated`; `report` says which.
 * @throws AsOfError as `inputFiles`; ERR_INVALID_INPUT for faults without `onFault`; ERR_STORAGE;
 * ERR_INVALID_ARGUMENT
 * @example await corpus.add(readDocuments('docs'));
 */
export async function* readDocuments(
  sources: string | readonly (string | InputFile)[],
  options: InputOptions = {},
): AsyncGenerator<Passage> {
  const { report = new InputReport(), undated } = options;
  if (undated !== undefined && undated !== 'git' && undated !== 'mtime')
    throw invalidArgument('undated', "'git' or 'mtime'", undated);
  for (const source of typeof sources === 'string' ? [sources] : sources) {
    const files = typeof source === 'string' ? await inputFiles([source], options) : [source];
    for (const file of files)
      for await (const passage of passagesOf(file, report, options)) {
        report.passages += 1;
        yield passage;
      }
  }
}

async function* passagesOf(
  file: InputFile,
  report: InputReport,
  { onFault = thrown, ...given }: InputOptions,
): AsyncGenerator<Passage> {
  const { path, format } = file;
  const onBytes = (count: number): void => void (report.bytes += count);
  const options: Reading = { ...given, onFault, onBytes };
  const { rules } = given;
  const checked =
    (read: (record: JsonRecord, where: LineLocation) => Passage) =>
    (record: JsonRecord, where: LineLocation): Passage => {
      const passage = read(record, where);
      if (rules) withLocation(() => checkPassage(passage, rules), where);
      return passage;
    };
  if (format === 'jsonl') yield* readJsonLines(path, checked(passageOfRecord), options);
  else if (format === 'beir') yield* readJsonLines(path, checked(beirPassage), options);
  else if (format === 'csv') yield* readTable(path, checked(passageOfRecord), options);
  else if (format === 'parquet') yield* readParquet(file, checked(passageOfRecord), options);
  else yield* readChunks({ ...file, format }, report, options);
}

/** Columns of a table that are fields of a passage; others go into its metadata. */
const columns = [
  'id',
  'text',
  'title',
  'published_at',
  'valid_from',
  'valid_to',
  'updated_at',
  'crawled_at',
  'metadata',
  'series',
  'supersedes',
];

async function* readTable(
  path: string,
  read: (record: JsonRecord, where: LineLocation) => Passage,
  options: Reading,
): AsyncGenerator<Passage> {
  const shape = (record: Record<string, string>, where: LineLocation): Passage => {
    const missing = ['id', 'text'].filter((name) => !(name in record));
    if (missing.length > 0) throw missingColumns(where.file, missing, Object.keys(record));
    return read(rowRecord(record, where, options.rules), where);
  };
  const onFault = (fault: AsOfError): void => {
    options.onFault(fault);
    // Every other row lacks them too.
    if ('columns' in fault.details) throw fault;
  };
  try {
    yield* readCsv(path, shape, { ...options, onFault });
  } catch (fault) {
    if (!AsOfError.is(fault) || !('columns' in fault.details)) throw fault;
  }
}

async function* readParquet(
  { path, bytes }: InputFile,
  read: (record: JsonRecord, where: LineLocation) => Passage,
  { signal, onFault, rules, onBytes }: Reading,
): AsyncGenerator<Passage> {
  const rows = parquetRows(path, { needed: ['id', 'text'], optional: 'all', signal });
  try {
    for await (const { record, where } of rows) {
      let passage: Passage;
      try {
        const id: unknown = record['id'];
        const named = { ...record, id: typeof id === 'number' ? String(id) : id };
        passage = read(rowRecord(named, where, rules), where);
      } catch (fault) {
        if (!AsOfError.is(fault)) throw fault;
        onFault(fault);
        continue;
      }
      yield passage;
    }
  } catch (fault) {
    // A broken file; without hyparquet no file can be read.
    if (!AsOfError.is(fault) || fault.code !== 'ERR_INVALID_INPUT') throw fault;
    onFault(fault);
  }
  onBytes(bytes);
}

/**
 * A row as a JSON record: no empty cells, metadata from JSON, other columns in the metadata, by the
 * types of the corpus's fields.
 */
function rowRecord(
  row: Readonly<JsonRecord>,
  where: LineLocation,
  { fields }: Partial<Rules> = {},
): JsonRecord {
  const cells = Object.entries(row).filter(([, value]) => value !== '' && value !== null);
  const record = Object.fromEntries(cells.filter(([name]) => columns.includes(name)));
  record['text'] ??= '';
  let { metadata } = record;
  if (typeof metadata === 'string') {
    try {
      metadata = JSON.parse(metadata);
    } catch {
      throw invalidLine(where, '"metadata" to be JSON', JSON.stringify(metadata).slice(0, 60));
    }
  }
  const others = cells
    .filter(([name, value]) => !columns.includes(name) && value !== undefined)
    .map(([name, value]) => [name, typedCell(value, fields?.[name])] as const);
  // What is no object is refused with the rest of the record.
  const isObject = typeof metadata === 'object' && !Array.isArray(metadata);
  if (others.length > 0 && (isObject || metadata === undefined))
    metadata = { ...(metadata as JsonRecord | undefined), ...Object.fromEntries(others) };
  return { ...record, ...(metadata === undefined ? {} : { metadata }) };
}

/** The value that a cell's text stands for; what it does not is refused with the passage. */
function typedCell(
  value: unknown,
  type: NonNullable<Rules['fields']>[string] | undefined,
): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'number' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return /^t/i.test(value);
  if (type === 'keyword[]') return value.split(';').map((each) => each.trim());
  return value;
}

function missingColumns(file: string, missing: string[], received: string[]): AsOfError {
  return new AsOfError(
    'ERR_INVALID_INPUT',
    `${file}:1: Expected the columns id and text in the first row, received ` +
      `${received.slice(0, 12).join(', ')}. Name each column in the first row.`,
    { details: { file, line: 1, columns: missing } },
  );
}

async function* readChunks(
  { format, bytes: length, content, ...file }: InputFile & { format: DocumentFormat },
  report: InputReport,
  { signal, onFault, rules, onBytes, undated, maxTokens, overlap }: Reading,
): AsyncGenerator<Passage> {
  throwIfAborted(signal);
  const { path, id } = file;
  const where = { file: path, line: 1 };
  let passages: Passage[];
  try {
    if (report.documents.has(id))
      throw invalidLine(where, 'each document once', `the id ${JSON.stringify(id)} again`);
    const bytes = content ?? (await readBytes(path));
    const dated = undated && content === undefined && (() => dateOfFile(path, undated));
    const read = await readDocument(
      { ...file, format, bytes, undated: dated || undefined },
      { maxTokens, overlap },
    );
    if (rules)
      for (const each of read.passages) withLocation(() => checkPassage(each, rules), where);
    report.documents.set(id, { chunks: read.passages.length, date: read.dateSource });
    report.dates[read.dateSource] += 1;
    ({ passages } = read);
  } catch (fault) {
    if (!AsOfError.is(fault)) throw fault;
    onFault(fault);
    return;
  } finally {
    onBytes(length);
  }
  yield* passages;
}
