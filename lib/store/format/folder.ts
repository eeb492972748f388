// Folder layout of a corpus, and recognition of corpus folders.
import { dirname, join, resolve, sep } from 'node:path';
import { AsOfError, invalidArgument } from '../../errors.js';
import { fileNames, realPath } from './files.js';
import { fileSystem } from './fileSystem.js';

export interface CorpusFolder {
  path: string;
  manifest: string;
  lock: string;
  segments: string;
}

const corpusFiles = ['manifest', 'manifest.next', 'lock', 'segments'];

export function corpusFolder(path: string): CorpusFolder {
  const absolute = resolve(path);
  return {
    path: absolute,
    manifest: join(absolute, 'manifest'),
    lock: join(absolute, 'lock'),
    segments: join(absolute, 'segments'),
  };
}

/**
 * Whether the folder is a corpus; if not, whether one can be created there. Creates the folders
 * with `create`.
 * @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_FOREIGN (a file, or a folder of other content, to be
 * opened); ERR_CORPUS_EXISTS (a folder of other content, in which a corpus was to be created);
 * ERR_CORPUS_CORRUPT (segments without a manifest: a new one would have them removed as orphans)
 */
export function prepareFolder(folder: CorpusFolder, create: boolean): 'corpus' | 'new' {
  const names = namesIn(folder.path);
  if (names?.includes('segments') && !fileSystem.stat(folder.segments)?.isFolder) {
    // Through a link a writer would remove files of another folder.
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected a folder at ${folder.segments}, found a link or a file. Check the path.`,
    );
  }
  if (names?.includes('manifest')) return 'corpus';
  const foreign = names?.filter((name) => !corpusFiles.includes(name)) ?? [];
  const segments = (names?.includes('segments') && namesIn(folder.segments)) || [];
  if (segments.length > 0) {
    // Another process may have created it since the folder was listed.
    if (exists(folder.manifest)) return 'corpus';
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a manifest at ${folder.manifest}, found ${segments.length} segment files without one. ` +
        'Restore it from a backup, or run asof repair; delete what an interrupted backup left.',
    );
  }
  if (!create) {
    if (foreign.length > 0) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected an asof corpus at ${folder.path}, found a folder of other content ` +
          `(${foreign.slice(0, 3).join(', ')}). Check the path.`,
      );
    }
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a corpus at ${folder.path}, found none. ` +
        'Check the path, or index passages into it first.',
    );
  }
  if (foreign.length > 0) {
    throw new AsOfError(
      'ERR_CORPUS_EXISTS',
      `Expected an empty folder or a corpus at ${folder.path}, found a folder of other content ` +
        `(${foreign.slice(0, 3).join(', ')}). Choose another path.`,
    );
  }
  makeFolder(folder.segments);
  return 'new';
}

/**
 * Creates the folders of a copy of a corpus, which must be new or empty.
 * @throws AsOfError ERR_INVALID_ARGUMENT for the corpus itself or a folder in it;
 * ERR_CORPUS_EXISTS; ERR_CORPUS_FOREIGN for a file; ERR_STORAGE
 */
export function prepareCopy(copy: CorpusFolder, corpus: CorpusFolder): void {
  checkApart(copy, corpus);
  const segments = namesIn(copy.segments) ?? [];
  const others = (namesIn(copy.path) ?? []).filter((name) => !['lock', 'segments'].includes(name));
  const names = [...others, ...segments.map((name) => join('segments', name))];
  if (names.length > 0) {
    throw new AsOfError(
      'ERR_CORPUS_EXISTS',
      `Expected a new or empty folder at ${copy.path}, found ${names.slice(0, 3).join(', ')} in it. ` +
        'Choose another, or delete what an interrupted copy left there.',
    );
  }
  makeFolder(copy.segments);
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for the corpus itself or a folder in it */
export function checkApart(copy: CorpusFolder, corpus: CorpusFolder): void {
  const [to, from] = [realPath(copy.path), realPath(corpus.path)];
  if (to === from || to.startsWith(`${from}${sep}`))
    throw invalidArgument('the folder', `outside of the corpus ${corpus.path}`, copy.path);
}

function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOTDIR' || code === 'EEXIST' || (code === 'ENOENT' && isBelowFile(path))) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a folder at ${path}, found a file in place of a parent folder. Check the path.`,
        { cause },
      );
    }
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to create the folder ${path}, the system answered: ${String(cause)}. ` +
        'Check its permissions.',
      { cause },
    );
  }
}

/**
 * Level by level: Node's recursive mkdirSync loops forever if a file system reports ENOENT inside
 * an existing folder (/proc).
 */
function makeFolders(path: string): void {
  const isFolder = (): boolean => fileSystem.stat(path)?.isFolder ?? false;
  try {
    return void fileSystem.makeFolder(path);
  } catch (cause) {
    if (isFolder()) return;
    const parent = dirname(path);
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw cause;
    if (!exists(parent)) makeFolders(parent);
  }
  try {
    fileSystem.makeFolder(path);
  } catch (cause) {
    if (!isFolder()) throw cause; // another process may have created it
  }
}

/** Whether the nearest thing above a path is a file, of which Windows says ENOENT. */
function isBelowFile(path: string): boolean {
  const parent = dirname(path);
  const found = fileSystem.stat(parent);
  return found ? !found.isFolder : parent !== path && isBelowFile(parent);
}

const exists = (path: string): boolean => fileSystem.stat(path) !== undefined;

/** Names in the folder of a corpus. @throws AsOfError ERR_CORPUS_FOREIGN if it is no folder */
function namesIn(path: string): string[] | undefined {
  try {
    return fileNames(path);
  } catch (error) {
    const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
    if (code !== 'ENOTDIR') throw error;
    const found = exists(path) ? 'a file' : 'a file in place of a parent folder';
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected a corpus folder at ${path}, found ${found}. Check the path.`,
      { cause: error },
    );
  }
}
