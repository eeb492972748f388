// Exact BM25 search over a corpus's segments: validates and packs requests for the addon. Terms
// come from the analyzer of the segments; scanHits breaks ties between segments.
import { binding, withCancellation } from '../binding.js';
import type { LexicalRequest, LexicalResult, Segment } from '../../binding.js';
import { invalidArgument, mustBeWhole } from '../errors.js';
import {
  scopes,
  type Bm25Parameters,
  type CollectionStatistics,
  type PlanQuery,
  type Scope,
} from '../store/scorePlan.js';
import { checkBm25, packCollection } from './bm25.js';
import { packMask } from './timeColumns.js';

export interface LexicalSegment {
  rows: Segment;
  /**
   * Bit p % 8 of byte p >> 3 is set where passage p is visible; or the numbers of the visible
   * passages, if few. Default: all.
   */
  liveDocs?: Uint8Array | Uint32Array;
  /** Bitmap of the passages that statistics count. Default: all. */
  countedDocs?: Uint8Array;
}

export interface Bm25Options extends Bm25Parameters {
  /** Statistics are those of the scope. Default 'all'. */
  scope?: Scope;
  signal?: AbortSignal;
}

export interface LexicalSearchOptions extends Bm25Options {
  /** Results per query, from 0. */
  k: number;
  /** One result per passage, its best row; k distinct passages. Default false. */
  pool?: boolean;
  /** BM25's statistics. Default: those of the segments. */
  collection?: CollectionStatistics | undefined;
  /** Score every posting without skipping, for benchmarks. Default false. */
  exhaustive?: boolean;
}

/** The best k rows with any of a query's terms. binding.d.ts describes the columns. */
export async function searchLexical(
  segments: readonly LexicalSegment[],
  queries: readonly Pick<PlanQuery, 'terms' | 'mask'>[],
  options: LexicalSearchOptions,
): Promise<LexicalResult> {
  const { k, pool = false, exhaustive = false } = options;
  mustBeWhole({ k }, 0, 4_294_967_295);
  const count = queries.length;
  const request = {
    segments: segments.map(({ rows }) => rows),
    liveDocs: segments.map(({ liveDocs }) => liveDocs ?? null),
    countedDocs: segments.map(({ countedDocs }) => countedDocs ?? null),
    terms: queries.map(({ terms = [] }) => terms),
    k,
    pool,
    exhaustive,
    collection: packCollection(options.collection),
    ...parameters(options),
    publishedUntil: new Float64Array(count).fill(Infinity),
    windowKind: new Uint8Array(count),
    window: new Float64Array(2 * count),
  } satisfies LexicalRequest;
  queries.forEach(({ mask }, q) => packMask(request, mask ?? {}, q));
  return withCancellation(options.signal, (cancellation) =>
    binding.searchLexical(request, cancellation),
  );
}

/** BM25 of every row for one query, an array per segment; 0 outside the scope. */
export async function scoreLexical(
  segments: readonly LexicalSegment[],
  terms: readonly string[],
  options: Bm25Options = {},
): Promise<Float32Array[]> {
  const request = { segments: segments.map(({ rows }) => rows), terms, ...parameters(options) };
  return withCancellation(options.signal, (cancellation) =>
    binding.scoreLexical(request, cancellation),
  );
}

function parameters(options: Bm25Options): { k1: number; b: number; scope: 0 | 1 | 2 } {
  const { k1 = 0.9, b = 0.4, scope = 'all' } = options;
  checkBm25({ k1, b });
  if (!scopes.includes(scope)) throw invalidArgument('scope', `one of ${scopes.join(', ')}`, scope);
  return { k1, b, scope: scopes.indexOf(scope) as 0 | 1 | 2 };
}
