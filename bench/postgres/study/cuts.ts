// d. What ends early: the top k and its band of ties, pooling by passage, lexical scores joined to
// the scan, partitions and block ranges by publication.
import { least, one, plan, print, vectorText, type Client } from './client.js';
import { float8, productSql } from './forms.js';
import { questionsOf, type Question, type Statistics } from './questions.js';
import type { StudyRows } from './rows.js';
import { cases, createTimes, temporalSql } from './times.js';
import { contribution, weighted } from './words.js';

const similarity = '(-(v <#> $1::vector(256)))';
const form = cases.find(({ name }) => name === 'spline, 3 lines')!.form!;
const score = productSql(similarity, temporalSql(form, 'inline'));
const scored = `select row, passage, ${score} as score from times_inline`;

/** Statements that give at least the best k and all within a band of the k-th. */
const bands: Record<string, (k: number) => string> = {
  'order by score limit k': (k) =>
    `select row, score from (${scored}) x order by score desc limit ${k}`,
  'limit k + 100, last one checked by the caller': (k) =>
    `select row, score from (${scored}) x order by score desc limit ${k + 100}`,
  'materialized scores, then all from the k-th - 1e-5': (k) =>
    `with x as materialized (${scored}), kth as (select min(score) as least from
       (select score from x order by score desc limit ${k}) y)
     select row, score from x, kth where score >= least - 1e-5`,
  'fetch first k rows with ties on rounded score': (k) =>
    `select row, score from (${scored}) x order by round(score::numeric, 5) desc fetch first ${k} rows with ties`,
};

const pools: Record<string, (k: number) => string> = {
  'rows only': (k) => `select row, score from (${scored}) x order by score desc limit ${k}`,
  'max by passage, then its order': (k) =>
    `select passage, max(score) from (${scored}) x group by passage order by 2 desc limit ${k}`,
  'distinct on passage': (k) =>
    `select * from (select distinct on (passage) row, passage, score from (${scored}) x
       order by passage, score desc) y order by score desc limit ${k}`,
  'best 4 k rows, then passages': (k) =>
    `select passage, max(score) from (select passage, score from (${scored}) x order by score desc
       limit ${4 * k}) y group by passage order by 2 desc limit ${k}`,
};

export async function cutStudy(client: Client, rows: StudyRows, folder: string): Promise<void> {
  await createTimes(client);
  await client.query('set max_parallel_workers_per_gather = 0');
  const query = vectorText(rows.vectors.subarray(0, rows.dimensions));
  const n = rows.rows;
  for (const [title, statements] of [
    ['band', bands],
    ['pool', pools],
  ] as const) {
    const results = [];
    for (const [name, sql] of Object.entries(statements)) {
      const result: Record<string, string | number> = { [title]: name };
      for (const k of [100, 1000, 10_000])
        result[`k = ${k}, µs a row`] = ((await least(client, sql(k), [query], 3)) * 1000) / n;
      results.push(result);
    }
    print(`d. Similarity with a spline of 3 lines, ${n} rows, by ${title}`, results);
  }
  if (await one(client, "select to_regclass('words_blocks')")) await hybrid(client, rows, folder);
  await publication(client, rows);
}

const lexical = (question: Question, statistics: Statistics): string =>
  `select row, sum(${contribution('w', 'count', 'length', statistics)})::float4 as s
   from ${weighted(question)} join words_blocks using (term),
   unnest(rows, counts, lengths) p(row, count, length) group by row`;

/** Lexical and semantic scores of every row, with a form and a mask. */
async function hybrid(client: Client, rows: StudyRows, folder: string): Promise<void> {
  const { questions, statistics } = questionsOf(folder, rows);
  const query = [vectorText(rows.vectors.subarray(0, rows.dimensions))];
  const mask = `published <= ${float8(Date.UTC(2020, 0, 1))}`;
  const statements: Record<string, (question: Question) => string> = {
    'round 1: best BM25 of visible rows': (question) =>
      `select max(s) from (${lexical(question, statistics)}) l join times_inline using (row) where ${mask}`,
    'round 1, masks in a narrow table': (question) =>
      `select max(s) from (${lexical(question, statistics)}) l join row_masks using (row) where ${mask}`,
    'round 2: the scan with BM25 joined': (question) => {
      const relevance = `(0.7 * ${similarity} + 0.05 * coalesce(s, 0))`;
      return `select row, ${productSql('relevance', temporalSql(form, 'inline'))} as score from
        (select r.*, ${relevance} as relevance from times_inline r
         left join (${lexical(question, statistics)}) l using (row) where ${mask} offset 0) r
        order by score desc limit 1000`;
    },
    'round 2, relevance written twice': (question) => {
      const relevance = `(0.7 * ${similarity} + 0.05 * coalesce(s, 0))`;
      return `select row, ${productSql(relevance, temporalSql(form, 'inline'))} as score
        from times_inline r left join (${lexical(question, statistics)}) l using (row) where ${mask}
        order by score desc limit 1000`;
    },
  };
  await client.query('drop table if exists row_masks');
  await client.query(
    `create table row_masks as select row, published, valid_start, valid_end from base;
     alter table row_masks add primary key (row) include (published); vacuum (analyze, freeze) row_masks`.replace(
      /; vacuum.*/,
      '',
    ),
  );
  await client.query('vacuum (analyze, freeze) row_masks');
  const results = [];
  for (const [name, sql] of Object.entries(statements)) {
    let total = 0;
    for (const question of questions) {
      const text = sql(question);
      total += await least(client, text, text.includes('$1') ? query : [], 3);
    }
    const text = sql(questions[0]!);
    console.log(name, '::', await plan(client, text, text.includes('$1') ? query : []));
    results.push({
      statement: name,
      'ms a question': total / questions.length,
      'µs a row': ((total / questions.length) * 1000) / rows.rows,
    });
  }
  print(`d. Hybrid relevance, ${rows.rows} rows`, results);
}

/** A question of an early year: which rows are read. */
async function publication(client: Client, rows: StudyRows): Promise<void> {
  const years = Array.from({ length: 26 }, (_, year) => Date.UTC(2000 + year, 0, 1));
  await client.query('drop table if exists by_year, by_time');
  await client.query(
    'create table by_year (like times_inline including storage) partition by range (published)',
  );
  for (const [y, from] of years.slice(0, -1).entries())
    await client.query(
      `create table by_year_${y} partition of by_year for values from (${float8(from)}) to (${float8(years[y + 1]!)})`.replaceAll(
        '::float8',
        '',
      ),
    );
  await client.query('create table by_year_rest partition of by_year default');
  await client.query('insert into by_year select * from times_inline');
  await client.query('create table by_time (like times_inline including storage)');
  await client.query('insert into by_time select * from times_inline order by published');
  await client.query('create index on by_time using brin (published) with (pages_per_range = 16)');
  await client.query(
    'create index on times_inline using brin (published) with (pages_per_range = 16)',
  );
  for (const table of ['by_year', 'by_time', 'times_inline'])
    await client.query(`vacuum (analyze, freeze) ${table}`);
  const query = [vectorText(rows.vectors.subarray(0, rows.dimensions))];
  const results = [];
  for (const [name, table] of [
    ['in no order', 'times_inline'],
    ['partitions of a year', 'by_year'],
    ['in order of publication, BRIN', 'by_time'],
  ] as const) {
    const result: Record<string, string | number> = { table: name };
    for (const year of [2002, 2012, 2026]) {
      const sql = `select row, ${score} as score from ${table}
        where published <= ${float8(Date.UTC(year, 0, 1))} order by score desc limit 100`;
      result[`until ${year}, ms`] = await least(client, sql, query, 3);
    }
    results.push(result);
  }
  print(`d. Publication mask, ${rows.rows} rows`, results);
}
