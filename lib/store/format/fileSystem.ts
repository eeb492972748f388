// What the store calls of the operating system, so that a simulation can take its place: files,
// the lock, the clock and random ids (test/store/simulation).
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { binding } from '../../binding.js';
import type { FileLock, OutputFile, Segment } from '../../../binding.js';
import { AsOfError } from '../../errors.js';
import { randomId } from '../../runtime/digest.js';
import { pause } from '../../runtime/retry.js';

/** Calls fail with the errors of node:fs, those of the addon with AsOfErrors. */
export interface FileSystem {
  /** To read a file; a file that does not exist yet; a folder, to sync it. */
  open(path: string, use: 'read' | 'create' | 'folder'): number;
  close(descriptor: number): void;
  /** Bytes read, up to the buffer's length; 0 at the end of the file. */
  read(descriptor: number, buffer: Uint8Array, position: number): number;
  /** Bytes written, maybe fewer than given. */
  write(descriptor: number, bytes: Uint8Array): number;
  /** Lets the addon write a file. */
  fill(file: OutputFile, write: (file: OutputFile) => Promise<void>): Promise<void>;
  sync(descriptor: number): Promise<void>;
  /** `identity` is that of the file, whatever its names. */
  status(descriptor: number): { bytes: number; identity: string };
  /** Another name of the same file. */
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  list(path: string): string[];
  /** Undefined if nothing is there, or nothing that may be seen; a link is no folder. */
  stat(path: string): { bytes: number; isFolder: boolean; identity: string } | undefined;
  /** The path without links, as far as it exists. */
  realPath(path: string): string;
  makeFolder(path: string): void;
  /** A new folder that nobody else reads. */
  makeTemporaryFolder(): string;
  /** Removes an empty folder. */
  removeFolder(path: string): void;
  /** Maps a segment file; a temporary one is removed with its folder, at the latest when closed. */
  map(path: string, temporary?: boolean): Segment;
  /** @throws AsOfError ERR_CORPUS_LOCKED if another writer has it */
  lock(path: string): FileLock;
  /** Milliseconds, never fewer than before. */
  now(): number;
  /** UTC epoch milliseconds; may go back. */
  date(): number;
  /** Random bytes, in hexadecimal digits. */
  randomId(bytes: number): string;
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** A pipe in place of a file does not hang who opens it, and nobody writes through a link. */
const read = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const flags = {
  read,
  create: 'wx+',
  // Windows syncs only what is open for writing, a folder too.
  folder: process.platform === 'win32' ? 'r+' : read,
} as const;

const statusOf = ({ size, dev, ino }: Stats): { bytes: number; identity: string } => ({
  bytes: size,
  identity: `${dev} ${ino}`,
});

const system: FileSystem = {
  open: (path, use) => openSync(path, flags[use]),
  close: closeSync,
  read: (descriptor, buffer, position) => readSync(descriptor, buffer, 0, buffer.length, position),
  write: (descriptor, bytes) => writeSync(descriptor, bytes),
  fill: (file, write) => write(file),
  sync: promisify(fsync),
  status: (descriptor) => statusOf(fstatSync(descriptor)),
  link: linkSync,
  rename: renameSync,
  remove: unlinkSync,
  list: (path) => readdirSync(path),
  stat(path) {
    try {
      const found = lstatSync(path);
      return { ...statusOf(found), isFolder: found.isDirectory() };
    } catch {
      return undefined;
    }
  },
  realPath(path) {
    try {
      return realpathSync.native(path); // in the letters of the disk, where case is ignored
    } catch {
      const parent = dirname(path);
      return parent === path ? path : join(system.realPath(parent), basename(path));
    }
  },
  makeFolder: (path) => mkdirSync(path),
  makeTemporaryFolder: () => mkdtempSync(join(tmpdir(), 'asof-')),
  removeFolder: rmdirSync,
  map: (path, temporary) => binding.Segment.open(path, temporary),
  lock: (path) => new binding.FileLock(path),
  now: () => performance.now(),
  date: () => Date.now(),
  randomId,
  pause,
};

/** The file system in use. */
export let fileSystem: FileSystem = system;

/** Uses another file system in this thread: for simulations. */
export function useFileSystem(other: FileSystem): void {
  fileSystem = other;
}

/** The end of the year 9999. */
const latest = 253_402_300_799_999;

/**
 * UTC epoch milliseconds by the clock of this machine.
 * @throws AsOfError ERR_STORAGE for one that cannot be right: what it wrote would stay
 */
export function writingTime(): number {
  const time = Math.floor(fileSystem.date());
  if (time >= 0 && time <= latest) return time;
  throw new AsOfError(
    'ERR_STORAGE',
    `Expected the clock of this machine to be between 1970 and 9999, it says ${time} ms. ` +
      'Set it, and repeat the call.',
  );
}
