// Damage is found where it is first read: by reads, by tasks and by calls on the JS thread, of
// files of both versions; blocks that nobody reads are not looked at.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { binding } from '../../lib/binding.js';
import type { FlatResult, SectionArray, Segment, Storage } from '../../binding.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { Corpus } from '../../lib/store/corpus.js';
import { anywhere } from '../anywhere.js';
import { fails, hashEncoder, passagesFrom, temporaryFolder } from '../store/fixtures.js';
import { writeSegmentFile } from '../segmentFiles.js';
import { drawWorld, segmentSections } from './flat.corpus.js';
import { assertEach } from '../assertEach.js';

const { Cancellation, crc32c, findPassages, documentFrequencies, rowsOfPassages } = binding;
const block = 65_536;

/** Calls `use` with the file opened anew while a bit of it is flipped, which it restores. */
async function flipped<T>(
  path: string,
  [at, bit]: readonly [at: number, bit: number],
  use: (segment: Segment) => T,
): Promise<Awaited<T>> {
  const file = openSync(path, 'r+');
  const byte = readFileSync(path)[at]!;
  writeSync(file, Buffer.of(byte ^ (1 << bit)), 0, 1, at);
  const segment = binding.Segment.open(path);
  try {
    return await use(segment);
  } finally {
    segment.close();
    writeSync(file, Buffer.of(byte), 0, 1, at);
    closeSync(file);
  }
}

const names = (section: string) =>
  fails('ERR_CORPUS_CORRUPT', new RegExp(` of the section ${section.replaceAll('.', '\\.')} in `));

/** The file rewritten in version 1, in which a section's checksum is in the table. */
function writeVersion1(from: string, to: string): void {
  const whole = readFileSync(from);
  const table = Number(whole.readBigUInt64LE(24));
  const end = table + 64 * whole.readUInt32LE(12);
  const segment = binding.Segment.open(from);
  segment.sections().forEach(({ offset, bytes }, i) => {
    whole.writeUInt32LE(crc32c(whole.subarray(offset, offset + bytes)), table + 64 * i + 44);
  });
  segment.close();
  whole.writeUInt32LE(1, 8);
  whole.writeBigUInt64LE(BigInt(end), 16);
  whole.writeUInt32LE(crc32c(whole.subarray(table, end)), 32);
  whole.writeUInt32LE(crc32c(whole.subarray(0, 60)), 60);
  writeFileSync(to, whole.subarray(0, end));
}

describe('the first read of a section', () => {
  const folder = temporaryFolder();
  let corpusFile: string;
  before(async () => {
    const corpus = await Corpus.open(folder.path('corpus'), { encoder: hashEncoder() });
    await corpus.add(passagesFrom(0, 9), { batchSize: 5 });
    await corpus.compact();
    using snapshot = corpus.snapshot();
    corpusFile = snapshot.segments[0]!.segment.path;
    await corpus.close();
  });

  it('finds every single flipped bit, in both versions of the file', async () => {
    const path = folder.path('small.seg');
    await writeSegmentFile(path, [
      { name: 'counts', data: BigUint64Array.of(3n, 1n) },
      { name: 'bytes', data: Uint8Array.from({ length: 77 }, (_, i) => i) },
      { name: 'empty', data: new Float32Array(0) },
      { name: 'floats', data: Float32Array.from({ length: 20 }, (_, i) => i / 7) },
    ]);
    const older = folder.path('older.seg');
    writeVersion1(path, older);
    for (const each of [path, older]) {
      const whole = binding.Segment.open(each);
      await whole.verify();
      const sections = whole.sections();
      whole.close();
      for (const { name, offset, bytes } of sections) {
        for (let bit = 0; bit < 8 * bytes; bit += 1) {
          await flipped(each, [offset + (bit >> 3), bit & 7], (segment) => {
            assert.throws(() => segment.read(name), names(name));
            assert.throws(() => segment.read(name, 0, 1), names(name));
            assert.throws(() => segment.readEach(name, Uint32Array.of(0, 1)), names(name));
            for (const other of sections) if (other.name !== name) segment.read(other.name);
          });
        }
      }
    }
  });

  it('reads the blocks of its elements alone, and no element of which none is right', async () => {
    const path = folder.path('blocks.seg');
    const values = Uint32Array.from({ length: 45_000 }, (_, i) => i); // three blocks, not all full
    await writeSegmentFile(path, [
      { name: 'values', data: values },
      { name: 'other', data: values },
    ]);
    const elements = block / 4;
    const { offset } = binding.Segment.open(path).sections()[0]!;
    for (const damaged of [0, 1, 2]) {
      await flipped(path, [offset + damaged * block + 5, 3], async (segment) => {
        for (const each of [2, 0, 1]) {
          const [from, count] = [each * elements + 7, 1000];
          if (each !== damaged)
            assert.deepEqual(segment.read('values', from, count), values.slice(from, from + count));
          else assert.throws(() => segment.read('values', from, count), names('values'));
        }
        assert.throws(() => segment.read('values'), names('values'));
        assert.throws(() => segment.readEach('values', Uint32Array.of(0, 45_000)), names('values'));
        assert.equal(segment.read('values', 45_000).length, 0);
        await assert.rejects(segment.verify(), names('values'));
      });
    }
    const checksums = readFileSync(path).length - 2 * 3 * 4;
    for (let at = 0; at < 12; at += 1) {
      await flipped(path, [checksums + at, at % 8], async (segment) => {
        for (const from of [0, 20_000, 44_999])
          assert.throws(() => segment.read('values', from, 1), names('values'));
        assert.deepEqual(segment.read('other'), values);
        await assert.rejects(segment.verify(), names('values'));
      });
    }
  });

  it('finds a flipped bit of any byte in a task, and in calls on the JS thread', async () => {
    const opened = binding.Segment.open(corpusFile);
    const sections = opened.sections().filter(({ bytes }) => bytes > 0);
    const calls: [sections: RegExp, call: (segment: Segment) => unknown][] = [
      [/^counts$|^passages\.id/, (segment) => findPassages(segment, ['p0', 'p8', 'q'])],
      [
        /^(?:lexical\.)?counts$|^lexical\.term_(?:offset|bytes|frequency)$/,
        (segment) => documentFrequencies(segment, ['bridg', 'visit']),
      ],
      [
        /^counts$|^rows\.(?:of_)?passage$/,
        (segment) => rowsOfPassages(segment, Uint32Array.of(2, 5)),
      ],
    ];
    const before = calls.map(([, call]) => call(opened));
    opened.close();
    for (const { name, offset, bytes } of sections) {
      for (let at = 0; at < bytes; at += 1) {
        await flipped(corpusFile, [offset + at, at % 8], async (segment) => {
          for (const [own, call] of calls)
            if (own.test(name)) assert.throws(() => call(segment), names(name));
          const task = binding.countTerms(segment, Uint32Array.of(0), ['bridg']);
          if (/^passages\.|^vectors\.f32$/.test(name))
            await task; // read in part, by others
          else await assert.rejects(task, names(name));
        });
      }
    }
    const again = binding.Segment.open(corpusFile);
    assertEach(calls, ([, call]) => call(again), before);
    again.close();
  });

  it('finds damage of a merge, in sections too that no search reads', async () => {
    const whole = binding.Segment.open(corpusFile);
    const { offset, bytes } = whole.sections().find(({ name }) => name === 'passages.record')!;
    whole.close();
    await flipped(corpusFile, [offset + bytes - 1, 0], async (segment) => {
      const plan = { passages: 0, multiSentence: 0, rows: 0, newRows: [], newPassages: [] };
      await assert.rejects(
        binding.planMerge([{ segment, liveDocs: null }]),
        names('passages.record'),
      );
      const parts = { segments: [segment], plan, sections: [], storage: 'f32' as const };
      const none = { ...plan, newRows: [new Uint32Array(0)], newPassages: [new Uint32Array(0)] };
      await assert.rejects(
        writeMergeTo(folder.path('merged.seg'), { ...parts, plan: none }),
        names('passages.record'),
      );
    });
  });

  it('is for all tasks that begin at once, and ends with a signal', async () => {
    const task = (segment: Segment, cancellation?: InstanceType<typeof Cancellation>) =>
      binding.countTerms(segment, Uint32Array.of(0), ['bridg'], cancellation);
    const whole = binding.Segment.open(corpusFile);
    const { offset } = whole.sections().find(({ name }) => name === 'rows.passage')!;
    const cancelled = new Cancellation();
    cancelled.cancel();
    await assert.rejects(task(whole, cancelled), fails('ERR_ABORTED'));
    await Promise.all(Array.from({ length: 6 }, () => task(whole)));
    whole.close();
    await flipped(corpusFile, [offset, 0], async (segment) => {
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => task(segment)));
      for (const each of outcomes)
        names('rows.passage')(each.status === 'rejected' ? each.reason : undefined);
      await assert.rejects(task(segment), names('rows.passage')); // not only the first
    });
  });

  for (const storage of ['int8', 'int4', 'bf16', 'f32'] as const) {
    it(`precedes every score: a scan of ${storage} is right or fails`, async () => {
      const [path, column] = [folder.path(`${storage}.seg`), folder.path(`${storage}-column.seg`)];
      const queries = await writeWorld(path, column, storage);
      const scan = (rows: Segment, vectors: Segment | undefined, query: ScanQuery, k: number) =>
        scanFlat([{ rows, ...(vectors ? { vectors } : {}) }], [query], { k });
      const clean = binding.Segment.open(path);
      const { offset, bytes } = clean.sections().find(({ name }) => name === 'vectors.f32')!;
      const expected: FlatResult[] = [];
      for (const query of queries)
        for (const k of [1, 20, 5000]) expected.push(await scan(clean, undefined, query, k));
      let [found, right] = [0, 0];
      for (const at of anywhere(6, bytes)) {
        for (const replaced of [false, true]) {
          let i = 0;
          for (const query of queries) {
            for (const k of [1, 20, 5000]) {
              const result = expected[i++]!;
              await flipped(replaced ? column : path, [offsetIn(replaced) + at, 6], async (own) => {
                const [rows, vectors] = replaced ? [clean, own] : [own, undefined];
                const outcome = await scan(rows, vectors, query, k).catch(
                  (error: unknown) => error,
                );
                if (outcome instanceof Error) names('vectors.f32')(outcome);
                else assert.deepEqual(scores(outcome as FlatResult), scores(result));
                if (outcome instanceof Error) found += 1;
                else right += 1;
              });
            }
          }
        }
      }
      clean.close();
      assert.ok(found > 0);
      assert.equal(right > 0, storage !== 'f32', 'only vectors beside panels are read row by row');

      function offsetIn(replaced: boolean): number {
        if (!replaced) return offset;
        const file = binding.Segment.open(column);
        const own = file.sections().find(({ name }) => name === 'vectors.f32')!.offset;
        file.close();
        return own;
      }
    });
  }
});

const writeMergeTo = async (
  path: string,
  merge: Parameters<typeof binding.writeMerge>[1],
): Promise<void> => {
  const descriptor = openSync(path, 'w+');
  try {
    await binding.writeMerge({ descriptor, path }, merge);
  } finally {
    closeSync(descriptor);
  }
};

const scores = ({ row, score, similarity }: FlatResult) => ({ row, score, similarity });

/** Writes a segment of some blocks of vectors, and a file that has the same vectors alone. */
async function writeWorld(path: string, column: string, storage: Storage): Promise<ScanQuery[]> {
  const dimensions = 128;
  const { segments, queries } = drawWorld(
    { segments: 1, passages: 900, dimensions, hide: false, seed: 11 },
    10,
  );
  const sections: Record<string, SectionArray> = segmentSections(segments[0]!, dimensions, false);
  const vectors = sections['vectors.f32'] as Float32Array;
  assert.ok(vectors.byteLength > 3 * block);
  const panels = await binding.packPanels(vectors, dimensions, storage);
  const named = Object.entries(sections).map(([name, data]) => ({ name, data }));
  await writeSegmentFile(path, [...named, ...panels]);
  const counts = BigUint64Array.of(BigInt(vectors.length / dimensions), BigInt(dimensions));
  await writeSegmentFile(column, [
    { name: 'vectors.counts', data: counts },
    { name: 'vectors.f32', data: vectors },
    ...panels,
  ]);
  return queries.filter(({ vector }) => vector);
}
