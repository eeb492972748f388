// The claim of docs/architecture.md: the fused top k is brute force's top k over every row that is
// not masked, whatever the score form, mask, scope and pooling; and a corpus that cutting first
// gets wrong.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanFlat, type ScanOptions, type ScanSegment } from '../../lib/retrieval/flatScan.js';
import { atEveryLevel } from '../kernels/levels.js';
import { scanOracle, type OracleQuery, type OracleSegment } from '../oracle/scan.js';
import {
  Draw,
  day,
  drawQuery,
  drawSegment,
  memoryRows,
  scanQuery,
  scanSegment,
  type CorpusShape,
} from './flat.corpus.js';

const shapes = (whole: boolean): fc.Arbitrary<CorpusShape> =>
  fc.record({
    seed: fc.integer(),
    segments: fc.integer({ min: 0, max: 3 }),
    passages: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(64, 130, 400)),
    dimensions: fc.constantFrom(1, 3, 8, 17),
    whole: fc.constant(whole),
    unit: fc.constantFrom(day, 60_000, 1_000, 1, 1_001),
    wide: fc.boolean(),
    hide: fc.boolean(),
  });

const choices: fc.Arbitrary<{
  k: number;
  scope: 'passages' | 'sentences' | 'all';
  pool: boolean;
  queries: number;
  threads: number;
}> = fc.record({
  k: fc.constantFrom(0, 1, 2, 5, 10, 100, 5_000),
  scope: fc.constantFrom('passages', 'sentences', 'all'),
  pool: fc.boolean(),
  queries: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 4 }) },
    { weight: 1, arbitrary: fc.constant(70) },
  ),
  threads: fc.integer({ min: 1, max: 3 }),
});

/**
 * The same segment with the numbers of its visible passages, in another order, in the bitmap's
 * place.
 */
function byNumber({ liveDocs, ...each }: ScanSegment): ScanSegment {
  if (!(liveDocs instanceof Uint8Array)) return each;
  const numbers = Array.from({ length: 8 * liveDocs.length }, (_, p) => p).filter(
    (p) => liveDocs[p >> 3]! & (1 << (p % 8)),
  );
  return { ...each, liveDocs: Uint32Array.from(numbers.reverse()) };
}

/**
 * Compares with the oracle: exactly where `tolerance` is 0, else scores within it and swaps only
 * between scores closer than it.
 */
async function check(
  segments: OracleSegment[],
  queries: OracleQuery[],
  options: ScanOptions,
  shape: CorpusShape,
  tolerance: (query: OracleQuery) => number,
): Promise<void> {
  const { k, scope = 'all', pool = false } = options;
  const searched = segments.map((each) => scanSegment(each, shape.dimensions, shape.wide));
  const result = await scanFlat(searched, queries.map(scanQuery), options);
  // The first scan has measured the rows; later scans prune rows that cannot qualify, and nothing
  // else may change.
  assert.deepEqual(await scanFlat(searched, queries.map(scanQuery), options), result);
  const named = searched.map(byNumber);
  assert.deepEqual(await scanFlat(named, queries.map(scanQuery), options), result);
  for (const storages of [['int8'], ['int4'], ['bf16'], ['bf16', 'f32', 'int8', 'int4']] as const) {
    const panels = segments.map((each, s) =>
      scanSegment(each, shape.dimensions, shape.wide, storages[s % storages.length]),
    );
    const {
      storage: _storage,
      rescored: _rescored,
      ...bounded
    } = await scanFlat(panels, queries.map(scanQuery), options);
    const { storage, rescored, ...plain } = result;
    assert.ok(storage.every((each) => each === 0) && rescored.every((each) => each === 0));
    assert.deepEqual(bounded, plain, `rows bounded by panels of ${storages.join(', ')} first`);
  }
  assert.equal(result.offsets.length, queries.length + 1);
  queries.forEach((query, q) => {
    const { ranking, scanned, masked } = scanOracle(segments, query, { scope, pool });
    const found = scanHits(result, q, k, (segment, passage) => segments[segment]!.ids[passage]!);
    assert.equal(result.rowsScanned[q], scanned);
    assert.equal(result.rowsMasked[q], masked);
    assert.equal(found.length, Math.min(k, ranking.length));
    const wanted = ranking.slice(0, found.length);
    const allowed = tolerance(query);
    if (allowed === 0) {
      const shown = ({
        segment,
        row,
        score,
      }: {
        segment: number;
        row: number;
        score: number;
      }): number[] => [segment, row, score + 0];
      assert.deepEqual(found.map(shown), wanted.map(shown));
      return;
    }
    // Unpooled, so that a row that ties with its passage's best row within the tolerance is known
    // too.
    const scores = new Map(
      scanOracle(segments, query, { scope, pool: false }).ranking.map((hit) => [
        `${hit.segment} ${hit.row}`,
        hit,
      ]),
    );
    // A float's rounding of c counts by the relevance that it multiplies, even where the product is
    // small.
    const scale = Math.max(
      1,
      ...[...scores.values()].map(({ relevance, score }) =>
        Math.max(Math.abs(relevance), Math.abs(score)),
      ),
    );
    found.forEach((hit, i) => {
      const own = scores.get(`${hit.segment} ${hit.row}`);
      assert.ok(own, `row ${hit.row} of segment ${hit.segment} is masked or out of scope`);
      assert.ok(
        Math.abs(own.score - hit.score) <= allowed * scale,
        `row ${hit.row}: expected ${own.score}, received ${hit.score}`,
      );
      assert.ok(
        Math.abs(wanted[i]!.score - hit.score) <= allowed * scale,
        `place ${i}: expected ${wanted[i]!.score}, received ${hit.score}`,
      );
      assert.equal(hit.temporal === undefined, own.temporal === undefined);
      if (own.temporal !== undefined)
        assert.ok(
          Math.abs(own.temporal - hit.temporal!) <= allowed * Math.max(1, Math.abs(own.temporal)),
        );
      if (hit.mention !== undefined)
        assert.ok(hit.mention < segments[hit.segment]!.rows[hit.row]!.content!.length);
    });
    const names = found.map((hit) =>
      pool ? `${hit.segment} ${hit.passage}` : `${hit.segment} ${hit.row}`,
    );
    assert.equal(new Set(names).size, names.length);
  });
}

function property(whole: boolean, tolerance: (query: OracleQuery) => number) {
  return fc.asyncProperty(
    shapes(whole),
    choices,
    async (shape, { queries: count, threads, ...options }) => {
      const draw = new Draw(shape);
      const segments = Array.from({ length: shape.segments }, (_, s) => drawSegment(draw, s));
      const queries = Array.from({ length: count }, () => drawQuery(draw, segments));
      addon.setThreadCount(threads);
      await check(segments, queries, options, shape, tolerance);
    },
  );
}

describe('the fused scan', () => {
  after(() => addon.setThreadCount(0));

  atEveryLevel(() => {
    it('equals brute force in float64 for every form, mask, scope and pooling', async () => {
      // Float rounding of a similarity of up to 17 components below 1, through weights and c up to
      // 2.
      await fc.assert(
        property(false, () => 2e-5),
        { numRuns: 120 },
      );
    });

    it('equals brute force exactly, ties included, on whole numbers', async () => {
      // c is a float; a standardisation takes its sums of squares in another order.
      await fc.assert(
        property(true, ({ form }) =>
          form.combine === 'none' ? 0 : form.combine === 'sum' ? 1e-9 : 2e-7,
        ),
        { numRuns: 120 },
      );
    });
  });

  it('finds what cutting first loses', async () => {
    // A thousand passages are a little more similar than the answer, and of the wrong time; the
    // answer is of the right one.
    const queryTime = Date.UTC(2021, 4, 6);
    const year = 365 * day;
    const longAgo: [number, number] = [queryTime - 80 * year, queryTime - 79 * year];
    const published = queryTime - 3_000 * day;
    const rows = Array.from({ length: 1_000 }, (_, p) => ({
      passage: p,
      vector: [0.9 - p * 1e-5, 0.1],
      content: [longAgo],
      published,
    }));
    rows[777] = {
      passage: 777,
      vector: [0.8, 0.2],
      content: [[queryTime - year, queryTime + year]],
      published: queryTime - day,
    };
    const segment: OracleSegment = {
      ids: rows.map(({ passage }) => `p${String(passage).padStart(4, '0')}`),
      multiSentence: 0,
      rows,
    };
    const searched = [{ rows: memoryRows(segment, 2, false) }];
    const vector = Float32Array.of(1, 0);
    const first = async (k: number, query: object): Promise<number[]> => [
      ...(await scanFlat(searched, [{ vector, ...query }], { k })).passage,
    ];

    const bySimilarity = await first(100, {});
    assert.ok(
      !bySimilarity.includes(777),
      'the first hundred by similarity do not hold the answer, so nothing done to them ' +
        'afterwards finds it',
    );
    const window = { start: queryTime - 50 * year, end: queryTime };
    const spline = {
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      lines: [{ window, atStart: 0.6, atEnd: 1 }],
      outside: 0.5,
    };
    const recency = {
      combine: 'sum',
      kind: 'recency',
      clock: 'published',
      at: queryTime,
      floorDays: 1,
      weight: 1,
    };
    assert.deepEqual(await first(1, { form: spline }), [777]);
    assert.deepEqual(await first(1, { form: recency }), [777]);
    assert.deepEqual(
      await first(1, { mask: { window: { ...window, clock: 'content', relation: 'overlaps' } } }),
      [777],
    );
  });
});
