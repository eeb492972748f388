// Open segment files of a corpus, reference-counted: kept while a snapshot uses them or the current
// manifest names them. Holds their live-docs bitmaps and caches.
import { join } from 'node:path';
import { binding } from '../binding.js';
import type { Segment } from '../../binding.js';
import { AsOfError } from '../errors.js';
import { CacheRegistry } from '../runtime/cacheRegistry.js';
import type { Device } from '../vectors/device.js';
import type { SegmentEntry } from './manifest.js';

const none = 0xffffffff;

/** Concatenated UTF-8 ids, and the end of each. */
export interface IdBytes {
  bytes: Buffer;
  ends: Uint32Array;
}

export class OpenSegment {
  users = 0;
  /** By local passage, cached: a read of its own would cost more than the record itself. */
  private ordinals: Uint32Array | undefined;
  /** Mapped derived columns, by the key of their spec. */
  readonly derived = new Map<string, Segment>();
  /** Caches of this segment's data, freed when it is closed. */
  readonly caches: CacheRegistry<Segment>;
  private inverse: Uint32Array | undefined;
  private bitmap: { deleted: number; bits: Uint8Array } | undefined;

  constructor(
    readonly native: Segment,
    readonly entry: SegmentEntry,
  ) {
    const [passages, multiSentence, rows] = Array.from(
      native.read('counts') as BigUint64Array,
      Number,
    );
    if (
      passages !== entry.passages ||
      multiSentence !== entry.several ||
      rows !== entry.rows ||
      native.bytes !== entry.bytes
    ) {
      native.close();
      throw new AsOfError(
        'ERR_CORPUS_CORRUPT',
        `Expected segment ${entry.file} to have ${entry.passages} passages, ${entry.rows} rows and ` +
          `${entry.bytes} bytes, as in the manifest, found ${passages}, ${rows} and ` +
          `${native.bytes}. ` +
          'Restore the corpus from a backup, or index it again.',
      );
    }
    this.caches = new CacheRegistry(native);
  }

  /** The id of a local passage. */
  id(local: number): string {
    const [start, end] = this.native.read('passages.id_offset', local, 2) as BigUint64Array;
    return Buffer.from(
      this.native.read('passages.id', Number(start), Number(end! - start!)) as Uint8Array,
    ).toString('utf8');
  }

  /** Ids of many passages, in two reads. */
  ids(locals: ArrayLike<number>): string[] {
    const idBytes = this.idBytes(locals);
    if (!idBytes) return Array.from(locals, (local) => this.id(local));
    const { bytes, ends } = idBytes;
    return Array.from(locals, (_, i) =>
      bytes.toString('utf8', i === 0 ? 0 : ends[i - 1]!, ends[i]),
    );
  }

  /** Their UTF-8 bytes; undefined if the file is too large for 32-bit offsets. */
  idBytes(locals: ArrayLike<number>): IdBytes | undefined {
    const ranges = new Uint32Array(2 * locals.length);
    for (let i = 0; i < locals.length; i += 1) [ranges[2 * i], ranges[2 * i + 1]] = [locals[i]!, 2];
    const offsets = this.native.readEach('passages.id_offset', ranges) as BigUint64Array;
    // By halves, low first as in the file: a bigint each would cost more than the read.
    const halves = new Uint32Array(offsets.buffer, offsets.byteOffset, 2 * offsets.length);
    const boundary = (at: number): number => halves[2 * at + 1]! * 2 ** 32 + halves[2 * at]!;
    for (let i = 0; i < locals.length; i += 1) {
      const [from, to] = [boundary(2 * i), boundary(2 * i + 1)];
      if (to > 0xffffffff) return undefined;
      [ranges[2 * i], ranges[2 * i + 1]] = [from, to - from];
    }
    const ends = new Uint32Array(locals.length);
    for (let i = 0, end = 0; i < ends.length; i += 1) ends[i] = end += ranges[2 * i + 1]!;
    return {
      bytes: Buffer.from((this.native.readEach('passages.id', ranges) as Uint8Array).buffer),
      ends,
    };
  }

  ordinal(local: number): number {
    this.ordinals ??= this.native.read('passages.ordinal') as Uint32Array;
    return this.ordinals[local]!;
  }

  /** The local passage of an ordinal; undefined if it is not in this segment. */
  local(ordinal: number): number | undefined {
    const { firstOrdinal, endOrdinal } = this.entry;
    if (!this.inverse) {
      this.inverse = new Uint32Array(endOrdinal - firstOrdinal).fill(none);
      (this.native.read('passages.ordinal') as Uint32Array).forEach(
        (each, local) => void (this.inverse![each - firstOrdinal] = local),
      );
    }
    const local = this.inverse[ordinal - firstOrdinal];
    return local === none ? undefined : local;
  }

  /**
   * Bit p % 8 of byte p >> 3 is set if passage p is live; undefined if all are. `deleted` is the
   * manifest's count of tombstones, which `ordinals` reads.
   */
  liveDocs(deleted: number, ordinals: () => Iterable<number>): Uint8Array | undefined {
    if (deleted === 0) return undefined;
    if (this.bitmap?.deleted !== deleted) {
      const { passages } = this.entry;
      const bits = new Uint8Array(Math.ceil(passages / 8)).fill(255);
      if (passages % 8 > 0) bits[bits.length - 1] = 2 ** (passages % 8) - 1;
      for (const ordinal of ordinals()) {
        const local = this.local(ordinal);
        if (local !== undefined) bits[local >> 3]! &= ~(1 << (local % 8));
      }
      this.bitmap = { deleted, bits };
    }
    return this.bitmap.bits;
  }
}

export class OpenSegments {
  private readonly segments = new Map<number, OpenSegment>();
  private current = new Set<number>();
  /** Caches of the corpus's data, freed by `closeAll`. */
  readonly caches = new CacheRegistry<unknown>(undefined);

  constructor(
    private readonly folder: string,
    /** Device of vector searches. */
    readonly device: Device,
  ) {}

  /**
   * Opens segments and counts a use of each, until release().
   * @throws AsOfError ERR_NOT_FOUND if a file is gone
   */
  acquire(entries: readonly SegmentEntry[]): OpenSegment[] {
    const acquired: OpenSegment[] = [];
    try {
      for (const entry of entries) {
        let segment = this.segments.get(entry.number);
        if (!segment) {
          segment = new OpenSegment(binding.Segment.open(join(this.folder, entry.file)), entry);
          this.segments.set(entry.number, segment);
        }
        segment.users += 1;
        acquired.push(segment);
      }
    } catch (error) {
      this.release(acquired);
      throw error;
    }
    this.current = new Set(entries.map((entry) => entry.number));
    return acquired;
  }

  release(segments: readonly OpenSegment[]): void {
    for (const segment of segments) {
      segment.users -= 1;
      if (segment.users === 0 && !this.current.has(segment.entry.number)) this.close(segment);
    }
    for (const segment of this.segments.values())
      if (segment.users === 0 && !this.current.has(segment.entry.number)) this.close(segment);
  }

  /** Closes all segments and frees the caches; running tasks keep their mappings. */
  closeAll(): void {
    for (const segment of this.segments.values()) this.close(segment);
    this.current.clear();
    this.caches.release();
  }

  private close(segment: OpenSegment): void {
    segment.native.close();
    for (const file of segment.derived.values()) file.close();
    segment.derived.clear();
    segment.caches.release();
    this.segments.delete(segment.entry.number);
  }
}
