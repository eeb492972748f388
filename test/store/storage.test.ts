// Storage type of the quantized vectors: recorded in the manifest, written by add, merge and
// fusion, verified, shown by info.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { dense, type System } from '../../lib/index.js';
import { tempralm } from '../../lib/papers/index.js';
import { Corpus } from '../../lib/store/corpus.js';
import { fails, hashEncoder, passagesFrom, temporaryFolder } from './fixtures.js';
import { writeSegmentFile } from '../segmentFiles.js';

const encoder = hashEncoder(80);
const panelSections = (corpus: Corpus): string[][] => {
  using snapshot = corpus.snapshot();
  return snapshot.segments.map(({ segment }) =>
    segment
      .sections()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('panels.')),
  );
};

async function answers(corpus: Corpus): Promise<unknown[]> {
  const questions = ['When did the bridge open?', 'Who visited in May 2021?', 'Edition'];
  const ask = (system: System) =>
    questions.map((text) => system.run({ text, askedAt: '2021-06-01' }, { k: 7 }));
  const results = await Promise.all([dense({ corpus }), tempralm({ corpus })].flatMap(ask));
  return results.map(({ evidence }) => evidence.map(({ id, score }) => [id, score]));
}

describe('the storage of a corpus', () => {
  const folder = temporaryFolder();
  const open = (name: string, options = {}) =>
    Corpus.open(folder.path(name), { encoder, ...options });

  it('is int4 by default, is recorded, and changes no answer', async () => {
    const expected: unknown[] = [];
    for (const [name, storage, sections] of [
      ['plain', 'f32', []],
      ['default', undefined, ['panels.int4', 'panels.rows', 'panels.centre']],
      ['int8', 'int8', ['panels.int8', 'panels.rows']],
      ['bf16', 'bf16', ['panels.bf16', 'panels.rows']],
    ] as const) {
      const corpus = await open(name, storage ? { storage } : {});
      await corpus.add(passagesFrom(0, 300), { batchSize: 100 });
      assert.deepEqual(panelSections(corpus), [sections, sections, sections]);
      assert.equal(corpus.info().storage, storage ?? 'int4');
      assert.equal(corpus.info().bytes.panels > 0, storage !== 'f32');
      expected.push(await answers(corpus));
      assert.deepEqual(expected.at(-1), expected[0], name);
      await corpus.verify();
      await corpus.close();
      const again = await open(name);
      await again.add(passagesFrom(300, 310));
      assert.deepEqual(panelSections(again).at(-1), sections, 'a later opening writes the same');
      await again.compact();
      assert.deepEqual(panelSections(again), [sections]);
      expected.push(await answers(again));
      assert.deepEqual(expected.at(-1), expected[1]);
      await again.close();
    }
    await assert.rejects(
      open('other', { storage: 'f16' }),
      fails('ERR_INVALID_ARGUMENT', /storage to be one of int4, int8, bf16, f32/),
    );
  });

  it('applies to later writes, and to the rest after compaction', async () => {
    const corpus = await open('changed', { storage: 'f32' });
    await corpus.add(passagesFrom(0, 60));
    const before = await answers(corpus);
    await corpus.close();
    const changed = await open('changed', { storage: 'int8' });
    assert.equal(changed.info().storage, 'f32');
    await changed.add(passagesFrom(60, 61));
    assert.equal(changed.info().storage, 'mixed');
    await changed.delete(['p60']);
    assert.deepEqual(await answers(changed), before);
    await changed.compact();
    assert.equal(changed.info().storage, 'int8');
    assert.deepEqual(await answers(changed), before);
    assert.deepEqual(await changed.compact(), { merged: 0, dropped: 0 });
    await changed.close();
  });

  it('is changed by compaction alone, of one segment too', async () => {
    using corpus = await open('converted', { storage: 'int8' });
    await corpus.add(passagesFrom(0, 40));
    const before = await answers(corpus);
    await corpus.close();
    using changed = await open('converted', { storage: 'int4' });
    assert.equal((await changed.compact()).merged, 1);
    assert.equal(changed.info().storage, 'int4');
    assert.deepEqual(await answers(changed), before);
    assert.deepEqual(await changed.compact(), { merged: 0, dropped: 0 });
  });

  for (const [storage, all] of [
    ['int8', ['panels.int8', 'panels.rows']],
    ['int4', ['panels.int4', 'panels.rows', 'panels.centre']],
  ] as const)
    it(`is rejected if its sections contradict the rows: ${storage}`, async () => {
      const name = `spoilt-${storage}`;
      using corpus = await open(name, { storage });
      await corpus.add(passagesFrom(0, 40));
      using snapshot = corpus.snapshot();
      const { segment } = snapshot.segments[0]!;
      const sections = segment.sections().map((each) => each.name);
      for (const spoilt of all) {
        const path = join(folder.path(name), `${spoilt}.seg`);
        await writeSegmentFile(
          path,
          sections.map((each) => {
            const data = segment.read(each);
            return { name: each, data: each === spoilt ? data.slice(1) : data };
          }),
        );
        const opened = binding.Segment.open(path);
        const query = { vector: new Float32Array(80).fill(1) };
        await assert.rejects(
          scanFlat([{ rows: opened }], [query], { k: 1 }),
          fails('ERR_CORPUS_CORRUPT', new RegExp(spoilt)),
        );
        opened.close();
      }
    });
});
