// Exact search of a corpus by vectors of the caller, the contract of retrievers of frameworks
// (docs/guide/vectors.md).
import type { FlatResult } from '../../binding.js';
import { invalidArgument, throwIfAborted } from '../errors.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import type { Corpus } from '../store/corpus.js';
import { scanFlat, type ScanOptions, type ScanQuery } from './flatScan.js';
import { PassageColumnsBuilder, type PassageColumns } from './passageColumns.js';
import { hitOrder } from './scanHits.js';
import { scanReport, type ScanReport } from './scanReport.js';
import { parseTimes, scanOptions, scanQueries, type VectorSearchOptions } from './vectorTimes.js';

/** Of searchVectors: its results as columns. */
export interface ColumnSearchOptions extends VectorSearchOptions {
  as: 'columns';
}

/** A passage of a corpus that was found by its vector. */
export interface PassageHit {
  id: string;
  score: number;
  similarity: number;
  /** Absent without a form. */
  temporal?: number;
}

/** What one query found, best first. */
export interface PassageHits extends Array<PassageHit> {
  /**
   * How the corpus was read for it: in which type, how many rows were scored by their f32 vectors
   * after that, and whether that is exact.
   */
  readonly scan: ScanReport;
}

/**
 * The best k passages of a corpus for each vector (count * d numbers, as the corpus's encoder gives
 * them), in one pass over its files. Ties are broken by id; each query's list says how it was
 * `scan`ned. With `as: 'columns'` the same as columns of numbers, which take a quarter of the
 * memory: for results by the hundred thousand.
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ABORTED, ERR_CLOSED, ERR_DEVICE_UNAVAILABLE
 */
export function searchVectors(
  corpus: Corpus,
  vectors: Float32Array,
  k: number,
  options: ColumnSearchOptions,
): Promise<PassageColumns>;
export function searchVectors(
  corpus: Corpus,
  vectors: Float32Array,
  k: number,
  options?: VectorSearchOptions,
): Promise<PassageHits[]>;
export async function searchVectors(
  corpus: Corpus,
  vectors: Float32Array,
  k: number,
  given: VectorSearchOptions & { as?: 'columns' } = {},
): Promise<PassageHits[] | PassageColumns> {
  if (typeof corpus?.snapshot !== 'function')
    throw invalidArgument(
      'corpus',
      'a Corpus',
      corpus,
      "Open one: await Corpus.open('wiki.asof').",
    );
  if (typeof given !== 'object' || given === null)
    throw invalidArgument('options', 'an object { asOf, each, signal, ... }', given);
  const { as, ...options } = given;
  if (as !== undefined && as !== 'columns')
    throw invalidArgument('as', "'columns'", as, 'Leave it out for a list of hits for each query.');
  using snapshot = corpus.snapshot();
  const { dimensions } = snapshot.manifest.encoder;
  const queries = scanQueries(vectors, dimensions, parseTimes(vectors, dimensions, options));
  const segments = snapshot.segments.map(({ segment, liveDocs }) => ({
    rows: segment,
    ...(liveDocs ? { visible: liveDocs } : {}),
  }));
  const passages = snapshot.segments.reduce((sum, each) => sum + each.passages, 0);
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const scanning: ScanOptions = {
    ...scanOptions(k, options),
    device: snapshot.device,
    scope: 'passages',
  };
  const lists: PassageHits[] = [];
  let columns: PassageColumnsBuilder | undefined;
  for (const part of snapshot.device === 'cpu' ? splitBatch(queries, k, passages) : [queries]) {
    const found: FlatResult = await scanFlat(segments, part, scanning);
    // (scanFlat checked k)
    if (as)
      columns ??= new PassageColumnsBuilder(queries.length, Math.min(k, passages) * queries.length);
    for (let q = 0; q < part.length; q += 1) {
      // A large batch has tens of thousands of ids to read: timers and other searches get their
      // turns meanwhile.
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(options.signal);
      const best = hitOrder(found, q, k, idOf);
      const [segment, passage] = [
        best.map((i) => found.segment[i]!),
        best.map((i) => found.passage[i]!),
      ];
      if (columns) columns.add(found, q, best, snapshot.idBytes(segment, passage));
      else lists.push(passageHits(found, q, best, snapshot.ids(segment, passage)));
    }
  }
  return columns?.finish() ?? lists;
}

function passageHits(
  found: FlatResult,
  q: number,
  best: readonly number[],
  ids: readonly string[],
): PassageHits {
  const hits = best.map((i, at): PassageHit => {
    const [id, score, similarity, temporal] = [
      ids[at]!,
      found.score[i]!,
      found.similarity[i]!,
      found.temporal[i]!,
    ];
    return Number.isNaN(temporal) ? { id, score, similarity } : { id, score, similarity, temporal };
  });
  return Object.defineProperty(hits, 'scan', { value: scanReport(found, q) }) as PassageHit[] & {
    scan: ScanReport;
  };
}

/**
 * Results that are kept as numbers before they are passages: about as many as a scan takes together
 * of queries that want a thousand each.
 */
const maxBatchResults = 48_000;

/**
 * The queries in parts of like size; one of all where `k` of `passages` each are few, or no number
 * of results.
 */
function splitBatch(queries: readonly ScanQuery[], k: number, passages: number): ScanQuery[][] {
  const results = Number.isInteger(k) ? Math.min(k, passages) * queries.length : 0;
  const parts = Math.max(1, Math.min(queries.length, Math.ceil(results / maxBatchResults)));
  const begin = (part: number): number => Math.round((part * queries.length) / parts);
  return Array.from({ length: parts }, (_, part) => queries.slice(begin(part), begin(part + 1)));
}
