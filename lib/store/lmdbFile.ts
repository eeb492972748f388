// Integrity checks of an LMDB file before LMDB maps it, since a truncated or damaged file would
// crash the process. The meta pages are checked here, the other pages in native/core/lmdb_file.hpp.
import { binding, withCancellation } from '../binding.js';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { AsOfError } from '../errors.js';

/**
 * Layout of a meta page, of which the newer is in force: magic at 24, version at 28, page size at
 * 48, last page at 144, transaction at 152.
 */
const metaBytes = 160;
const magic = 0xbeefc0de;
/** LMDB's data version. */
const version = 2;
/**
 * Largest file that is checked in full on opening, within milliseconds; of a larger one all pages
 * above the leaves.
 */
const wholeBytes = 64 << 20;

/** Result of a check: empty, valid above the leaves, or valid throughout. */
export type LmdbFile = 'none' | 'branches' | 'whole';

/**
 * Checks a file before LMDB opens it; throws ERR_CORPUS_FOREIGN or ERR_CORPUS_CORRUPT for an
 * invalid file, ERR_STORAGE for an unreadable one.
 */
export async function checkLmdbFile(path: string): Promise<LmdbFile> {
  if (!existsSync(path)) return 'none';
  try {
    const file = checkMeta(path);
    if (file !== 'none') await binding.checkLmdbPages(path, file === 'whole');
    return file;
  } catch (cause) {
    if (AsOfError.is(cause)) throw cause;
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to read ${path}, the system answered: ${(cause as Error).message}. ` +
        'Check its permissions.',
      {
        cause,
      },
    );
  }
}

/** Checks every page in use, whatever the file's size: before a write, and for verification. */
export async function checkLmdbPages(path: string, signal?: AbortSignal): Promise<void> {
  await withCancellation(signal, (cancellation) =>
    binding.checkLmdbPages(path, true, cancellation),
  );
}

/** Checks the meta pages and chooses the depth of the page check. */
function checkMeta(path: string): LmdbFile {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return 'none'; // created, but never written
    const first = readAt(file, 0, metaBytes);
    if (first.length < metaBytes || first.readUInt32LE(24) !== magic) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected an asof corpus at ${dirname(path)}, found a catalog that is no LMDB file. ` +
          'Check the path.',
      );
    }
    if (first.readUInt32LE(28) !== version) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a catalog of LMDB data version ${version} at ${path}, ` +
          `found version ${first.readUInt32LE(28)}. Check the path.`,
      );
    }
    const pageBytes = first.readUInt32LE(48);
    const second = readAt(file, pageBytes, metaBytes);
    if (second.length < metaBytes || second.readUInt32LE(24) !== magic)
      throw tooShort(path, 2 * pageBytes, size);
    const newest = second.readBigUInt64LE(152) > first.readBigUInt64LE(152) ? second : first;
    const lastPage = Number(newest.readBigUInt64LE(144));
    // Pages that a transaction allocated at the end and freed again are never written: the file is
    // then shorter than the last page implies, and only a walk over all pages in use can verify it.
    return size <= wholeBytes || size < (lastPage + 1) * pageBytes ? 'whole' : 'branches';
  } finally {
    closeSync(file);
  }
}

function tooShort(path: string, needed: number, size: number): AsOfError {
  return new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected ${path} to have at least ${needed} bytes, found ${size}. ` +
      'Restore the corpus from a backup, or index it again.',
  );
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}
