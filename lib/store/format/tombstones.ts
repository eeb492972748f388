// Tombstones of a segment: which of its passages are live, and in corpora with history when the
// others ended. A file has the bitmap, then of each passage that ended since the segment was
// written its number (u32) and the time (f64), little-endian.
import { join } from 'node:path';
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import { corrupt, readFile } from './files.js';
import { tombstoneFile, type SegmentEntry } from './manifest.js';

/** Passages that were replaced or deleted, ascending, and when: UTC epoch milliseconds. */
export interface Ended {
  passages: Uint32Array;
  times: Float64Array;
}

export interface Tombstones {
  /** Bit p % 8 of byte p >> 3 is set if passage p is live. */
  live: Uint8Array;
  ended: Ended;
}

export const noneEnded: Ended = { passages: new Uint32Array(), times: new Float64Array() };

const bitmapBytes = (passages: number): number => Math.ceil(passages / 8);
const endBytes = 12;
/** Bytes of the tombstones of a segment, at most. */
export const maxTombstoneBytes = (passages: number): number =>
  bitmapBytes(passages) + endBytes * passages;

export function tombstoneBytes({ live, ended }: Tombstones): Uint8Array {
  const { passages, times } = ended;
  const bytes = new Uint8Array(live.length + endBytes * passages.length);
  bytes.set(live);
  const view = new DataView(bytes.buffer, live.length);
  passages.forEach((passage, at) => view.setUint32(endBytes * at, passage, true));
  times.forEach((time, at) => view.setFloat64(endBytes * at + 4, time, true));
  return bytes;
}

/** Tombstones of a file's content; undefined if it contradicts itself. */
export function parseTombstones(content: Uint8Array, passages: number): Tombstones | undefined {
  const bitmap = bitmapBytes(passages);
  const count = (content.length - bitmap) / endBytes;
  if (!Number.isInteger(count) || count < 0 || count > passages) return undefined;
  const live = content.subarray(0, bitmap);
  if (passages % 8 > 0 && live[bitmap - 1]! >> (passages % 8) !== 0) return undefined;
  const view = new DataView(content.buffer, content.byteOffset + bitmap, endBytes * count);
  const ended = { passages: new Uint32Array(count), times: new Float64Array(count) };
  for (let at = 0; at < count; at += 1) {
    const passage = view.getUint32(endBytes * at, true);
    const time = view.getFloat64(endBytes * at + 4, true);
    const isNext = passage < passages && (at === 0 || passage > ended.passages[at - 1]!);
    if (!isNext || isLive(live, passage) || !Number.isFinite(time)) return undefined;
    ended.passages[at] = passage;
    ended.times[at] = time;
  }
  return { live, ended };
}

/**
 * The tombstones that an entry names; undefined if it names none. The entry is that of the manifest
 * in force, the folder that of the segments.
 * @throws AsOfError ERR_NOT_FOUND if the file is gone; ERR_CORPUS_CORRUPT
 */
export function readTombstones(entry: SegmentEntry, folder: string): Tombstones | undefined {
  const { tombstones, passages, deleted } = entry;
  if (!tombstones) return undefined;
  const path = join(folder, tombstoneFile(entry));
  const content = readFile(path, maxTombstoneBytes(passages) + 1);
  if (!content) throw new AsOfError('ERR_NOT_FOUND', `Expected a file at ${path}, found none.`);
  const isWhole = binding.crc32c(content) === tombstones.checksum;
  const read = isWhole ? parseTombstones(content, passages) : undefined;
  if (read && liveIn(read.live) === passages - deleted) return read;
  throw corrupt(
    `${path} to say which ${passages - deleted} of ${passages} passages are live`,
    'another content',
  );
}

/** Ended passages of both, of which none is the other's. */
export function mergeEnded(a: Ended, b: Ended): Ended {
  const count = a.passages.length + b.passages.length;
  const merged = { passages: new Uint32Array(count), times: new Float64Array(count) };
  for (let [i, j, at] = [0, 0, 0]; at < count; at += 1) {
    const isFirst = !(a.passages[i]! > b.passages[j]!) && i < a.passages.length;
    const [from, place] = isFirst ? [a, i++] : [b, j++];
    merged.passages[at] = from.passages[place]!;
    merged.times[at] = from.times[place]!;
  }
  return merged;
}

/** Passages that ended at one time, in any order. */
export const endedAt = (passages: readonly number[], time: number): Ended => ({
  passages: Uint32Array.from(passages).sort(),
  times: new Float64Array(passages.length).fill(time),
});

/** The ended passages of a column of times by passage, NaN of a live one. */
export function endedOfColumn(column: Float64Array): Ended {
  const passages = new Uint32Array(column.length);
  let count = 0;
  for (let passage = 0; passage < column.length; passage += 1)
    if (!Number.isNaN(column[passage]!)) passages[count++] = passage;
  return {
    passages: passages.slice(0, count),
    times: Float64Array.from(passages.subarray(0, count), (passage) => column[passage]!),
  };
}

export const isLive = (live: Uint8Array, passage: number): boolean =>
  (live[passage >> 3]! & (1 << (passage & 7))) !== 0;

/** The bitmap of a segment in which all passages are live. */
export function allLive(passages: number): Uint8Array {
  const bits = new Uint8Array(bitmapBytes(passages)).fill(255);
  if (passages % 8 > 0) bits[bits.length - 1] = 2 ** (passages % 8) - 1;
  return bits;
}

export function withPassages(live: Uint8Array, passages: ArrayLike<number>): Uint8Array {
  const bits = Uint8Array.from(live);
  for (let at = 0; at < passages.length; at += 1)
    bits[passages[at]! >> 3]! |= 1 << (passages[at]! & 7);
  return bits;
}

export function withoutPassages(live: Uint8Array, passages: ArrayLike<number>): Uint8Array {
  const bits = Uint8Array.from(live);
  for (let at = 0; at < passages.length; at += 1)
    bits[passages[at]! >> 3]! &= ~(1 << (passages[at]! & 7));
  return bits;
}

/** Bits that are set. */
export function liveIn(bits: Uint8Array): number {
  let live = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) live += 1;
  return live;
}
