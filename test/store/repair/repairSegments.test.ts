// Repair of single damaged files: segments section by section and end by end, and tombstones.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Corpus } from '../../../lib/store/corpus.js';
import { fileSystem, useFileSystem } from '../../../lib/store/format/fileSystem.js';
import { repairCorpus } from '../../../lib/store/repair/repair.js';
import { anywhere } from '../../anywhere.js';
import { passagesFrom, segmentNumbered } from '../fixtures.js';
import {
  corporaToRepair,
  encoder,
  flip,
  inSegments,
  nothingLost,
  sectionsOf,
  segments,
} from './repairFixtures.js';

describe('repair of a file', () => {
  const { folder, truth, whole, other, copy, repaired } = corporaToRepair();

  describe('of a segment', () => {
    it('loses the record with a wrong bit, and nothing by wrong bits elsewhere', async () => {
      for (const { name, offset, bytes } of sectionsOf(segmentNumbered(whole(), 1))) {
        const path = copy();
        const [at, bit] = [anywhere(1, bytes)[0]!, anywhere(1, 8)[0]!];
        flip(segmentNumbered(path, 1), offset + at, bit);
        const { report } = await repaired(path);
        const lost = name === 'passages.record' ? report.lost.length : 0;
        assert.ok(lost <= 1, `${lost} lost`);
        const expected = { ...nothingLost, reindexed: 15 - lost, lost: report.lost };
        const { damage: found, passages, ...counts } = report;
        assert.deepEqual([counts, passages], [expected, truth.size - lost], name);
        assert.equal(found.length, 1);
        assert.match(found[0]!.file, /^000001-.*\.seg$/);
        assert.match(found[0]!.fault, new RegExp(name));
        assert.match(found[0]!.outcome, new RegExp(`^${15 - lost} passages indexed again`));
      }
    });

    it('keeps its vectors where they are whole, and reports who needs the encoder', async () => {
      for (const { name, offset, bytes } of sectionsOf(segmentNumbered(whole(), 2))) {
        const path = copy();
        flip(segmentNumbered(path, 2), offset + anywhere(1, bytes)[0]!, 3);
        const { report, out } = await repaired(path, {});
        if (!/^(?:rows\.|vectors)/.test(name)) {
          assert.ok(report.lost.length <= (name === 'passages.record' ? 1 : 0), name);
          const expected = await vectorsOf(whole());
          for (const id of report.lost) expected.delete(id);
          assert.deepEqual(await vectorsOf(out), expected);
          continue;
        }
        assert.equal(report.lost.length, 19, name);
        assert.match(
          report.damage[0]!.outcome,
          /^0 passages .*, 19 need the encoder hash-8 \(--encoder\)$/,
        );
      }
    });

    it('reads it without its header, its table or its end', async () => {
      const file = segmentNumbered(whole(), 1);
      const { size } = statSync(file);
      const end = (name: string): number => {
        const { offset, bytes } = sectionsOf(segmentNumbered(whole(), 1)).find(
          (each) => each.name === name,
        )!;
        return offset + bytes;
      };
      const table = Number(readFileSync(file).readBigUInt64LE(24));
      const cases: [string, (bytes: Buffer) => Buffer][] = [
        ['header', (bytes) => bytes.fill(0, 0, 64)],
        ['table', (bytes) => bytes.fill(255, table)],
        ['part of the table', (bytes) => bytes.fill(0, table, table + 640)],
        ['last byte', (bytes) => bytes.subarray(0, -1)],
        ['half of it', (bytes) => bytes.subarray(0, size / 2)],
        ['all beyond hashes', (bytes) => bytes.subarray(0, end('passages.hash'))],
        ['one more byte', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
      ];
      for (const [name, change] of cases) {
        const path = copy();
        writeFileSync(segmentNumbered(path, 1), change(readFileSync(file)));
        const { report } = await repaired(path);
        const { damage: found, ...counts } = report;
        assert.deepEqual(counts, { ...nothingLost, reindexed: 15, passages: truth.size }, name);
        assert.match(found[0]!.file, /^000001-.*\.seg$/);
      }
      const halfOfHashes = copy();
      truncateSync(segmentNumbered(halfOfHashes, 1), end('passages.hash') - 8 * 16);
      const { report } = await repaired(halfOfHashes);
      assert.equal(report.passages, truth.size);
      assert.equal(report.uncertain.length, 15);
      assert.match(report.damage[0]!.outcome, /^15 passages indexed again, 8 without a hash/);
    });

    it('loses the records that the disk cannot read', async () => {
      const path = copy();
      const record = sectionsOf(segmentNumbered(path, 1)).find(
        ({ name }) => name === 'passages.record',
      )!;
      flip(segmentNumbered(path, 1), record.offset + record.bytes / 2, 0);
      const bad = { from: record.offset + 700, to: record.offset + 712 };
      const system = fileSystem;
      let [descriptor, failures] = [-1, 0];
      useFileSystem({
        ...system,
        open(file, use) {
          const opened = system.open(file, use);
          if (file === segmentNumbered(path, 1)) descriptor = opened;
          return opened;
        },
        read(from, buffer, at) {
          const isBad = from === descriptor && at < bad.to && at + buffer.length > bad.from;
          if (!isBad) return system.read(from, buffer, at);
          failures += 1;
          throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        },
      });
      const out = folder.path('bad-sector');
      try {
        const report = await repairCorpus(path, out, { encoder });
        assert.ok(failures > 0);
        assert.ok(report.lost.length >= 1 && report.lost.length <= 3, report.lost.join());
        assert.equal(report.passages, truth.size - report.lost.length);
        assert.deepEqual([report.lostWithoutId, report.uncertain], [0, []]);
      } finally {
        useFileSystem(system);
      }
    });

    it('counts what is beyond reading', async () => {
      const cases: [string, (file: string) => void, RegExp][] = [
        ['missing', (file) => rmSync(file), /^is missing$/],
        ['empty', (file) => truncateSync(file), /0 bytes/],
        ['noise', (file) => writeFileSync(file, Buffer.alloc(9999, 'noise ')), /another kind/],
      ];
      for (const [name, change, fault] of cases) {
        const path = copy();
        change(segmentNumbered(path, 2));
        const { report } = await repaired(path);
        const { damage: found, ...counts } = report;
        assert.deepEqual(counts, { ...nothingLost, lostWithoutId: 19, passages: 18 }, name);
        assert.match(found[0]!.fault, fault);
        assert.equal(found[0]!.outcome, '0 passages indexed again, 19 lost');
      }
    });

    it('keeps the passages of another file in its place as uncertain', async () => {
      const path = copy();
      copyFileSync(segmentNumbered(other(), 1), segmentNumbered(path, 2));
      const { report, found } = await repaired(path);
      assert.equal(report.passages, 18 + 30);
      assert.equal(report.lostWithoutId, 19);
      assert.deepEqual(report.uncertain.length, 30);
      assert.ok(found.has('p129'));
      assert.match(report.damage[0]!.fault, /another file than that of the manifest/);
      // A copy of a segment that is there adds nothing.
      const twice = copy();
      copyFileSync(segmentNumbered(twice, 1), segmentNumbered(twice, 3));
      const { report: second } = await repaired(twice);
      assert.deepEqual([second.passages, second.uncertain], [truth.size - 3, []]);
      assert.equal(second.lostWithoutId, 3);
    });
  });

  describe('of tombstones', () => {
    const named = (path: string, segment: number): string =>
      segments(path).findLast(
        (name) => name.startsWith(`00000${segment}-`) && name.endsWith('.del'),
      )!;

    it('corrects a wrong bit', async () => {
      for (const at of [0, 1, 2]) {
        for (const bit of [0, 3, 7]) {
          const path = copy();
          const file = named(path, 1);
          flip(inSegments(path, file), at, bit);
          const { report } = await repaired(path);
          assert.deepEqual(report, {
            ...nothingLost,
            passages: truth.size,
            damage: [{ file, fault: 'one bit is wrong', outcome: 'corrected' }],
          });
        }
      }
    });

    it('takes older ones, or all as live, and names who may have been deleted', async () => {
      const cases: [string, (file: string) => void, string][] = [
        ['missing', (file) => rmSync(file), 'is missing'],
        ['short', (file) => truncateSync(file, 2), 'is damaged'],
        ['zeros', (file) => writeFileSync(file, Buffer.alloc(3)), 'is damaged'],
      ];
      for (const [name, change, fault] of cases) {
        const path = copy();
        const file = named(path, 1);
        change(inSegments(path, file));
        const { report, found } = await repaired(path);
        // p5, p6 and p7 are in a newer segment; of p1 and p2 nothing else is known.
        assert.equal(report.passages, truth.size + 2, name);
        assert.ok(found.has('p1') && found.has('p2'));
        assert.match(found.get('p6')!.text, /Edition 1/);
        assert.equal(report.uncertain.length, 17);
        const outcome = `all of ${basename(segmentNumbered(path, 1))} are live`;
        assert.deepEqual(report.damage, [{ file, fault, outcome }]);
      }
      const path = copy();
      const before = readdirSync(join(path, 'segments'));
      {
        await using corpus = await Corpus.open(path, { encoder });
        await corpus.delete(['p3']);
      }
      const file = segments(path).find((name) => !before.includes(name))!;
      for (const name of segments(whole()))
        copyFileSync(inSegments(whole(), name), inSegments(path, name));
      writeFileSync(inSegments(path, file), '');
      const { report, found } = await repaired(path);
      assert.ok(found.has('p3') && !found.has('p1'));
      assert.equal(report.damage[0]!.outcome, 'older ones are in their place');
      assert.equal(report.uncertain.length, 15);
    });

    it('has no doubt where newer segments have all that was deleted', async () => {
      const path = folder.path('replaced');
      {
        await using corpus = await Corpus.open(path, { encoder });
        await corpus.add(passagesFrom(0, 20));
        await corpus.add(passagesFrom(5, 9, 1));
      }
      rmSync(inSegments(path, named(path, 1)));
      const out = folder.path('replaced-repaired');
      const report = await repairCorpus(path, out, { encoder });
      assert.deepEqual([report.passages, report.uncertain], [20, []]);
      assert.equal(report.damage.length, 1);
    });
  });

  /** The vectors of all rows of each live passage. */
  async function vectorsOf(path: string): Promise<Map<string, number[]>> {
    await using corpus = await Corpus.open(path, { encoder });
    using snapshot = corpus.snapshot();
    const found = new Map<string, number[]>();
    for (const { segment, passage } of snapshot.livePassages()) {
      const { segment: native } = snapshot.segments[segment]!;
      const rows = Array.from(native.read('rows.passage') as Uint32Array);
      const vectors = rows.flatMap((each, row) =>
        each === passage ? [...(native.read('vectors.f32', 8 * row, 8) as Float32Array)] : [],
      );
      found.set(snapshot.id(segment, passage), vectors);
    }
    return found;
  }
});
