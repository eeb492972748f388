// What scores are normalised by, over all shards: passages, document frequencies and lengths, the
// greatest BM25 of a query, the moments of a recency.
import type { ScorePlan } from 'asof/kit';
import { normalizes, temporalSql } from './forms.js';
import { partsOf, QuerySql, viewSql, type LexicalContext, type PlanContext } from './querySql.js';
import type { CollectionStatistics, PlanQuery, QueryStatistics } from './remoteTypes.js';
import { byBytes } from './read.js';
import { Parameters } from './sql.js';

export async function countPassages({ onShards, fields, view }: PlanContext): Promise<number> {
  const counts = await onShards(async (session) => {
    const parameters = new Parameters();
    const where = viewSql(view, fields, parameters);
    const text =
      where === 'true'
        ? 'select coalesce(sum(rows), 0)::float8 as n from totals where part in (0, 1)'
        : `select count(*)::float8 as n from passages where ${where}`;
    const [row] = await session.query<{ n: number }>(text, parameters.values);
    return row!.n;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Values of a field of keywords by how many passages of the view have them, over all shards. */
export async function countValues(
  { onShards, fields, view }: PlanContext,
  field: string,
  most: number,
): Promise<{ value: string; count: number }[]> {
  const counts = new Map<string, number>();
  const shards = await onShards((session) => {
    const parameters = new Parameters();
    const name = parameters.add(field, 'text');
    return session.query<{ value: string; n: number }>(
      `select value, count(distinct id)::float8 as n
       from passages, jsonb_array_elements_text(fields -> ${name}) as value
       where ${viewSql(view, fields, parameters)} group by value`,
      parameters.values,
    );
  });
  for (const { value, n } of shards.flat()) counts.set(value, (counts.get(value) ?? 0) + n);
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byBytes(a.value, b.value))
    .slice(0, most);
}

/** BM25's statistics of a scope: of all passages, or of those of the view that count alone. */
export async function collectionStatistics(
  { onShards, onEveryShard, fields, view }: PlanContext,
  terms: readonly string[],
  scope: ScorePlan['scope'],
): Promise<CollectionStatistics> {
  const counted = view.countsPassing && view.filter ? { filter: view.filter } : undefined;
  const part = partsOf[scope];
  const onCounted = counted ? onShards : onEveryShard;
  const shards = await onCounted(async (session) => {
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
export async function queryStatistics(
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
        // The best first, until one passes; offset 0 keeps the order of both.
        const text = `select coalesce((
          select s from (select row, s from lexical order by s desc offset 0) l
          where (select ${each.whereEach} from rows r where r.row = l.row) limit 1), 0) as best`;
        return (await each.run<{ best: number }>(session, text))[0]!.best;
      })),
    );
  if (!normalizes(form)) return { maxLexical };
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
