// Open segment files of a corpus, reference-counted: kept while a snapshot uses them or the current
// manifest names them. Holds their live-docs bitmaps and caches.
import { join, basename } from 'node:path';
import { binding, withCancellation } from '../../binding.js';
import type { Cancellation, OutputFile, Segment } from '../../../binding.js';
import type { AsOfError } from '../../errors.js';
import { CacheRegistry } from '../../runtime/cacheRegistry.js';
import type { Device } from '../../vectors/device.js';
import { corrupt, mapFile, NewFile } from './files.js';
import { segmentFile, segmentIdentity, tombstoneFile, type SegmentEntry } from './manifest.js';
import { hashBytes } from '../passages/passages.js';
import { noneEnded, readTombstones, type Ended, type Tombstones } from './tombstones.js';

/** The number of no passage. */
export const noPassage = 0xffffffff;

/** Sections of the passages that had ended when a segment was written: u32 and f64. */
export const endedSections = { passages: 'passages.ended', times: 'passages.ended_at' };

/** Concatenated UTF-8 ids, or other bytes, and the end of each. */
export interface IdBytes {
  bytes: Buffer;
  ends: Uint32Array;
}

/** The bytes of a passage in a section of `length` that has offsets of passages. */
export function passageBytes(
  segment: Segment,
  section: string,
  local: number,
  length = Infinity,
): Buffer {
  const [start, end] = segment.read(`${section}_offset`, local, 2) as BigUint64Array;
  if (end! < start! || end! > length) throw wrongOffsets(segment, `${section}_offset`);
  const bytes = segment.read(section, Number(start), Number(end! - start!)) as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

export class OpenSegment {
  users = 0;
  readonly identity: string;
  /** Mapped derived columns, by the key of their spec. */
  readonly derived = new Map<string, Segment>();
  /** Caches of this segment's data, freed when it is closed. */
  readonly caches: CacheRegistry<Segment>;
  private lengths: Map<string, number> | undefined;
  private latest: { file: string; tombstones: Tombstones } | undefined;
  private endedBefore: Ended | undefined;

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
      multiSentence !== entry.multiSentence ||
      rows !== entry.rows ||
      native.bytes !== entry.bytes ||
      native.checksum !== entry.checksum
    ) {
      native.close();
      throw corrupt(
        `segment ${segmentFile(entry)} to have ${entry.passages} passages, ${entry.rows} rows and ` +
          `${entry.bytes} bytes, as in the manifest`,
        `${passages}, ${rows} and ${native.bytes}, or another content`,
      );
    }
    this.identity = segmentIdentity(entry);
    this.caches = new CacheRegistry(native);
  }

  /** The id of a local passage. */
  id(local: number): string {
    return this.text('passages.id', local).toString('utf8');
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
    return this.bytesOfEach('passages.id', locals);
  }

  private bytesOfEach(section: string, locals: ArrayLike<number>): IdBytes | undefined {
    const ranges = this.rangesOf(section, locals);
    if (!ranges) return undefined;
    const ends = new Uint32Array(locals.length);
    for (let i = 0, end = 0; i < ends.length; i += 1) ends[i] = end += ranges[2 * i + 1]!;
    const { buffer } = this.native.readEach(section, ranges) as Uint8Array;
    return { bytes: Buffer.from(buffer), ends };
  }

  /** Offset and length of texts; undefined where one ends beyond 32-bit offsets. */
  private rangesOf(section: string, locals: ArrayLike<number>): Uint32Array | undefined {
    const ranges = new Uint32Array(2 * locals.length);
    for (let i = 0; i < locals.length; i += 1) [ranges[2 * i], ranges[2 * i + 1]] = [locals[i]!, 2];
    const offsets = this.native.readEach(`${section}_offset`, ranges) as BigUint64Array;
    // By halves, low first as in the file: a bigint each would cost more than the read.
    const halves = new Uint32Array(offsets.buffer, offsets.byteOffset, 2 * offsets.length);
    const boundary = (at: number): number => halves[2 * at + 1]! * 2 ** 32 + halves[2 * at]!;
    for (let i = 0; i < locals.length; i += 1) {
      const [from, to] = [boundary(2 * i), boundary(2 * i + 1)];
      if (to < from || to > this.lengthOf(section))
        throw wrongOffsets(this.native, `${section}_offset`);
      if (to > 0xffffffff) return undefined;
      [ranges[2 * i], ranges[2 * i + 1]] = [from, to - from];
    }
    return ranges;
  }

  /** The record of a local passage: JSON text. */
  record(local: number): string {
    return this.text('passages.record', local).toString('utf8');
  }

  /** The packed statements of local passages; undefined in a segment without. */
  statements(locals: readonly number[]): Uint8Array[] | undefined {
    const section = 'passages.statement';
    if (this.lengthOf(`${section}_offset`) === 0) return undefined;
    const each = this.bytesOfEach(section, locals);
    if (!each) return locals.map((local) => this.text(section, local));
    const { bytes, ends } = each;
    return locals.map((_, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]));
  }

  /** The hash that a record was stored with. */
  hash(local: number): Buffer {
    return Buffer.from(
      this.native.read('passages.hash', hashBytes * local, hashBytes) as Uint8Array,
    );
  }

  /** The live version of each id, without `liveDocs` the oldest; else `noPassage`. */
  find(ids: readonly string[], liveDocs: Uint8Array | undefined): Uint32Array {
    return binding.findPassages(this.native, ids, liveDocs);
  }

  private text(section: string, local: number): Buffer {
    return passageBytes(this.native, section, local, this.lengthOf(section));
  }

  private lengthOf(section: string): number {
    this.lengths ??= new Map(this.native.sections().map(({ name, count }) => [name, count]));
    return this.lengths.get(section) ?? 0;
  }

  /** As `readTombstones`, once for each file. */
  tombstones(entry: SegmentEntry, folder: string): Tombstones | undefined {
    const file = entry.tombstones && tombstoneFile(entry);
    if (file !== undefined && this.latest?.file === file) return this.latest.tombstones;
    const tombstones = readTombstones(entry, folder);
    if (tombstones) this.latest = { file: file!, tombstones };
    return tombstones;
  }

  /** Passages that had ended when the segment was written, by a merge that kept them. */
  ended(): Ended {
    return (this.endedBefore ??=
      this.lengthOf(endedSections.passages) === 0
        ? noneEnded
        : {
            passages: this.native.read(endedSections.passages) as Uint32Array,
            times: this.native.read(endedSections.times) as Float64Array,
          });
  }
}

/** What tells a segment's file from all others: its size and its checksum. */
export interface Seal {
  bytes: number;
  checksum: number;
}

/** Writes a segment's file, which is yet to be synced. */
export async function writeSegment(
  path: string,
  signal: AbortSignal | undefined,
  write: (file: OutputFile, cancellation: Cancellation) => Promise<void>,
): Promise<{ file: NewFile; seal: Seal }> {
  const file = await NewFile.write(path, (output) =>
    withCancellation(signal, (cancellation) => write(output, cancellation)),
  );
  try {
    return { file, seal: sealOf(path) };
  } catch (error) {
    file.discard();
    throw error;
  }
}

export function sealOf(path: string): Seal {
  const file = mapFile(path);
  try {
    return { bytes: file.bytes, checksum: file.checksum };
  } finally {
    file.close();
  }
}

export class OpenSegments {
  /** By identity. */
  private readonly segments = new Map<string, OpenSegment>();
  private current = new Set<string>();
  /** Caches of the corpus's data, freed by `closeAll`. */
  readonly caches = new CacheRegistry<unknown>(undefined);

  constructor(
    readonly folder: string,
    /** Device of vector searches. */
    readonly device: Device,
  ) {}

  /** Counts a use of each, until release(). @throws AsOfError ERR_NOT_FOUND */
  acquire(entries: readonly SegmentEntry[]): OpenSegment[] {
    const acquired: OpenSegment[] = [];
    try {
      for (const entry of entries) {
        let segment = this.segments.get(segmentIdentity(entry));
        if (!segment) {
          segment = new OpenSegment(mapFile(join(this.folder, segmentFile(entry))), entry);
          this.segments.set(segment.identity, segment);
        }
        segment.users += 1;
        acquired.push(segment);
      }
    } catch (error) {
      this.release(acquired);
      throw error;
    }
    this.current = new Set(entries.map(segmentIdentity));
    return acquired;
  }

  /** A segment of a temporary file, in use until release(). */
  adopt(native: Segment, entry: SegmentEntry): OpenSegment {
    const segment = new OpenSegment(native, entry);
    segment.users = 1;
    this.segments.set(segment.identity, segment);
    return segment;
  }

  release(segments: readonly OpenSegment[]): void {
    for (const segment of segments) {
      segment.users -= 1;
      if (segment.users === 0 && !this.current.has(segment.identity)) this.close(segment);
    }
    for (const segment of this.segments.values())
      if (segment.users === 0 && !this.current.has(segment.identity)) this.close(segment);
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
    this.segments.delete(segment.identity);
  }
}

/** The error for offsets that do not ascend or lead beyond the section that they are of. */
export const wrongOffsets = (segment: Segment, section: string): AsOfError =>
  corrupt(`ascending offsets in section ${section} of ${basename(segment.path)}`, 'others');
