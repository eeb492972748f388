// The search that every stage ranks by: exact top k of relevance (cosine and BM25), under a mask
// and a temporal form, over the corpus or the passages of given candidates.
import type { FlatResult } from '../../binding.js';
import { throwIfAborted } from '../errors.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { Mask, TemporalForm } from '../time/temporalForms.js';
import { RowCandidate, type Candidate, type Scope } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { scanHits, type ScanHit } from './scanHits.js';
import { scanReport } from './scanReport.js';
import { scanFlat, type ScanQuery, type ScanSegment } from './flatScan.js';
import { searchLexical, type LexicalSegment } from './lexicalSearch.js';

/**
 * relevance = semantic * cosine + lexical * BM25 / (best BM25 of the question over the rows it may
 * see): cosine in [-1, 1], the latter in [0, 1].
 */
export interface Relevance {
  semantic: number;
  lexical: number;
  /** BM25's saturation of term counts, from 0. Default 0.9. */
  k1?: number | undefined;
  /** BM25's normalisation by length, 0 to 1. Default 0.4. */
  b?: number | undefined;
}

export const semanticOnly: Relevance = { semantic: 1, lexical: 0 };
export const lexicalOnly: Relevance = { semantic: 0, lexical: 1 };

export interface Ranking {
  /**
   * Rows to return, or passages with `pool`; 'k': the number that the caller requests. Default:
   * all.
   */
  n?: number | 'k';
  /** Results beyond n, for filters that follow. Default 0. */
  spare?: number;
  scope: Scope;
  relevance: Relevance;
  /** One result per passage, its best row. Default false. */
  pool?: boolean;
  mask?: (query: QueryContext) => Mask;
  form?: (query: QueryContext) => TemporalForm;
}

/** The greatest number of results. */
export const unlimited = 0xffffffff;

type SearchableSegment = ScanSegment & LexicalSegment;

/** The best rows, best first, ties by passage id; with `within` of those candidates' passages. */
export async function search(
  query: QueryContext,
  ranking: Ranking,
  signal?: AbortSignal,
  within?: readonly Candidate[],
): Promise<Candidate[]> {
  const { snapshot } = query;
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const { semantic, lexical: _, ...parameters } = ranking.relevance;
  if (semantic !== 0 || (ranking.form?.(query).combine ?? 'none') !== 'none') {
    return scanHits(
      await searchRows(query, ranking, signal, within),
      0,
      resultLimit(query, ranking),
      idOf,
    ).map((hit) => scanCandidate(idOf, hit));
  }
  throwIfAborted(signal);
  // Lexical search alone skips blocks that cannot win, which a scan of every row cannot.
  const { scope, pool = false } = ranking;
  const limit = resultLimit(query, ranking);
  const segments = restrictTo(await scanSegments(query, ranking.relevance, signal), within);
  const options = { ...parameters, scope, pool, k: limit, signal };
  const bm25 = await searchLexical(
    segments,
    [{ terms: query.terms(), mask: ranking.mask?.(query) ?? {} }],
    options,
  );
  return scanHits(bm25, 0, limit, idOf).map((hit) =>
    toCandidate(idOf, hit, { lexical: hit.score }),
  );
}

/**
 * The results of `search` as columns, for stages that read a thousand and keep few. Equal scores
 * are in undefined order.
 */
export async function searchRows(
  query: QueryContext,
  ranking: Ranking,
  signal?: AbortSignal,
  within?: readonly Candidate[],
): Promise<FlatResult> {
  throwIfAborted(signal);
  const { scope, pool = false, relevance } = ranking;
  const { semantic, lexical: _, ...parameters } = relevance;
  const {
    exactness = 'certified',
    onScan,
    snapshot: { device },
  } = query;
  const segments = restrictTo(await scanSegments(query, relevance, signal), within);
  const options = {
    ...parameters,
    scope,
    pool,
    exactness,
    device,
    k: resultLimit(query, ranking),
    signal,
  };
  const result = await scanFlat(segments, [await scanQuery(query, ranking, signal)], options);
  if (semantic > 0) onScan?.(scanReport(result, 0));
  return result;
}

const resultLimit = ({ k }: QueryContext, { n, spare = 0 }: Ranking): number =>
  Math.min(unlimited, (n === 'k' ? k : (n ?? unlimited)) + spare);

/** The segments with only the candidates' passages visible. */
function restrictTo(
  segments: SearchableSegment[],
  within: readonly Candidate[] | undefined,
): SearchableSegment[] {
  return within
    ? segments.map((each, s) => ({ ...each, liveDocs: passageNumbers(within, s) }))
    : segments;
}

/** `search` for several rankings: one pass over the corpus if only forms and masks differ. */
export async function searchBatch(
  query: QueryContext,
  rankings: readonly (Ranking & { n: number })[],
  signal?: AbortSignal,
): Promise<Candidate[][]> {
  throwIfAborted(signal);
  const { snapshot } = query;
  const [{ scope, pool = false, relevance }] = rankings as [Ranking];
  const sameScan = rankings.every(
    (each) => each.scope === scope && (each.pool ?? false) === pool && each.relevance === relevance,
  );
  if (!sameScan || relevance.semantic === 0)
    return Promise.all(rankings.map((ranking) => search(query, ranking, signal)));
  const segments = await scanSegments(query, relevance, signal);
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const { semantic: _semantic, lexical: _lexical, ...parameters } = relevance;
  const queries = await Promise.all(rankings.map((ranking) => scanQuery(query, ranking, signal)));
  const k = Math.max(...rankings.map(({ n }) => n));
  const { exactness = 'certified', onScan } = query;
  const { device } = snapshot;
  const result = await scanFlat(segments, queries, {
    ...parameters,
    scope,
    pool,
    k,
    exactness,
    device,
    signal,
  });
  queries.forEach((_, q) => onScan?.(scanReport(result, q)));
  return rankings.map(({ n }, q) =>
    scanHits(result, q, n, idOf).map((hit) => scanCandidate(idOf, hit)),
  );
}

/** The snapshot's segments, with the query's row vectors where similarity counts. */
async function scanSegments(
  { snapshot, rowVectors }: QueryContext,
  { semantic }: Relevance,
  signal?: AbortSignal,
): Promise<SearchableSegment[]> {
  const files = semantic > 0 ? await rowVectors?.(signal) : undefined;
  return searchedSegments(snapshot).map((each, s) =>
    files ? { ...each, vectors: files[s]! } : each,
  );
}

/** The segments of a snapshot, with the passages that searches see and those that they count. */
export const searchedSegments = ({ segments }: Pick<Snapshot, 'segments'>): SearchableSegment[] =>
  segments.map(({ segment, liveDocs, countedDocs }) => ({
    rows: segment,
    ...(liveDocs ? { liveDocs } : {}),
    ...(countedDocs ? { countedDocs } : {}),
  }));

async function scanQuery(
  query: QueryContext,
  { relevance: { semantic, lexical }, mask, form }: Ranking,
  signal?: AbortSignal,
): Promise<ScanQuery> {
  const temporal = form?.(query) ?? { combine: 'none' };
  // Time alone makes no passage an answer to words that it lacks.
  const onlyMatching = semantic === 0 && 'kind' in temporal && temporal.kind === 'decay';
  return {
    ...(semantic > 0 ? { vector: await query.vector(signal) } : { onlyMatching }),
    semanticWeight: semantic,
    ...(lexical > 0 ? { terms: query.terms(), lexicalWeight: lexical } : {}),
    mask: mask?.(query) ?? {},
    form: temporal,
  };
}

function scanCandidate(
  idOf: (segment: number, passage: number) => string,
  hit: ScanHit,
): Candidate {
  const scores: Record<string, number> = { similarity: hit.similarity };
  if (hit.lexical !== 0) scores['lexical'] = hit.lexical;
  if (hit.temporal !== undefined) scores['temporal'] = hit.temporal;
  return toCandidate(idOf, hit, scores);
}

function toCandidate(
  idOf: (segment: number, passage: number) => string,
  hit: ScanHit,
  scores: Record<string, number>,
): Candidate {
  const candidate = new RowCandidate(idOf, hit, hit.score, scores);
  if (hit.mention !== undefined) candidate.interval = hit.mention;
  return candidate;
}

/** Numbers of the candidates' passages in one segment. */
export function passageNumbers(candidates: readonly Candidate[], segment: number): Uint32Array {
  const numbers = new Uint32Array(candidates.length);
  let count = 0;
  for (const each of candidates) if (each.segment === segment) numbers[count++] = each.passage;
  return numbers.subarray(0, count);
}
