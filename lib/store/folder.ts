// Folder layout of a corpus, recognition of corpus folders, and removal of orphan files after a
// crash.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AsOfError } from '../errors.js';

export interface CorpusFolder {
  path: string;
  catalog: string;
  lock: string;
  segments: string;
}

const corpusFiles = ['catalog.mdb', 'catalog.mdb-lock', 'lock', 'segments'];

export function corpusFolder(path: string): CorpusFolder {
  const absolute = resolve(path);
  return {
    path: absolute,
    catalog: join(absolute, 'catalog.mdb'),
    lock: join(absolute, 'lock'),
    segments: join(absolute, 'segments'),
  };
}

/**
 * Whether the folder is a corpus; if not, whether one can be created there. Creates the folders
 * with `create`.
 * @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_FOREIGN (a file, or a folder of other content, to be
 * opened); ERR_CORPUS_EXISTS (a folder of other content, in which a corpus was to be created);
 * ERR_CORPUS_CORRUPT (segments without a catalog: a new catalog would have them removed as orphans)
 */
export function prepareFolder(folder: CorpusFolder, create: boolean): 'corpus' | 'new' {
  const names = fileNames(folder.path);
  if (names?.includes('catalog.mdb')) return 'corpus';
  const foreign = names?.filter((name) => !corpusFiles.includes(name)) ?? [];
  const segments = (names?.includes('segments') && fileNames(folder.segments)) || [];
  if (segments.length > 0) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a catalog at ${folder.catalog}, found ${segments.length} segment files without one. ` +
        'Restore catalog.mdb from a backup, or delete the folder and index the passages again.',
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
 * Removes segment files that the manifest does not name, which a crash or a failed removal left.
 */
export function removeOrphans(folder: CorpusFolder, named: ReadonlySet<string>): number {
  const orphans = (fileNames(folder.segments) ?? []).filter((name) => !named.has(name));
  for (const name of orphans) rmSync(join(folder.segments, name), { force: true });
  return orphans.length;
}

/** Syncs the folder of a new corpus and its parent, so that the names of its files are durable. */
export function syncFolders(folder: CorpusFolder): void {
  for (const path of [folder.path, dirname(folder.path)]) {
    let file: number | undefined;
    try {
      file = openSync(path, 'r');
      fsyncSync(file);
    } catch {
      // Some file systems cannot sync folders, and some folders are unreadable: durability is then
      // theirs.
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOTDIR' || code === 'EEXIST') {
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
      {
        cause,
      },
    );
  }
}

/**
 * Level by level: Node's recursive mkdirSync loops forever if a file system reports ENOENT inside
 * an existing folder (/proc).
 */
function makeFolders(path: string): void {
  const exists = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  try {
    return void mkdirSync(path);
  } catch (cause) {
    if (exists()) return;
    const parent = dirname(path);
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw cause;
    if (!existsSync(parent)) makeFolders(parent);
  }
  try {
    mkdirSync(path);
  } catch (cause) {
    if (!exists()) throw cause; // another process may have created it
  }
}

function fileNames(path: string): string[] | undefined {
  try {
    if (!statSync(path).isDirectory()) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a corpus folder at ${path}, found a file. Check the path.`,
      );
    }
    return readdirSync(path);
  } catch (cause) {
    if (AsOfError.is(cause)) throw cause;
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a corpus folder at ${path}, found a file in place of a parent folder. ` +
          'Check the path.',
        { cause },
      );
    }
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to read the folder ${path}, the system answered: ${String(cause)}. ` +
        'Check its permissions.',
      {
        cause,
      },
    );
  }
}
