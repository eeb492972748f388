// What a flat search is beyond its results, which fuzz/checks.ts compares with the oracle's: how
// few rows it reads, inexact ways, refused requests, cancellation, closed and damaged rows, numbers
// that are none.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatRequest, FlatResult, MemoryRows, SectionArray, Segment } from '../../binding.js';
import { scanReport } from '../../lib/retrieval/scanReport.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { formKinds, type TemporalForm } from '../../lib/time/temporalForms.js';
import { atEveryExtension, normals } from '../kernels/levels.js';
import { writeSegmentFile } from '../segmentFiles.js';
import { turnsDuring } from '../turnsDuring.js';
import { temporaryFolder } from '../store/fixtures.js';
import {
  day,
  drawWorld,
  refusal,
  scanSegment,
  segmentSections,
  smallShape as shape,
} from './flat.corpus.js';

const spline: TemporalForm = {
  combine: 'product',
  kind: 'spline',
  clock: 'published',
  lines: [{ window: { start: 900 * day, end: 1_400 * day }, atStart: 0.6, atEnd: 1 }],
  outside: 0.5,
};
const recency: TemporalForm = {
  combine: 'sum',
  kind: 'recency',
  clock: 'published',
  at: 2_000 * day,
  floorDays: 1,
  weight: 1,
};
const decay: TemporalForm = {
  combine: 'product',
  kind: 'exponential',
  clock: 'published',
  at: 2_000 * day,
  halfLifeMs: 300 * day,
  offsetMs: 0,
  floor: 0,
  outside: 0.5,
};

describe('a flat search of many rows', () => {
  const [rows, dimensions] = [20_000, 48];
  const published = (mixed: boolean): Float64Array =>
    Float64Array.from(
      { length: rows },
      (_, row) => Math.floor(((mixed ? (row * 7919) % rows : row) / rows) * 2_000) * day,
    );
  const vectors = normals(rows * dimensions, 3);
  const drawn = normals(20 * dimensions, 11);
  const kept = new Map<string, MemoryRows>();
  /** One a passage; moments are measured at the level in use. */
  function rowsOf(storage: 'f32' | 'int8' | 'int4' | 'bf16', mixed = true): { rows: MemoryRows } {
    const name = `${storage} ${mixed} ${binding.isa()}`;
    if (!kept.has(name))
      kept.set(
        name,
        new binding.MemoryRows({
          passages: rows,
          multiSentence: 0,
          dimensions,
          vectors,
          storage,
          rowPassage: Uint32Array.from({ length: rows }, (_, row) => row),
          published: published(mixed),
        }),
      );
    return { rows: kept.get(name)! };
  }
  const queries = (count: number, changes: Partial<ScanQuery>): ScanQuery[] =>
    Array.from({ length: count }, (_, q) => ({
      vector: drawn.slice(q * dimensions, (q + 1) * dimensions),
      ...changes,
    }));
  const words = Float32Array.from({ length: rows }, (_, row) =>
    row % 50 === 0 ? 1 + (row % 7) : 0,
  );
  after(() => {
    for (const each of kept.values()) each.close();
    addon.setThreadCount(0);
  });

  /** The most rows that a query scores by their f32 vectors. */
  const few: Record<string, [number, Partial<ScanQuery>]> = {
    'without time': [30, {}],
    'of a spline': [30, { form: spline }],
    'of a recency that decides': [100, { form: recency }],
    'of a recency that weighs little': [400, { form: { ...recency, weight: 0.1, floorDays: 30 } }],
    'of a decay': [30, { form: decay }],
    'of a decay that is added': [30, { form: { ...decay, combine: 'sum', weight: 0.3 } }],
    'of words': [400, { semanticWeight: 0.5, lexicalWeight: 2, lexical: [words] }],
    'of a broad window': [
      30,
      { mask: { window: { start: 0, end: 900 * day, clock: 'published', relation: 'within' } } },
    ],
  };
  atEveryExtension((level) => {
    for (const [name, [most, changes]] of Object.entries(few)) {
      it(`reads few f32 vectors ${name}, and finds what they give`, async () => {
        for (const mixed of [true, false]) {
          for (const count of level === 'reference' ? [1] : [1, 20]) {
            const given = queries(count, changes);
            const expected = await scanFlat([rowsOf('f32', mixed)], given, { k: 10 });
            for (const storage of ['int8', 'int4', 'bf16'] as const) {
              const found = await scanFlat([rowsOf(storage, mixed)], given, { k: 10 });
              for (const column of ['row', 'score', 'similarity'] as const)
                assert.deepEqual(found[column], expected[column], `${storage}, ${count}`);
              // A few: many are packed on the fly or read in f32 below AVX-512.
              for (let q = 0; q < count && mixed; q += 1) {
                const { rescored, ...read } = scanReport(found, q);
                assert.deepEqual(read, { storage, exact: true, device: 'cpu' });
                assert.ok(
                  rescored >= 10 && rescored <= most,
                  `${rescored} of ${storage} in ${count}`,
                );
              }
            }
          }
        }
      });
    }
  });

  it('reads a narrow window of rows in the order of time in f32', async () => {
    const mask = {
      window: { start: 900 * day, end: 920 * day, clock: 'published', relation: 'within' },
    } as const;
    const found = await scanFlat([rowsOf('int8', false)], queries(8, { mask }), { k: 40 });
    assert.deepEqual(new Set(found.storage), new Set([0]));
  });

  it('orders the best by their f32 vectors, or leaves them as they are', async () => {
    const given = queries(20, { form: spline });
    for (const storage of ['int8', 'int4'] as const) {
      const exact = await scanFlat([rowsOf(storage)], given, { k: 10 });
      const hits = ({ offsets, row, similarity }: FlatResult, q: number) =>
        new Map(
          Array.from(row.subarray(offsets[q], offsets[q + 1]), (each, at) => [
            each,
            similarity[offsets[q]! + at]!,
          ]),
        );
      for (const [exactness, least, error] of [
        ['rescored', 1, 0],
        ['raw', 0.9, 0.05],
      ] as const) {
        const found = await scanFlat([rowsOf(storage)], given, { k: 10, exactness });
        let shared = 0;
        for (const q of given.keys()) {
          const rescored = exactness === 'raw' ? 0 : 40;
          const report = { storage, exact: false, rescored, device: 'cpu' };
          assert.deepEqual(scanReport(found, q), report);
          for (const [row, similarity] of hits(exact, q)) {
            const own = hits(found, q).get(row);
            if (own === undefined) continue;
            shared += 1;
            assert.ok(Math.abs(own - similarity) <= error * Math.max(1, Math.abs(similarity)));
          }
          // A query alone does not sample.
          const alone = await scanFlat([rowsOf(storage)], [given[q]!], { k: 10, exactness });
          assert.deepEqual(hits(alone, 0), hits(found, q));
        }
        assert.ok(shared >= least * exact.row.length, `${exactness}: ${shared}`);
      }
    }
    const plain = await scanFlat([rowsOf('f32')], given, { k: 10, exactness: 'raw' });
    const report = { storage: 'f32', rescored: 0, exact: true, device: 'cpu' };
    assert.deepEqual(scanReport(plain, 0), report);
  });

  it('leaves the event loop free', async () => {
    const segments = Array.from({ length: 20 }, () => rowsOf('int8'));
    const turns = await turnsDuring(() =>
      scanFlat(segments, queries(20, { form: recency }), { k: 10 }),
    );
    assert.ok(turns >= 3, `${turns} turns`);
  });

  it('stops at a signal while it runs, and leaves nothing broken', async () => {
    const abort = new AbortController();
    const many = new Array<ScanQuery>(40_000).fill(queries(1, {})[0]!);
    const running = scanFlat([rowsOf('f32')], many, { k: 10, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 5);
    await assert.rejects(
      running,
      (error: Error & { code?: string }) =>
        error.code === 'ERR_ABORTED' && (error.cause as Error).message === 'enough',
    );
    assert.equal((await scanFlat([rowsOf('f32')], queries(1, {}), { k: 3 })).row.length, 3);
  });
});

describe('a flat search', () => {
  const folder = temporaryFolder();
  const day1 = { clock: 'published', relation: 'overlaps' } as const;

  it('finds what cutting first loses', async () => {
    // A thousand passages are a little more similar than the answer, and of the wrong time.
    const now = Date.UTC(2021, 4, 6);
    const year = 365 * day;
    const rows = new binding.MemoryRows({
      passages: 1_000,
      multiSentence: 0,
      dimensions: 2,
      vectors: Float32Array.from({ length: 2_000 }, (_, i) =>
        i % 2 === 1 ? 0.1 : i === 2 * 777 ? 0.8 : 0.9 - i * 5e-6,
      ),
      rowPassage: Uint32Array.from({ length: 1_000 }, (_, row) => row),
      published: Float64Array.from({ length: 1_000 }, (_, row) =>
        row === 777 ? now - day : now - 80 * year,
      ),
    });
    const vector = Float32Array.of(1, 0);
    const best = async (k: number, query: ScanQuery): Promise<number[]> => [
      ...(await scanFlat([{ rows }], [{ vector, ...query }], { k })).passage,
    ];
    assert.ok(!(await best(100, {})).includes(777));
    const window = { start: now - 50 * year, end: now };
    const lines = [{ window, atStart: 0.6, atEnd: 1 }];
    assert.deepEqual(await best(1, { form: { ...spline, lines } }), [777]);
    assert.deepEqual(await best(1, { form: { ...recency, at: now } }), [777]);
    assert.deepEqual(await best(1, { mask: { window: { ...window, ...day1 } } }), [777]);
  });

  it('goes on over rows that are closed while it runs, in memory and in files', async () => {
    const { segments, queries } = drawWorld({ hide: false });
    const names = (wide: boolean) =>
      Promise.all(
        segments.map(async (each, s) => {
          const path = join(folder.path(`${s}-${wide}.segment`));
          const sections = segmentSections(each, shape.dimensions, wide);
          await writeSegmentFile(path, named(sections));
          return { rows: binding.Segment.open(path) };
        }),
      );
    const inMemory = segments.map((each) => scanSegment(each, shape.dimensions, false));
    const expected = await scanFlat(inMemory, queries, { k: 30 });
    for (const searched of [inMemory, await names(false), await names(true)]) {
      const running = Promise.all(
        Array.from({ length: 5 }, () => scanFlat(searched, queries, { k: 30 })),
      );
      searched.forEach(({ rows }) => rows.close());
      for (const found of await running) assert.deepEqual(found, expected);
      await assert.rejects(scanFlat(searched, queries, { k: 30 }), refusal(/closed/, 'ERR_CLOSED'));
    }
  });

  const named = (sections: Record<string, SectionArray>) =>
    Object.entries(sections).map(([name, data]) => ({ name, data }));

  it('names contradicting sections, and survives numbers that point nowhere', async () => {
    const { segments, queries } = drawWorld({ hide: false });
    const good = segmentSections(segments[0]!, shape.dimensions, false);
    const written = async (name: string, changes: typeof good): Promise<Segment> => {
      await writeSegmentFile(folder.path(name), named({ ...good, ...changes }));
      return binding.Segment.open(folder.path(name));
    };
    const vectors = (good['vectors.f32'] as Float32Array).subarray(1);
    const short = await written('short', { 'vectors.f32': vectors });
    await assert.rejects(
      scanFlat([{ rows: short }], [queries[0]!], { k: 1 }),
      refusal(/vectors.*elements, found/, 'ERR_CORPUS_CORRUPT'),
    );
    const rows = segments[0]!.rows.length;
    const wild = await written('wild', {
      'rows.passage': new Uint32Array(rows).fill(4e9),
      'clock.content_offset': new Uint32Array(rows + 1).fill(4e9),
    });
    const one = queries.map(({ lexical, ...query }) => ({
      ...query,
      ...(lexical ? { lexical: lexical.slice(0, 1) } : {}),
    }));
    const liveDocs = new Uint8Array(Math.ceil(segments[0]!.ids.length / 8)).fill(255);
    await scanFlat([{ rows: wild }], one, { k: 5 });
    assert.equal((await scanFlat([{ rows: wild, liveDocs }], one, { k: 5 })).row.length, 0);
  });

  it('finds the same wherever its vectors lie, also in memory that threads share', async () => {
    const [d, rows] = [2, small().segments[0]!];
    const starts = fc.oneof(
      fc
        .tuple(fc.nat(9), fc.integer({ min: 1, max: 9 }))
        .map(([from, count]) => Array.from({ length: count }, (_, q) => from + q * d)),
      fc.array(fc.nat(36), { minLength: 1, maxLength: 9 }),
    );
    await fc.assert(
      fc.asyncProperty(starts, fc.boolean(), async (places, shared) => {
        const all = new Float32Array(shared ? new SharedArrayBuffer(160) : new ArrayBuffer(160));
        for (let i = 0; i < all.length; i += 1) all[i] = Math.cos(i * 3.1);
        const queries = places.map((start) => ({ vector: all.subarray(start, start + d) }));
        const apart = queries.map(({ vector }) => ({ vector: Float32Array.from(vector) }));
        assert.deepEqual(
          await scanFlat([{ rows }], queries, { k: 4 }),
          await scanFlat([{ rows }], apart, { k: 4 }),
        );
      }),
    );
  });

  it('leaves out rows whose score is not a number', async () => {
    const nan = await binding.searchFlat(small({ vectors: Float32Array.of(NaN, 0) }));
    assert.equal(nan.row.length, 0);
    const infinite = await binding.searchFlat(small({ vectors: Float32Array.of(Infinity, 1) }));
    assert.deepEqual([...infinite.row], [0, 2], 'row 1 multiplies an infinity by zero');
  });

  it('gives rows with words alone for a query of words alone', async () => {
    const { segments } = drawWorld();
    const rows = segments.map((each) => scanSegment(each, shape.dimensions, false, 'int8'));
    const lexical = segments.map((each) =>
      Float32Array.from(each.rows, (_, row) => (row % 5 === 0 ? 1 + row : 0)),
    );
    const options = { k: 5_000 };
    const some = await scanFlat(rows, [{ lexical, form: decay, onlyMatching: true }], options);
    const all = await scanFlat(rows, [{ lexical, form: decay }], options);
    const matching = (name: 'row' | 'score') =>
      [...all[name]].filter((_, i) => all.lexical[i]! > 0);
    assert.deepEqual([...some.row], matching('row'));
    assert.deepEqual([...some.score], matching('score'));
    assert.ok(some.row.length > 20 && some.row.length < all.row.length);
  });

  it('is exact where a bound lies beyond what the packed clock can hold', async () => {
    // Whole seconds from the first that 32 bits hold (1901-12-13T20:45:54Z): a mask of 1800 must
    // not be clamped to it.
    const first = (-(2 ** 31) + 2) * 1_000;
    const rows = new binding.MemoryRows({
      passages: 3,
      multiSentence: 0,
      dimensions: 1,
      vectors: Float32Array.of(1, 1, 1),
      rowPassage: Uint32Array.of(0, 1, 2),
      published: Float64Array.of(first, first + 1_000, NaN),
    });
    const [old, late] = [Date.UTC(1800, 0), Date.UTC(2500, 0)];
    const within = (start: number, end: number) => ({ window: { start, end, ...day1 } });
    for (const [mask, expected] of [
      [{ publishedUntil: old }, [2]],
      [{ publishedUntil: first }, [0, 2]],
      [{ publishedUntil: late }, [0, 1, 2]],
      [within(old, first), []],
      [within(old, first + 1), [0]],
      [within(-Infinity, Infinity), [0, 1]],
    ] as const) {
      const found = await scanFlat([{ rows }], [{ vector: Float32Array.of(1), mask }], { k: 3 });
      assert.deepEqual([...found.row], expected, JSON.stringify(mask));
    }
  });
});

function small(changes: Partial<FlatRequest> = {}): FlatRequest {
  const rows = new binding.MemoryRows({
    passages: 4,
    multiSentence: 0,
    dimensions: 2,
    vectors: Float32Array.of(1, 0, 0, 1, 1, 1, 2, 0),
    rowPassage: Uint32Array.of(0, 1, 2, 3),
  });
  return {
    segments: [rows],
    liveDocs: [null],
    count: 1,
    dimensions: 2,
    vectors: Float32Array.of(1, 0),
    hasVector: Uint8Array.of(1),
    k: 2,
    scope: 2,
    pool: false,
    exactness: 0,
    device: 0,
    rowVectors: null,
    semanticWeight: Float64Array.of(1),
    lexicalWeight: Float64Array.of(0),
    maxLexical: Float64Array.of(0),
    limits: Float64Array.of(2),
    lexical: null,
    publishedUntil: Float64Array.of(Infinity),
    windowKind: Uint8Array.of(0),
    window: new Float64Array(2),
    terms: null,
    k1: 0.9,
    b: 0.4,
    formKind: Uint8Array.of(0),
    form: new Float64Array(50),
    ...changes,
  };
}

describe('a flat search refuses', () => {
  const requests: [Partial<FlatRequest>, RegExp][] = [
    [
      { dimensions: 3, vectors: new Float32Array(3) },
      /dimensions to be 2, as in the segments, received 3/,
    ],
    [{ vectors: Float32Array.of(1) }, /vectors to be a Float32Array of 2, received one of 1/],
    [{ vectors: Float64Array.of(1, 0) as never }, /vectors to be a Float32Array/],
    [{ liveDocs: [new Uint8Array(2)] }, /liveDocs to be a Uint8Array of 1, received one of 2/],
    [{ liveDocs: [] }, /liveDocs to be an array of 1, received one of 0/],
    [{ lexical: [new Float32Array(3)] }, /lexical to be a Float32Array of 4, received one of 3/],
    [{ segments: [{} as Segment] }, /segment to be a Segment/],
    [{ k: -1 }, /k to be a whole number/],
    [{ limits: Float64Array.of(-1) }, /limits to be numbers from 0 to 4294967295/],
    [{ scope: 3 as never }, /scope to be a whole number from 0 to 2/],
    [{ exactness: 3 as never }, /exactness to be a whole number from 0 to 2/],
    [{ windowKind: Uint8Array.of(10) }, /windowKind to be codes from 0 to 9, received 10/],
    [{ formKind: Uint8Array.of(1 + formKinds.length) }, /formKind to be codes from 0 to/],
    [
      { formKind: Uint8Array.of(1), form: new Float64Array(50).fill(5) },
      /a form's clock to be codes from 0 to 4, received 5/,
    ],
    [
      { formKind: Uint8Array.of(1), form: new Float64Array(50).fill(9, 8) },
      /form to be numbers of its kind/,
    ],
    [{ publishedUntil: new Float64Array(0) }, /publishedUntil to be a Float64Array of 1/],
    [{ pool: 1 as never }, /pool to be a boolean/],
  ];
  it('requests whose parts do not fit', () => {
    for (const [changes, message] of requests)
      assert.throws(() => binding.searchFlat(small(changes)), refusal(message));
    const request = small();
    (request.segments[0] as MemoryRows).close();
    assert.throws(() => binding.searchFlat(request), refusal(/closed/, 'ERR_CLOSED'));
  });

  const vector = Float32Array.of(1, 0);
  const window = { start: 1, end: 2, clock: 'content', relation: 'within' } as const;
  const of = (form: TemporalForm, changes: object): ScanQuery => ({
    vector,
    form: { ...form, ...changes },
  });
  const queries: [ScanQuery, RegExp][] = [
    [{ vector: new Float32Array(0) }, /not empty/],
    [{ vector: [1, 0] as never }, /Float32Array/],
    [{ vector, semanticWeight: Infinity }, /semanticWeight to be a finite number/],
    [{ vector, k: -1 }, /k to be a whole number from 0 to 4,294,967,295, received number -1/],
    [{ vector, mask: { publishedUntil: NaN } }, /publishedUntil to be UTC epoch milliseconds/],
    [
      { vector, mask: { window: { ...window, start: 3 } } },
      /window to be a start that is not after its end/,
    ],
    [
      { vector, mask: { window: { ...window, relation: 'near' as never } } },
      /one of overlaps, within, contains/,
    ],
    [of(spline, { clock: 'wall' }), /clock to be one of content, published, validity/],
    [of(spline, { outside: 2.5 }), /from 0 to 2/],
    [of(spline, { lines: [] }), /lines to be an array of 1 to 8/],
    [of(recency, { at: Infinity }), /at to be a finite number/],
    [of(recency, { floorDays: 0 }), /floorDays to be a finite number above 0/],
    [of(decay, { kind: 'cubic' }), /kind to be one of spline, recency, exponential/],
    [of(decay, { combine: 'max' }), /combine to be one of product, sum/],
    [of(spline, { combine: 'sum' }), /combine to be one of product/],
    [of(decay, { halfLifeMs: 0 }), /halfLifeMs to be a finite number above 0/],
    [of(decay, { offsetMs: -1 }), /offsetMs to be a finite number from 0/],
    [of(decay, { floor: 1 }), /floor to be a number from 0 to less than 1/],
    [of(decay, { outside: 1.5 }), /outside to be a number from the floor to 1/],
    [of(decay, { at: Infinity }), /at to be a finite number/],
    [of(decay, { clock: 'validity or content' }), /clock to be one of/],
    [{ vector, lexical: [] }, /one array for each of 1 segments/],
  ];
  it('queries that say nothing', async () => {
    const rows = [{ rows: small().segments[0]! }];
    for (const [query, message] of queries)
      await assert.rejects(scanFlat(rows, [query], { k: 1 }), refusal(message));
    for (let length = 1; length < 12; length += 1) {
      for (const [at, wrong] of [NaN, Infinity, -Infinity, NaN].entries()) {
        const odd = new Float32Array(length).fill(1);
        odd[(at * 5) % length] = wrong;
        await assert.rejects(
          scanFlat(rows, [{ vector: odd }], { k: 1 }),
          new RegExp(`finite numbers.*Component ${(at * 5) % length} is not`, 's'),
        );
      }
    }
    const lengths = [{ vector }, { vector: new Float32Array(3) }];
    await assert.rejects(scanFlat(rows, lengths, { k: 1 }), refusal(/like the first of its batch/));
    for (const [options, message, code] of [
      [{ k: 1.5 }, /k to be a whole number/, undefined],
      [{ k: 1, exactness: 'roughly' as never }, /Expected exactness to be one of certified/],
      [{ k: 1, signal: AbortSignal.abort() }, /aborted/, 'ERR_ABORTED'],
    ] as const)
      await assert.rejects(scanFlat(rows, [{ vector }], options), refusal(message, code));
  });
});
