// Every ranking is this search: rows of a scope scored by relevance (similarity and BM25,
// weighted), under a mask and a temporal form, over the whole corpus or over the passages found
// before. It is exact: nothing is cut but by n.
import type { FlatResult } from '../../binding.js';
import { throwIfAborted } from '../errors.js';
import type { Mask, TemporalForm } from '../time/temporalForms.js';
import { FoundRow, type Asked, type Candidate, type Scope } from './candidate.js';
import {
  hitsOf,
  readingOf,
  scanFlat,
  type ScanHit,
  type ScanQuery,
  type ScanSegment,
} from './flatScan.js';
import { searchLexical, type LexicalSegment } from './lexicalSearch.js';

/**
 * relevance = semantic * cosine + lexical * BM25 / (best BM25 of the question over the rows it may
 * see): cosine in [-1, 1], the latter in [0, 1].
 */
export interface Relevance {
  semantic: number;
  lexical: number;
  /** BM25's saturation of term counts, from 0. Default 0.9. */
  k1?: number;
  /** BM25's normalisation by length, 0 to 1. Default 0.4. */
  b?: number;
}

export const semanticOnly: Relevance = { semantic: 1, lexical: 0 };
export const lexicalOnly: Relevance = { semantic: 0, lexical: 1 };

export interface Ranking {
  /**
   * Rows to return, or passages where `pool` is set; 'k' is as many as the caller wants. Default:
   * all.
   */
  n?: number | 'k';
  /** Beyond n, for stages that drop some. Default 0. */
  spare?: number;
  scope: Scope;
  relevance: Relevance;
  /** One result a passage: its best row. Default false. */
  pool?: boolean;
  mask?: (asked: Asked) => Mask;
  form?: (asked: Asked) => TemporalForm;
}

/** As many results as a search can give. */
export const everything = 0xffffffff;

type SearchedSegment = ScanSegment & LexicalSegment;

/**
 * The best rows, best first, ties by passage id. `within` restricts the search to passages that
 * were found already.
 */
export async function search(
  asked: Asked,
  ranking: Ranking,
  signal?: AbortSignal,
  within?: readonly Candidate[],
): Promise<Candidate[]> {
  const { snapshot } = asked;
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const { semantic, lexical: _, ...parameters } = ranking.relevance;
  if (semantic !== 0 || (ranking.form?.(asked).combine ?? 'none') !== 'none') {
    return hitsOf(
      await searchRows(asked, ranking, signal, within),
      0,
      limitOf(asked, ranking),
      idOf,
    ).map((hit) => scanned(idOf, hit));
  }
  throwIfAborted(signal);
  // Lexical search alone skips blocks that cannot win, which a scan of every row cannot.
  const { scope, pool = false } = ranking;
  const limit = limitOf(asked, ranking);
  const segments = among(await searched(asked, ranking.relevance, signal), within);
  const options = { ...parameters, scope, pool, k: limit, ...(signal ? { signal } : {}) };
  const bm25 = await searchLexical(
    segments,
    [{ terms: asked.terms(), mask: ranking.mask?.(asked) ?? {} }],
    options,
  );
  return hitsOf(bm25, 0, limit, idOf).map((hit) => candidate(idOf, hit, { lexical: hit.score }));
}

/**
 * The rows that `search` finds by a scan, as its columns: for stages that look at a thousand and
 * keep few. Those that tie are in no order.
 */
export async function searchRows(
  asked: Asked,
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
  } = asked;
  const segments = among(await searched(asked, relevance, signal), within);
  const options = {
    ...parameters,
    scope,
    pool,
    exactness,
    device,
    k: limitOf(asked, ranking),
    ...(signal ? { signal } : {}),
  };
  const result = await scanFlat(segments, [await scanQuery(asked, ranking, signal)], options);
  if (semantic > 0) onScan?.(readingOf(result, 0));
  return result;
}

const limitOf = ({ k }: Asked, { n, spare = 0 }: Ranking): number =>
  Math.min(everything, (n === 'k' ? k : (n ?? everything)) + spare);

/** The segments with the passages of the candidates alone to be seen. */
function among(
  segments: SearchedSegment[],
  within: readonly Candidate[] | undefined,
): SearchedSegment[] {
  return within
    ? segments.map((each, s) => ({ ...each, visible: onlyThose(within, s) }))
    : segments;
}

/**
 * Rankings that differ in their forms and masks alone, by one pass over the corpus: the results of
 * `search` for each.
 */
export async function searchTogether(
  asked: Asked,
  rankings: readonly (Ranking & { n: number })[],
  signal?: AbortSignal,
): Promise<Candidate[][]> {
  throwIfAborted(signal);
  const { snapshot } = asked;
  const [{ scope, pool = false, relevance }] = rankings as [Ranking];
  const alike = rankings.every(
    (each) => each.scope === scope && (each.pool ?? false) === pool && each.relevance === relevance,
  );
  if (!alike || relevance.semantic === 0)
    return Promise.all(rankings.map((ranking) => search(asked, ranking, signal)));
  const segments = await searched(asked, relevance, signal);
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const { semantic: _semantic, lexical: _lexical, ...parameters } = relevance;
  const queries = await Promise.all(rankings.map((ranking) => scanQuery(asked, ranking, signal)));
  const k = Math.max(...rankings.map(({ n }) => n));
  const { exactness = 'certified', onScan } = asked;
  const { device } = snapshot;
  const result = await scanFlat(segments, queries, {
    ...parameters,
    scope,
    pool,
    k,
    exactness,
    device,
    ...(signal ? { signal } : {}),
  });
  queries.forEach((_, q) => onScan?.(readingOf(result, q)));
  return rankings.map(({ n }, q) => hitsOf(result, q, n, idOf).map((hit) => scanned(idOf, hit)));
}

/**
 * The snapshot's segments as searches take them, with the vectors that stand in for their own where
 * similarity counts.
 */
async function searched(
  { snapshot, rowVectors }: Asked,
  { semantic }: Relevance,
  signal?: AbortSignal,
): Promise<SearchedSegment[]> {
  const files = semantic > 0 ? await rowVectors?.(signal) : undefined;
  return snapshot.segments.map(({ segment, liveDocs }, s) => ({
    rows: segment,
    ...(liveDocs ? { visible: liveDocs } : {}),
    ...(files ? { vectors: files[s]! } : {}),
  }));
}

async function scanQuery(
  asked: Asked,
  { relevance: { semantic, lexical }, mask, form }: Ranking,
  signal?: AbortSignal,
): Promise<ScanQuery> {
  return {
    ...(semantic > 0 ? { vector: await asked.vector(signal) } : {}),
    semanticWeight: semantic,
    ...(lexical > 0 ? { terms: asked.terms(), lexicalWeight: lexical } : {}),
    mask: mask?.(asked) ?? {},
    form: form?.(asked) ?? { combine: 'none' },
  };
}

function scanned(idOf: (segment: number, passage: number) => string, hit: ScanHit): Candidate {
  const scores: Record<string, number> = { similarity: hit.similarity };
  if (hit.lexical !== 0) scores['lexical'] = hit.lexical;
  if (hit.temporal !== undefined) scores['temporal'] = hit.temporal;
  return candidate(idOf, hit, scores);
}

function candidate(
  idOf: (segment: number, passage: number) => string,
  hit: ScanHit,
  scores: Record<string, number>,
): Candidate {
  const found = new FoundRow(idOf, hit, hit.score, scores);
  if (hit.mention !== undefined) found.interval = hit.mention;
  return found;
}

/** The passages of one segment among the candidates, by their numbers. */
export function onlyThose(candidates: readonly Candidate[], segment: number): Uint32Array {
  const own = new Uint32Array(candidates.length);
  let count = 0;
  for (const each of candidates) if (each.segment === segment) own[count++] = each.passage;
  return own.subarray(0, count);
}
