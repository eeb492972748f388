// Partial downloads: files claimed by an atomic rename, so that no lock is needed.
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileFacts } from './request.js';
import { createHash } from '../../runtime/digest.js';

const host =
  hostname()
    .replace(/[^\w-]/g, '_')
    .slice(0, 40) || 'host';
let count = 0;

export class Partial {
  /** Bytes so far. */
  bytes = 0;
  private handle: FileHandle | undefined;

  private constructor(
    private readonly own: string,
    private readonly shared: string | undefined,
  ) {}

  /** The partial file of an earlier download of `content`, else an empty one. */
  static async claim(folder: string, content: string | undefined): Promise<Partial> {
    await mkdir(folder, { recursive: true });
    const key =
      content === undefined
        ? 'unnamed'
        : createHash('sha256').update(content).digest('hex').slice(0, 24);
    const shared = content === undefined ? undefined : join(folder, `${key}.part`);
    const partial = new Partial(
      join(folder, `${key}.part.${host}.${process.pid}.${(count += 1)}`),
      shared,
    );
    if (shared !== undefined) {
      for (const left of [shared, ...(await orphans(folder, `${key}.part.`))]) {
        const taken = await rename(left, partial.own).then(
          () => true,
          () => false,
        ); // missing, or claimed by another process
        if (taken) break;
      }
      partial.bytes = (await stat(partial.own).catch(() => undefined))?.size ?? 0;
    }
    return partial;
  }

  async append(chunk: Uint8Array): Promise<void> {
    this.handle ??= await open(this.own, this.bytes > 0 ? 'r+' : 'w');
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await this.handle.write(chunk, at, chunk.length - at, this.bytes);
      at += bytesWritten;
      this.bytes += bytesWritten;
    }
  }

  /** Drops every byte. */
  async restart(): Promise<void> {
    await this.closeHandle();
    this.bytes = 0;
    await rm(this.own, { force: true });
  }

  /** Whether the bytes are those of the checksum; true where there is none. */
  async matches(checksum: FileFacts['checksum']): Promise<boolean> {
    return !checksum || (await hasChecksum(this.own, this.bytes, checksum));
  }

  /** The first bytes, as text of one byte a character. */
  async opening(): Promise<string> {
    if (this.bytes === 0) return '';
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(this.own, { end: 99 })) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  }

  /** Renames it to `target`, atomically. */
  async finish(target: string): Promise<void> {
    this.handle ??= await open(this.own, this.bytes > 0 ? 'r+' : 'w');
    await this.handle.sync();
    await this.closeHandle();
    await mkdir(dirname(target), { recursive: true });
    await rename(this.own, target);
  }

  /** Releases the bytes for a later download. No effect after finish(). */
  async release(): Promise<void> {
    await this.closeHandle();
    if (this.shared !== undefined && this.bytes > 0)
      await rename(this.own, this.shared).catch(() => undefined); // finished
    else await rm(this.own, { force: true });
  }

  private async closeHandle(): Promise<void> {
    await this.handle?.close();
    this.handle = undefined;
  }
}

/** Whether a file has this size and checksum. */
export async function hasChecksum(
  file: string,
  bytes: number,
  { algorithm, hex }: NonNullable<FileFacts['checksum']>,
): Promise<boolean> {
  if ((await stat(file).catch(() => undefined))?.size !== bytes) return false;
  const hash =
    algorithm === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${bytes}\0`);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex') === hex;
}

/** Partial files of processes of this machine that crashed. */
async function orphans(folder: string, prefix: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  return names
    .filter((name) => {
      const [ofHost, pid] = name.slice(prefix.length).split('.');
      return ofHost === host && !alive(Number(pid));
    })
    .map((name) => join(folder, name));
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0); // tests for existence, sends no signal
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
