// Synchronous scans: bit-equal to scans on other threads with reused buffers, and limited to short
// searches.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { exactnesses, scanReport } from '../../lib/retrieval/scanReport.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { SyncScanner, type SyncScanRequest } from '../../lib/retrieval/syncScan.js';

const day = 86_400_000;
const d = 4,
  n = 700;
const times = (step: number): Float64Array =>
  Float64Array.from({ length: n }, (_, row) => (row % 9 === 0 ? NaN : ((row * step) % 50) * day));
const open = (): InstanceType<typeof binding.MemoryRows> => {
  const starts = times(13),
    dated = (_: number, row: number): boolean => row % 9 !== 0;
  const contentOffset = Uint32Array.from(
    { length: n + 1 },
    (_, row) => starts.subarray(0, row).filter(dated).length,
  );
  return new binding.MemoryRows({
    passages: n,
    multiSentence: 0,
    dimensions: d,
    storage: 'int8',
    rowPassage: Uint32Array.from({ length: n }, (_, row) => row),
    published: times(7),
    vectors: Float32Array.from({ length: n * d }, (_, at) => ((at * 7919) % 1013) / 506 - 1),
    contentOffset,
    contentStart: starts.filter(dated),
    contentEnd: starts.filter(dated).map((start) => start + day),
  });
};
const span = fc
  .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20 }))
  .map(([at, long]) => ({ start: at * day, end: (at + long) * day }));
const value = fc.integer({ min: 0, max: 10 }).map((each) => each / 10);
const query: fc.Arbitrary<ScanQuery & { vector: Float32Array }> = fc.record({
  vector: fc
    .array(fc.integer({ min: -9, max: 9 }), { minLength: d, maxLength: d })
    .map((list) => Float32Array.from(list)),
  mask: fc.record(
    {
      publishedUntil: fc.integer({ min: 0, max: 50 }).map((at) => at * day),
      window: fc
        .tuple(span, fc.constantFrom('overlaps', 'within'))
        .map(([window, relation]) => ({ ...window, relation, clock: 'content' })),
    },
    { requiredKeys: [] },
  ),
  form: fc.oneof(
    fc.constant({ combine: 'none' } as const),
    fc.tuple(span, value, value, value).map(
      ([window, atStart, atEnd, outside]) =>
        ({
          combine: 'product',
          kind: 'spline',
          clock: 'content',
          lines: [{ window, atStart, atEnd }],
          outside,
        }) as const,
    ),
  ),
});

describe('synchronous scans', () => {
  const scanner = new SyncScanner();
  const trySyncScan = (request: SyncScanRequest) => scanner.tryScan(request);

  it('equal searches on other threads', async () => {
    const rows = open();
    const batch = fc.array(query, { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(
        batch,
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom(...exactnesses),
        async (queries, k, exactness) => {
          await turn();
          const vectors = Float32Array.from(queries.flatMap(({ vector }) => [...vector]));
          const found = trySyncScan({
            rows,
            size: n,
            rowBytes: d,
            vectors,
            dimensions: d,
            times: queries,
            k,
            exactness,
          })!;
          const expected = await scanFlat([{ rows }], queries, { k, exactness });
          for (const name of ['offsets', 'row', 'score', 'similarity', 'temporal'] as const)
            assert.deepEqual(found[name], expected[name], name);
          assert.deepEqual(
            found.scans.map(({ storage, exact }) => [storage, exact]),
            queries.map((_, q) => {
              const { storage, exact } = scanReport(expected, q);
              return [storage, exact];
            }),
          );
        },
      ),
    );
  });

  it('share times given once, and return arrays of their own', async () => {
    const [rows, vectors] = [open(), Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0)];
    await turn();
    const given = {
      rows,
      size: n,
      rowBytes: d,
      vectors,
      dimensions: d,
      k: 3,
      exactness: 'certified',
    } as const;
    const hidden = trySyncScan({ ...given, times: [{ mask: { publishedUntil: -day } }] })!;
    await turn(); // a turn without budget, as on a busy machine, takes no second search
    const shown = trySyncScan({ ...given, times: [{}] })!;
    assert.equal(shown.row.length, 6);
    assert.ok(
      [...hidden.row].every((row) => row % 9 === 0),
      'rows of no publication alone',
    );
    assert.notEqual(hidden.row.buffer, shown.row.buffer);
  });

  it('return at most k hits with ties and many rescored rows', async () => {
    const rows = open();
    await turn();
    const given = {
      rows,
      size: n,
      rowBytes: d,
      vectors: Float32Array.of(-2, 4, 3, -5),
      dimensions: d,
      times: [{}],
      exactness: 'rescored',
    } as const;
    assert.equal(trySyncScan({ ...given, k: 1 })!.row.length, 1);
    const found = await scanFlat([{ rows }], [{ vector: given.vectors }], {
      k: 1,
      exactness: 'rescored',
    });
    assert.deepEqual([found.row.length, found.offsets[1]], [1, 1]);
  });

  it('are declined for long searches', async () => {
    const rows = open();
    await turn();
    const given = {
      rows,
      size: n,
      rowBytes: d,
      vectors: new Float32Array(d),
      dimensions: d,
      times: [{}],
      k: 3,
      exactness: 'certified',
    } as const;
    const recency = {
      combine: 'sum',
      kind: 'recency',
      clock: 'published',
      at: 0,
      floorDays: 1,
      weight: 1,
    } as const;
    assert.ok(trySyncScan(given));
    assert.equal(trySyncScan({ ...given, rowBytes: 1e9 }), undefined, 'many bytes');
    assert.equal(trySyncScan({ ...given, times: [{ form: recency }] }), undefined, 'a recency');
    assert.equal(trySyncScan({ ...given, k: 1001 }), undefined, 'many results');
    assert.equal(
      trySyncScan({ ...given, k: 0, vectors: new Float32Array(65 * d) }),
      undefined,
      'many queries',
    );
    assert.equal(trySyncScan({ ...given, k: NaN }), undefined, 'no number of results');
  });

  it('reject invalid arguments like other searches', async () => {
    const rows = open();
    await turn();
    const given = {
      rows,
      size: n,
      rowBytes: d,
      vectors: new Float32Array(d),
      dimensions: d,
      times: [{}],
      k: 3,
      exactness: 'certified',
    } as const;
    const refused = async (changes: object, message: RegExp): Promise<void> => {
      await turn(); // one without budget takes no search, and rejects none
      assert.throws(() => trySyncScan({ ...given, ...changes }), { message });
    };
    await refused({ vectors: Float32Array.of(0, 0, NaN, 0) }, /Component 2/);
    await refused({ k: -1 }, /Expected k/);
    await refused({ k: 1.5 }, /Expected k/);
    await refused({ exactness: 'nearly' }, /Expected exactness/);
    await refused({ times: [{ mask: { publishedUntil: NaN } }] }, /publishedUntil/);
    rows.close();
    await refused({}, /closed/);
  });
});
