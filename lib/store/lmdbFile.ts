// Looks at an LMDB file before LMDB does. LMDB maps its file and believes it: a file that is no LMDB, or that was cut short, would
// end the process with a bus error. This refuses such files; it does not verify what the pages say.
//
// The file is a row of pages. The first two are meta pages, the newer of which is in force: magic at 24, version at 28, page size at
// 48, the database of free pages at 48 and the main one at 96 (48 bytes each, its root page in the last 8), last page in use at
// 144, transaction at 152. Every page begins with 24 bytes: flags at 18, bytes of the list of node offsets at 20; the list
// follows, and its offsets count from there.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { AsOfError } from '../errors.js';

const metaBytes = 160;
const magic = 0xbeefc0de;
/** Of LMDB's file; what other versions look like is not known here, and LMDB refuses those that it does not read. */
const version = 2;
const noPage = 2n ** 64n - 1n;
const headerBytes = 24;
const branch = 1;
const leaf = 2;
const bigData = 1;
const subData = 2;
const maxDepth = 64;

/**
 * Whether there is a file with anything in it; throws ERR_CORPUS_FOREIGN or ERR_CORPUS_CORRUPT where it is not a whole LMDB file, ERR_STORAGE
 * where it may not be read.
 */
export function checkLmdbFile(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    return checkFile(path);
  } catch (cause) {
    if (AsOfError.is(cause)) throw cause;
    throw new AsOfError('ERR_STORAGE', `Expected to read ${path}, the system answered: ${(cause as Error).message}. Check who may read it.`, {
      cause,
    });
  }
}

function checkFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return false; // made, and never written
    const first = readAt(file, 0, metaBytes);
    if (first.length < metaBytes || first.readUInt32LE(24) !== magic) {
      throw new AsOfError(
        'ERR_CORPUS_FOREIGN',
        `Expected a corpus of asof's at ${dirname(path)}, found a catalog that is no LMDB file. Check the path.`,
      );
    }
    if (first.readUInt32LE(28) !== version) return true;
    const pageBytes = first.readUInt32LE(48);
    const second = readAt(file, pageBytes, metaBytes);
    if (second.length < metaBytes || second.readUInt32LE(24) !== magic) throw tooShort(path, 2 * pageBytes, size);
    const newest = second.readBigUInt64LE(152) > first.readBigUInt64LE(152) ? second : first;
    const lastPage = Number(newest.readBigUInt64LE(144));
    // Pages that a transaction took at the end and gave up again are never written: then the file is shorter than the last page
    // says, and only a walk over the pages in use tells whether it is whole.
    if (size < (lastPage + 1) * pageBytes) {
      new PageWalk(file, path, pageBytes, Math.floor(size / pageBytes)).run([rootAt(newest, 48), rootAt(newest, 96)]);
    }
    return true;
  } finally {
    closeSync(file);
  }
}

/** Visits all pages that are in use, and throws where one lies beyond the end of the file. */
class PageWalk {
  constructor(
    private readonly file: number,
    private readonly path: string,
    private readonly pageBytes: number,
    private readonly pages: number,
  ) {}

  run(roots: readonly bigint[]): void {
    for (const root of roots) this.visit(root, 0);
  }

  private visit(page: bigint, depth: number): void {
    if (page === noPage) return;
    const bytes = this.read(page, depth);
    const flags = bytes.readUInt16LE(18);
    const end = Math.min(headerBytes + bytes.readUInt16LE(20), this.pageBytes);
    if ((flags & (branch | leaf)) === 0) throw this.broken();
    for (let at = headerBytes; at + 2 <= end; at += 2) {
      const node = headerBytes + bytes.readUInt16LE(at);
      if (node + 8 > this.pageBytes) throw this.broken();
      if (flags & branch) this.visit(BigInt(bytes.readUInt32LE(node)) | (BigInt(bytes.readUInt16LE(node + 4)) << 32n), depth + 1);
      else this.visitLeaf(bytes, node, depth);
    }
  }

  private visitLeaf(bytes: Buffer, node: number, depth: number): void {
    const flags = bytes.readUInt16LE(node + 4);
    const data = node + 8 + bytes.readUInt16LE(node + 6);
    if ((flags & (bigData | subData)) === 0) return;
    if (data + (flags & bigData ? 8 : 48) > this.pageBytes) throw this.broken();
    if (flags & subData) return this.visit(rootAt(bytes, data), depth + 1);
    const page = bytes.readBigUInt64LE(data);
    const count = this.read(page, depth).readUInt32LE(20);
    if (Number(page) + count > this.pages) throw this.broken(Number(page) + count);
  }

  private read(page: bigint, depth: number): Buffer {
    if (depth > maxDepth) throw this.broken();
    if (page >= BigInt(this.pages)) throw this.broken(Number(page) + 1);
    return readAt(this.file, Number(page) * this.pageBytes, this.pageBytes);
  }

  private broken(pages = this.pages + 1): AsOfError {
    return tooShort(this.path, pages * this.pageBytes, this.pages * this.pageBytes);
  }
}

function rootAt(bytes: Buffer, database: number): bigint {
  return bytes.readBigUInt64LE(database + 40);
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
