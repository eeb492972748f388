// Corpora without rows of sentences: what the manifest keeps, and compaction, verification, backup,
// fused vectors and repair over one row a passage.
import assert from 'node:assert/strict';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { Corpus, type StoredPassage } from '../../lib/index.js';
import { manifestText } from '../../lib/store/format/manifest.js';
import { repairCorpus } from '../../lib/store/repair/repair.js';
import { contentTimesOf, sentencesOfEach } from '../../lib/store/views/rowTimes.js';
import { timeEncoder } from '../../lib/models/index.js';
import {
  contents,
  copiesOf,
  fails,
  hashEncoder,
  passagesFrom,
  segmentNumbered,
  temporaryFolder,
} from './fixtures.js';
import { flip, inSegments, manifestOf, sectionsOf, segments } from './repair/repairFixtures.js';

const encoder = hashEncoder();

/** Span, times and vector of the row of each live passage. */
function rowsOf(corpus: Corpus): Map<string, unknown> {
  using snapshot = corpus.snapshot();
  const { dimensions } = snapshot.manifest.encoder;
  const found = new Map<string, unknown>();
  for (const { segment, passage } of snapshot.livePassages()) {
    const stored = snapshot.segments[segment]!;
    const row = (stored.segment.read('rows.passage') as Uint32Array).indexOf(passage);
    found.set(snapshot.id(segment, passage), {
      span: sentencesOfEach(stored, [row]),
      times: contentTimesOf(stored, row),
      vector: stored.segment.read('vectors.f32', row * dimensions, dimensions),
    });
  }
  return found;
}

describe('corpus without rows of sentences', () => {
  const folder = temporaryFolder();
  const truth = new Map<string, StoredPassage>();
  const open = (path: string, options = {}) => Corpus.open(path, { encoder, ...options });
  let [whole, rows] = ['', new Map<string, unknown>()];
  before(async () => {
    whole = folder.path('whole');
    await using corpus = await open(whole, { sentences: false });
    await corpus.add(passagesFrom(0, 40), { batchSize: 20 });
    await corpus.add(passagesFrom(5, 8, 1));
    await corpus.delete(['p1', 'p2', 'p30']);
    for (const [id, passage] of contents(corpus)) truth.set(id, passage);
    rows = rowsOf(corpus);
  });
  const copy = copiesOf(folder, () => whole);

  it('has the rows of whole passages that an ordinary corpus has, and no others', async () => {
    await using ordinary = await open(folder.path('ordinary'));
    await ordinary.add([...truth.values()]);
    assert.deepEqual(rows, rowsOf(ordinary));
    await using corpus = await open(whole);
    const { passages, rows: count, sentences, deleted } = corpus.info();
    assert.deepEqual([passages, count, sentences, deleted], [37, 37, 37, 6]);
    assert.ok(manifestOf(whole).segments.every((each) => each.rows === each.passages));
    assert.ok(ordinary.info().rows > 37);
  });

  it('stays so, and cannot be opened as another', async () => {
    const path = copy();
    await using corpus = await open(path, { sentences: false });
    await corpus.add(passagesFrom(50, 60));
    assert.equal(corpus.info().sentenceRows, false);
    assert.equal(corpus.info().rows, corpus.info().passages);
    await assert.rejects(
      open(path, { sentences: true }),
      fails('ERR_INVALID_ARGUMENT', /sentences to be false, as the corpus was created, .*true/),
    );
    await using ordinary = await open(folder.path('with'), { sentences: true });
    assert.ok(!('sentences' in manifestOf(ordinary.path)));
    await assert.rejects(
      open(ordinary.path, { sentences: false }),
      fails('ERR_INVALID_ARGUMENT', /sentences to be true/),
    );
    await assert.rejects(
      open(path, { sentences: 'no' }),
      fails('ERR_INVALID_ARGUMENT', /sentences to be a boolean/),
    );
  });

  it('is the same after compaction, verification and backup', async () => {
    const path = copy();
    await using corpus = await open(path);
    await corpus.verify();
    assert.deepEqual(await corpus.compact(), { merged: 3, dropped: 6 });
    await corpus.verify();
    assert.deepEqual([contents(corpus), rowsOf(corpus)], [truth, rows]);
    const to = folder.path('backup');
    assert.equal((await corpus.backup(to)).passages, 37);
    await using saved = await open(to);
    await saved.verify();
    assert.deepEqual([rowsOf(saved), saved.info().sentenceRows], [rows, false]);
  });

  it('has a fused vector for each passage', async () => {
    const shape = {
      dimensions: encoder.dimensions,
      waves: 3,
      width: 5,
      statistics: { meanYear: 2000, deviationYear: 30 },
    };
    const kind = 'film' as const;
    const count = binding.timeParameterCount({ ...shape, kind, ...shape.statistics });
    const weights = {
      encoder: encoder.id,
      kind,
      ...shape,
      parameters: Float32Array.from({ length: count }, (_, at) => Math.sin(at) / 8),
    };
    const times = await timeEncoder(encoder, { ...weights, settings: {}, training: {} });
    await using corpus = await open(copy());
    assert.equal(await corpus.fuse(times), 43, 'deleted ones too');
    await corpus.compact();
    assert.equal(await corpus.fuse(times), 37);
    await corpus.verify();
  });

  it('has a manifest that contradicts no row', async () => {
    const path = copy();
    const manifest = manifestOf(path);
    const [first, ...others] = manifest.segments;
    for (const wrong of [
      { ...manifest, sentences: 'no' },
      { ...manifest, segments: [{ ...first!, rows: first!.rows + 1 }, ...others] },
      { ...manifest, segments: [{ ...first!, multiSentence: 1 }, ...others] },
    ]) {
      writeFileSync(join(path, 'manifest'), manifestText(wrong as never));
      await assert.rejects(open(path), fails('ERR_CORPUS_CORRUPT', /manifest/));
    }
  });

  describe('repaired', () => {
    let number = 0;
    const repaired = async (path: string, options: { encoder?: typeof encoder } = {}) => {
      const to = folder.path(`repaired-${(number += 1)}`);
      const report = await repairCorpus(path, to, options);
      await using corpus = await open(to);
      await corpus.verify();
      return { report, info: corpus.info(), found: contents(corpus), rows: rowsOf(corpus) };
    };

    it('keeps its vectors where they are whole, without an encoder', async () => {
      for (const file of segments(whole).filter((each) => each.endsWith('.seg'))) {
        for (const { name, offset } of sectionsOf(inSegments(whole, file))) {
          if (/^(?:rows\.|vectors|passages)/.test(name)) continue;
          const path = copy();
          flip(inSegments(path, file), offset, 1);
          const { report, info, ...found } = await repaired(path);
          assert.deepEqual([report.lost, info.sentenceRows], [[], false], name);
          assert.deepEqual(found, { found: truth, rows }, name);
        }
      }
    });

    it('encodes whole passages anew where vectors are damaged', async () => {
      const path = copy();
      const { offset } = sectionsOf(segmentNumbered(path, 1)).find(
        ({ name }) => name === 'vectors.f32',
      )!;
      flip(segmentNumbered(path, 1), offset, 1);
      const { info, ...found } = await repaired(path, { encoder });
      assert.equal(info.rows, 37);
      assert.deepEqual([found.found, found.rows], [truth, rows]);
    });

    it('is known by its segments where the manifest is lost', async () => {
      for (const damage of [false, true]) {
        const path = copy();
        rmSync(join(path, 'manifest'));
        const file = segmentNumbered(path, 2);
        if (damage) truncateSync(file, statSync(file).size - 1);
        const { info, found, report } = await repaired(path, { encoder });
        assert.equal(info.sentenceRows, false);
        assert.equal(info.rows, info.passages);
        assert.deepEqual([found.size, report.lost], [truth.size, []]);
      }
    });
  });

  it('keeps vectors of passages apart in a repair where their texts are equal', async () => {
    const path = folder.path('own');
    const named = { id: 'elsewhere', dimensions: 2 };
    const corpus = await Corpus.open(path, { encoder: named, sentences: false });
    const text = 'The same. For all.';
    await corpus.add([
      { id: 'x', text, vector: [1, 0] },
      { id: 'y', text, vector: [0, 1] },
    ]);
    const expected = rowsOf(corpus);
    await corpus.close();
    const { offset } = sectionsOf(segmentNumbered(path, 1)).find(({ name }) =>
      /^lexical/.test(name),
    )!;
    flip(segmentNumbered(path, 1), offset, 1);
    const to = folder.path('own-repaired');
    assert.deepEqual((await repairCorpus(path, to)).lost, []);
    await using again = await Corpus.open(to);
    assert.deepEqual(rowsOf(again), expected);
  });
});
