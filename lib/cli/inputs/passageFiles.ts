// Passages of files: JSON lines are read here, every other format by @asof/documents.
import { stat } from 'node:fs/promises';
import type { InputFile, InputOptions, InputReport as DocumentReport } from '@asof/documents';
import { AsOfError } from '../../errors.js';
import { passageOfRecord } from '../../store/passages/passageRecord.js';
import type { Passage } from '../../records.js';
import { readJsonLines, type LineLocation } from '../../text/lines.js';
import { loadPackage } from '../packages.js';

type InputReport = Omit<DocumentReport, 'skip'>;

export interface PassageFiles {
  count: number;
  bytes: number;
  /** What was read so far. */
  report: InputReport;
  passages(options: InputOptions): AsyncIterable<Passage>;
}

/** @throws AsOfError ERR_NOT_FOUND, ERR_NATIVE_UNAVAILABLE without the package that reads them */
export async function passageFiles(
  paths: readonly string[],
  options: InputOptions,
): Promise<PassageFiles> {
  const files = await jsonLinesFiles(paths);
  if (files) {
    const report = emptyReport();
    return sized(files, report, (reading) => jsonLinesPassages(files, report, reading));
  }
  const documents = await loadPackage<typeof import('@asof/documents')>(
    '@asof/documents',
    'to read folders and files that are no JSON lines',
  );
  const report = new documents.InputReport();
  const found = await documents.inputFiles(paths, { ...options, report });
  return sized(found, report, (reading) => documents.readDocuments(found, { ...reading, report }));
}

type File = Pick<InputFile, 'path' | 'bytes'>;

const sized = (
  files: readonly File[],
  report: InputReport,
  passages: PassageFiles['passages'],
): PassageFiles => ({
  count: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  report,
  passages,
});

/** Endings of JSON lines, which need no package; the others are known to it. */
const jsonLines = /(?:^|\/)[^./]+$|\.(?:jsonl|ndjson|json)$/i;
const isPattern = (path: string): boolean => /[*?[\]{}()!]/.test(path);

/** Undefined where a path is a folder, a pattern or of another format by its ending. */
async function jsonLinesFiles(paths: readonly string[]): Promise<File[] | undefined> {
  const files: File[] = [];
  for (const path of paths) {
    const entry = path === '-' ? undefined : await stat(path).catch(() => undefined);
    if (path === '-') files.push({ path, bytes: Infinity });
    else if (entry ? entry.isDirectory() || !jsonLines.test(path) : isPattern(path)) return;
    else if (!entry)
      throw new AsOfError(
        'ERR_NOT_FOUND',
        `Expected a file at ${path}, found none. Check the path.`,
        { details: { file: path } },
      );
    else files.push({ path, bytes: entry.isFile() ? entry.size : Infinity });
  }
  return files;
}

const emptyReport = (): InputReport => ({
  passages: 0,
  bytes: 0,
  documents: new Map(),
  skipped: new Map(),
  leftovers: async () => [],
  dates: {
    given: 0,
    front_matter: 0,
    html: 0,
    pdf: 0,
    file_name: 0,
    text: 0,
    git: 0,
    mtime: 0,
    none: 0,
  },
});

async function* jsonLinesPassages(
  files: readonly File[],
  report: InputReport,
  { signal, onFault, rules }: InputOptions,
): AsyncGenerator<Passage> {
  const read = (record: Record<string, unknown>, where: LineLocation): Passage =>
    passageOfRecord(record, where, rules);
  const onBytes = (count: number): void => void (report.bytes += count);
  for (const { path } of files)
    for await (const passage of readJsonLines(path, read, { signal, onFault, onBytes })) {
      report.passages += 1;
      yield passage;
    }
}
