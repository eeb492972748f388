// What a fuzzed scan must fulfil: a batch finds, whatever its rows are kept in, what each of its
// queries finds alone over f32 rows, to the bit; and that is what the oracle in float64 finds,
// within what floats may lose. Where the oracle cannot speak (sums over what is not finite) the
// bits alone count.
import assert from 'node:assert/strict';
import { addon } from '../../addon.js';
import type { FlatResult, Storage } from '../../../binding.js';
import { scanHits, type ScanHit } from '../../../lib/retrieval/scanHits.js';
import { scanFlat, type ScanSegment } from '../../../lib/retrieval/flatScan.js';
import { VectorIndex } from '../../../lib/index.js';
import { scanOracle, type OracleHit, type OracleQuery } from '../../oracle/scan.js';
import { scanQuery, scanSegment } from '../flat.corpus.js';
import { vectorTimes, type ScanCase } from './cases.js';

const columns = [
  'segment',
  'row',
  'passage',
  'score',
  'similarity',
  'lexical',
  'temporal',
  'mention',
] as const;
const moments = [
  'rowsScanned',
  'rowsMasked',
  'relevanceMean',
  'relevanceDeviation',
  'recencyMean',
  'recencyDeviation',
] as const;
const alone = 6; // queries of a batch that are searched alone, and by the oracle

/**
 * Checks the case at the level in use. Throws an AssertionError that says what is wrong with which
 * query. Returns the batches' results, one a way to keep the rows.
 */
export async function checkCase(given: ScanCase): Promise<FlatResult[]> {
  addon.setThreadCount(given.threads);
  const opened: ScanSegment[][] = given.storages.map((storages, at) =>
    given.segments.map((each, s) => {
      const storage = storages[s % storages.length];
      const segment = scanSegment(each, given.dimensions, given.wide, storage);
      return at % 2 === 0 ? segment : byNumber(segment);
    }),
  );
  const batches: FlatResult[] = [];
  try {
    const queries = given.queries.map(scanQuery);
    const queryNumbers = given.queries
      .map((_, q) => q)
      .filter((q) => q % Math.ceil(given.queries.length / alone) === 0);
    const single = new Map<number, FlatResult>();
    for (const q of queryNumbers) {
      const found = await scanFlat(opened[0]!, [queries[q]!], given.options);
      single.set(q, found);
      compareWithOracle(given, q, found);
    }
    for (const [at, segments] of opened.entries()) {
      for (const again of [false, true]) {
        const batch = await scanFlat(segments, queries, given.options);
        if (!again) batches.push(batch);
        for (const q of queryNumbers)
          sameBits(
            batch,
            q,
            single.get(q)!,
            `${given.storages[at]!.join(', ')}${again ? ', again' : ''}: query ${q}`,
          );
      }
    }
    await checkIndex(given, queryNumbers, single);
    return batches;
  } finally {
    for (const segments of opened) for (const { rows } of segments) rows.close();
    addon.setThreadCount(0);
  }
}

/** The same with the numbers of the visible passages, in another order, in the bitmap's place. */
function byNumber({ liveDocs, ...each }: ScanSegment): ScanSegment {
  if (!(liveDocs instanceof Uint8Array)) return each;
  const numbers = Array.from({ length: 8 * liveDocs.length }, (_, p) => p).filter(
    (p) => liveDocs[p >> 3]! & (1 << (p % 8)),
  );
  return { ...each, liveDocs: Uint32Array.from(numbers.reverse()) };
}

export function sameBits(batch: FlatResult, q: number, single: FlatResult, where: string): void {
  const [from, to] = [batch.offsets[q]!, batch.offsets[q + 1]!];
  for (const name of columns)
    assert.deepEqual(batch[name].slice(from, to), single[name], `${where}, ${name}`);
  for (const name of moments) assert.equal(batch[name][q], single[name][0], `${where}, ${name}`);
}

/**
 * The tolerance is relative to the largest number that the score is made of: floats round
 * similarities, splines and words.
 */
function compareWithOracle(given: ScanCase, q: number, result: FlatResult): void {
  const query = given.queries[q]!;
  const { k, scope = 'all', pool = false } = given.options;
  if (given.odd && query.form.combine === 'sum') return;
  const scored = (own: boolean) => scanOracle(given.segments, query, { scope, pool: own });
  const { ranking: all, scanned, masked } = scored(false);
  const ranking = (pool ? scored(true).ranking : all).filter(({ score }) => !Number.isNaN(score));
  const found = scanHits(
    result,
    0,
    k,
    (segment, passage) => given.segments[segment]!.ids[passage]!,
  );
  const where = `query ${q} alone`;
  assert.equal(result.rowsScanned[0], scanned, `${where}: rows scanned`);
  assert.equal(result.rowsMasked[0], masked, `${where}: rows masked`);
  // There a passage's NaN row is omitted; here it may hide the passage's other rows.
  if (given.odd && pool) return;
  if (given.odd) orderAnew(ranking);
  assert.equal(found.length, Math.min(k, ranking.length), `${where}: results`);
  const known = new Map(all.map((hit) => [`${hit.segment} ${hit.row}`, hit]));
  const allowed = tolerance(given, query, all);
  const near = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= allowed;
  const names = new Set(
    found.map((hit) => (pool ? `${hit.segment} ${hit.passage}` : `${hit.segment} ${hit.row}`)),
  );
  assert.equal(names.size, found.length, `${where}: a row twice`);
  found.forEach((hit: ScanHit, i) => {
    const own = known.get(`${hit.segment} ${hit.row}`);
    assert.ok(own, `${where}: row ${hit.row} of segment ${hit.segment} is masked or out of scope`);
    assert.ok(
      near(own.score, hit.score),
      `${where}: row ${hit.row} scores ${own.score}, received ${hit.score}`,
    );
    assert.ok(
      near(ranking[i]!.score, hit.score),
      `${where}: place ${i} scores ${ranking[i]!.score}, received ${hit.score}`,
    );
    const [c, ownC] = [hit.temporal ?? NaN, own.temporal ?? NaN];
    const of = `${where}: the time of row ${hit.row}`;
    assert.ok(Number.isNaN(c) === Number.isNaN(ownC), of);
    // A normalized recency has the deviation of the relevances.
    const rounding =
      4e-7 * Math.max(1, Math.abs(ownC)) + (query.form.combine === 'sum' ? allowed : 0);
    assert.ok(!(Math.abs(c - ownC) > rounding), `${of}: ${c} for ${ownC}`);
    const { content = [] } = given.segments[hit.segment]!.rows[hit.row]!;
    if (hit.mention !== undefined) assert.ok(hit.mention < content.length, of);
    if (allowed > 0) return;
    const wanted = ranking[i]!;
    assert.deepEqual([hit.segment, hit.row], [wanted.segment, wanted.row], `${where}: place ${i}`);
  });
}

/** Comparisons with what is not a number leave an order that is none. */
function orderAnew(ranking: OracleHit[]): void {
  ranking.sort(
    (a, b) =>
      (a.score === b.score ? 0 : b.score - a.score) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : a.row - b.row),
  );
}

export function tolerance(
  { whole, dimensions, segments }: ScanCase,
  { vector, form, semanticWeight }: OracleQuery,
  all: OracleHit[],
): number {
  let most = 1;
  for (const { score, relevance } of all) {
    if (Number.isFinite(score)) most = Math.max(most, Math.abs(score), Math.abs(relevance));
  }
  if (whole) return form.combine === 'none' ? 0 : (form.combine === 'sum' ? 1e-8 : 4e-7) * most;
  const squared = (value: number): number => (Number.isFinite(value) ? value * value : 0);
  const length = (values: readonly number[]): number =>
    Math.sqrt(values.reduce((sum, value) => sum + squared(value), 0));
  let longest = 0;
  for (const { rows } of segments)
    for (const row of rows) longest = Math.max(longest, length(row.vector));
  const rounding =
    (2 + Math.sqrt(dimensions)) *
    2 ** -22 *
    Math.abs(semanticWeight) *
    length(vector ?? []) *
    longest;
  return 4e-7 * most + rounding * (form.combine === 'sum' ? 8 : 2);
}

/** The same through VectorIndex, where a case is one that it takes. */
async function checkIndex(
  given: ScanCase,
  queryNumbers: number[],
  single: Map<number, FlatResult>,
): Promise<void> {
  const {
    segments: [only, ...others],
    queries,
    options: { k, pool },
    odd,
    dimensions,
  } = given;
  const plain = queries.every(
    ({ vector, semanticWeight, lexical }) => vector && semanticWeight === 1 && !lexical,
  );
  const simple =
    only!.rows.every(({ content }) => (content?.length ?? 0) <= 1) &&
    only!.rows.length === only!.ids.length;
  if (
    others.length > 0 ||
    !plain ||
    !simple ||
    pool ||
    odd ||
    only!.visible ||
    only!.rows.length === 0
  )
    return;
  const { rows } = only!;
  const column = (read: (row: (typeof rows)[number]) => number | undefined): Float64Array =>
    Float64Array.from(rows, (row) => read(row) ?? NaN);
  for (const storage of ['f32', 'int8', 'int4'] satisfies Storage[]) {
    using index = new VectorIndex({
      dimensions,
      storage,
      vectors: Float32Array.from(rows.flatMap(({ vector }) => vector)),
      publishedAt: column(({ published }) => published),
      validFrom: column(({ validity }) => validity?.[0]),
      validTo: column(({ validity }) => validity?.[1]),
      contentFrom: column(({ content }) => content?.[0]?.[0]),
      contentTo: column(({ content }) => content?.[0]?.[1]),
    });
    const found = await index.searchBatch(
      Float32Array.from(queries.flatMap(({ vector }) => vector!)),
      k,
      { each: queries.map(vectorTimes) },
    );
    for (const q of queryNumbers) {
      for (const name of ['row', 'score', 'similarity', 'temporal'] as const) {
        const own = found[name].slice(found.offsets[q], found.offsets[q + 1]);
        assert.deepEqual(
          own,
          single.get(q)![name],
          `VectorIndex of ${storage}: query ${q}, ${name}`,
        );
      }
    }
  }
}
