// Data of the papers' tables: test collections made from the sources' files that a user has,
// recognised by name and checked by hash, or from inventions of our own where there are none.
import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { AsOfError } from 'asof';
import { buildInfo, throwIfAborted } from 'asof/kit';

export interface PaperSource {
  name: string;
  /** The end of its path. */
  file: RegExp;
  /** Where it is published, and in what form it is expected. */
  from: string;
  /** SHA-256 of the files that our figures were measured on. */
  sha256?: readonly string[];
  /** Used where it is there. */
  optional?: true;
}

/** A test collection that tables are measured on. */
export interface PaperData {
  /** First word of the sets' names, and the folder of what is made. */
  name: string;
  of: string;
  /** How it differs from the paper's. */
  difference: string;
  /** Whether figures on it may be held against the paper's. */
  comparable: boolean;
  sources: readonly PaperSource[];
  make(
    files: ReadonlyMap<string, readonly string[]>,
    folder: string,
    signal: AbortSignal | undefined,
  ): Promise<void>;
  /** A small collection of invented records. */
  sample(folder: string): Promise<void>;
}

/** A data set as found. */
export interface LocatedData {
  name: string;
  of: string;
  /** Folder of the test collection; absent where sources are missing. */
  folder?: string;
  /** What the figures are of. */
  label: string;
  /** Whether they may be held against the paper's. */
  comparable: boolean;
  files: { path: string; sha256: string; known: boolean }[];
  /** Sources that are not there. */
  missing: string[];
}

/** Files of a folder and of folders below it, by their paths from it, with slashes. */
export async function filesBelow(folder: string, signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    throwIfAborted(signal);
    for (const entry of await entriesOf(path)) {
      const below = join(path, entry.name);
      const isFolder =
        entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(below)));
      if (!isFolder) found.push(relative(folder, below).replaceAll('\\', '/'));
      else if (depth < mostDepth && !entry.name.startsWith('.') && !/\.asof$/.test(entry.name))
        await walk(below, depth + 1);
      if (found.length > mostFiles)
        throw new AsOfError(
          'ERR_INVALID_INPUT',
          `Expected a folder of data, received ${folder} with more than ${mostFiles} files. Name ` +
            'a folder with the data alone.',
          { details: { folder } },
        );
    }
  };
  await walk(folder, 0);
  return found.sort();
}
const entriesOf = (path: string): Promise<Dirent[]> =>
  readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a folder of data at ${path}, found none. Name the folder of the sources' files.`,
      { cause, details: { folder: path } },
    );
  });
const [mostDepth, mostFiles] = [4, 20_000];
const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

async function digestOfFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** Makes a data set below `work` from the files of `data`, or without a folder from inventions. */
export async function locateData(
  { name, of, difference, comparable, sources, make, sample }: PaperData,
  {
    data,
    files,
    work,
    signal,
  }: {
    data: string | undefined;
    files: readonly string[];
    work: string;
    signal: AbortSignal | undefined;
  },
): Promise<LocatedData> {
  const located = { name, of, comparable, files: [], missing: [] };
  if (data === undefined) {
    const folder = join(work, 'sets', 'invented', name);
    if (!(await isComplete(folder))) await sample(folder);
    return { ...located, folder, comparable: false, label: 'a small collection of inventions' };
  }
  if (await isComplete(join(data, name)))
    return { ...located, folder: join(data, name), label: 'as it was made before' };
  const matches = new Map(
    sources.map((source) => [
      source.name,
      files.filter((file) => source.file.test(file)).map((file) => join(data, file)),
    ]),
  );
  const missing = sources.filter(
    (source) => !source.optional && matches.get(source.name)!.length === 0,
  );
  if (missing.length > 0)
    return { ...located, label: difference, missing: missing.map((source) => source.from) };
  const used = await Promise.all(
    sources.flatMap(({ name: role, sha256 = [] }) =>
      matches.get(role)!.map(async (path) => {
        const digest = await digestOfFile(path);
        return { path, sha256: digest, known: sha256.includes(digest) };
      }),
    ),
  );
  const key = createHash('sha256')
    .update([buildInfo().version, ...used.map(({ sha256 }) => sha256)].join(' '))
    .digest('hex');
  const folder = join(work, 'sets', key.slice(0, 12), name);
  await mkdir(folder, { recursive: true });
  if (!(await isComplete(folder))) await make(matches, folder, signal);
  return { ...located, folder, label: difference, files: used };
}

const isComplete = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, 'passages.jsonl')).catch(() => undefined)) !== undefined;
