// The segment container: what is written is read back, and every kind of damage, foreign or later
// file is refused by name.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SectionArray } from '../../binding.js';
import { binding } from '../../lib/binding.js';
import { AsOfError } from '../../lib/errors.js';
import { anywhere } from '../anywhere.js';
import { writeSegmentFile } from '../segmentFiles.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

const { Segment, Cancellation, crc32c } = binding;
const headerBytes = 64;

const sections: { name: string; data: SectionArray }[] = [
  { name: 'counts', data: BigUint64Array.of(3n, 1n, 5n, 0n, 2n, 256n, 0n, 0n) },
  { name: 'empty', data: new Float32Array(0) },
  { name: 'vectors.f32', data: Float32Array.from({ length: 3000 }, (_, i) => i / 7) },
  { name: 'bytes', data: Uint8Array.from({ length: 4097 }, (_, i) => i) },
  { name: 'ticks', data: Int32Array.of(-1, 0, 2 ** 31 - 1) },
];

function code(expected: string, words: RegExp = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(AsOfError.is(error), String(error));
    assert.equal(error.code, expected, error.message);
    assert.match(error.message, words);
    return true;
  };
}

describe('segment files', () => {
  const folder = temporaryFolder();
  let file: string;
  before(async () => {
    file = folder.path('whole.seg');
    await writeSegmentFile(file, sections);
  });

  const damaged = (change: (bytes: Buffer) => Buffer): string => {
    const path = folder.path('damaged.seg');
    writeFileSync(path, change(readFileSync(file)));
    return path;
  };
  /** Sets a header field and makes the header's checksum hold again. */
  const withHeader = (change: (bytes: Buffer) => void): string =>
    damaged((bytes) => {
      change(bytes);
      bytes.writeUInt32LE(crc32c(bytes.subarray(0, 60)), 60);
      return bytes;
    });

  it('gives back what was written', async () => {
    const segment = Segment.open(file);
    assertEach(
      segment.sections(),
      (each) => each.name,
      sections.map((each) => each.name),
    );
    for (const { name, data } of sections) assert.deepEqual(segment.read(name), data);
    assert.deepEqual(
      segment.read('vectors.f32', 10, 5),
      (sections[2]!.data as Float32Array).slice(10, 15),
    );
    assert.ok(segment.sections().every((each) => each.offset % 64 === 0));
    assert.equal(segment.bytes, readFileSync(file).length);
    assert.equal(segment.path, file);
    await segment.verify();
    segment.close();
  });

  it('honours views that do not start at their buffer', async () => {
    const path = folder.path('view.seg');
    const whole = Float64Array.from({ length: 64 }, (_, i) => i);
    await writeSegmentFile(path, [{ name: 'view', data: whole.subarray(3, 11) }]);
    assert.deepEqual(Segment.open(path).read('view'), whole.slice(3, 11));
  });

  it('any sections come back (property)', async () => {
    const array = fc.oneof(
      fc.uint8Array({ maxLength: 9000 }),
      fc.float32Array({ maxLength: 600 }),
      fc.float64Array({ maxLength: 600 }),
      fc.uint32Array({ maxLength: 600 }),
      fc.int32Array({ maxLength: 600 }),
      fc.uint16Array({ maxLength: 600 }),
      fc.int8Array({ maxLength: 600 }),
      fc.bigInt64Array({ maxLength: 60 }),
    );
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(array, { maxLength: 12 }), async (arrays) => {
        const path = folder.path(`property${(number += 1)}.seg`);
        await writeSegmentFile(
          path,
          arrays.map((data, i) => ({ name: `section ${i}`, data })),
        );
        const segment = Segment.open(path);
        await segment.verify();
        arrays.forEach((data, i) => assert.deepEqual(segment.read(`section ${i}`), data));
        segment.close();
      }),
      { numRuns: 30 },
    );
  });

  it('refuses a file that was truncated anywhere', () => {
    const length = readFileSync(file).length;
    const segment = Segment.open(file);
    const boundaries = segment
      .sections()
      .flatMap((each) => [each.offset, each.offset + each.bytes]);
    const cuts = [
      0,
      1,
      7,
      8,
      63,
      64,
      65,
      length - 1,
      length - 64,
      ...boundaries,
      ...anywhere(50, length),
    ];
    for (const cut of cuts.filter((each) => each < length)) {
      const path = folder.path('truncated.seg');
      copyFileSync(file, path);
      truncateSync(path, cut);
      const lengths =
        cut < headerBytes
          ? new RegExp(`64 bytes.* a file of ${cut} bytes`)
          : new RegExp(`Expected ${length} bytes.*found ${cut} bytes`);
      assert.throws(() => Segment.open(path), code('ERR_CORPUS_CORRUPT', lengths));
    }
    assert.throws(
      () => Segment.open(damaged((bytes) => Buffer.concat([bytes, Buffer.of(0)]))),
      code('ERR_CORPUS_CORRUPT', /bytes/),
    );
  });

  it('refuses any changed byte of the header and the table', () => {
    const tableOffset = Number(readFileSync(file).readBigUInt64LE(24));
    const places = [
      ...Array.from({ length: headerBytes }, (_, i) => i),
      ...Array.from({ length: sections.length * 64 }, (_, i) => tableOffset + i),
    ];
    for (const at of places) {
      const path = damaged((whole) => {
        whole[at]! ^= 0x11;
        return whole;
      });
      assert.throws(
        () => Segment.open(path),
        code(at < 8 ? 'ERR_CORPUS_FOREIGN' : 'ERR_CORPUS_CORRUPT'),
        `byte ${at}`,
      );
    }
  });

  it('refuses headers that lie with a checksum that holds', () => {
    assert.throws(
      () => Segment.open(withHeader((bytes) => bytes.writeUInt32LE(3, 8))),
      code('ERR_CORPUS_NEWER', /version 2 or older.*found version 3/),
    );
    assert.throws(
      () => Segment.open(withHeader((bytes) => bytes.writeUInt32LE(1, 8))),
      code('ERR_CORPUS_CORRUPT', /table of sections and their checksums/),
    );
    assert.throws(
      () => Segment.open(withHeader((bytes) => bytes.writeUInt32LE(0xffffffff, 12))),
      code('ERR_CORPUS_CORRUPT', /table/),
    );
    assert.throws(
      () => Segment.open(withHeader((bytes) => bytes.writeBigUInt64LE(2n ** 64n - 64n, 24))),
      code('ERR_CORPUS_CORRUPT', /table/),
    );
    assert.throws(
      () => Segment.open(withHeader((bytes) => bytes.writeBigUInt64LE(0n, 24))),
      code('ERR_CORPUS_CORRUPT', /table/),
    );
  });

  it('refuses table entries that point outside the file', () => {
    const lying = (change: (bytes: Buffer, entry: number) => void): string =>
      withHeader((bytes) => {
        const table = Number(bytes.readBigUInt64LE(24));
        change(bytes, table + 2 * 64);
        const entries = bytes.subarray(table, table + 64 * sections.length);
        bytes.writeUInt32LE(crc32c(entries), 32);
      });
    const wrong = [
      // count times 4 overflows
      (bytes: Buffer, entry: number) => bytes.writeBigUInt64LE(2n ** 62n, entry + 56),
      (bytes: Buffer, entry: number) => bytes.writeBigUInt64LE(2n ** 40n, entry + 48),
      (bytes: Buffer, entry: number) => bytes.writeBigUInt64LE(4097n, entry + 48),
      (bytes: Buffer, entry: number) => bytes.writeUInt32LE(99, entry + 40),
      (bytes: Buffer, entry: number) => bytes.fill(65, entry, entry + 40),
      (bytes: Buffer, entry: number) => bytes.fill(0, entry, entry + 40),
      // where the section before it lies
      (bytes: Buffer, entry: number) => bytes.copy(bytes, entry + 48, entry - 80, entry - 72),
      // the name before it
      (bytes: Buffer, entry: number) => bytes.copy(bytes, entry, entry - 64, entry - 24),
    ];
    for (const change of wrong)
      assert.throws(
        () => Segment.open(lying((bytes, entry) => void change(bytes, entry))),
        code('ERR_CORPUS_CORRUPT'),
      );
  });

  it('refuses what is not a segment', () => {
    assert.throws(
      () => Segment.open(folder.path('nothing.seg')),
      code('ERR_NOT_FOUND', /nothing\.seg/),
    );
    assert.throws(() => Segment.open(join(file, 'below.seg')), code('ERR_NOT_FOUND'));
    assert.throws(() => Segment.open(folder.path()), code('ERR_CORPUS_FOREIGN', /regular file/));
    assert.throws(
      () =>
        Segment.open(
          damaged(() =>
            Buffer.from('PK\x03\x04 an archive of some kind, long enough for a header of 64 bytes'),
          ),
        ),
      code('ERR_CORPUS_FOREIGN'),
    );
    assert.throws(() => Segment.open(undefined as never), code('ERR_INVALID_ARGUMENT'));
    assert.throws(() => Segment.open(5 as never), code('ERR_INVALID_ARGUMENT'));
  });

  it('refuses sections that cannot be written, and leaves nothing', async () => {
    const path = folder.path('refused.seg');
    const data = new Uint8Array(8);
    const detached = new Float32Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const synchronous: unknown[] = [
      undefined,
      [5],
      [{ name: 'a' }],
      [{ name: 'a', data: [1] }],
      [{ name: 5, data }],
      [{ name: 'a', data: new Int16Array(2) }],
      [{ name: 'a', data: detached }],
    ];
    const output = { descriptor: 1, path: folder.path('output') };
    writeFileSync(output.path, ''); // Windows opens it by its path
    for (const given of synchronous)
      assert.throws(
        () => void binding.writeSegment(output, given as never),
        code('ERR_INVALID_ARGUMENT'),
      );
    for (const names of [[''], ['x'.repeat(40)], ['a', 'a'], ['a\0b']]) {
      await assert.rejects(
        writeSegmentFile(
          path,
          names.map((name) => ({ name, data })),
        ),
        code('ERR_INVALID_ARGUMENT', /names/),
      );
    }
    for (const given of [path, null, {}, { path }, { descriptor: -1, path }, { descriptor: 1 }])
      assert.throws(
        () => void binding.writeSegment(given as never, sections),
        code('ERR_INVALID_ARGUMENT'),
      );
    if (process.platform !== 'win32')
      assert.throws(
        () => void binding.writeSegment({ descriptor: 999_999, path }, sections),
        code('ERR_STORAGE'),
      );
  });

  it('an aborted write leaves nothing; an aborted verification rejects', async () => {
    const cancelled = new Cancellation();
    cancelled.cancel();
    const path = folder.path('aborted.seg');
    await assert.rejects(writeSegmentFile(path, sections, cancelled), code('ERR_ABORTED'));
    const segment = Segment.open(file);
    await assert.rejects(segment.verify(cancelled), code('ERR_ABORTED'));
    await assert.rejects(async () => segment.verify({} as never), code('ERR_INVALID_ARGUMENT'));
    segment.close();
  });

  it('answers ERR_CLOSED after close, and a task that started before ends well', async () => {
    const segment = Segment.open(file);
    const verification = segment.verify();
    segment.close();
    segment.close();
    await verification;
    assert.equal(segment.isOpen, false);
    assert.equal(segment.path, file);
    for (const use of [
      () => segment.sections(),
      () => segment.read('counts'),
      () => void segment.verify(),
    ]) {
      assert.throws(use, code('ERR_CLOSED', /closed/));
    }
  });

  it('reads only what is there', () => {
    const segment = Segment.open(file);
    assert.throws(() => segment.read('unknown'), code('ERR_CORPUS_CORRUPT', /section unknown/));
    assert.throws(() => segment.read('counts', 9), code('ERR_CORPUS_CORRUPT', /ends after 8/));
    assert.throws(() => segment.read('counts', 3, 6), code('ERR_CORPUS_CORRUPT', /ends after 8/));
    assert.throws(() => segment.read('counts', -1), code('ERR_INVALID_ARGUMENT'));
    assert.throws(() => segment.read('counts', 0, 1.5), code('ERR_INVALID_ARGUMENT'));
    assert.equal(segment.read('counts', 8).length, 0);
    segment.close();
  });

  it('opens a huge sparse file unread, and reads parts by its blocks', async function () {
    if (process.env['ASOF_EMULATED']) this.skip(); // qemu cannot map 64 GiB
    mkdirSync(folder.path('sparse'));
    const path = folder.path('sparse', 'huge.seg');
    const zeros = new Float32Array(1);
    await writeSegmentFile(path, [{ name: 'vectors.f32', data: zeros }]);
    // The same section, declared as 64 GiB of zeros: the file has a hole where they would be.
    const whole = readFileSync(path);
    const [size, block] = [2 ** 36, 2 ** 16];
    const checksums = Buffer.from(
      new Uint32Array(size / block).fill(crc32c(new Uint8Array(block))).buffer,
    );
    const table = Number(whole.readBigUInt64LE(24));
    const entry = Buffer.from(whole.subarray(table, table + 64));
    entry.writeUInt32LE(crc32c(checksums), 44);
    entry.writeBigUInt64LE(BigInt(size / 4), 56);
    whole.writeBigUInt64LE(BigInt(64 + size), 24);
    whole.writeBigUInt64LE(BigInt(64 + size + 64 + checksums.length), 16);
    whole.writeUInt32LE(crc32c(entry), 32);
    whole.writeUInt32LE(crc32c(whole.subarray(0, 60)), 60);
    writeFileSync(path, whole.subarray(0, 64));
    try {
      truncateSync(path, 64 + size);
    } catch {
      return; // a file system without sparse files
    }
    writeFileSync(path, Buffer.concat([entry, checksums]), { flag: 'a' });
    const segment = Segment.open(path);
    assert.equal(segment.sections()[0]!.count, size / 4);
    assert.ok(residentBytes(path) < 1 << 23, 'opening read the vectors');
    assert.deepEqual(segment.read('vectors.f32', 2 ** 33, 3), new Float32Array(3));
    assert.ok(residentBytes(path) < 1 << 23, 'a read of three read them all');
    segment.close();
  });
});

/**
 * Bytes of a mapped file that are in this process's memory: what reading a mapping leaves behind. 0
 * where /proc is not there.
 */
function residentBytes(path: string): number {
  if (!existsSync('/proc/self/smaps')) return 0;
  const [, after = ''] = readFileSync('/proc/self/smaps', 'utf8').split(path);
  return Number(/Rss:\s+(\d+) kB/.exec(after)?.[1] ?? 0) * 1024;
}
