// Corpora end to end: opening, adding, replacing, deleting, reopening, and several handles on one
// folder.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { Corpus } from '../../lib/store/corpus.js';
import {
  contents,
  fails,
  hashEncoder,
  isWindows,
  passageNumber,
  passagesFrom,
  segmentNumbered,
  temporaryFolder,
} from './fixtures.js';

const encoder = hashEncoder();
const open = (path: string, options = {}) => Corpus.open(path, { encoder, ...options });

describe('corpus', () => {
  const folder = temporaryFolder();

  it('keeps added passages, across batches and reopening', async () => {
    const path = folder.path('kept');
    const corpus = await open(path);
    const progress: unknown[] = [];
    const counts = await corpus.add(passagesFrom(0, 50), {
      batchSize: 20,
      onProgress: (each) => progress.push(each),
    });
    assert.deepEqual(counts, { added: 50, replaced: 0, unchanged: 0 });
    assert.deepEqual(
      progress,
      [20, 40, 50].map((done) => ({ done, total: 50 })),
    );
    const stored = corpus.get('p20');
    assert.deepEqual(stored, {
      id: 'p20',
      text: passageNumber(20).text,
      title: 'Bridge 0',
      validFrom: Date.UTC(2001),
      metadata: { number: 20, nested: { list: [1, 'two', null] } },
    });
    assert.equal(corpus.get('p14')?.validTo, Date.UTC(2012, 6));
    assert.equal(corpus.has('p49'), true);
    assert.equal(corpus.has('p50'), false);
    assert.equal(corpus.get('p50'), undefined);
    const before = contents(corpus);
    assert.equal(before.size, 50);
    const info = corpus.info();
    await corpus.close();
    const again = await open(path);
    assert.deepEqual(contents(again), before);
    assert.deepEqual(again.info(), { ...info, bytes: again.info().bytes });
    assert.equal(info.passages, 50);
    assert.equal(info.segments, 3);
    assert.equal(
      info.sentences,
      passagesFrom(0, 50).reduce((sum, _, i) => sum + (i % 3) + 1, 0),
    );
    assert.deepEqual(info.spans.published, [Date.UTC(2010, 2, 1), Date.UTC(2019, 2, 1)]);
    assert.deepEqual(info.spans.valid, [null, null]);
    assert.deepEqual(info.spans.content, [Date.UTC(1932, 0, 1), Date.UTC(2021, 4, 6)]);
    await again.close();
  });

  it('returns a record of any characters and length', async () => {
    const corpus = await open(folder.path('bytes'));
    const texts = [
      'Plain.',
      'Café – “ßÿ” \u212a \u{1d400} "quoted"\n',
      'é'.repeat(40_000),
      'long '.repeat(200_000),
      'Short.',
    ];
    await corpus.add(texts.map((text, number) => ({ id: `p${number}`, text })));
    const snapshot = corpus.snapshot();
    const places = [...snapshot.livePassages()];
    for (const { segment, passage } of places) {
      assert.equal(
        snapshot.passage(segment, passage).text,
        texts[Number(snapshot.id(segment, passage).slice(1))],
      );
    }
    snapshot.release();
    assert.throws(() => snapshot.passage(0, 0), { code: 'ERR_CLOSED' });
    await corpus.close();
  });

  it('ignores unchanged passages, replaces changed ones, removes deleted ones', async () => {
    const corpus = await open(folder.path('changed'));
    await corpus.add(passagesFrom(0, 30));
    const generation = corpus.refresh();
    assert.deepEqual(await corpus.add(passagesFrom(0, 30)), {
      added: 0,
      replaced: 0,
      unchanged: 30,
    });
    assert.equal(corpus.refresh(), generation);
    assert.deepEqual(await corpus.add([...passagesFrom(25, 35, 1), passageNumber(2)]), {
      added: 5,
      replaced: 5,
      unchanged: 1,
    });
    assert.equal(corpus.get('p26')?.text, passageNumber(26, 1).text);
    assert.equal(contents(corpus).get('p26')?.text, passageNumber(26, 1).text);
    assert.equal(await corpus.delete(['p1', 'p26', 'unknown', 'p1']), 2);
    assert.equal(await corpus.delete(['p1']), 0);
    const expected = [...passagesFrom(0, 25), ...passagesFrom(25, 35, 1)].filter(
      ({ id }) => id !== 'p1' && id !== 'p26',
    );
    assert.deepEqual(new Set(contents(corpus).keys()), new Set(expected.map(({ id }) => id)));
    assert.equal(corpus.info().passages, 33);
    assert.equal(corpus.info().deleted, 7);
    await corpus.add([passageNumber(1)]);
    assert.ok(contents(corpus).has('p1'));
    await corpus.close();
  });

  it('keeps the last of equal ids in one call, in any batches', async () => {
    for (const batchSize of [1, 2, 100]) {
      const corpus = await open(folder.path(`last-${batchSize}`));
      const given = [
        passageNumber(1),
        passageNumber(2),
        passageNumber(1, 1),
        passageNumber(2),
        passageNumber(1, 2),
      ];
      assert.deepEqual(await corpus.add(given, { batchSize }), {
        added: 2,
        replaced: 2,
        unchanged: 1,
      });
      assert.equal(corpus.get('p1')?.text, passageNumber(1, 2).text);
      assert.equal(contents(corpus).size, 2);
      await corpus.close();
    }
  });

  it('uses the embedded encoder by default', async () => {
    const corpus = await Corpus.open(folder.path('embedded'));
    await corpus.add(passagesFrom(0, 3));
    assert.equal(corpus.info().encoder.id, corpus.encoder.id);
    assert.equal(corpus.info().encoder.dimensions, corpus.encoder.dimensions);
    await corpus.close();
    const again = await Corpus.open(folder.path('embedded'));
    assert.equal((await again.add(passagesFrom(0, 3))).unchanged, 3);
    await again.close();
  });

  it('removes a segment without live passages from the disk', async () => {
    const path = folder.path('emptied');
    const corpus = await open(path);
    await corpus.add(passagesFrom(0, 5));
    await corpus.add(passagesFrom(5, 9));
    assert.equal(await corpus.delete(passagesFrom(0, 5).map(({ id }) => id)), 5);
    assert.equal(corpus.info().segments, 1);
    assert.equal(corpus.info().deleted, 0);
    if (isWindows) await corpus.close(); // no mapped file goes before
    assert.deepEqual(readdirSync(join(path, 'segments')), [basename(segmentNumbered(path, 2))]);
    await corpus.close();
  });

  it('accepts iterables and async iterables, and an empty corpus answers', async () => {
    const corpus = await open(folder.path('iterables'));
    assert.equal(corpus.info().passages, 0);
    assert.equal(contents(corpus).size, 0);
    assert.deepEqual(await corpus.add([]), { added: 0, replaced: 0, unchanged: 0 });
    async function* some() {
      yield passageNumber(0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield passageNumber(1);
    }
    assert.equal((await corpus.add(some())).added, 2);
    assert.equal((await corpus.add(new Set([passageNumber(2)]))).added, 1);
    const failing = async function* () {
      yield passageNumber(3);
      throw new Error('the source failed');
    };
    await assert.rejects(corpus.add(failing(), { batchSize: 1 }), /the source failed/);
    assert.ok(corpus.has('p3'), 'a batch that was committed stays');
    await corpus.close();
  });

  it('returns ids of any characters in the order of JavaScript', async () => {
    const corpus = await open(folder.path('ids'));
    const ids = ['b', 'a\0b', 'a', '\u{1F600}', '\uFFFD', 'ä', ' ', '-', 'x'.repeat(1000), '0'];
    await corpus.add(ids.map((id) => ({ id, text: `Text of ${id.slice(0, 5)}.` })));
    using snapshot = corpus.snapshot();
    const stored = ids.map((_, p) => snapshot.id(0, p));
    assert.deepEqual(
      stored,
      [...ids].sort((a, b) => (a < b ? -1 : 1)),
    );
    for (const id of ids) assert.equal(corpus.get(id)?.id, id);
    snapshot.release();
    await corpus.close();
  });

  it('is created with its parent folders, or rejected if that fails', async () => {
    const corpus = await open(folder.path('some/way/down'));
    assert.deepEqual(await corpus.add([passageNumber(0)]), { added: 1, replaced: 0, unchanged: 0 });
    await corpus.close();
    if (existsSync('/proc/self'))
      await assert.rejects(
        open('/proc/nothing/can/be.made'),
        fails('ERR_STORAGE', /Check its permissions/),
      );
  });

  it('stores long texts, and titles without a text', async () => {
    const corpus = await open(folder.path('odd'));
    await corpus.add([
      { id: 'empty', title: 'A headline of 1999', text: '' },
      { id: 'blank', title: 'Another', text: ' \n ' },
      { id: 'long', text: 'word '.repeat(200_000) },
    ]);
    assert.equal(corpus.get('empty')?.text, '');
    assert.equal(contents(corpus).size, 3);
    await corpus.close();
  });

  it('keeps committed batches of an aborted add, and nothing else', async () => {
    const path = folder.path('aborted');
    const corpus = await open(path);
    const controller = new AbortController();
    const adding = corpus.add(passagesFrom(0, 100), {
      batchSize: 10,
      signal: controller.signal,
      onProgress: ({ done }) => done === 30 && controller.abort(),
    });
    await assert.rejects(adding, fails('ERR_ABORTED'));
    assert.equal(contents(corpus).size, 30);
    await assert.rejects(
      corpus.add(passagesFrom(0, 1), { signal: controller.signal }),
      fails('ERR_ABORTED'),
    );
    await assert.rejects(
      corpus.delete(['p1'], { signal: controller.signal }),
      fails('ERR_ABORTED'),
    );
    assert.equal(readdirSync(join(path, 'segments')).length, 3);
    assert.deepEqual(await corpus.add(passagesFrom(0, 100)), {
      added: 70,
      replaced: 0,
      unchanged: 30,
    });
    await corpus.close();
  });

  it('merges the segments of a long add before its end', async () => {
    using corpus = await open(folder.path('long'));
    const segments: number[] = [];
    const counts = await corpus.add(passagesFrom(0, 140), {
      batchSize: 1,
      onProgress: () => segments.push(corpus.info().segments),
    });
    assert.deepEqual(counts, { added: 140, replaced: 0, unchanged: 0 });
    assert.equal(Math.max(...segments), 65);
    assert.ok(segments.at(-1)! < 20, `${segments.at(-1)} segments`);
    assert.ok(corpus.info().segments <= 9);
    assert.equal(contents(corpus).size, 140);
    await corpus.verify();
  });

  it('serialises the writes of one corpus', async () => {
    const corpus = await open(folder.path('concurrent'));
    await Promise.all([
      corpus.add(passagesFrom(0, 20), { batchSize: 3 }),
      corpus.add(passagesFrom(10, 30), { batchSize: 4 }),
      corpus.delete(['p5']),
    ]);
    assert.equal(contents(corpus).size + (corpus.has('p5') ? 0 : 1), 30);
    await corpus.close();
  });

  it('shares a folder between handles: they write in turn, and see all commits', async () => {
    const path = folder.path('two');
    const reader0 = await open(path);
    await reader0.close();
    const reader = await open(path, { readOnly: true });
    const writer = await open(path);
    await writer.add(passagesFrom(0, 10));
    assert.equal(contents(reader).size, 10);
    const other = await open(path, { lockTimeout: 0 });
    const lock = new binding.FileLock(join(path, 'lock'));
    await assert.rejects(
      other.add(passagesFrom(10, 12)),
      fails('ERR_CORPUS_LOCKED', /this process/),
    );
    lock.release();
    assert.equal(contents(other).size, 10);
    await assert.rejects(reader.add([]), fails('ERR_INVALID_ARGUMENT', /readOnly/));
    await assert.rejects(reader.delete([]), fails('ERR_INVALID_ARGUMENT', /readOnly/));
    assert.equal((await other.add(passagesFrom(10, 12))).added, 2);
    assert.equal(contents(reader).size, 12);
    assert.equal((await writer.add(passagesFrom(11, 13))).added, 1);
    assert.equal(await other.delete(['p12']), 1);
    await writer.close();
    await reader.close();
    assert.equal(contents(other).size, 12);
    await other.close();
  });

  it("keeps a snapshot's view during replacements and deletions until its release", async () => {
    const corpus = await open(folder.path('snapshot'));
    await corpus.add(passagesFrom(0, 10));
    const snapshot = corpus.snapshot();
    await corpus.add(passagesFrom(0, 5, 1));
    await corpus.delete(passagesFrom(5, 10).map(({ id }) => id));
    assert.equal(snapshot.segments.length, 1);
    assert.equal(snapshot.segments[0]!.liveDocs, undefined);
    const texts = Array.from({ length: 10 }, (_, p) => snapshot.passage(0, p).text);
    assert.deepEqual(
      texts,
      passagesFrom(0, 10).map(({ text }) => text),
    );
    assert.deepEqual(snapshot.find('p7'), { segment: 0, passage: 7 });
    assert.equal(contents(corpus).size, 5);
    assert.throws(() => snapshot.passage(0, 10), fails('ERR_INVALID_ARGUMENT'));
    assert.throws(() => snapshot.id(1, 0), fails('ERR_INVALID_ARGUMENT'));
    snapshot.release();
    snapshot.release();
    assert.throws(() => snapshot.passage(0, 0), fails('ERR_CLOSED'));
    assert.throws(() => snapshot.find('p7'), fails('ERR_CLOSED'));
    await corpus.close();
  });
});
