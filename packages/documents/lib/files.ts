// Files to index: from the paths of files, folders and globs, with their formats and ids.
import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { AsOfError, type Passage } from 'asof';
import { throwIfAborted } from 'asof/kit';
import type { DocumentFormat } from './read.js';
import type { InputReport } from './inputReport.js';

export type FileFormat = DocumentFormat | 'jsonl' | 'beir' | 'csv' | 'parquet';

export interface InputFile {
  path: string;
  format: FileFormat;
  /**
   * Of a document: its path below the folder that was named, or from the working folder; `/`
   * between names.
   */
  id: string;
  /** Infinity where unknown: a pipe. */
  bytes: number;
  /** Of a document in memory; its path is for faults, and its name may have a date. */
  content?: Uint8Array | undefined;
  /** Of a document: before any date of its own. */
  publishedAt?: Passage['publishedAt'] | undefined;
}

const formats: Readonly<Record<string, FileFormat>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  txt: 'text',
  text: 'text',
  pdf: 'pdf',
  parquet: 'parquet',
};
const endings = Object.keys(formats).join(', ');

export interface FileOptions {
  signal?: AbortSignal | undefined;
  /**
   * Receives the fault of a folder, link or document that cannot be read; the others are listed.
   * Default: it is thrown.
   */
  onFault?: ((fault: AsOfError) => void) | undefined;
  /** Counts the files that are skipped, since their endings are of no format. */
  report?: InputReport | undefined;
}

/** Documents of other programs, which are read by nothing here. */
const unreadDocuments = /\.(?:docx?|od[tps]|rtf|pages|epub|pptx?|key|xlsx?|numbers)$/i;

/**
 * The files of paths, in their order, those of a folder by name. A folder with a corpus.jsonl is
 * one of BEIR; of others, and for globs, every file below with an ending of a known format, but
 * none of node_modules and names that begin with a dot. Links are followed once. Documents of
 * office programs are faults. `-` is standard input; files that are named are JSON lines unless
 * their ending says otherwise.
 * @throws AsOfError ERR_NOT_FOUND for a path, a glob or a folder without files; ERR_INVALID_INPUT
 * for faults without `onFault`; ERR_ABORTED.
 */
export async function inputFiles(
  paths: readonly string[],
  options: FileOptions = {},
): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const path of paths) {
    const entry = path === '-' ? undefined : await entryOf(path);
    if (path === '-' || (entry && !entry.isDirectory())) {
      if (unreadDocuments.test(path)) {
        (options.onFault ?? thrown)(unreadFormat(path));
        continue;
      }
      const bytes = entry?.isFile() ? entry.size : Infinity;
      files.push({ path, format: formatOf(path) ?? 'jsonl', id: idOf(path), bytes });
      continue;
    }
    const found = entry ? await filesOfFolder(path, options) : await filesOfGlob(path, options);
    for (const each of found) files.push(each);
  }
  return files;
}

async function filesOfFolder(folder: string, options: FileOptions): Promise<InputFile[]> {
  const beir = join(folder, 'corpus.jsonl');
  const corpus = await entryOf(beir);
  if (corpus) return [{ path: beir, format: 'beir', id: 'corpus.jsonl', bytes: corpus.size }];
  const files: InputFile[] = [];
  for await (const { name, ...file } of walk(folder, () => true, options))
    files.push({ ...file, id: name });
  if (files.length > 0) return files;
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `Expected corpus.jsonl or files that end in ${endings} in ${folder}, found none. Check the path.`,
    { details: { file: folder } },
  );
}

async function filesOfGlob(given: string, options: FileOptions): Promise<InputFile[]> {
  const { default: picomatch } = await import('picomatch');
  const glob = given.split(sep).join('/'); // a backslash escapes, but separates on Windows
  const { base, isGlob } = picomatch.scan(glob);
  const folder = base === '' ? '.' : base;
  const files: InputFile[] = [];
  if (isGlob && (await entryOf(folder))?.isDirectory()) {
    const matches = picomatch(glob.replace(/^\.\//, ''));
    for await (const { name: _, ...file } of walk(folder, matches, options))
      files.push({ ...file, id: idOf(file.path) });
  }
  if (files.length > 0) return files;
  throw new AsOfError(
    'ERR_NOT_FOUND',
    isGlob
      ? `Expected files that match ${glob} and end in ${endings}, found none. Check the pattern.`
      : `Expected a file at ${glob}, found none. Check the path.`,
    { details: { file: glob } },
  );
}

interface WalkedFile extends Pick<InputFile, 'path' | 'format' | 'bytes'> {
  /** Path below the folder. */
  name: string;
}

/** The regular files of known formats below a folder whose paths are accepted, by name. */
async function* walk(
  folder: string,
  accepts: (path: string) => boolean,
  { signal, onFault = thrown, report }: FileOptions,
): AsyncGenerator<WalkedFile> {
  const visited = new Set<string>();
  const pending = [''];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    throwIfAborted(signal);
    const path = join(folder, below);
    let names: string[];
    try {
      const real = await realpath(path);
      if (visited.has(real)) continue;
      visited.add(real);
      names = (await readdir(path)).sort();
    } catch (cause) {
      onFault(unreadable(path, cause));
      continue;
    }
    const folders: string[] = [];
    for (const name of names) {
      if (name.startsWith('.') || name === 'node_modules') continue;
      const file = join(path, name);
      const isAccepted = accepts(file);
      const format = formatOf(file);
      const entry = await stat(file).catch((cause: unknown) => {
        if (isAccepted && format) onFault(unreadable(file, cause));
      });
      const child = below === '' ? name : `${below}/${name}`;
      if (entry?.isDirectory()) folders.push(child);
      if (!isAccepted || !entry?.isFile()) continue;
      if (format) yield { path: file, name: child, format, bytes: entry.size };
      else if (unreadDocuments.test(name)) onFault(unreadFormat(file));
      else report?.skip(name);
    }
    for (const child of folders.reverse()) pending.push(child);
  }
}

/** What is done with faults that nothing receives. */
export const thrown = (fault: AsOfError): void => {
  throw fault;
};

const formatOf = (path: string): FileFormat | undefined =>
  formats[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];

const entryOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

/** The path from the working folder, or the whole path of a file outside it. */
function idOf(path: string): string {
  const from = relative('.', path);
  return (from.startsWith('..') ? resolve(path) : from).split(sep).join('/');
}

const unreadFormat = (file: string): AsOfError =>
  new AsOfError(
    'ERR_INVALID_INPUT',
    `Expected a file that ends in ${endings}, or JSON lines, received ${file}. ` +
      'Convert it to PDF, HTML or Markdown.',
    { details: { file } },
  );

function unreadable(file: string, cause: unknown): AsOfError {
  return new AsOfError(
    'ERR_INVALID_INPUT',
    `Expected to read ${file}, the system answered: ${(cause as Error).message}. ` +
      'Check its permissions, or remove the link.',
    { cause, details: { file } },
  );
}
