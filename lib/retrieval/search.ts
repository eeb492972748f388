// The search that every stage ranks by: exact top k of relevance (cosine and BM25), under a mask
// and a temporal form, over the corpus or the passages of given candidates.
import { throwIfAborted } from '../errors.js';
import type {
  Bm25Parameters,
  PlanQuery,
  PlanStatistics,
  ScorePlan,
  Scope,
} from '../store/scorePlan.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { needsMatch, type Mask, type TemporalForm } from '../time/temporalForms.js';
import { checkBm25 } from './bm25.js';
import { RowCandidate, type Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { scanHits, type HitColumns, type ScanHit } from './scanHits.js';
import { sharedScans } from './sharedScans.js';
import { scanReport } from './scanReport.js';
import { scanFlat, type ScanSegment } from './flatScan.js';
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
   * Rows to return, passages with `pool`; 'k': the number that the caller requests. Default: all.
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

interface RunOptions {
  signal?: AbortSignal | undefined;
  /** Only rows of these candidates' passages. */
  within?: readonly Candidate[] | undefined;
}

/** The best rows, best first, ties by passage id; with `within` of those candidates' passages. */
export async function search(
  query: QueryContext,
  ranking: Ranking,
  signal?: AbortSignal,
  within?: readonly Candidate[],
): Promise<Candidate[]> {
  const limit = resultLimit(query, ranking);
  const plan = await scorePlan(query, [ranking], limit, signal);
  const [hits] = candidates(query, await run(query, plan, { signal, within }), [limit]);
  return hits!;
}

/**
 * `search` as columns, for stages that read a thousand and keep few. The order of equal scores is
 * undefined.
 */
export async function searchRows(
  query: QueryContext,
  ranking: Ranking,
  signal?: AbortSignal,
  within?: readonly Candidate[],
): Promise<HitColumns> {
  const plan = await scorePlan(query, [ranking], resultLimit(query, ranking), signal);
  return run(query, plan, { signal, within });
}

/** `search` for several rankings: one pass over the corpus if only forms and masks differ. */
export async function searchBatch(
  query: QueryContext,
  rankings: readonly (Ranking & { n: number })[],
  signal?: AbortSignal,
): Promise<Candidate[][]> {
  const [{ scope, pool = false, relevance }] = rankings as [Ranking];
  const sameScan = rankings.every(
    (each) => each.scope === scope && (each.pool ?? false) === pool && each.relevance === relevance,
  );
  if (!sameScan || relevance.semantic === 0)
    return Promise.all(rankings.map((ranking) => search(query, ranking, signal)));
  const limits = rankings.map(({ n }) => n);
  const plan = await scorePlan(query, rankings, Math.max(...limits), signal);
  return candidates(query, await run(query, plan, { signal }), limits);
}

/** The greatest BM25 of each query over the rows that the ranking's mask shows it. */
export async function lexicalMaxima(
  queries: readonly [QueryContext, ...QueryContext[]],
  { scope, relevance, mask }: Ranking,
  signal?: AbortSignal,
): Promise<ArrayLike<number>> {
  const [{ snapshot }] = queries;
  const plan: ScorePlan = {
    ...bm25Of(relevance),
    scope,
    k: 0,
    queries: queries.map((query) => ({ terms: query.terms(), mask: mask?.(query) ?? {} })),
  };
  if (!snapshot.remote)
    return (await searchLexical(searchedSegments(snapshot), plan.queries, { ...plan, signal }))
      .maxScore;
  const found = await snapshot.remote.fetch(plan, signal);
  return found.queries.map(({ maxLexical = 0 }) => maxLexical);
}

const resultLimit = ({ k }: QueryContext, { n, spare = 0 }: Ranking): number =>
  Math.min(unlimited, (n === 'k' ? k : (n ?? unlimited)) + spare);

function bm25Of({ semantic: _, lexical: __, ...bm25 }: Relevance): Bm25Parameters {
  checkBm25(bm25);
  return bm25;
}

/** The plan of rankings that differ in mask and form alone. */
async function scorePlan(
  query: QueryContext,
  rankings: readonly Ranking[],
  k: number,
  signal?: AbortSignal,
): Promise<ScorePlan> {
  throwIfAborted(signal);
  const { scope, pool = false, relevance } = rankings[0]!;
  const queries = await Promise.all(rankings.map((ranking) => planQuery(query, ranking, signal)));
  const column = relevance.semantic > 0 ? query.rowVectors?.key : undefined;
  return { ...bm25Of(relevance), queries, k, scope, pool, ...(column && { column }) };
}

async function planQuery(
  query: QueryContext,
  ranking: Ranking,
  signal?: AbortSignal,
): Promise<PlanQuery> {
  const { semantic, lexical } = ranking.relevance;
  const { mask, form } = ranking;
  const temporal = form?.(query) ?? { combine: 'none' };
  const masked = mask?.(query) ?? {};
  query.onMask?.(masked);
  const onlyMatching = semantic === 0 && needsMatch(temporal);
  return {
    k: resultLimit(query, ranking),
    ...(semantic > 0 ? { vector: await query.vector(signal) } : { onlyMatching }),
    semanticWeight: semantic,
    ...(lexical > 0 ? { terms: query.terms(), lexicalWeight: lexical } : {}),
    mask: masked,
    form: temporal,
  };
}

/** Runs a plan over the snapshot's rows, after fetching them if they are elsewhere. */
async function run(
  query: QueryContext,
  plan: ScorePlan,
  { signal, within }: RunOptions,
): Promise<HitColumns> {
  const { snapshot, rowVectors, onScan, exactness = 'certified' } = query;
  const { queries: planned, ...parameters } = plan;
  const found = await remoteStatistics(snapshot, plan, { signal, within });
  const queries = planned.map((each, q) => ({ ...each, ...found?.queries[q] }));
  const isSemantic = queries.some(({ vector }) => vector);
  const column = isSemantic ? await rowVectors?.files(signal) : undefined;
  const readsVectors = column !== undefined || snapshot.manifest.storage === 'f32';
  const segments = searchedSegments(snapshot).map((each, s) => ({
    ...each,
    ...(column ? { vectors: column.files[s]! } : {}),
    ...(within ? { liveDocs: passageNumbers(within, s) } : {}),
  }));
  const options = { ...parameters, signal };
  // Lexical search alone skips blocks that cannot win, which a scan of every row cannot.
  if (queries.every(({ vector, form }) => !vector && (form?.combine ?? 'none') === 'none'))
    return searchLexical(segments, queries, { ...options, collection: found?.collection });
  const scan = { segments, queries, options: { ...options, exactness, device: snapshot.device } };
  // BM25 skips panels by bounds of its own terms, which others of a batch would have to read.
  const isShareable =
    !within && !found && isSemantic && (readsVectors || queries.every(({ terms }) => !terms));
  const result = isShareable
    ? await snapshot.caches.get(sharedScans).scan(scan)
    : await scanFlat(segments, queries, { ...scan.options, collection: found?.collection });
  if (isSemantic) queries.forEach((_, q) => onScan?.(scanReport(result, q, found?.exact)));
  return result;
}

/** What the scores of a part of the rows are to be computed with, once it has been fetched. */
async function remoteStatistics(
  { remote }: Snapshot,
  plan: ScorePlan,
  { signal, within }: RunOptions,
): Promise<PlanStatistics | undefined> {
  if (!remote) return undefined;
  if (!within) return remote.fetch(plan, signal);
  const terms = new Set(plan.queries.flatMap(({ terms: each = [] }) => each));
  if (terms.size === 0) return undefined;
  return { collection: await remote.statistics([...terms], plan.scope, signal), queries: [] };
}

/** The segments of a snapshot, with the passages that searches see and those that they count. */
export const searchedSegments = ({ segments }: Pick<Snapshot, 'segments'>): SearchableSegment[] =>
  segments.map(({ segment, liveDocs, countedDocs }) => ({
    rows: segment,
    ...(liveDocs ? { liveDocs } : {}),
    ...(countedDocs ? { countedDocs } : {}),
  }));

/** The best of each query's results, of which it wants as many as `limits` says. */
function candidates(
  { snapshot }: QueryContext,
  columns: HitColumns,
  limits: readonly number[],
): Candidate[][] {
  const idOf = (segment: number, passage: number): string => snapshot.id(segment, passage);
  return limits.map((limit, q) =>
    scanHits(columns, q, limit, idOf).map((hit) => {
      const candidate = new RowCandidate(idOf, hit, hit.score, scoresOf(hit, columns));
      if (hit.mention !== undefined) candidate.interval = hit.mention;
      return candidate;
    }),
  );
}

function scoresOf(hit: ScanHit, { similarity }: HitColumns): Record<string, number> {
  if (!similarity) return { lexical: hit.score };
  const scores: Record<string, number> = { similarity: hit.similarity };
  if (hit.lexical !== 0) scores['lexical'] = hit.lexical;
  if (hit.temporal !== undefined) scores['temporal'] = hit.temporal;
  return scores;
}

/** Numbers of the candidates' passages in one segment. */
function passageNumbers(candidates: readonly Candidate[], segment: number): Uint32Array {
  const numbers = new Uint32Array(candidates.length);
  let count = 0;
  for (const each of candidates) if (each.segment === segment) numbers[count++] = each.passage;
  return numbers.subarray(0, count);
}
