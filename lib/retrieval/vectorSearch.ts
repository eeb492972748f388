// Exact search of a corpus by the caller's vectors: the contract of framework retrievers
// (docs/guide/vectors.md).
import type { FlatResult } from '../../binding.js';
import { invalidArgument, mustBeWhole, throwIfAborted } from '../errors.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { unitVector, type VectorInput } from '../vectors/unitVector.js';
import { firstIndex } from '../runtime/firstIndex.js';
import { checkCorpus, type SearchableCorpus } from '../store/searchableCorpus.js';
import type { ScorePlan } from '../store/scorePlan.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { viewOf } from '../store/views/view.js';
import { scanFlat, type ScanOptions, type ScanQuery } from './flatScan.js';
import { hitOrder } from './scanHits.js';
import { scanReport, type ScanReport } from './scanReport.js';
import { searchedSegments } from './search.js';
import { parseTimes, scanOptions, scanQueries, type VectorSearchOptions } from './vectorTimes.js';
import type { IdBytes } from '../store/format/openSegments.js';

/** Options of searchVectors for results as columns. */
export interface ColumnSearchOptions extends VectorSearchOptions {
  as: 'columns';
}

/** A passage of a corpus with its similarity to a query vector. */
export interface PassageHit {
  id: string;
  score: number;
  similarity: number;
  /** Absent without a form. */
  temporal?: number | undefined;
}

/** Hits of one query, best first. */
export interface PassageHits extends Array<PassageHit> {
  /** Report of the query's scan: storage type, rescored rows, exactness. */
  readonly scan: ScanReport;
}

/** One vector, vectors one after another as an encoder returns them, or a list of vectors. */
type QueryVectors = VectorInput | readonly VectorInput[];

/**
 * The best k passages of a corpus for each vector, by the corpus's encoder and of any length but 0,
 * as similarities are cosines, in one pass over its files. Ties are broken by id; each query's list
 * has a report `scan`. With `as: 'columns'` the result is columns of numbers, in a quarter of the
 * memory: for results by the hundred thousand.
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ABORTED, ERR_CLOSED, ERR_DEVICE_UNAVAILABLE
 */
export function searchVectors(
  corpus: SearchableCorpus,
  vectors: QueryVectors,
  k: number,
  options: ColumnSearchOptions,
): Promise<PassageColumns>;
export function searchVectors(
  corpus: SearchableCorpus,
  vectors: QueryVectors,
  k: number,
  options?: VectorSearchOptions,
): Promise<PassageHits[]>;
export async function searchVectors(
  corpus: SearchableCorpus,
  queryVectors: QueryVectors,
  k: number,
  searchOptions: VectorSearchOptions & { as?: 'columns' | undefined } = {},
): Promise<PassageHits[] | PassageColumns> {
  checkCorpus(corpus);
  if (typeof searchOptions !== 'object' || searchOptions === null)
    throw invalidArgument('options', 'an object { asOf, each, signal, ... }', searchOptions);
  const { as, asRecorded, ...options } = searchOptions;
  if (as !== undefined && as !== 'columns')
    throw invalidArgument('as', "'columns'", as, 'Omit it for a list of hits for each query.');
  using snapshot = corpus.snapshot();
  const { dimensions } = snapshot.manifest.encoder;
  const { signal } = options;
  const passing = await viewOf(snapshot, { where: options.where, asRecorded }, { signal });
  const vectors = await scaledVectors(queryVectors, dimensions, signal);
  const queries = await withStatistics(
    scanQueries(vectors, dimensions, parseTimes(vectors, dimensions, options)),
    { k, scope: 'passages' },
    passing,
    signal,
  );
  const segments = searchedSegments(passing);
  const passages = snapshot.segments.reduce((sum, each) => sum + each.passages, 0);
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const request: ScanOptions = {
    ...scanOptions(k, options),
    device: snapshot.device,
    scope: 'passages',
  };
  const lists: PassageHits[] = [];
  const columns: QueryColumns[] = [];
  for (const part of snapshot.device === 'cpu' ? splitBatch(queries, k, passages) : [queries]) {
    const result: FlatResult = await scanFlat(segments, part, request);
    for (let q = 0; q < part.length; q += 1) {
      // A large batch reads tens of thousands of ids, during which timers and other searches need
      // turns.
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(signal);
      const best = hitOrder(result, q, k, idOf);
      const [segment, passage] = [
        best.map((i) => result.segment[i]!),
        best.map((i) => result.passage[i]!),
      ];
      if (as)
        columns.push(
          queryColumns(result, best, scanReport(result, q), snapshot.idBytes(segment, passage)),
        );
      else lists.push(passageHits(result, q, best, snapshot.ids(segment, passage)));
    }
  }
  return as ? passageColumns(columns) : lists;
}

/** Each vector with length 1, one after another. */
async function scaledVectors(
  vectors: QueryVectors,
  dimensions: number,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const isList = Array.isArray(vectors);
  if ((!isList && !(vectors instanceof Float32Array)) || isRagged(vectors, dimensions))
    throw invalidArgument(
      'vectors',
      `a list of vectors, or count * ${dimensions} numbers`,
      vectors,
      'Encode the queries like the rows.',
    );
  if (!isList && vectors.length === 0) return vectors;
  const isOne = typeof vectors[0] === 'number';
  const count = isOne ? vectors.length / dimensions : vectors.length;
  const scaled = new Float32Array(count * dimensions);
  for (let q = 0; q < count; q += 1) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const vector: unknown = isOne
      ? vectors.slice(q * dimensions, (q + 1) * dimensions)
      : vectors[q];
    scaled.set(unitVector(`vectors[${q}]`, vector, dimensions, invalidArgument), q * dimensions);
  }
  return scaled;
}

/** Whether numbers are no whole number of vectors. */
const isRagged = (vectors: QueryVectors, dimensions: number): boolean =>
  typeof vectors[0] === 'number' && vectors.length % dimensions !== 0;

/** The queries, once the rows that they can find are fetched, if they are elsewhere. */
async function withStatistics(
  queries: ScanQuery[],
  plan: Omit<ScorePlan, 'queries'>,
  { remote }: Snapshot,
  signal: AbortSignal | undefined,
): Promise<ScanQuery[]> {
  if (!remote) return queries;
  mustBeWhole({ k: plan.k }, 0, 4_294_967_295);
  const found = await remote.fetch({ ...plan, queries }, signal);
  return queries.map((query, q) => ({ ...query, ...found.queries[q] }));
}

function passageHits(
  result: FlatResult,
  q: number,
  best: readonly number[],
  ids: readonly string[],
): PassageHits {
  const hits = best.map((i, at): PassageHit => {
    const [id, score, similarity, temporal] = [
      ids[at]!,
      result.score[i]!,
      result.similarity[i]!,
      result.temporal[i]!,
    ];
    return Number.isNaN(temporal) ? { id, score, similarity } : { id, score, similarity, temporal };
  });
  return Object.defineProperty(hits, 'scan', { value: scanReport(result, q) }) as PassageHit[] & {
    scan: ScanReport;
  };
}

/** About as many as a scan computes together for queries of a thousand each. */
const maxBatchResults = 48_000;

/** The queries in parts of similar size; one part if the results are few, or k is invalid. */
function splitBatch(queries: readonly ScanQuery[], k: number, passages: number): ScanQuery[][] {
  const results = Number.isInteger(k) ? Math.min(k, passages) * queries.length : 0;
  const parts = Math.max(1, Math.min(queries.length, Math.ceil(results / maxBatchResults)));
  const begin = (part: number): number => Math.round((part * queries.length) / parts);
  return Array.from({ length: parts }, (_, part) => queries.slice(begin(part), begin(part + 1)));
}

/** Query q's hits are entries [offsets[q], offsets[q + 1]), best first; equal scores by id. */
export interface PassageColumns {
  offsets: Uint32Array;
  /** The similarity combined with time. */
  score: Float64Array;
  /** The inner product, exact to float32's rounding. */
  similarity: Float32Array;
  /** The spline's value or the standardised recency; NaN without a form. */
  temporal: Float64Array;
  /** The report of each query's scan. */
  scans: ScanReport[];
  /**
   * The id of the passage of entry i, also after the corpus is closed. @throws AsOfError
   * ERR_INVALID_ARGUMENT if i is out of range
   */
  id(i: number): string;
}

/** The hits of one query. */
interface QueryColumns extends Pick<PassageColumns, 'score' | 'similarity' | 'temporal'> {
  scan: ScanReport;
  ids: IdBytes;
}

function queryColumns(
  { score, similarity, temporal }: FlatResult,
  best: readonly number[],
  scan: ScanReport,
  ids: IdBytes,
): QueryColumns {
  return {
    score: Float64Array.from(best, (i) => score[i]!),
    similarity: Float32Array.from(best, (i) => similarity[i]!),
    temporal: Float64Array.from(best, (i) => temporal[i]!),
    scan,
    ids,
  };
}

/** The columns of all queries. */
function passageColumns(queries: readonly QueryColumns[]): PassageColumns {
  const offsets = new Uint32Array(queries.length + 1);
  queries.forEach(({ score }, q) => (offsets[q + 1] = offsets[q]! + score.length));
  const n = offsets.at(-1)!;
  const [score, similarity] = [new Float64Array(n), new Float32Array(n)];
  const temporal = new Float64Array(n);
  queries.forEach((each, q) => {
    score.set(each.score, offsets[q]);
    similarity.set(each.similarity, offsets[q]);
    temporal.set(each.temporal, offsets[q]);
  });
  const ids = queries.map((each) => each.ids);
  return {
    offsets,
    score,
    similarity,
    temporal,
    scans: queries.map(({ scan }) => scan),
    id(i) {
      if (!Number.isInteger(i) || i < 0 || i >= n)
        throw invalidArgument('i', `a whole number below the ${n} entries`, i);
      const q = firstIndex(offsets, (offset) => offset > i) - 1;
      const { bytes, ends } = ids[q]!;
      const at = i - offsets[q]!;
      return bytes.toString('utf8', at === 0 ? 0 : ends[at - 1]!, ends[at]);
    },
  };
}
