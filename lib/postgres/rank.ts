// Score plans in SQL: the rounds of one query over shards. Statistics first, since all shards weigh
// by those of the whole; then the greatest BM25 and the moments of a recency; then the passages
// with the rows from the k-th score on, and a band below it for what SQL computes otherwise in the
// last bits (docs/decisions/score-plan.md).
import { checkBm25 } from '../retrieval/bm25.js';
import type { Fields } from '../store/fields/types.js';
import type {
  CollectionStatistics,
  PlanQuery,
  QueryStatistics,
  RecencyMoments,
  ScorePlan,
  Scope,
} from '../store/scorePlan.js';
import { productSql, maskSql, temporalSql } from './forms.js';
import type { RemoteView } from './fetchedSnapshot.js';
import { filterSql } from './filter.js';
import { float8, Parameters, vectorText } from './sql.js';

/** What a statement runs on: one shard. */
export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Runs the same on every shard, of which it gets the number. */
export type OnShards = <Result>(
  work: (session: Session, shard: number) => Promise<Result>,
) => Promise<Result[]>;

export interface PlanContext {
  onShards: OnShards;
  fields: Fields;
  view: RemoteView;
}

/** Parts of rows (lib/postgres/schema.ts) that scopes search. */
const partsOf: Record<Scope, string> = {
  passages: 'part in (0, 1)',
  sentences: 'part in (1, 2)',
  all: 'true',
};

/** Condition on the passages that a question sees; 'true' for all. */
function viewSql({ filter, ids }: RemoteView, fields: Fields, parameters: Parameters): string {
  const conditions = [
    ...(filter ? [filterSql(filter, fields, parameters)] : []),
    ...(ids ? [`id = any(${parameters.add(ids, 'text[]')})`] : []),
  ];
  if (conditions.length === 0) return 'true';
  return `passage in (select passage from passages where ${conditions.join(' and ')})`;
}

export async function countPassages({ onShards, fields, view }: PlanContext): Promise<number> {
  const counts = await onShards(async (session) => {
    const parameters = new Parameters();
    const where = viewSql(view, fields, parameters);
    const text = `select count(*)::float8 as n from passages where ${where}`;
    const [row] = await session.query<{ n: number }>(text, parameters.values);
    return row!.n;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** BM25's statistics of a scope: of all passages, or of those of the view that count alone. */
export async function collectionStatistics(
  { onShards, fields, view }: PlanContext,
  terms: readonly string[],
  scope: Scope,
): Promise<CollectionStatistics> {
  const counted = view.countsPassing && view.filter ? { filter: view.filter } : undefined;
  const part = partsOf[scope];
  const shards = await onShards(async (session) => {
    const parameters = new Parameters();
    const list = parameters.add(terms, 'text[]');
    const where = counted && viewSql(counted, fields, parameters);
    const frequencies = where
      ? `select term, count(*)::float8 as n from
           (select term, base + (unnest(packed) >> 48) as row from postings
            where term = any(${list}) and ${part}) x
         join (select row from rows where ${part} and ${where}) r using (row) group by term`
      : `select term, sum(n)::float8 as n from postings
         where term = any(${list}) and ${part} group by term`;
    const totals = new Parameters();
    const total = counted
      ? `select count(*)::float8 as rows, coalesce(sum(length), 0)::float8 as tokens
         from rows where ${part} and ${viewSql(counted, fields, totals)}`
      : `select coalesce(sum(rows), 0)::float8 as rows, coalesce(sum(tokens), 0)::float8 as tokens
         from totals where ${part}`;
    const [sums] = await session.query<{ rows: number; tokens: number }>(total, totals.values);
    const found = await session.query<{ term: string; n: number }>(frequencies, parameters.values);
    return { ...sums!, found };
  });
  const frequencies = new Map(terms.map((term) => [term, 0]));
  for (const { found } of shards)
    for (const { term, n } of found) frequencies.set(term, frequencies.get(term)! + n);
  return {
    rows: shards.reduce((sum, { rows }) => sum + rows, 0),
    tokens: shards.reduce((sum, { tokens }) => sum + tokens, 0),
    frequencies,
  };
}

/** BM25's parameters with the statistics of the whole, for one plan. */
interface LexicalContext {
  k1: number;
  b: number;
  collection: CollectionStatistics;
}

/** Rows with a term of the query and their BM25, as native/index/lexical/bm25.hpp computes it. */
function lexicalSql(
  { terms = [] }: PlanQuery,
  { k1, b, collection }: LexicalContext,
  scope: Scope,
  parameters: Parameters,
): string {
  const { rows, tokens, frequencies } = collection;
  const repetitions = new Map<string, number>();
  for (const term of terms) repetitions.set(term, (repetitions.get(term) ?? 0) + 1);
  const known = [...repetitions].filter(([term]) => (frequencies.get(term) ?? 0) > 0);
  const weights = known.map(([term, repetition]) => {
    const frequency = Math.min(frequencies.get(term)!, rows);
    return repetition * Math.log1p((rows - frequency + 0.5) / (frequency + 0.5));
  });
  const list = parameters.add(
    known.map(([term]) => term),
    'text[]',
  );
  const values = parameters.add(weights, 'float8[]');
  const mean = tokens === 0 ? 1 : tokens / rows;
  const norm = `(${float8(k1)} * (${float8(1 - b)} + ${float8(b / mean)} * (p & 4294967295)))`;
  // Where only presence counts the term part is 1.
  const part = k1 === 0 ? 'w' : `w - w / (1 + (p >> 32 & 65535) * (1 / ${norm}))`;
  return `select base + (p >> 48) as row, sum((${part} + 1572864::float8) - 1572864::float8) as s
    from (select w, base, unnest(packed) as p
          from unnest(${list}, ${values}) q(term, w) join postings using (term)
          where ${partsOf[scope]}) x group by 1`;
}

/** One query of a plan over one shard, in parts of which statements are made. */
class QuerySql {
  readonly parameters = new Parameters();
  /** Rows and their lexical score, if they have any. */
  readonly from: string;
  readonly where: string;
  readonly isLexical: boolean;

  constructor(
    readonly query: PlanQuery,
    readonly plan: ScorePlan,
    context: PlanContext,
    lexical: LexicalContext | undefined,
  ) {
    const { form, mask = {}, vector, onlyMatching = false } = query;
    this.isLexical = !vector && (form?.combine ?? 'none') === 'none';
    const scope = plan.scope;
    const join =
      lexical && query.terms
        ? `${this.isLexical || onlyMatching ? 'join' : 'left join'}
         (${lexicalSql(query, lexical, scope, this.parameters)}) l using (row)`
        : 'cross join (select 0::float8 as s) l';
    const column =
      plan.column && vector
        ? `join (select row, v as derived from derived_vectors
             where key = ${this.parameters.add(plan.column, 'text')}) d using (row)`
        : '';
    this.from = `rows r ${column} ${join}`;
    this.where = [
      partsOf[scope],
      maskSql(mask),
      viewSql(context.view, context.fields, this.parameters),
    ].join(' and ');
  }

  /** Relevance of a row, given the greatest BM25. */
  relevance(maxLexical: number): string {
    const { vector, semanticWeight = 1, terms, lexicalWeight = terms ? 1 : 0 } = this.query;
    const parts = [
      ...(vector
        ? [
            `${float8(semanticWeight)} * -(${this.plan.column ? 'derived' : 'v'} <#> ${this.parameters.add(vectorText(vector), 'vector')})`,
          ]
        : []),
      ...(terms && maxLexical > 0
        ? [`${float8(lexicalWeight / maxLexical)} * coalesce(s::float4, 0)::float8`]
        : []),
    ];
    return parts.length > 0 ? `(${parts.join(' + ')})` : '0::float8';
  }

  score({ maxLexical = 0, moments }: QueryStatistics): string {
    if (this.isLexical) return 's';
    const { form = { combine: 'none' } } = this.query;
    const relevance = this.relevance(maxLexical);
    if (form.combine === 'none') return relevance;
    const value = temporalSql(form);
    if (form.combine === 'product') return productSql(relevance, value);
    if (form.kind === 'decay') return `${relevance} + ${float8(form.weight)} * ${value}`;
    return `${relevance} + ${float8(form.weight)} * ${standardised(value, moments!)}`;
  }

  run<Row>(session: Session, text: string): Promise<Row[]> {
    return session.query<Row>(text, this.parameters.values);
  }
}

function standardised(value: string, moments: RecencyMoments): string {
  const { relevanceMean, relevanceDeviation, recencyMean, recencyDeviation } = moments;
  const factor = recencyDeviation === 0 ? 0 : relevanceDeviation / recencyDeviation;
  return `(${float8(relevanceMean)} +
    (coalesce(${value}, ${float8(recencyMean)}) - ${float8(recencyMean)}) * ${float8(factor)})`;
}

/** Of some values: how many, mean, sum of squared differences from it, least and greatest. */
interface Moments {
  count: number;
  mean: number;
  squares: number;
  least: number;
  greatest: number;
}

/** Columns of a statement with the moments of an expression, without NULLs. */
const momentsSql = (x: string): string =>
  `count(${x})::float8 as ${x}_count, coalesce(avg(${x}), 0) as ${x}_mean,
   coalesce(var_pop(${x}), 0) * count(${x}) as ${x}_squares,
   coalesce(min(${x}), 'Infinity') as ${x}_least, coalesce(max(${x}), '-Infinity') as ${x}_greatest`;

const momentsOf = (row: Readonly<Record<string, number>>, x: string): Moments => ({
  count: row[`${x}_count`]!,
  mean: row[`${x}_mean`]!,
  squares: row[`${x}_squares`]!,
  least: row[`${x}_least`]!,
  greatest: row[`${x}_greatest`]!,
});

function merged(parts: readonly Moments[]): Moments {
  const none = { count: 0, mean: 0, squares: 0, least: Infinity, greatest: -Infinity };
  const all = parts.reduce((sum, each): Moments => {
    if (each.count === 0) return sum;
    const count = sum.count + each.count;
    const delta = each.mean - sum.mean;
    return {
      count,
      mean: sum.mean + (delta * each.count) / count,
      squares: sum.squares + each.squares + (delta * delta * sum.count * each.count) / count,
      least: Math.min(sum.least, each.least),
      greatest: Math.max(sum.greatest, each.greatest),
    };
  }, none);
  // The mean of equal values is rounded; their deviation, by which others are divided, is 0.
  return all.least === all.greatest ? { ...all, mean: all.least, squares: 0 } : all;
}

const deviation = ({ count, squares }: Moments): number =>
  count === 0 ? 0 : Math.sqrt(squares / count);

/** What the query's scores are normalised by, over all shards. */
async function queryStatistics(
  query: PlanQuery,
  plan: ScorePlan,
  context: PlanContext,
  lexical: LexicalContext | undefined,
): Promise<QueryStatistics> {
  const { onShards } = context;
  const sql = (): QuerySql => new QuerySql(query, plan, context, lexical);
  const { form } = query;
  let maxLexical = 0;
  if (lexical && query.terms && query.terms.length > 0)
    maxLexical = Math.max(
      ...(await onShards(async (session) => {
        const each = sql();
        const text = `select coalesce(max(s), 0) as best from ${each.from} where ${each.where}`;
        return (await each.run<{ best: number }>(session, text))[0]!.best;
      })),
    );
  if (form?.combine !== 'sum' || form.kind !== 'recency') return { maxLexical };
  const shards = await onShards(async (session) => {
    const each = sql();
    const text = `select ${momentsSql('x')}, ${momentsSql('t')}
      from (select (${each.relevance(maxLexical)})::float4::float8 as x, ${temporalSql(form)} as t
            from ${each.from} where ${each.where}) y`;
    const [row] = await each.run<Record<string, number>>(session, text);
    return { relevance: momentsOf(row!, 'x'), recency: momentsOf(row!, 't') };
  });
  const relevance = merged(shards.map((each) => each.relevance));
  const recency = merged(shards.map((each) => each.recency));
  return {
    maxLexical,
    moments: {
      relevanceMean: relevance.mean,
      relevanceDeviation: deviation(relevance),
      recencyMean: recency.mean,
      recencyDeviation: deviation(recency),
    },
  };
}

/** Results beyond k that are asked for at once: most bands end within them. */
const spare = 64;
/** Most results of a plan that are asked for with a limit. */
const unlimited = 0xffffffff;

interface Found {
  passage: string;
  id: string;
  score: number;
}

/** Ids of the passages with the rows that can be among the best k of a query. */
async function rankQuery(
  query: PlanQuery,
  plan: ScorePlan,
  context: PlanContext,
  given: { lexical: LexicalContext | undefined; statistics: QueryStatistics },
): Promise<string[]> {
  const { k, pool = false } = plan;
  if (k === 0) return [];
  const best = async (session: Session, tail: (score: string) => string): Promise<Found[]> => {
    const sql = new QuerySql(query, plan, context, given.lexical);
    const score = sql.score(given.statistics);
    const rows = pool
      ? `select passage, max(score) as score from
           (select passage, ${score} as score from ${sql.from} where ${sql.where}) y group by passage`
      : `select passage, ${score} as score from ${sql.from} where ${sql.where}`;
    return sql.run<Found>(
      session,
      `select id, score from (select * from (${rows}) z where score is not null ${tail('score')}) x
       join passages using (passage)`,
    );
  };
  const limit = k === unlimited ? undefined : k + spare;
  const first = await context.onShards((session) =>
    best(session, (score) => (limit ? `order by ${score} desc limit ${limit}` : '')),
  );
  const scores = first
    .flat()
    .map(({ score }) => score)
    .sort((a, b) => b - a);
  const kth = scores[k - 1];
  if (limit === undefined || kth === undefined) return first.flat().map(({ id }) => id);
  const threshold = kth - band(query, given.statistics);
  // A shard whose last row is within the band may have more of them.
  const isCut = first.map(
    (rows) => rows.length === limit && Math.min(...rows.map(({ score }) => score)) >= threshold,
  );
  const all = await context.onShards(async (session, shard) =>
    isCut[shard]
      ? best(session, (score) => `and ${score} >= ${float8(threshold)}`)
      : first[shard]!.filter(({ score }) => score >= threshold),
  );
  return all.flat().map(({ id }) => id);
}

/**
 * How much less SQL's score of a row may be than the native one, of unit vectors: twice the bound
 * of sums of products in floats, times the greatest factor; 0 where the same bits are computed.
 */
function band(
  { vector, semanticWeight = 1, form = { combine: 'none' }, lexicalWeight = 1 }: PlanQuery,
  { moments }: QueryStatistics,
): number {
  const decays = 'kind' in form && form.kind === 'decay' && form.shape !== 'linear';
  if (!vector && !decays && !moments) return 0;
  const d = vector?.length ?? 0;
  const products = 2 * Math.abs(semanticWeight) * (2 * Math.ceil(d / 4) + 4 + d) * 2 ** -24;
  const weight = form.combine === 'sum' ? Math.abs(form.weight) : 0;
  // Moments of relevance differ by the products, and what is standardised with them.
  const spread = moments ? 1 + weight : 1;
  const rounding = 1e-9 * (1 + weight + Math.abs(semanticWeight) + Math.abs(lexicalWeight));
  return 2 * spread * products + rounding;
}

/** Runs a plan: ids of passages, and what the native scan is to score them with. */
export async function rankPlan(
  plan: ScorePlan,
  context: PlanContext,
): Promise<{
  ids: string[];
  statistics: { collection?: CollectionStatistics; queries: QueryStatistics[] };
}> {
  const { k1 = 0.9, b = 0.4, scope, queries } = plan;
  checkBm25({ k1, b });
  const terms = [...new Set(queries.flatMap(({ terms: own = [] }) => own))];
  const collection =
    terms.length > 0 ? await collectionStatistics(context, terms, scope) : undefined;
  const lexical = collection && { k1, b, collection };
  const ids = new Set<string>();
  const statistics: QueryStatistics[] = [];
  for (const query of queries) {
    const own = await queryStatistics(query, plan, context, lexical);
    statistics.push(own);
    const found = await rankQuery(query, plan, context, { lexical, statistics: own });
    for (const id of found) ids.add(id);
  }
  return { ids: [...ids], statistics: { ...(collection && { collection }), queries: statistics } };
}
