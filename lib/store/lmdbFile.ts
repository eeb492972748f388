// Looks at an LMDB file before LMDB does. LMDB maps its file and believes it: a file that is no
// LMDB, that was cut short, or a page of which is not what it should be, would end the process.
// This refuses such files; what keys and values say is for verification.ts.
//
// The file is a row of pages, of which the first two are meta pages; the newer is in force. Magic
// at 24, version at 28, page size at 48, last page in use at 144, transaction at 152. The pages
// themselves are looked at in native code (native/core/lmdb_file.hpp).
import { binding, withCancellation } from '../binding.js';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { AsOfError } from '../errors.js';

const metaBytes = 160;
const magic = 0xbeefc0de;
/**
 * Of LMDB's file; what other versions look like is not known here, and LMDB refuses those that it
 * does not read.
 */
const version = 2;
/**
 * A file of so many bytes is looked at in full when it is opened, a matter of milliseconds; of a
 * larger one all that lies above its leaves.
 */
const wholeBytes = 64 << 20;

/** What a file was found to be: nothing yet, whole above its leaves, or whole. */
export type LmdbFile = 'none' | 'branches' | 'whole';

/**
 * Looks at a file before LMDB opens it; throws ERR_CORPUS_FOREIGN or ERR_CORPUS_CORRUPT where it is
 * not a whole LMDB file, ERR_STORAGE where it may not be read.
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
      `Expected to read ${path}, the system answered: ${(cause as Error).message}. Check who may read it.`,
      {
        cause,
      },
    );
  }
}

/**
 * Every page in use, whatever the file's size: before something is written to it, and for
 * verification.
 */
export async function checkLmdbPages(path: string, signal?: AbortSignal): Promise<void> {
  await withCancellation(signal, (cancellation) =>
    binding.checkLmdbPages(path, true, cancellation),
  );
}

/** What there is to look at in it. */
function checkMeta(path: string): LmdbFile {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return 'none'; // made, and never written
    const first = readAt(file, 0, metaBytes);
    if (first.length < metaBytes || first.readUInt32LE(24) !== magic) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a corpus of asof's at ${dirname(path)}, found a catalog that is no LMDB file. Check the path.`,
      );
    }
    if (first.readUInt32LE(28) !== version) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a catalog of LMDB's data version ${version} at ${path}, found version ${first.readUInt32LE(28)}. Check the path.`,
      );
    }
    const pageBytes = first.readUInt32LE(48);
    const second = readAt(file, pageBytes, metaBytes);
    if (second.length < metaBytes || second.readUInt32LE(24) !== magic)
      throw tooShort(path, 2 * pageBytes, size);
    const newest = second.readBigUInt64LE(152) > first.readBigUInt64LE(152) ? second : first;
    const lastPage = Number(newest.readBigUInt64LE(144));
    // Pages that a transaction took at the end and gave up again are never written: then the file
    // is shorter than the last page says, and only a walk over all pages in use tells whether it is
    // whole.
    return size <= wholeBytes || size < (lastPage + 1) * pageBytes ? 'whole' : 'branches';
  } finally {
    closeSync(file);
  }
}

function tooShort(path: string, needed: number, size: number): AsOfError {
  return new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected ${path} to have at least ${needed} bytes, found ${size}. Restore the corpus from a backup, or index it again.`,
  );
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}
