// Approximate search: indexes of vectors (pgvector's HNSW over half precision), and the rows that
// they give for a query, which are then scored as all others are.
import { createHash } from 'node:crypto';
import { AsOfError } from 'asof';
import { invalidArgument, mustBeWhole, type ScorePlan } from 'asof/kit';
import type { TemporalForm } from 'asof/time';
import type { Session, Shard } from './connection.js';
import { temporalSql } from './forms.js';
import { QuerySql, type PlanContext } from './querySql.js';
import type { PlanQuery } from './remoteTypes.js';
import { float8, vectorText } from './sql.js';

export interface VectorIndexOptions {
  /** Neighbours of each row, 2 to 100. Default 16. */
  m?: number | undefined;
  /** Candidates for them while the index is built, 2 m to 1,000. Default 64. */
  efConstruction?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Of pgvector's HNSW over halfvec. */
const mostDimensions = 4000;
/** Where fewer rows a candidate pass a question's mask and filter, all of them are scored. */
const rowsPerCandidate = 50;
const sampledPages = 200;
/** Of the values of a form: the nearest rows are searched above it, too. */
const timelyQuantile = 0.9;
/** Of pgvector. */
const greatestEf = 1000;

/** The index of the rows' own vectors, or of a derived column's. */
const indexName = (column: string | undefined): string =>
  column === undefined
    ? 'rows_vectors'
    : `derived_${createHash('sha256').update(column).digest('hex').slice(0, 16)}`;

/**
 * Builds the indexes of a shard that are missing, or are left unfinished: of the rows and of each
 * derived column. Writers go on meanwhile.
 * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_STORAGE for pgvector before 0.8
 */
export async function buildVectorIndexes(
  shard: Shard,
  dimensions: number,
  { m = 16, efConstruction = 64, signal }: VectorIndexOptions,
): Promise<number> {
  mustBeWhole({ m }, 2, 100);
  mustBeWhole({ efConstruction }, 2 * m, 1000);
  if (dimensions > mostDimensions)
    throw invalidArgument(
      'encoder.dimensions',
      `at most ${mostDimensions} for an index of vectors`,
      dimensions,
      'Search exactly, or use an encoder of fewer dimensions.',
    );
  const missing = await shard.read(signal, async (session) => {
    await checkVersion(session, shard);
    const keys = await session.query<{ key: string }>('select distinct key from derived_totals');
    const columns = [undefined, ...keys.map(({ key }) => key)];
    const isThere = await Promise.all(columns.map((column) => hasVectorIndex(session, column)));
    return columns.filter((_, at) => !isThere[at]);
  });
  for (const column of missing) {
    const [name, { schema }] = [indexName(column), shard];
    const rows =
      column === undefined ? ['rows', ''] : ['derived_vectors', `where key = '${quoted(column)}'`];
    await shard.maintain(signal, [
      `drop index concurrently if exists "${schema}".${name}`,
      `create index concurrently ${name} on "${schema}".${rows[0]}
       using hnsw ((v::halfvec(${dimensions})) halfvec_ip_ops)
       with (m = ${m}, ef_construction = ${efConstruction}) ${rows[1]}`,
    ]);
  }
  return missing.length;
}

const quoted = (text: string): string => text.replaceAll("'", "''");

async function checkVersion(session: Session, shard: Shard): Promise<void> {
  const [row] = await session.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'vector'",
  );
  const [major, minor] = row!.version.split('.').map(Number) as [number, number];
  if (major > 0 || minor >= 8) return;
  throw new AsOfError(
    'ERR_STORAGE',
    `Expected pgvector 0.8 or later on ${shard.name} for an index of vectors, found ` +
      `${row!.version}. Upgrade it (alter extension vector update), or search exactly.`,
    { details: { shard: shard.name } },
  );
}

/** Whether the index is there, and finished. */
export async function hasVectorIndex(
  session: Session,
  column: string | undefined,
): Promise<boolean> {
  const [row] = await session.query<{ valid: boolean }>(
    `select coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1)), false)
       as valid`,
    [indexName(column)],
  );
  return row!.valid;
}

/** What a sample of the pages of rows says of those that pass a question's mask and filter. */
interface Sample {
  /** How many there are in the shard. */
  rows: number;
  /** Of the form's values: the least, and that of `timelyQuantile`; null without a form. */
  least: number | null;
  quantile: number | null;
}

/**
 * The sample of a query that is to be answered by the index; undefined where it has none, or few
 * rows pass, which are all scored.
 */
export async function sampleForIndex(
  session: Session,
  { vector, mask, form }: PlanQuery,
  { scope, column }: ScorePlan,
  context: PlanContext & { candidates: number },
): Promise<Sample | undefined> {
  if (!vector || !(await hasVectorIndex(session, column))) return undefined;
  const passing = new QuerySql({ ...(mask && { mask }) }, { queries: [], k: 0, scope }, context);
  const [sample] = await passing.run<Sample & { share: number | null }>(
    session,
    `select avg(passes::int)::float8 * (select sum(rows) from totals)::float8 as rows,
       min(t) filter (where passes) as least,
       percentile_disc(${timelyQuantile}) within group (order by t)
         filter (where passes) as quantile
     from (select (${passing.whereEach}) as passes, ${valueSql(form)} as t
           from rows r tablesample system (least(100,
             100 * ${sampledPages} * 8192::float8 / greatest(1, pg_relation_size('rows'))))
             repeatable (0)) x`,
  );
  return sample!.rows > rowsPerCandidate * context.candidates ? sample : undefined;
}

const valueSql = (form: TemporalForm = { combine: 'none' }): string =>
  form.combine === 'none' ? 'null::float8' : temporalSql(form);

/** Settings of the transaction that asks by the index. */
export async function preferVectorIndex(session: Session, candidates: number): Promise<void> {
  await session.query(
    `select set_config('hnsw.ef_search', $1, true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('enable_seqscan', 'off', true)`,
    [String(Math.min(candidates, greatestEf))],
  );
}

/**
 * Rows that may be among the best of a query: the nearest by the index, the nearest of those whose
 * time counts most, and those with the greatest BM25.
 */
export function candidateRows(sql: QuerySql, sample: Sample, count: number): string {
  const { query, plan, parameters, whereEach } = sql;
  const d = query.vector!.length;
  const vector = parameters.add(vectorText(query.vector!), `vector::halfvec(${d})`);
  const limit = Math.max(count, plan.k);
  const nearest = (condition: string): string =>
    plan.column === undefined
      ? `select row from rows r where ${condition}
         order by (v::halfvec(${d})) <#> ${vector} limit ${limit}`
      : `select row from derived_vectors d where key = ${parameters.add(plan.column, 'text')}
           and (select ${condition} from rows r where r.row = d.row)
         order by (v::halfvec(${d})) <#> ${vector} limit ${limit}`;
  const timely = timelySql(query.form, sample);
  return [
    nearest(whereEach),
    ...(timely ? [nearest(`${whereEach} and ${timely}`)] : []),
    ...(sql.hasLexical
      ? [
          // The best first, until enough pass; offset 0 keeps the order of both.
          `select row from (select row, s from lexical order by s desc offset 0) l
           where (select ${whereEach} from rows r where r.row = l.row) limit ${limit}`,
        ]
      : []),
  ]
    .map((each) => `(${each})`)
    .join(' union ');
}

/** Whether a row's time counts more than that of most, by which it may decide. */
function timelySql(
  form: TemporalForm | undefined,
  { least, quantile }: Sample,
): string | undefined {
  if (quantile === null) return undefined;
  return quantile > least!
    ? `${valueSql(form)} >= ${float8(quantile)}`
    : `${valueSql(form)} > ${float8(quantile)}`;
}
