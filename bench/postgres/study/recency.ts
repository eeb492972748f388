// h. Recencies, whose moments a first round gathers; vectors of more than two kilobytes; workers of
// a common table expression.
import { scanFlat } from '../../../lib/retrieval/flatScan.js';
import { least, one, plan, print, vectorText, type Client } from './client.js';
import { float8, recencySql } from './forms.js';
import { MemoryRowsOf } from './native.js';
import type { StudyRows } from './rows.js';
import { createTimes } from './times.js';

const at = Date.UTC(2020, 5, 1);
const similarity = '(-(v <#> $1::vector(256)))';

export async function recencyStudy(client: Client, rows: StudyRows): Promise<void> {
  await createTimes(client);
  await client.query('set max_parallel_workers_per_gather = 0');
  const n = Math.min(rows.rows, 100_000);
  const native = new MemoryRowsOf(rows, n);
  const vector = rows.vectors.slice(0, rows.dimensions);
  const text = [vectorText(vector)];
  const results = [];
  for (const clock of ['published', 'content', 'validity'] as const) {
    const form = { kind: 'recency', combine: 'sum', clock, at, floorDays: 1, weight: 0.5 } as const;
    const query = { vector, form, mask: { publishedUntil: at } };
    const local = await scanFlat([{ rows: native.memory }], [query], { k: n });
    const value = recencySql(form, 'inline');
    const visible = `from times_inline r where row < ${n} and (published is null or published <= ${float8(at)})`;
    const { rows: moments } = await client.query(
      `select avg(s) sm, stddev_pop(s) sd, avg(t) tm, stddev_pop(t) td from
       (select ${similarity} s, ${value} t ${visible}) x`,
      text,
    );
    const { sm, sd, tm, td } = moments[0] as Record<string, number>;
    const relative = (ours: number, theirs: number): number => Math.abs(ours / theirs - 1);
    const factor = td === 0 ? 0 : sd! / td!;
    const { rows: got } = await client.query({
      text: `select row, ${similarity} + 0.5::float8 * (${float8(sm!)} + (coalesce(${value}, ${float8(tm!)}) - ${float8(tm!)}) * ${float8(factor)}) ${visible}`,
      values: text,
      rowMode: 'array',
    });
    const scores = new Map<number, number>(got as [number, number][]);
    let most = 0;
    local.row.forEach(
      (row, i) => void (most = Math.max(most, Math.abs(local.score[i]! - scores.get(row)!))),
    );
    results.push({
      clock,
      rows: local.row.length,
      'mean of relevance, relative': relative(sm!, local.relevanceMean[0]!),
      'deviation of relevance': relative(sd!, local.relevanceDeviation[0]!),
      'mean of recency': relative(tm!, local.recencyMean[0]!),
      'deviation of recency': relative(td!, local.recencyDeviation[0]!),
      'greatest difference of scores': most,
    });
  }
  print('h. Recency in SQL against the addon', results);
  await wideVectors(client, rows);
  await parallel(client, text);
}

/** 768 numbers: in the row, or out of line. */
async function wideVectors(client: Client, rows: StudyRows): Promise<void> {
  const results = [];
  const vector = vectorText([0, 1, 2].flatMap(() => [...rows.vectors.slice(0, rows.dimensions)]));
  for (const storage of ['plain', 'external']) {
    await client.query('drop table if exists wide');
    await client.query('create table wide (row int, v vector(768))');
    await client.query(`alter table wide alter v set storage ${storage}`);
    await client.query('insert into wide select row, (v || v) || v from base where row < 100000');
    await client.query('vacuum (analyze, freeze) wide');
    const sql = 'select row from wide order by v <#> $1::vector(768) limit 100';
    const count = Math.min(rows.rows, 100_000);
    results.push({
      'vector(768)': storage,
      'bytes a row': Number(await one(client, "select pg_table_size('wide')")) / count,
      'top 100, µs a row': ((await least(client, sql, [vector], 3)) * 1000) / count,
    });
  }
  print('h. Vectors of 3 kilobytes', results);
}

/** Whether PostgreSQL plans workers for the band's common table expression. */
async function parallel(client: Client, text: string[]): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 2');
  await client.query('alter table times_inline set (parallel_workers = 2)');
  const sql = `with x as materialized (select row, passage, ${similarity} as score from times_inline),
    kth as (select min(score) as least from (select score from x order by score desc limit 100) y)
    select row, score from x, kth where score >= least - 1e-5`;
  console.log('\nband with workers ::', await plan(client, sql, text));
  await client.query('set max_parallel_workers_per_gather = 0');
}
