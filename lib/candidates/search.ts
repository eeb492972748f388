// Every ranking is this search: rows of a scope scored by relevance (similarity and BM25, weighted), under a mask and a
// temporal form, over the whole corpus or over the passages found before. It is exact: nothing is cut but by n.
import { throwIfAborted } from '../errors.js';
import type { Mask, TemporalForm } from '../time/forms.js';
import { FoundRow, type Asked, type Candidate, type Scope } from './candidate.js';
import { hitsOf, readingOf, scanFlat, type ScanHit, type ScanQuery, type ScanSegment } from './flatScan.js';
import { searchLexical, type LexicalSegment } from './lexicalSearch.js';

/** relevance = semantic * cosine + lexical * BM25 / (best BM25 of the question over the rows it may see): cosine in [-1, 1], the latter in [0, 1]. */
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
  /** Rows to return, or passages where `pool` is set; 'k' is as many as the caller wants. Default: all. */
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

/** The best rows, best first, ties by passage id. `within` restricts the search to passages that were found already. */
export async function search(asked: Asked, ranking: Ranking, signal?: AbortSignal, within?: readonly Candidate[]): Promise<Candidate[]> {
  throwIfAborted(signal);
  const { snapshot } = asked;
  const stored = await searched(asked, ranking.relevance, signal);
  const segments = within ? stored.map((each, s) => ({ ...each, visible: onlyThose(within, s) })) : stored;
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const limit = Math.min(everything, (ranking.n === 'k' ? asked.k : (ranking.n ?? everything)) + (ranking.spare ?? 0));
  const form = ranking.form?.(asked) ?? { combine: 'none' as const };
  const mask = ranking.mask?.(asked) ?? {};
  const { scope, pool = false, relevance } = ranking;
  const { semantic, lexical: _, ...parameters } = relevance;
  const { exactness = 'certified', onScan } = asked;
  const options = { ...parameters, scope, pool, exactness, device: snapshot.device, ...(signal ? { signal } : {}) };

  if (semantic === 0 && form.combine === 'none') {
    // Lexical search alone skips blocks that cannot win, which a scan of every row cannot.
    const bm25 = await searchLexical(segments, [{ terms: asked.terms(), mask }], { ...options, k: limit });
    return hitsOf(bm25, 0, limit, idOf).map((hit) => candidate(idOf, hit, { lexical: hit.score }));
  }
  const result = await scanFlat(segments, [await scanQuery(asked, ranking, signal)], { ...options, k: limit });
  if (semantic > 0) onScan?.(readingOf(result, 0));
  return hitsOf(result, 0, limit, idOf).map((hit) => scanned(idOf, hit));
}

/** Rankings that differ in their forms and masks alone, by one pass over the corpus: the results of `search` for each. */
export async function searchTogether(asked: Asked, rankings: readonly (Ranking & { n: number })[], signal?: AbortSignal): Promise<Candidate[][]> {
  throwIfAborted(signal);
  const { snapshot } = asked;
  const [{ scope, pool = false, relevance }] = rankings as [Ranking];
  const alike = rankings.every((each) => each.scope === scope && (each.pool ?? false) === pool && each.relevance === relevance);
  if (!alike || relevance.semantic === 0) return Promise.all(rankings.map((ranking) => search(asked, ranking, signal)));
  const segments = await searched(asked, relevance, signal);
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  const { semantic: _semantic, lexical: _lexical, ...parameters } = relevance;
  const queries = await Promise.all(rankings.map((ranking) => scanQuery(asked, ranking, signal)));
  const k = Math.max(...rankings.map(({ n }) => n));
  const { exactness = 'certified', onScan } = asked;
  const { device } = snapshot;
  const result = await scanFlat(segments, queries, { ...parameters, scope, pool, k, exactness, device, ...(signal ? { signal } : {}) });
  queries.forEach((_, q) => onScan?.(readingOf(result, q)));
  return rankings.map(({ n }, q) => hitsOf(result, q, n, idOf).map((hit) => scanned(idOf, hit)));
}

/** The snapshot's segments as searches take them, with the vectors that stand in for their own where similarity counts. */
async function searched({ snapshot, rowVectors }: Asked, { semantic }: Relevance, signal?: AbortSignal): Promise<SearchedSegment[]> {
  const files = semantic > 0 ? await rowVectors?.(signal) : undefined;
  return snapshot.segments.map(({ segment, visible }, s) => ({
    rows: segment, ...(visible ? { visible } : {}), ...(files ? { vectors: files[s]! } : {}),
  }));
}

async function scanQuery(asked: Asked, { relevance: { semantic, lexical }, mask, form }: Ranking, signal?: AbortSignal): Promise<ScanQuery> {
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

function candidate(idOf: (segment: number, passage: number) => string, hit: ScanHit, scores: Record<string, number>): Candidate {
  const found = new FoundRow(idOf, hit, hit.score, scores);
  if (hit.mention !== undefined) found.interval = hit.mention;
  return found;
}

/** The passages of one segment among the candidates, by their numbers. */
export function onlyThose(candidates: readonly Candidate[], segment: number): Uint32Array {
  return Uint32Array.from(candidates.filter((each) => each.segment === segment), ({ passage }) => passage);
}
