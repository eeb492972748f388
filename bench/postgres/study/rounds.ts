// Questions over the schema of the study, as SQL: statistics, the best BM25, the scan.
import type { TemporalForm } from '../../../lib/time/temporalForms.js';
import type { Client } from './client.js';
import { float8, maskSql, productSql } from './forms.js';
import type { Question } from './questions.js';
import { temporalSql } from './times.js';
import { contribution } from './words.js';

const quoted = (text: string): string => `'${text.replace(/'/g, "''")}'`;

export interface Statistics {
  weights: Map<string, number>;
  slope: number;
}

/** Round 1: document frequencies and lengths of the scope. Added over shards. */
export async function statisticsOf(client: Client, { terms }: Question): Promise<Statistics> {
  const list = terms.map(quoted).join(',');
  const { rows: frequencies } = await client.query(
    `select term, sum(n)::float8 as df from postings where term in (${list}) group by term`,
  );
  const { rows: totals } = await client.query(
    'select sum(rows)::float8 as rows, sum(tokens)::float8 as tokens from totals',
  );
  const { rows, tokens } = totals[0] as { rows: number; tokens: number };
  return {
    weights: new Map(
      frequencies.map(({ term, df }: { term: string; df: number }) => [
        term,
        Math.log1p((rows - df + 0.5) / (df + 0.5)),
      ]),
    ),
    slope: 0.4 / (tokens / rows),
  };
}

/** BM25 of the rows that hold a term. */
function lexicalSql({ terms }: Question, { weights, slope }: Statistics): string {
  const values = terms
    .filter((term) => weights.has(term))
    .map((term) => `(${quoted(term)}::text collate "C", ${float8(weights.get(term)!)})`);
  const term = contribution('w', '(p >> 32 & 65535)', '(p & 4294967295)', {
    k1: 0.9,
    base: 1 - 0.4,
    slope,
  });
  return `select base + (p >> 48) as row, sum(${term}) as s
    from (select w, base, unnest(packed) as p
          from (values ${values.join(',')}) q(term, w) join postings using (term)) x group by 1`;
}

export interface Asked {
  vector: Float32Array;
  question: Question;
  form: TemporalForm;
  until: number;
  k: number;
}

export const semanticWeight = 0.7;
export const lexicalWeight = 0.3;
const similarity = '(-(v <#> $1::vector(256)))';

export interface Found {
  row: number;
  lexical: number;
}

export const bestSql = (asked: Asked, statistics: Statistics): string =>
  `select s from (select * from (${lexicalSql(asked.question, statistics)}) l order by s desc offset 0) l
   join lateral (select from rows where rows.row = l.row and
     ${maskSql({ publishedUntil: asked.until }, 'inline')} offset 0) r on true limit 1`;

/** All rows from the k-th score less the band on, without order. */
export function scanSql(asked: Asked, statistics: Statistics, best: number): string {
  const relevance = `(${semanticWeight}::float8 * ${similarity} + ${float8(lexicalWeight / best)} * coalesce(s::float4, 0))`;
  return `with x as materialized (
      select row, passage, coalesce(s::float4, 0) as lexical, ${productSql(relevance, temporalSql(asked.form, 'inline'))} as score
      from rows r left join (${lexicalSql(asked.question, statistics)}) l using (row)
      where ${maskSql({ publishedUntil: asked.until }, 'inline')}),
    kth as (select min(score) as least from
      (select score from x order by score desc limit ${asked.k}) y)
    select row, lexical from x, kth where score >= least - 1e-5`;
}

const greatestFactor = (form: TemporalForm): number =>
  form.combine !== 'product' || form.kind === 'decay'
    ? 1
    : Math.max(form.outside, ...form.lines.flatMap(({ atStart, atEnd }) => [atStart, atEnd]));

/**
 * The same rows and more: all from the k-th score of the best rows by BM25 on, which is not above
 * that of all rows. Most rows are rejected by their relevance, without sorting and without time.
 */
export function seededSql(asked: Asked, statistics: Statistics, best: number): string {
  const relevance = `(${semanticWeight}::float8 * ${similarity} + ${float8(lexicalWeight / best)} * coalesce(s::float4, 0))`;
  const score = productSql(relevance, temporalSql(asked.form, 'inline'));
  const mask = maskSql({ publishedUntil: asked.until }, 'inline');
  return `with l as materialized (${lexicalSql(asked.question, statistics)}),
    seeds as (select row, s from l order by s desc limit ${4 * asked.k}),
    kth as materialized (select coalesce(min(score), 1e-300) - 1e-5 as least from
      (select ${score} as score from seeds join rows r using (row)
       where ${mask} order by 1 desc limit ${asked.k}) y having count(*) = ${asked.k})
    select row, coalesce(s::float4, 0) as lexical from rows r left join l using (row)
    where ${mask} and ${relevance} * ${float8(greatestFactor(asked.form))} >=
      greatest((select least from kth), 0) and ${score} >= (select least from kth)`;
}
