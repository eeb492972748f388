// Merges: equal answers before, after, and on a rebuilt corpus; removal of deleted passages;
// concurrent readers.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus } from '../../../lib/store/corpus.js';
import { sentenceRowsOf, wholeRowOf } from '../../../lib/store/views/rowTimes.js';
import { tieredMerge } from '../../../lib/store/writing/compaction.js';
import type { Manifest, SegmentEntry } from '../../../lib/store/format/manifest.js';
import { denseAnswers, lexicalAnswers } from '../answers.js';
import {
  contents,
  fails,
  hashEncoder,
  isWindows,
  passageNumber,
  passagesFrom,
  temporaryFolder,
} from '../fixtures.js';
import { assertEach } from '../../assertEach.js';

const encoder = hashEncoder();

describe('merging segments', () => {
  const folder = temporaryFolder();
  const open = (name: string, options = {}) =>
    Corpus.open(folder.path(name), { encoder, ...options });

  it('changes no answer, and equals a rebuilt corpus', async () => {
    const corpus = await open('lived');
    await corpus.add(passagesFrom(0, 300), { batchSize: 60 });
    await corpus.add(passagesFrom(100, 180, 1), { batchSize: 50 });
    await corpus.delete(
      passagesFrom(0, 300)
        .filter((_, i) => i % 7 === 0)
        .map(({ id }) => id),
    );
    const kept = contents(corpus);
    const [dense, deleted] = [await denseAnswers(corpus), corpus.info().deleted];
    assert.ok(deleted > 0 && corpus.info().segments > 3);
    const steps: number[] = [];
    const before = corpus.info();
    const result = await corpus.compact({
      onProgress: ({ done, total }) => void steps.push(done / total),
    });
    assert.deepEqual(result, { merged: before.segments, dropped: deleted });
    assert.equal(steps.at(-1), 1);
    assert.deepEqual(contents(corpus), kept);
    assert.deepEqual(await denseAnswers(corpus), dense);
    await corpus.verify();
    const after = corpus.info();
    assert.deepEqual(
      [after.segments, after.deleted, after.passages, after.rows, after.sentences],
      [1, 0, before.passages, before.rows, before.sentences],
    );
    // Windows keeps mapped files, which a later commit removes.
    if (process.platform !== 'win32')
      assert.equal(readdirSync(join(folder.path('lived'), 'segments')).length, 1);
    assert.deepEqual(await corpus.compact(), { merged: 0, dropped: 0 });

    const fresh = await open('fresh');
    const model = [
      ...passagesFrom(0, 100),
      ...passagesFrom(100, 180, 1),
      ...passagesFrom(180, 300),
    ].filter((_, i) => i % 7 !== 0);
    await fresh.add(model);
    assert.deepEqual(await denseAnswers(fresh), dense);
    assert.deepEqual(await lexicalAnswers(corpus), await lexicalAnswers(fresh));
    await fresh.close();
    await corpus.close();
  });

  it('writes the segment of a rebuilt corpus, section for section', async () => {
    const [merged, fresh] = [await open('sections-merged'), await open('sections-fresh')];
    const inOrderOfTime = passagesFrom(0, 90)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((each, i) => ({ ...each, publishedAt: Date.UTC(2000, i) }));
    await merged.add(inOrderOfTime, { batchSize: 7 });
    await merged.compact();
    await fresh.add(inOrderOfTime);
    const [a, b] = [merged.snapshot(), fresh.snapshot()];
    const names = b.segments[0]!.segment.sections().map(({ name }) => name);
    assert.deepEqual(
      new Set(a.segments[0]!.segment.sections().map(({ name }) => name)),
      new Set([...names, 'rows.of_passage']),
    );
    for (const name of names)
      assert.deepEqual(a.segments[0]!.segment.read(name), b.segments[0]!.segment.read(name), name);
    a.release();
    b.release();
    await merged.close();
    await fresh.close();
  });

  it('orders rows by time: published, else valid, else told of', async () => {
    const corpus = await open('order-of-time');
    const numbered = (from: number, to: number, year: number) =>
      Array.from({ length: to - from }, (_, at) => {
        const i = from + at;
        const opened = `Bridge ${i} of ${3000 + i} opened in ${year + ((i * 37) % 90)}.`;
        const closed = `It closed in ${year + ((i * 37) % 90) + 20}.`;
        const texts = [opened, `${closed} ${opened}`, 'The undated bridge.'];
        return {
          id: `p${i}`,
          text: texts[i % texts.length]!,
          ...(i % 4 === 0 ? { publishedAt: Date.UTC(1900 + ((i * 53) % 80)) } : {}),
          ...(i % 5 === 0 ? { validFrom: Date.UTC(1900 + ((i * 41) % 80)) } : {}),
        };
      });
    await corpus.add(numbered(0, 120, 1900), { batchSize: 9 });
    await corpus.compact();
    // Rows that are in the order of time, once more, with others.
    await corpus.add(numbered(120, 150, 1900));
    await corpus.add(numbered(20, 40, 1850));
    await corpus.compact();
    await corpus.verify();
    using snapshot = corpus.snapshot();
    const { segment, passages: wholes, multiSentence, rows } = snapshot.segments[0]!;
    const passageOf = segment.read('rows.passage') as Uint32Array;
    const timeOf = (row: number): number => {
      const { publishedAt, validFrom, text } = snapshot.passage(0, passageOf[row]!);
      const years = Array.from(text.matchAll(/in (\d+)/g), ([, year]) => Number(year));
      return publishedAt ?? validFrom ?? (years.length ? Date.UTC(Math.min(...years)) : Infinity);
    };
    for (const [from, to] of [
      [0, multiSentence],
      [multiSentence, wholes],
      [wholes, rows],
    ] as const) {
      const times = Array.from({ length: to - from }, (_, at) => timeOf(from + at));
      assert.ok(new Set(times).size > 20);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    }
    for (let passage = 0; passage < wholes; passage += 1) {
      const [first, end] = sentenceRowsOf(snapshot.segments[0]!, passage);
      const own = [wholeRowOf(snapshot.segments[0]!, passage)];
      for (let row = first; row < end; row += 1) own.push(row);
      assert.deepEqual(
        own,
        [...passageOf.keys()].filter((row) => passageOf[row] === passage),
      );
    }
    snapshot.release();
    await corpus.close();
  });

  it('breaks ties by id whatever the order of rows', async () => {
    const corpus = await open('ties');
    const passages = Array.from({ length: 400 }, (_, i) => ({
      id: `p${1000 + i}`,
      text: 'The bridge opened. Nobody knows why.',
      publishedAt: Date.UTC(2020, 0, 400 - i),
    }));
    await corpus.add(passages, { batchSize: 150 });
    const answers = async () => [
      ...(await lexicalAnswers(corpus, 7)),
      ...(await denseAnswers(corpus, 7)),
    ];
    const before = await answers();
    assertEach(
      before[0]!,
      ({ id }) => id,
      passages.slice(0, 7).map(({ id }) => id),
    );
    await corpus.compact();
    using snapshot = corpus.snapshot();
    assert.equal((snapshot.segments[0]!.segment.read('rows.passage') as Uint32Array)[0], 399);
    snapshot.release();
    assert.deepEqual(await answers(), before);
    await corpus.close();
  });

  it('orders ids as JavaScript does', async () => {
    const corpus = await open('order');
    const ids = [
      '\u{1F600}',
      '\uFFFD',
      '\uE000',
      '\uD7FF',
      'a',
      'aa',
      'a\0',
      'Z',
      'é',
      'z',
      '\u{10FFFF}',
      '一',
    ];
    for (const id of ids) await corpus.add([{ id, text: id }]);
    await corpus.compact();
    using snapshot = corpus.snapshot();
    assertEach(
      ids,
      (_, p) => snapshot.id(0, p),
      [...ids].sort((a, b) => (a < b ? -1 : 1)),
    );
    snapshot.release();
    await corpus.close();
  });

  it('many small adds do not make many segments', async () => {
    const corpus = await open('small');
    for (let i = 0; i < 40; i += 1) await corpus.add([passageNumber(i)]);
    assert.ok(corpus.info().segments <= 8, `${corpus.info().segments} segments`);
    assert.equal(contents(corpus).size, 40);
    for (let i = 0; i < 30; i += 1) await corpus.add([passageNumber(0, i + 1)]);
    assert.ok(corpus.info().deleted < 15, `${corpus.info().deleted} deleted`);
    await corpus.verify();
    await corpus.close();
  });

  it('selects runs of similar size, and segments that are mostly deleted', () => {
    const manifest = (rows: number[], deleted: Record<number, number> = {}): Manifest =>
      ({
        segments: rows.map(
          (each, i): Partial<SegmentEntry> => ({
            rows: each,
            passages: each,
            deleted: deleted[i] ?? 0,
          }),
        ),
      }) as Manifest;
    const small = Array.from({ length: 9 }, () => 100);
    assert.equal(tieredMerge(manifest([])), undefined);
    assert.equal(tieredMerge(manifest(small.slice(1))), undefined);
    assert.deepEqual(tieredMerge(manifest(small)), { from: 0, to: 9 });
    assert.deepEqual(tieredMerge(manifest([5e6, 5e5, ...small])), { from: 2, to: 11 });
    assert.equal(tieredMerge(manifest([5e6, ...small.slice(1)])), undefined);
    assert.deepEqual(tieredMerge(manifest([5e6, ...Array.from({ length: 9 }, () => 5e4), 10])), {
      from: 1,
      to: 11,
    });
    assert.deepEqual(tieredMerge(manifest([100, 100], { 1: 51 })), { from: 1, to: 2 });
    assert.equal(tieredMerge(manifest([100, 100], { 1: 50 })), undefined);
  });

  it('keeps earlier snapshots working; an abort changes nothing', async () => {
    const corpus = await open('running');
    await corpus.add(passagesFrom(0, 60), { batchSize: 20 });
    const snapshot = corpus.snapshot();
    await assert.rejects(corpus.compact({ signal: AbortSignal.abort() }), fails('ERR_ABORTED'));
    const controller = new AbortController();
    await assert.rejects(
      corpus.compact({
        signal: controller.signal,
        onProgress: ({ done }) => done === 4 && controller.abort(),
      }),
      fails('ERR_ABORTED'),
    );
    const left = readdirSync(join(folder.path('running'), 'segments')).length;
    if (!isWindows) assert.equal(left, 3); // no mapped file goes there before it is closed
    await corpus.compact();
    assert.equal(snapshot.segments.length, 3);
    assert.equal(snapshot.passage(2, 19).id, snapshot.id(2, 19));
    await Promise.all(snapshot.segments.map(({ segment }) => segment.verify()));
    snapshot.release();
    assert.equal(contents(corpus).size, 60);
    await corpus.close();
  });
});
