// A segment file that the addon refuses, or that has damaged sections, read section by section as
// far as its table says where they are. The layout is that of native/index/segment/segment.hpp.
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import { OpenFile } from '../format/files.js';
import { hashBytes } from '../passages/passages.js';

/**
 * Where a section is in the file. `checksum` is CRC32C of its blocks' checksums, absent if the
 * table has no entry of it.
 */
export interface SectionRange {
  offset: number;
  bytes: number;
  checksum?: number;
}

/** Sections begin at multiples of it, after the header; it is the size of a table's entry, too. */
const alignment = 64;
/** Entries that are looked for at the end of a file, more than a table has. */
const mostEntries = 64;
/** By the number of an element type. */
const elementBytes = [0, 1, 1, 2, 4, 4, 8, 8, 4, 8];
/** Bytes of a block that has a checksum of its own (native/core/block_checksums.hpp). */
const blockBytes = 1 << 16;
/** Bytes that are read at once, at most. */
const mostBytes = 2 ** 31 - 1;

const aligned = (offset: number): number => Math.ceil(offset / alignment) * alignment;

export class SegmentSections {
  private readonly wholes = new Map<string, boolean>();

  private constructor(
    private readonly file: OpenFile,
    /** Entries of the table that are plausible. */
    readonly table: ReadonlyMap<string, SectionRange>,
    /** The sections up to the hashes of records, whose places follow from the counts. */
    readonly computed: ReadonlyMap<string, SectionRange>,
  ) {}

  /** Undefined if there is no such file. @throws AsOfError ERR_STORAGE */
  static open(path: string): SegmentSections | undefined {
    const file = OpenFile.open(path);
    return file && new SegmentSections(file, tableOf(file), computedRanges(file));
  }

  /** Whether a section is the one that was written. */
  isWhole(name: string): boolean {
    let isWhole = this.wholes.get(name);
    if (isWhole === undefined) {
      const range = this.table.get(name);
      isWhole = range !== undefined && this.checksumOf(range) === range.checksum;
      this.wholes.set(name, isWhole);
    }
    return isWhole;
  }

  areWhole(...names: string[]): boolean {
    return names.every((name) => this.isWhole(name));
  }

  /** Bytes [from, from + count) of a section; none if they are more than fit into a buffer. */
  read(range: SectionRange, from = 0, count = range.bytes): Buffer {
    const length = Math.min(count, range.bytes - from);
    return readable(this.file, range.offset + from, length > mostBytes ? 0 : length);
  }

  close(): void {
    this.file.close();
  }

  private checksumOf(range: SectionRange): number {
    const blocks = new Uint32Array(Math.ceil(range.bytes / blockBytes));
    for (let block = 0; block < blocks.length; block += 1)
      blocks[block] = binding.crc32c(this.read(range, block * blockBytes, blockBytes));
    return binding.crc32c(new Uint8Array(blocks.buffer));
  }
}

/** Bytes of a file; zeros where the disk cannot read them, or where it has ended. */
function readable(file: OpenFile, offset: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  try {
    file.read(offset, count).copy(bytes);
  } catch (error) {
    if (!AsOfError.is(error)) throw error;
  }
  return bytes;
}

/** What looks like entries at the end of a file, before the blocks' checksums. */
function tableOf(file: OpenFile): Map<string, SectionRange> {
  const end = file.bytes - (file.bytes % alignment);
  // A checksum a block, and at most one more a section.
  const checksumBytes = 4 * (Math.ceil(file.bytes / blockBytes) + mostEntries);
  const most = mostEntries * alignment + checksumBytes;
  const start = Math.max(0, end - aligned(most));
  const entries = new Map<string, SectionRange>();
  const table = readable(file, start, end - start);
  for (let at = 0; at < table.length; at += alignment) {
    const name = /^([\w.]{1,39})\0+$/.exec(table.toString('latin1', at, at + 40))?.[1];
    const width = elementBytes[table.readUInt32LE(at + 40)] ?? 0;
    const offset = Number(table.readBigUInt64LE(at + 48));
    const bytes = width * Number(table.readBigUInt64LE(at + 56));
    if (name === undefined || width === 0 || offset % alignment !== 0 || offset + bytes > end)
      continue;
    entries.set(name, { offset, bytes, checksum: table.readUInt32LE(at + 44) });
  }
  return entries;
}

/** The first sections, of a file without its table, such as a truncated one, as far as it goes. */
function computedRanges(file: OpenFile): Map<string, SectionRange> {
  const ranges = new Map<string, SectionRange>();
  const counts = readable(file, alignment, 24);
  const [passages, , rows] = [0, 8, 16].map((at) => Number(counts.readBigUInt64LE(at)));
  if (!(passages! > 0 && passages! <= rows! && rows! < 2 ** 32)) return ranges;
  let offset = alignment;
  const add = (name: string, bytes: number): void => {
    const left = Math.max(0, file.bytes - offset);
    if (left > 0) ranges.set(name, { offset, bytes: Math.min(bytes, left) });
    offset = aligned(offset + bytes);
  };
  /** Texts end to end, whose length is the last of their offsets. */
  const addTexts = (name: string): void => {
    add(`${name}_offset`, 8 * (passages! + 1));
    const end = (ranges.get(`${name}_offset`)?.offset ?? file.bytes) + 8 * passages!;
    add(name, Number(readable(file, end, 8).readBigUInt64LE(0)));
  };
  add('counts', 64);
  add('rows.passage', 4 * rows!);
  add('rows.sentence', 8 * rows!);
  addTexts('passages.id');
  addTexts('passages.record');
  add('passages.hash', hashBytes * passages!);
  return ranges;
}
