// The boundary of merging: plans and segments that do not fit are refused, whatever claims them.
// Merging itself is tested on corpora (test/store/writing/compaction.test.ts).
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { MergePlan, SectionArray, Segment } from '../../binding.js';
import { binding } from '../../lib/binding.js';
import { Corpus } from '../../lib/store/corpus.js';
import { hashEncoder, passagesFrom, temporaryFolder } from '../store/fixtures.js';
import { writeSegmentFile, writeTo } from '../segmentFiles.js';

const { planMerge, writeMerge } = binding;

describe('merging at the boundary', () => {
  const folder = temporaryFolder();
  let segment: Segment;
  let sections: { name: string; data: SectionArray }[];
  before(async () => {
    const corpus = await Corpus.open(folder.path('corpus'), { encoder: hashEncoder() });
    await corpus.add(passagesFrom(0, 9));
    const snapshot = corpus.snapshot();
    segment = binding.Segment.open(snapshot.segments[0]!.segment.path);
    sections = segment.sections().map(({ name }) => ({ name, data: segment.read(name) }));
    snapshot.release();
    await corpus.close();
  });
  after(() => segment.close());

  let number = 0;
  const newPath = (): string => folder.path(`merged-${(number += 1)}.seg`);
  /** The segment with a section changed by `change`, which may return another array. */
  async function changed(
    name: string,
    change: (data: SectionArray) => SectionArray | void,
  ): Promise<Segment> {
    const path = newPath();
    const others = sections.map((each) => {
      if (each.name !== name) return each;
      const data = each.data.slice() as SectionArray;
      return { name, data: change(data) ?? data };
    });
    await writeSegmentFile(path, others);
    return binding.Segment.open(path);
  }

  it('refuses what is no plan, source or segment', async () => {
    const plan = await planMerge([{ segment, liveDocs: null }]);
    const closed = binding.Segment.open(segment.path);
    closed.close();
    assert.throws(() => void planMerge([{ segment: closed, liveDocs: null }]), {
      code: 'ERR_CLOSED',
    });
    for (const sources of [
      undefined,
      [5],
      [{ segment: {}, liveDocs: null }],
      [{ segment, liveDocs: [1] }],
      [{ segment, liveDocs: undefined }],
    ]) {
      assert.throws(() => void planMerge(sources as never), { code: 'ERR_INVALID_ARGUMENT' });
    }
    await assert.rejects(planMerge([{ segment, liveDocs: new Uint8Array(1) }]), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    const good = { segments: [segment], plan, sections: [], storage: 'int8' };
    const file = { descriptor: 1, path: folder.path('output') };
    writeFileSync(file.path, ''); // Windows opens it by its path
    const wrong: unknown[][] = [
      [5, good],
      [file, [segment]],
      [file, { ...good, segments: segment }],
      [file, { ...good, plan: null }],
      [file, { ...good, segments: [segment, segment] }],
      [file, { ...good, plan: { ...plan, rows: -1 } }],
      [file, { ...good, plan: { ...plan, newRows: [[1]] } }],
      [file, { ...good, sections: [{ name: 'a', data: [1] }] }],
      [file, { ...good, storage: 'f16' }],
    ];
    for (const given of wrong)
      assert.throws(() => void writeMerge(...(given as Parameters<typeof writeMerge>)), {
        code: 'ERR_INVALID_ARGUMENT',
      });
  });

  it('refuses plans that are not one to one', async () => {
    const plan = await planMerge([{ segment, liveDocs: null }]);
    const altered = (change: (plan: MergePlan) => MergePlan | void): MergePlan => {
      const copy = structuredClone(plan);
      return change(copy) ?? copy;
    };
    const plans = [
      altered((each) => void (each.newRows[0]![0] = each.newRows[0]![1]!)),
      altered((each) => void (each.newRows[0]![0] = 0xfffffffe)),
      altered((each) => void (each.newRows[0]![0] = 0xffffffff)),
      altered((each) => void (each.newPassages[0]![0] = each.newPassages[0]![1]!)),
      altered((each) => ({ ...each, rows: each.rows + 1 })),
      altered((each) => ({ ...each, passages: each.passages - 1, multiSentence: 0 })),
      altered((each) => ({ ...each, newRows: [each.newRows[0]!.slice(1)] })),
    ];
    for (const each of plans) {
      const path = newPath();
      await assert.rejects(
        writeTo(path, (file) =>
          writeMerge(file, { segments: [segment], plan: each, sections: [], storage: 'int8' }),
        ),
        {
          code: 'ERR_INVALID_ARGUMENT',
        },
      );
    }
  });

  it('refuses sources whose sections contradict each other', async () => {
    const contradictions: [string, (data: SectionArray) => SectionArray | void][] = [
      ['counts', (data) => void ((data as BigUint64Array)[0]! += 1n)],
      ['counts', (data) => void ((data as BigUint64Array)[1]! += 1n)],
      ['counts', (data) => void ((data as BigUint64Array)[2] = 2n ** 40n)],
      ['counts', (data) => (data as BigUint64Array).slice(0, 3)],
      ['rows.passage', (data) => void ((data as Uint32Array)[0] = 4_000_000_000)],
      ['rows.passage', (data) => void ((data as Uint32Array)[0] = (data as Uint32Array)[1]!)],
      ['rows.passage', (data) => (data as Uint32Array).slice(1)],
      ['passages.id_offset', (data) => void ((data as BigUint64Array)[1] = 2n ** 50n)],
      ['passages.id', (data) => (data as Uint8Array).slice(1)],
      ['passages.record_offset', (data) => void ((data as BigUint64Array)[1] = 2n ** 50n)],
      ['passages.record', (data) => (data as Uint8Array).slice(1)],
    ];
    for (const [name, change] of contradictions) {
      const source = await changed(name, change);
      await assert.rejects(
        planMerge([{ segment: source, liveDocs: null }]),
        { code: 'ERR_CORPUS_CORRUPT' },
        name,
      );
      source.close();
    }
    const plan = await planMerge([{ segment, liveDocs: null }]);
    const later: [string, (data: SectionArray) => SectionArray | void][] = [
      ['counts', (data) => void ((data as BigUint64Array)[3]! += 1n)],
      ['counts', (data) => void ((data as BigUint64Array)[4]! += 1n)],
      ['clock.content_offset', (data) => void ((data as Uint32Array)[1] = 4_000_000_000)],
      ['clock.content_start', (data) => (data as Int32Array).slice(1)],
      ['clock.content_granularity', (data) => (data as Uint8Array).slice(1)],
      ['clock.published', (data) => (data as Int32Array).slice(1)],
      ['clock.encoding', (data) => (data as Float64Array).slice(1)],
      ['rows.sentence', (data) => (data as Uint32Array).slice(2)],
      ['passages.hash', (data) => (data as Uint8Array).slice(1)],
      ['vectors.f32', (data) => (data as Float32Array).slice(1)],
    ];
    for (const [name, change] of later) {
      const [source, path] = [await changed(name, change), newPath()];
      await assert.rejects(
        writeTo(path, (file) =>
          writeMerge(file, { segments: [source], plan, sections: [], storage: 'int8' }),
        ),
        { code: 'ERR_CORPUS_CORRUPT' },
        name,
      );
      source.close();
    }
  });

  it('merging nothing, and hiding everything, gives a segment of nothing', async () => {
    for (const sources of [[], [{ segment, liveDocs: new Uint8Array(2) }]]) {
      const plan = await planMerge(sources);
      assert.deepEqual([plan.passages, plan.multiSentence, plan.rows], [0, 0, 0]);
      const path = newPath();
      const segments = sources.map((each) => each.segment);
      await writeTo(path, (file) =>
        writeMerge(file, { segments, plan, sections: [], storage: 'int8' }),
      );
      const merged = binding.Segment.open(path);
      await merged.verify();
      assert.equal((merged.read('counts') as BigUint64Array)[2], 0n);
      merged.close();
    }
  });
});
