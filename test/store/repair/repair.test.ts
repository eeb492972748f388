// Repair: all readable passages are kept, losses are reported, and the damaged corpus stays as
// it is. Damage to single segments and tombstones: repairSegments.test.ts.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { manifestText, segmentNumber, type Manifest } from '../../../lib/store/format/manifest.js';
import type { RepairReport } from '../../../lib/store/repair/liveness.js';
import { withOneBitFlipped } from '../../../lib/store/repair/inventory.js';
import { repairCorpus } from '../../../lib/store/repair/repair.js';
import { anywhere } from '../../anywhere.js';
import { contents, fails, hashEncoder, passagesFrom, segmentNumbered } from '../fixtures.js';
import { damage, drawing } from '../fuzz/damage.js';
import {
  corporaToRepair,
  encoder,
  flip,
  inSegments,
  manifestOf,
  nothingLost,
  segments,
} from './repairFixtures.js';
import { assertEach } from '../../assertEach.js';

describe('repair', () => {
  const { folder, truth, whole, other, copy, out: newFolder, repaired } = corporaToRepair();
  /** Entries as they were, for which tombstones are written again. */
  const withoutTombstones = ({ segments: entries }: Manifest) =>
    entries.map(({ tombstones, ...entry }) => ({ ...entry, hasTombstones: !!tombstones }));

  it('of an undamaged corpus is a copy', async () => {
    const path = copy();
    const { report, out } = await repaired(path);
    assert.deepEqual(report, { ...nothingLost, passages: truth.size, damage: [] });
    const { ino } = statSync(segmentNumbered(path, 1));
    assert.equal(statSync(segmentNumbered(out, 1)).ino, ino);
  });

  it('makes a corpus like any other', async () => {
    const path = copy();
    flip(segmentNumbered(path, 1), statSync(segmentNumbered(path, 1)).size - 1, 0);
    const { out, found } = await repaired(path);
    await using corpus = await Corpus.open(out, { encoder });
    await corpus.add(passagesFrom(0, 3, 1));
    await corpus.delete(['p39']);
    await corpus.compact();
    await corpus.verify();
    assert.equal(contents(corpus).size, found.size + 2 - 1);
  });

  it('makes a lost manifest anew, in all that it said', async () => {
    const missing = copy();
    rmSync(join(missing, 'manifest'));
    const zeros = copy();
    writeFileSync(join(zeros, 'manifest'), Buffer.alloc(statSync(join(whole(), 'manifest')).size));
    const short = copy();
    truncateSync(join(short, 'manifest'), 300);
    const folderInstead = copy();
    rmSync(join(folderInstead, 'manifest'));
    mkdirSync(join(folderInstead, 'manifest'));
    for (const [path, fault] of [
      [missing, 'is missing'],
      [zeros, 'is damaged'],
      [short, 'is damaged'],
      [folderInstead, 'cannot be read'],
    ] as const) {
      const out = newFolder();
      const report = await repairCorpus(path, out, { encoder });
      const outcome =
        'made anew from 3 segments; missing files and wrong tombstones would not show';
      const expected = [{ file: 'manifest', fault, outcome }];
      assert.deepEqual(report, { ...nothingLost, passages: truth.size, damage: expected });
      assert.deepEqual(withoutTombstones(manifestOf(out)), withoutTombstones(manifestOf(whole())));
      const { encoder: named, storage, pipeline, nextSegment } = manifestOf(whole());
      const made = manifestOf(out);
      assert.deepEqual([made.encoder, made.storage], [named, storage]);
      assert.deepEqual([made.pipeline, made.nextSegment], [pipeline, nextSegment]);
      await repaired(path);
    }
  });

  it('corrects a flipped bit of the manifest, wherever it is', async () => {
    const bytes = statSync(join(whole(), 'manifest')).size;
    for (const at of [0, 12, 13, 15, 17, 23, 24, 25, bytes - 1, ...anywhere(20, bytes)]) {
      const path = copy();
      flip(join(path, 'manifest'), at, anywhere(1, 8)[0]!);
      const out = newFolder();
      const { damage: found, ...report } = await repairCorpus(path, out);
      assert.deepEqual(report, { ...nothingLost, passages: truth.size });
      assert.deepEqual(found, [
        { file: 'manifest', fault: 'one bit is wrong', outcome: 'corrected' },
      ]);
      const [made, before] = [manifestOf(out), manifestOf(whole())];
      assert.deepEqual(made.encoder, before.encoder);
      assert.deepEqual(withoutTombstones(made), withoutTombstones(before));
    }
  });

  it('corrects one flipped bit by a checksum, and no two', () => {
    for (const length of [1, 2, 7, 300]) {
      const bytes = Uint8Array.from(anywhere(length, 256));
      const expected = binding.crc32c(bytes);
      const [first, second] = anywhere(2, 8 * length);
      const flipped = bytes.map((byte, i) =>
        i === first! >> 3 ? byte ^ (1 << (first! & 7)) : byte,
      );
      const corrected = withOneBitFlipped(flipped, { actual: binding.crc32c(flipped), expected });
      assert.deepEqual(corrected, bytes);
      if (first === second) continue;
      flipped[second! >> 3]! ^= 1 << (second! & 7);
      const twice = withOneBitFlipped(flipped, { actual: binding.crc32c(flipped), expected });
      assert.equal(twice, undefined);
    }
  });

  it('without a manifest takes only an encoder whose vectors the segments have', async () => {
    const path = copy();
    rmSync(join(path, 'manifest'));
    const out = folder.path('mismatch');
    const same = { ...hashEncoder(8, 'another'), encode: encoder.encode };
    const shuffled = hashEncoder(8, 'shuffled');
    const encode: typeof encoder.encode = async (texts, options) =>
      (await encoder.encode(texts, options)).map((_, i, all) => all[i ^ 1]!);
    for (const given of [undefined, hashEncoder(16), { ...shuffled, encode }]) {
      await assert.rejects(
        repairCorpus(path, out, given ? { encoder: given } : {}),
        fails('ERR_ENCODER_MISMATCH', /manifest is lost.*--encoder/),
      );
    }
    assert.deepEqual(segments(out), []);
    await repairCorpus(path, out, { encoder: same });
    assert.equal(manifestOf(out).encoder.id, 'another');
    const known = folder.path('known');
    await assert.rejects(
      repairCorpus(whole(), known, { encoder: same }),
      fails('ERR_ENCODER_MISMATCH', /hash-8.*another/),
    );
  });

  it('without a manifest finds deletions and replacements in files of a crash', async () => {
    const path = copy();
    {
      await using corpus = await Corpus.open(path, { encoder });
      await corpus.compact();
      await corpus.delete(['p3']);
    }
    // Sources of the merge, as if the process had died before it removed them.
    for (const name of segments(whole()))
      copyFileSync(inSegments(whole(), name), inSegments(path, name));
    rmSync(join(path, 'manifest'));
    const out = folder.path('leftovers');
    const report = await repairCorpus(path, out, { encoder });
    assert.equal(report.passages, truth.size - 1);
    await using corpus = await Corpus.open(out, { encoder });
    const found = contents(corpus);
    assert.equal(found.has('p3'), false);
    for (const [id, passage] of found) assert.deepEqual(passage, truth.get(id));
    assert.equal(corpus.info().segments, 1);
  });

  it('keeps whole derived columns, and drops damaged ones', async () => {
    const path = copy();
    {
      await using corpus = await Corpus.open(path, { encoder });
      using snapshot = corpus.snapshot();
      await corpus.derive(snapshot, {
        key: '0123456789abcdef',
        write: (segment, file, sections) =>
          binding.writeSegment(file, [
            ...sections,
            { name: 'vectors.f32', data: segment.read('vectors.f32') },
          ]),
      });
    }
    const columns = segments(path).filter((name) => name.endsWith('.vec'));
    assert.equal(columns.length, 3);
    const intact = await repairedFolder(path);
    assert.deepEqual(
      segments(intact.out).filter((name) => name.endsWith('.vec')),
      columns,
    );
    flip(inSegments(path, columns[0]!), statSync(inSegments(path, columns[0]!)).size - 5, 1);
    rmSync(inSegments(path, columns[1]!));
    const { report, out } = await repairedFolder(path);
    assertEach(manifestOf(out).derived, ({ segment }) => segmentNumber(segment), [3]);
    assert.deepEqual(
      report.damage.map(({ file, outcome }) => [file, outcome]),
      [[columns[0], 'dropped, computed when needed']],
    );
  });

  async function repairedFolder(path: string): Promise<{ report: RepairReport; out: string }> {
    const out = newFolder();
    return { report: await repairCorpus(path, out, { encoder }), out };
  }

  it('holds for random damage', async function () {
    this.timeout(240_000);
    for (const seed of anywhere(80, 2 ** 30)) {
      const path = copy();
      const kind = damage(path, other(), drawing(seed, 0));
      try {
        await repaired(path);
      } catch (error) {
        throw new Error(`${kind} (seed ${seed}): ${(error as Error).message}`, { cause: error });
      }
    }
  });

  it('waits for a writer', async () => {
    const path = copy();
    const lock = new binding.FileLock(join(path, 'lock'));
    const out = newFolder();
    const repairing = repairCorpus(path, out, { encoder });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(existsSync(out), false);
    lock.release();
    assert.equal((await repairing).passages, truth.size);
  });

  it('refuses what is no corpus, a newer one, and a folder with content', async () => {
    const out = folder.path('refused');
    const empty = folder.path('empty');
    mkdirSync(empty);
    const foreign = folder.path('foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'notes.txt'), '');
    await assert.rejects(repairCorpus(empty, out), fails('ERR_NOT_FOUND'));
    await assert.rejects(repairCorpus(folder.path('none'), out), fails('ERR_NOT_FOUND'));
    await assert.rejects(repairCorpus(foreign, out), fails('ERR_CORPUS_FOREIGN'));
    assert.deepEqual([readdirSync(empty), readdirSync(foreign)], [[], ['notes.txt']]);
    await assert.rejects(repairCorpus(whole(), foreign), fails('ERR_CORPUS_EXISTS', /notes\.txt/));
    await assert.rejects(repairCorpus(whole(), join(whole(), 'x')), fails('ERR_INVALID_ARGUMENT'));
    const newer = copy();
    writeFileSync(join(newer, 'manifest'), manifestText({ ...manifestOf(whole()), format: 4 }));
    await assert.rejects(repairCorpus(newer, out), fails('ERR_CORPUS_NEWER'));
    const bare = copy();
    writeFileSync(join(bare, 'manifest'), 'none');
    renameSync(join(bare, 'segments'), join(bare, 'elsewhere'));
    await assert.rejects(repairCorpus(bare, out), fails('ERR_CORPUS_FOREIGN'));
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = repairCorpus(whole(), out, { signal, onProgress: () => controller.abort() });
    await assert.rejects(aborted, fails('ERR_ABORTED'));
    assert.deepEqual(readdirSync(out).sort(), ['lock', 'segments']);
  });
});
