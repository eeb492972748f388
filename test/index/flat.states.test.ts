// What a flat search does at its edges: refused requests, closed and damaged segments,
// cancellation, many searches at once, any number of threads, and numbers that are none.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatRequest, FlatResult, Segment } from '../../binding.js';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { formKinds } from '../../lib/time/temporalForms.js';
import type { OracleSegment } from '../oracle/scan.js';
import {
  drawWorld as world,
  memoryRows,
  refusal,
  scanSegment,
  smallShape as shape,
} from './flat.corpus.js';

function small(changes: Partial<FlatRequest> = {}): FlatRequest {
  const rowPassage = Uint32Array.of(0, 1, 2, 3);
  const rows = new binding.MemoryRows({
    passages: 4,
    multiSentence: 0,
    dimensions: 2,
    vectors: Float32Array.of(1, 0, 0, 1, 1, 1, 2, 0),
    rowPassage,
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

describe('searchFlat refuses', () => {
  const cases: [string, Partial<FlatRequest>, RegExp][] = [
    [
      'another dimension',
      { dimensions: 3, vectors: new Float32Array(3) },
      /dimensions to be 2, as in the segments, received 3/,
    ],
    [
      'too few components',
      { vectors: Float32Array.of(1) },
      /vectors to be a Float32Array of 2, received one of 1/,
    ],
    [
      'doubles for floats',
      { vectors: Float64Array.of(1, 0) as never },
      /vectors to be a Float32Array/,
    ],
    [
      'a bitmap of another length',
      { liveDocs: [new Uint8Array(2)] },
      /liveDocs to be a Uint8Array of 1, received one of 2/,
    ],
    [
      'fewer bitmaps than segments',
      { liveDocs: [] },
      /liveDocs to be an array of 1, received one of 0/,
    ],
    [
      'lexical scores of another length',
      { lexical: [new Float32Array(3)] },
      /lexical to be a Float32Array of 4, received one of 3/,
    ],
    ['a segment that is none', { segments: [{} as Segment] }, /segment to be a Segment/],
    ['a negative k', { k: -1 }, /k to be a whole number/],
    ['an unknown scope', { scope: 3 as never }, /scope to be a whole number from 0 to 2/],
    [
      'an unknown exactness',
      { exactness: 3 as never },
      /exactness to be a whole number from 0 to 2/,
    ],
    [
      'an unknown window',
      { windowKind: Uint8Array.of(10) },
      /windowKind to be codes from 0 to 9, received 10/,
    ],
    [
      'an unknown form',
      { formKind: Uint8Array.of(1 + formKinds.length) },
      /formKind to be codes from 0 to/,
    ],
    [
      'an unknown clock of a form',
      { formKind: Uint8Array.of(1), form: new Float64Array(50).fill(5) },
      /a form's clock to be codes from 0 to 4, received 5/,
    ],
    [
      'more lines than a spline has',
      { formKind: Uint8Array.of(1), form: new Float64Array(50).fill(9, 8) },
      /form to be numbers of its kind/,
    ],
    [
      'a short column',
      { publishedUntil: new Float64Array(0) },
      /publishedUntil to be a Float64Array of 1/,
    ],
    ['a pool that is none', { pool: 1 as never }, /pool to be a boolean/],
  ];
  for (const [name, changes, message] of cases)
    it(name, () => assert.throws(() => binding.searchFlat(small(changes)), refusal(message)));

  it('a detached buffer', () => {
    const vectors = Float32Array.of(1, 0);
    structuredClone(vectors.buffer, { transfer: [vectors.buffer] });
    assert.throws(() => binding.searchFlat(small({ vectors })), refusal(/detached/));
  });
  it('nothing at all', () =>
    assert.throws(
      () => binding.searchFlat(undefined as never),
      refusal(/request to be an object, received undefined/),
    ));
  it('something else as a cancellation', () =>
    assert.throws(() => binding.searchFlat(small(), {} as never), refusal(/Cancellation/)));
  it('closed rows', () => {
    const request = small();
    (request.segments[0] as InstanceType<typeof binding.MemoryRows>).close();
    assert.throws(() => binding.searchFlat(request), refusal(/closed/, 'ERR_CLOSED'));
  });
});

describe('scanFlat refuses', () => {
  const rows = (): { rows: FlatRequest['segments'][number] }[] => [{ rows: small().segments[0]! }];
  const vector = Float32Array.of(1, 0);
  const window = { start: 1, end: 2, clock: 'content', relation: 'within' } as const;
  const spline = {
    combine: 'product',
    kind: 'spline',
    clock: 'content',
    lines: [{ window: { start: 0, end: 1 }, atStart: 1, atEnd: 1 }],
    outside: 0.5,
  } as const;
  const recency = {
    combine: 'sum',
    kind: 'recency',
    clock: 'published',
    at: 0,
    floorDays: 1,
    weight: 1,
  } as const;
  const cases: [string, ScanQuery, RegExp][] = [
    [
      'not a number',
      { vector: Float32Array.of(1, NaN) },
      /vector to be finite numbers, received number NaN. Component 1/,
    ],
    ['an empty vector', { vector: new Float32Array(0) }, /not empty/],
    ['a plain array', { vector: [1, 0] as never }, /Float32Array/],
    [
      'an infinite weight',
      { vector, semanticWeight: Infinity },
      /semanticWeight to be a finite number/,
    ],
    [
      'an instant that is none',
      { vector, mask: { publishedUntil: NaN } },
      /publishedUntil to be UTC epoch milliseconds/,
    ],
    [
      'a window the wrong way round',
      { vector, mask: { window: { ...window, start: 3 } } },
      /window to be a start that is not after its end/,
    ],
    [
      'an unknown relation',
      { vector, mask: { window: { ...window, relation: 'near' as never } } },
      /one of overlaps, within, contains/,
    ],
    [
      'an unknown clock',
      { vector, form: { ...spline, clock: 'wall' as never } },
      /clock to be one of content, published, validity/,
    ],
    ['a spline above two', { vector, form: { ...spline, outside: 2.5 } }, /from 0 to 2/],
    [
      'a spline without lines',
      { vector, form: { ...spline, lines: [] } },
      /lines to be an array of 1 to 8/,
    ],
    [
      'a recency at no time',
      { vector, form: { ...recency, at: Infinity } },
      /at to be a finite number/,
    ],
    [
      'a floor of nothing',
      { vector, form: { ...recency, floorDays: 0 } },
      /floorDays to be a finite number above 0/,
    ],
    [
      'lexical scores of other segments',
      { vector, lexical: [] },
      /one array for each of 1 segments/,
    ],
  ];
  for (const [name, query, message] of cases)
    it(name, () => assert.rejects(scanFlat(rows(), [query], { k: 1 }), refusal(message)));
  it('vectors of two lengths', () => {
    const queries = [{ vector }, { vector: new Float32Array(3) }];
    return assert.rejects(
      scanFlat(rows(), queries, { k: 1 }),
      refusal(/like the first of its batch/),
    );
  });
  it('a fraction for k', () =>
    assert.rejects(scanFlat(rows(), [{ vector }], { k: 1.5 }), refusal(/k to be a whole number/)));
  it('a signal that has fired', () =>
    assert.rejects(
      scanFlat(rows(), [{ vector }], { k: 1, signal: AbortSignal.abort() }),
      refusal(/aborted/, 'ERR_ABORTED'),
    ));
});

describe('a flat search', () => {
  after(() => addon.setThreadCount(0));

  it('stops at a signal while it runs, and leaves nothing broken', async () => {
    const d = 64,
      count = 20_000;
    const vectors = new Float32Array(count * d).fill(0.5);
    const rowPassage = Uint32Array.from({ length: count }, (_, p) => p);
    const rows = new binding.MemoryRows({
      passages: count,
      multiSentence: 0,
      dimensions: d,
      vectors,
      rowPassage,
    });
    const query = { vector: new Float32Array(d).fill(1) };
    const abort = new AbortController();
    const running = scanFlat([{ rows }], new Array<ScanQuery>(40_000).fill(query), {
      k: 10,
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error('enough')), 5);
    await assert.rejects(
      running,
      (error: Error & { code?: string }) =>
        error.code === 'ERR_ABORTED' && (error.cause as Error).message === 'enough',
    );
    assert.deepEqual([...(await scanFlat([{ rows }], [query], { k: 3 })).passage], [0, 1, 2]);
  });

  it('goes on over rows that are closed while it runs', async () => {
    const { segments, queries } = world();
    const searched = segments.map((each) => scanSegment(each, shape.dimensions, false));
    const expected = await scanFlat(searched, queries, { k: 20 });
    const running = scanFlat(searched, queries, { k: 20 });
    searched.forEach(({ rows }) => rows.close());
    assert.deepEqual(await running, expected);
    await assert.rejects(scanFlat(searched, queries, { k: 20 }), refusal(/closed/, 'ERR_CLOSED'));
  });

  it('gives the same bits alone and in any batch, on any number of threads', async () => {
    const { segments, queries } = world({ passages: 1_500 });
    const searched = segments.map((each) => scanSegment(each, shape.dimensions, false));
    const expected = await scanFlat(searched, queries, { k: 15, pool: true });
    for (const threads of [1, 2, 5]) {
      addon.setThreadCount(threads);
      const together = await Promise.all(
        Array.from({ length: 20 }, () => scanFlat(searched, queries, { k: 15, pool: true })),
      );
      for (const each of together) assert.deepEqual(each, expected);
    }
    const alone = await Promise.all(
      queries.map((query) => scanFlat(searched, [query], { k: 15, pool: true })),
    );
    const hits = (result: FlatResult, q: number) =>
      scanHits(result, q, 15, (segment, passage) => segments[segment]!.ids[passage]!);
    queries.forEach((_, q) => assert.deepEqual(hits(alone[q]!, 0), hits(expected, q)));
  });

  it('leaves out rows whose score is not a number', async () => {
    const nan = await binding.searchFlat(small({ vectors: Float32Array.of(NaN, 0) }));
    assert.equal(nan.row.length, 0);
    const infinite = await binding.searchFlat(small({ vectors: Float32Array.of(Infinity, 1) }));
    assert.deepEqual([...infinite.row], [0, 2], 'row 1 multiplies an infinity by zero');
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
    const found = async (query: ScanQuery): Promise<number[]> => [
      ...(await scanFlat([{ rows }], [query], { k: 3 })).row,
    ];
    const vector = Float32Array.of(1);
    assert.deepEqual(await found({ vector, mask: { publishedUntil: Date.UTC(1800, 0) } }), [2]);
    assert.deepEqual(await found({ vector, mask: { publishedUntil: first } }), [0, 2]);
    assert.deepEqual(
      await found({ vector, mask: { publishedUntil: Date.UTC(2500, 0) } }),
      [0, 1, 2],
    );
    const window = {
      start: Date.UTC(1800, 0),
      end: first,
      clock: 'published',
      relation: 'overlaps',
    } as const;
    assert.deepEqual(await found({ vector, mask: { window } }), []);
    assert.deepEqual(await found({ vector, mask: { window: { ...window, end: first + 1 } } }), [0]);
    assert.deepEqual(
      await found({ vector, mask: { window: { ...window, start: -Infinity, end: Infinity } } }),
      [0, 1],
    );
  });

  it('honours the offset of every view', async () => {
    const room = new Float32Array(9).fill(NaN);
    room.set([0, 1], 5);
    const request = small({
      vectors: room.subarray(5, 7),
      liveDocs: [Uint8Array.of(0, 0b1101).subarray(1)],
    });
    assert.deepEqual([...(await binding.searchFlat(request)).row], [2, 0]);
  });

  it('breaks ties by id, whichever segment the passage is in', async () => {
    const segment = (ids: string[]): OracleSegment => ({
      ids,
      multiSentence: 0,
      rows: ids.map((_, passage) => ({ passage, vector: [1, 1] })),
    });
    const segments = [segment(['b', 'e', 'f']), segment(['a', 'c', 'd'])];
    const result = await scanFlat(
      segments.map((each) => ({ rows: memoryRows(each, 2, false) })),
      [{ vector: Float32Array.of(1, 1) }],
      { k: 3 },
    );
    const id = (s: number, p: number): string => segments[s]!.ids[p]!;
    assert.deepEqual(
      scanHits(result, 0, 3, id).map(({ segment: s, passage }) => id(s, passage)),
      ['a', 'b', 'c'],
    );
  });
});
