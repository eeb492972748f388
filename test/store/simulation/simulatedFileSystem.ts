// The file system of a simulated thread: every call goes to the scheduler, which decides when it
// happens and whether it fails; contents are real files in a scratch folder.
import { closeSync, ftruncateSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { binding } from '../../../lib/binding.js';
import { AsOfError } from '../../../lib/errors.js';
import type { FileSystem } from '../../../lib/store/format/fileSystem.js';
import type { Channel } from './channel.js';
import type { Call, CallAnswer } from './messages.js';

/** Thrown by every call of a thread whose process was killed. */
export class Killed extends Error {}

interface Descriptor {
  path: string;
  /** Its real file; none of a folder. */
  content?: string;
  readFailure?: string;
}

export class SimulatedFileSystem implements FileSystem {
  isDead = false;
  private readonly descriptors = new Map<number, Descriptor>();
  /** Milliseconds of the simulated clock. */
  time = 0;
  /** Descriptors of folders, which have no content. */
  private nextFolder = 1_000_000;

  constructor(
    private readonly channel: Pick<Channel, 'call'>,
    private readonly onMeanwhile: (event: NonNullable<CallAnswer['meanwhile']>) => void,
  ) {}

  get openDescriptors(): number {
    return this.descriptors.size;
  }

  /** A new process: what the dead one had open is closed. */
  restart(): void {
    for (const descriptor of [...this.descriptors.keys()]) this.close(descriptor);
    this.isDead = false;
  }

  open(path: string, use: 'read' | 'create' | 'folder'): number {
    const { content, readFailure } = this.call<{ content?: string; readFailure?: string }>({
      name: 'open',
      path,
      use,
    });
    const descriptor =
      content === undefined
        ? (this.nextFolder += 1)
        : openSync(content, use === 'create' ? 'r+' : 'r');
    this.descriptors.set(descriptor, {
      path,
      ...(content === undefined ? {} : { content }),
      ...(readFailure ? { readFailure } : {}),
    });
    return descriptor;
  }

  close(descriptor: number): void {
    if (this.known(descriptor).content !== undefined) closeSync(descriptor);
    this.descriptors.delete(descriptor);
  }

  read(descriptor: number, buffer: Uint8Array, position: number): number {
    const { content, path, readFailure } = this.known(descriptor);
    if (content === undefined) throw errno('EISDIR', path);
    if (readFailure === 'short')
      return readSync(descriptor, buffer, 0, Math.ceil(buffer.length / 2), position);
    if (readFailure) throw errno(readFailure, path);
    return readSync(descriptor, buffer, 0, buffer.length, position);
  }

  write(descriptor: number, bytes: Uint8Array): number {
    const { path } = this.known(descriptor);
    const amount = this.call<number>({ name: 'write', path, amount: bytes.length });
    return writeSync(descriptor, bytes, 0, amount);
  }

  async fill(
    file: { descriptor: number; path: string },
    write: (file: { descriptor: number; path: string }) => Promise<void>,
  ): Promise<void> {
    this.checkAlive();
    await write(file);
    const { size } = fstatSync(file.descriptor);
    try {
      this.call({ name: 'fill', path: file.path, amount: size });
    } catch (error) {
      ftruncateSync(file.descriptor, Math.floor(size / 2));
      throw error instanceof Killed ? error : storage('write', file.path, error);
    }
  }

  async sync(descriptor: number): Promise<void> {
    this.call({ name: 'sync', path: this.known(descriptor).path });
  }

  status(descriptor: number): { bytes: number; identity: string } {
    const { content = 'folder' } = this.known(descriptor);
    return {
      bytes: content === 'folder' ? 0 : fstatSync(descriptor).size,
      identity: content,
    };
  }

  link(from: string, to: string): void {
    this.call({ name: 'link', path: from, to });
  }

  rename(from: string, to: string): void {
    this.call({ name: 'rename', path: from, to });
  }

  remove(path: string): void {
    this.call({ name: 'remove', path });
  }

  list(path: string): string[] {
    return this.call({ name: 'list', path });
  }

  stat(path: string): { bytes: number; isFolder: boolean; identity: string } | undefined {
    const { content, isFolder } = this.call<{ content?: string; isFolder?: boolean }>({
      name: 'stat',
      path,
    });
    if (isFolder) return { bytes: 0, isFolder, identity: 'folder' };
    if (content === undefined) return undefined;
    const descriptor = openSync(content, 'r');
    const bytes = fstatSync(descriptor).size;
    closeSync(descriptor);
    return { bytes, isFolder: false, identity: content };
  }

  /** There are no links. */
  realPath(path: string): string {
    return path;
  }

  makeFolder(path: string): void {
    this.call({ name: 'makeFolder', path });
  }

  makeTemporaryFolder(): string {
    return this.call({ name: 'makeTemporaryFolder', path: '' });
  }

  removeFolder(path: string): void {
    this.call({ name: 'removeFolder', path });
  }

  map(path: string) {
    let content: string;
    try {
      content = this.call<string>({ name: 'map', path });
    } catch (error) {
      throw error instanceof Killed ? error : storage('open', path, error);
    }
    return binding.Segment.open(content);
  }

  lock(path: string) {
    let isHeld: boolean;
    try {
      isHeld = this.call<boolean>({ name: 'lock', path });
    } catch (error) {
      throw error instanceof Killed ? error : storage('open', path, error);
    }
    if (!isHeld)
      throw new AsOfError('ERR_CORPUS_LOCKED', `Expected to be the only writer of ${path}.`);
    const lock = {
      locked: true,
      release: (): void => {
        if (lock.locked && !this.isDead) this.call({ name: 'unlock', path });
        lock.locked = false;
      },
    };
    return lock;
  }

  now(): number {
    return this.time;
  }

  /** Of a machine whose clock goes back now and then. */
  date(): number {
    return Math.floor(this.time) + 1000 * (Math.floor(this.time / 50) % 3);
  }

  randomId(bytes: number): string {
    return this.call({ name: 'randomId', path: '', amount: bytes });
  }

  async pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    this.call({ name: 'pause', path: '', amount: milliseconds });
    signal?.throwIfAborted();
  }

  private call<Value>(call: Omit<Call, 'kind'>): Value {
    this.checkAlive();
    const answer = this.channel.call<CallAnswer>({ kind: 'call', ...call });
    this.time = answer.now;
    if (answer.isKilled) this.isDead = true;
    this.checkAlive();
    if (answer.meanwhile) this.onMeanwhile(answer.meanwhile);
    if (answer.failure) throw errno(answer.failure, call.path);
    return answer.value as Value;
  }

  private checkAlive(): void {
    if (this.isDead) throw new Killed('killed');
  }

  private known(descriptor: number): Descriptor {
    const known = this.descriptors.get(descriptor);
    if (!known) throw errno('EBADF', `descriptor ${descriptor}`);
    return known;
  }
}

const errno = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: simulated, ${path}`), { code });

/** As the addon words failed calls. */
function storage(operation: string, path: string, cause: unknown): AsOfError {
  const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  return new AsOfError(
    isMissing ? 'ERR_NOT_FOUND' : 'ERR_STORAGE',
    `Expected to ${operation} ${path}, the system answered: ${(cause as Error).message}. Check the disk.`,
    { cause },
  );
}
