// Vectors fused with time as derived columns: content, lifetime, and robustness of the corpus.
import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import { Corpus } from '../../../lib/index.js';
import { noTime, timeTupleOf, type TimeTuple } from '../../../lib/time/tuple.js';
import { timeEncoder, type TimeEncoderWeights } from '../../../lib/models/index.js';
import type { TimeEncoder } from '../../../lib/vectors/timeEncoder.js';
import { contentTimesOf } from '../../../lib/store/views/rowTimes.js';
import { fusedVectorColumn } from '../../../lib/store/derived/fusedVectorColumn.js';
import type { Interval } from '../../../lib/time/interval.js';
import { timeColumns } from '../../../lib/vectors/timeEncoder.js';
import { normals } from '../../kernels/levels.js';
import { fails, hashEncoder, isWindows, passagesFrom, temporaryFolder } from '../fixtures.js';
import { writeSegmentFile } from '../../segmentFiles.js';

const base = hashEncoder();
const shape = {
  dimensions: base.dimensions,
  waves: 3,
  width: 5,
  statistics: { meanYear: 2000, deviationYear: 30 },
};

function weights(seed = 1, kind: TimeEncoderWeights['kind'] = 'film'): TimeEncoderWeights {
  const parameters = normals(
    binding.timeParameterCount({ ...shape, kind, ...shape.statistics }),
    seed,
  );
  return { encoder: base.id, kind, ...shape, parameters, settings: {}, training: {} };
}

/**
 * As lib/time/timeExtractor.ts has it of a text: the first, narrowed by those that follow inside
 * it.
 */
function timeOf(times: readonly Interval[]): TimeTuple {
  let known = times[0];
  for (const each of times) if (each.start >= known!.start && each.end <= known!.end) known = each;
  return known === undefined ? noTime : timeTupleOf(known);
}

const files = (path: string): string[] =>
  readdirSync(join(path, 'segments'))
    .filter((name) => name.endsWith('.vec'))
    .sort();

describe('vectors fused with time', () => {
  const folder = temporaryFolder();
  let number = 0;
  let times: TimeEncoder;
  before(async () => void (times = await timeEncoder(base, weights())));

  /** Two segments with times of every kind, and a third of passages that replace some. */
  async function filled(): Promise<string> {
    const path = folder.path(`corpus-${(number += 1)}`);
    await using corpus = await Corpus.open(path, { encoder: base });
    await corpus.add(passagesFrom(0, 60), { batchSize: 30 });
    await corpus.add(passagesFrom(10, 14, 1));
    return path;
  }

  const open = (path: string, options = {}) => Corpus.open(path, { encoder: base, ...options });
  /** What the corpus's fused rows are now, segment by segment. */
  async function fusedOf(corpus: Corpus, by = times): Promise<Float32Array[]> {
    using snapshot = corpus.snapshot();
    const { files: made } = await corpus.derive(snapshot, fusedVectorColumn(by));
    return made.map((file) => file.read('vectors.f32') as Float32Array);
  }

  async function expected(corpus: Corpus, by = times): Promise<Float32Array[]> {
    using snapshot = corpus.snapshot();
    return Promise.all(
      snapshot.segments.map((stored) =>
        by.fuse(
          stored.segment.read('vectors.f32') as Float32Array,
          Array.from({ length: stored.rows }, (_, row) => timeOf(contentTimesOf(stored, row))),
        ),
      ),
    );
  }

  it('hold each row fused with its content time, undated rows bit for bit', async () => {
    await using corpus = await open(await filled());
    for (const kind of ['film', 'concatenated'] as const) {
      const by = await timeEncoder(base, weights(2, kind));
      assert.deepEqual(await fusedOf(corpus, by), await expected(corpus, by));
    }
    const [rows] = await fusedOf(corpus);
    using snapshot = corpus.snapshot();
    const { segment, rows: count } = snapshot.segments[0]!;
    const stored = segment.read('vectors.f32') as Float32Array;
    const same = Array.from({ length: count }, (_, row) => row).filter(
      (row) => contentTimesOf(snapshot.segments[0]!, row).length === 0,
    );
    assert.ok(same.length > 5);
    for (const row of same)
      assert.deepEqual(rows!.subarray(row * 8, row * 8 + 8), stored.subarray(row * 8, row * 8 + 8));
  });

  it('compute the tuple of any interval like timeTupleOf', async () => {
    const day = 864e5;
    const ends = fc.oneof(
      fc.integer({ min: -8e14, max: 8e14 }),
      fc.integer({ min: -800_000, max: 40_000 }).map((days) => days * day),
    );
    const length = fc.oneof(
      fc.constantFrom(day, 7 * day, 31 * day, 365 * day, 3652 * day),
      fc.integer({ min: 1, max: 1e13 }),
    );
    const interval = fc
      .tuple(ends, length, fc.constantFrom('', '', '', 'start', 'end', 'both'))
      .map(([start, long, opened]) => ({
        start: opened === 'start' || opened === 'both' ? -Infinity : start,
        end: opened === 'end' || opened === 'both' ? Infinity : start + long,
      }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(interval, { maxLength: 3 }), { minLength: 1, maxLength: 20 }),
        async (rows) => {
          const all = rows.flat();
          const offsets = Uint32Array.from(
            { length: rows.length + 1 },
            (_, row) => rows.slice(0, row).flat().length,
          );
          const clocks = await binding.packClocks({
            published: new Float64Array(rows.length).fill(NaN),
            validStart: new Float64Array(rows.length).fill(NaN),
            validEnd: new Float64Array(rows.length).fill(NaN),
            contentOffset: offsets,
            contentStart: Float64Array.from(all, ({ start }) => start),
            contentEnd: Float64Array.from(all, ({ end }) => end),
            contentGranularity: new Uint8Array(all.length),
          });
          const path = folder.path(`clocks-${(number += 1)}`);
          await writeSegmentFile(path, [
            {
              name: 'counts',
              data: BigUint64Array.from(
                [rows.length, 0, rows.length, all.length, 1, 256, 0, 0],
                BigInt,
              ),
            },
            { name: 'rows.passage', data: Uint32Array.from(rows, (_, row) => row) },
            ...clocks,
            { name: 'vectors.f32', data: new Float32Array(rows.length) },
          ]);
          const segment = binding.Segment.open(path);
          const found = await binding.contentDates(segment);
          segment.close();
          rmSync(path);
          assert.deepEqual(found, timeColumns(rows.map((each) => timeOf(each as Interval[]))));
        },
      ),
      { numRuns: 25 },
    );
  });

  it(
    'are made once a segment and saved: by another opening, by another process and for ' +
      'rows that come later',
    async () => {
      const path = await filled();
      {
        await using corpus = await open(path);
        const steps: { done: number; total: number }[] = [];
        const { rows } = corpus.info();
        // deleted rows stay in their segment
        assert.ok((await corpus.fuse(times, { onProgress: (step) => steps.push(step) })) >= rows);
        assert.equal(steps.length, 3);
        assert.equal(steps.at(-1)!.done, steps.at(-1)!.total);
        assert.equal(await corpus.fuse(times), 0);
        assert.equal(files(path).length, 3);
        assert.equal(
          corpus.info().bytes.derived,
          files(path).reduce((sum, file) => sum + statSync(join(path, 'segments', file)).size, 0),
        );
      }
      await using again = await open(path);
      assert.equal(await again.fuse(times), 0);
      assert.deepEqual(await fusedOf(again), await expected(again));
      await again.add(passagesFrom(100, 103));
      assert.equal(await again.fuse(times), 8);
      await again.verify();
      const other = await timeEncoder(base, weights(7));
      assert.ok((await again.fuse(other)) > 60);
      assert.equal(files(path).length, 8);
      assert.deepEqual(await fusedOf(again, other), await expected(again, other));
    },
  );

  it('are computed by one of two concurrent questions', async () => {
    await using corpus = await open(await filled());
    const counts = await Promise.all([corpus.fuse(times), corpus.fuse(times), corpus.fuse(times)]);
    assert.equal(counts.filter((count) => count > 0).length, 1);
  });

  it('are removed with their segments: by a merge, a compaction, a deletion', async function () {
    if (isWindows) this.skip(); // not while they are mapped
    const path = await filled();
    await using corpus = await open(path);
    await corpus.fuse(times);
    await corpus.delete(['p10', 'p11', 'p12', 'p13']); // all of the third segment
    assert.equal(files(path).length, 2);
    await corpus.compact();
    assert.deepEqual(files(path), []);
    assert.deepEqual(await fusedOf(corpus), await expected(corpus));
    assert.equal(files(path).length, 1);
    await corpus.compact(); // one segment with nothing deleted: only what was computed goes
    assert.deepEqual(files(path), []);
    assert.equal(corpus.info().bytes.derived, 0);
  });

  it(
    'are made again where a file is missing, cut short or of something else, and verify ' +
      'names damage',
    async () => {
      const path = await filled();
      {
        await using corpus = await open(path);
        await corpus.fuse(times);
      }
      const [one, two, three] = files(path).map((file) => join(path, 'segments', file)) as [
        string,
        string,
        string,
      ];
      const whole = readFileSync(one);
      rmSync(one);
      truncateSync(two, 5000);
      writeFileSync(three, whole); // of another segment
      {
        await using reader = await open(path, { readOnly: true });
        await assert.rejects(
          reader.verify(),
          fails('ERR_CORPUS_CORRUPT', /bytes.*compact the corpus, or remove the file/s),
        );
        assert.deepEqual(await fusedOf(reader), await expected(reader));
        assert.equal(existsSync(one), false);
      }
      await using corpus = await open(path);
      assert.ok((await corpus.fuse(times)) > 60);
      assert.deepEqual(readFileSync(one), whole);
      await corpus.verify();
      const file = openSync(one, 'r+');
      writeSync(file, Buffer.from([255]), 0, 1, 8192);
      closeSync(file);
      await assert.rejects(
        corpus.verify(),
        fails('ERR_CORPUS_CORRUPT', /checksum.*remove the file/s),
      );
      await corpus.compact();
      await corpus.verify();
    },
  );

  it(
    'are made for one opening alone where the corpus is read-only or another writes it, ' +
      'and take no lock that they keep',
    async () => {
      const path = await filled();
      {
        await using reader = await open(path, { readOnly: true });
        assert.ok((await reader.fuse(times)) > 60);
        assert.equal(await reader.fuse(times), 0);
        assert.deepEqual(await fusedOf(reader), await expected(reader));
        assert.deepEqual(files(path), []);
        const lock = new binding.FileLock(join(path, 'lock'));
        await using asking = await open(path);
        assert.ok((await asking.fuse(times)) > 60); // another writer has the lock
        assert.deepEqual(files(path), []);
        lock.release();
      }
      await using first = await open(path);
      await first.fuse(times);
      await using second = await open(path);
      await second.add(passagesFrom(201, 202)); // first has given the lock back
      assert.equal(await first.fuse(times), 1);
    },
  );

  it(
    'stop at a signal and at close, and leave nothing; what a crash left is removed by the ' +
      'next that writes',
    async () => {
      const path = await filled();
      const corpus = await open(path);
      await assert.rejects(
        corpus.fuse(times, { signal: AbortSignal.abort() }),
        fails('ERR_ABORTED'),
      );
      const stop = new AbortController();
      const stopped = corpus.fuse(times, { signal: stop.signal, onProgress: () => stop.abort() });
      await assert.rejects(stopped, fails('ERR_ABORTED'));
      assert.equal(files(path).length, 1); // the segment that was whole
      const closing = corpus.fuse(times);
      await corpus.close();
      await assert.rejects(closing, fails('ERR_CLOSED'));
      await assert.rejects(corpus.fuse(times), fails('ERR_CLOSED'));
      writeFileSync(
        join(path, 'segments', '000009-fedcba9876543210-0123456789abcdef.vec'),
        'of a crash',
      );
      writeFileSync(
        join(path, 'segments', '000009-fedcba9876543210-0123456789abcdef.vec'),
        'of a crash',
      );
      await using again = await open(path);
      await again.fuse(times);
      assert.equal(files(path).length, 3);
      assert.deepEqual(await fusedOf(again), await expected(again));
    },
  );

  it('are rejected for an incompatible time encoder', async () => {
    await using corpus = await open(await filled());
    const other = { ...weights(), encoder: 'hash-9', dimensions: 9 };
    const parameters = normals(
      binding.timeParameterCount({ ...shape, dimensions: 9, kind: 'film', ...shape.statistics }),
      1,
    );
    const misfit = await timeEncoder(hashEncoder(9), { ...other, parameters });
    await assert.rejects(corpus.fuse(misfit), fails('ERR_INVALID_ARGUMENT', /9 components/));
    await assert.rejects(corpus.fuse({ ...times }), fails('ERR_INVALID_ARGUMENT', /TimeEncoder/));
  });
});
