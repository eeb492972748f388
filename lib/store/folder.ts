// A corpus's folder: which files lie where, whether a folder is a corpus or may become one, and
// what a crash left behind.
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

const own = ['catalog.mdb', 'catalog.mdb-lock', 'lock', 'segments'];

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
 * Whether the folder is a corpus; if not, whether one may be made there. Makes the folders where
 * `create` is set.
 * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN (a file, or a folder of something else that
 * was to be opened),
 * ERR_CORPUS_EXISTS (a folder of something else in which a corpus was to be made),
 * ERR_CORPUS_CORRUPT (segments whose catalog is gone: a
 * catalog is written before the first segment, and a new one would have them removed as orphans).
 */
export function prepareFolder(folder: CorpusFolder, create: boolean): 'corpus' | 'new' {
  const names = listed(folder.path);
  if (names?.includes('catalog.mdb')) return 'corpus';
  const others = names?.filter((name) => !own.includes(name)) ?? [];
  const segments = (names?.includes('segments') && listed(folder.segments)) || [];
  if (segments.length > 0) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a catalog at ${folder.catalog}, found none beside ${segments.length} files of segments. Restore catalog.mdb from a backup, or ` +
        `delete the folder and index the passages again.`,
    );
  }
  if (!create) {
    if (others.length > 0) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a corpus of asof's at ${folder.path}, found a folder of something else (${others.slice(0, 3).join(', ')}). Check the path.`,
      );
    }
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a corpus at ${folder.path}, found none. Check the path, or index passages into it first.`,
    );
  }
  if (others.length > 0) {
    throw new AsOfError(
      'ERR_CORPUS_EXISTS',
      `Expected an empty folder or a corpus at ${folder.path}, found a folder of something else (${others.slice(0, 3).join(', ')}). ` +
        'Choose another path.',
    );
  }
  makeFolder(folder.segments);
  return 'new';
}

/**
 * Removes files of segments that no manifest names: what a crash, or another writer's removal that
 * failed, left.
 */
export function removeOrphans(folder: CorpusFolder, named: ReadonlySet<string>): number {
  const orphans = (listed(folder.segments) ?? []).filter((name) => !named.has(name));
  for (const name of orphans) rmSync(join(folder.segments, name), { force: true });
  return orphans.length;
}

/**
 * Makes the names of a new corpus's files as durable as the files: its folder, and the one that it
 * lies in, are synced.
 */
export function syncFolders(folder: CorpusFolder): void {
  for (const path of [folder.path, dirname(folder.path)]) {
    let file: number | undefined;
    try {
      file = openSync(path, 'r');
      fsyncSync(file);
    } catch {
      // Some file systems cannot sync a folder, and some folders may not be read: names are then as
      // durable as they make them.
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
        `Expected a folder at ${path}, found a file on the way. Check the path.`,
        { cause },
      );
    }
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to make the folder ${path}, the system answered: ${String(cause)}. Check who may write there.`,
      {
        cause,
      },
    );
  }
}

/**
 * Level by level: where a file system says that there is no place in a folder that is there
 * (/proc), Node's recursive mkdirSync never ends.
 */
function makeFolders(path: string): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  try {
    return void mkdirSync(path);
  } catch (cause) {
    if (isThere()) return;
    const parent = dirname(path);
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw cause;
    if (!existsSync(parent)) makeFolders(parent);
  }
  try {
    mkdirSync(path);
  } catch (cause) {
    if (!isThere()) throw cause; // another process may have made it
  }
}

function listed(path: string): string[] | undefined {
  try {
    if (!statSync(path).isDirectory()) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a corpus's folder at ${path}, found a file. Check the path.`,
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
        `Expected a corpus's folder at ${path}, found a file on the way. Check the path.`,
        { cause },
      );
    }
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to read the folder ${path}, the system answered: ${String(cause)}. Check who may read it.`,
      {
        cause,
      },
    );
  }
}
