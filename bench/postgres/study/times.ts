// c. Temporal forms and masks in SQL: what each adds to a scan, by the storage of content times,
// and whether their values are those of the addon.
import { MemoryRowsOf } from './native.js';
import type { Mask, TemporalForm } from '../../../lib/time/temporalForms.js';
import { least, one, print, vectorText, type Client } from './client.js';
import {
  decaySql,
  float8,
  maskSql,
  productSql,
  recencySql,
  splineSql,
  type Storage,
} from './forms.js';
import type { StudyRows } from './rows.js';

const year = 365.25 * 86_400_000;
const at = Date.UTC(2012, 5, 1);
const spline = (
  count: number,
  clock: 'content' | 'validity or content' | 'published' = 'content',
): TemporalForm => ({
  combine: 'product',
  kind: 'spline',
  clock,
  outside: 0.3,
  lines: Array.from({ length: count }, (_, line) => ({
    window: { start: at - (line + 1) * 5 * year, end: at + line * 0.5 * year },
    atStart: line % 2 === 0 ? 0.4 : 1.1,
    atEnd: line % 2 === 0 ? 1.2 : 0.7,
    ...(line === 1 ? { longestMs: 3 * year } : {}),
  })),
});
const decay = (
  shape: 'exponential' | 'gaussian' | 'linear',
  clock: 'content' | 'published',
): TemporalForm => ({
  combine: 'product',
  kind: 'decay',
  shape,
  clock,
  at,
  halfLifeMs: 2 * year,
  offsetMs: 30 * 86_400_000,
  floor: 0.05,
  outside: 0.5,
});
const window = (relation: 'overlaps' | 'within' | 'contains'): Mask => ({
  window: { clock: 'content', relation, start: at - 4 * year, end: at + year },
});

export const cases: { name: string; form?: TemporalForm; mask?: Mask }[] = [
  { name: 'none' },
  { name: 'published until', mask: { publishedUntil: at } },
  { name: 'window overlaps', mask: window('overlaps') },
  { name: 'window within', mask: window('within') },
  { name: 'window contains', mask: window('contains') },
  { name: 'spline, 1 line', form: spline(1) },
  { name: 'spline, 3 lines', form: spline(3) },
  { name: 'spline, 8 lines', form: spline(8) },
  { name: 'spline, 3 lines, validity or content', form: spline(3, 'validity or content') },
  { name: 'spline, 3 lines, published', form: spline(3, 'published') },
  { name: 'exponential, published', form: decay('exponential', 'published') },
  { name: 'exponential, content', form: decay('exponential', 'content') },
  { name: 'gaussian, content', form: decay('gaussian', 'content') },
  { name: 'linear, content', form: decay('linear', 'content') },
];

export const temporalSql = (form: TemporalForm, storage: Storage): string => {
  if (form.combine === 'none') return '1::float8';
  if (form.kind === 'decay') return decaySql(form, storage);
  return form.kind === 'spline' ? splineSql(form, storage) : recencySql(form, storage);
};

const tables: Record<Storage, { name: string; select: string }> = {
  arrays: {
    name: 'times_arrays',
    select: `select row, passage, part, published, valid_start, valid_end, content_start, content_end, v from base`,
  },
  inline: {
    name: 'times_inline',
    select: `select row, passage, part, published, valid_start, valid_end,
      content_start[1] first_start, content_end[1] first_end,
      case when cardinality(content_start) > 1 then content_start[2:] end more_start,
      case when cardinality(content_start) > 1 then content_end[2:] end more_end, v from base`,
  },
  table: {
    name: 'times_table',
    select: 'select row, passage, part, published, valid_start, valid_end, v from base',
  },
};

export async function createTimes(client: Client): Promise<void> {
  for (const { name, select } of Object.values(tables)) {
    await client.query(`drop table if exists ${name}`);
    await client.query(`create table ${name} as ${select} limit 0`);
    await client.query(`alter table ${name} alter v set storage plain`);
    await client.query(`insert into ${name} ${select} order by row`);
    await client.query(`vacuum (analyze, freeze) ${name}`);
  }
  await client.query('drop table if exists intervals');
  await client.query(
    `create table intervals as select row, s, e from base, unnest(content_start, content_end) t(s, e)`,
  );
  await client.query('create index on intervals (row) include (s, e)');
  await client.query('vacuum (analyze, freeze) intervals');
}

const similarity = '(-(v <#> $1::vector(256)))';

/** The best 100 of a case. */
export function topSql({ form, mask }: (typeof cases)[0], storage: Storage, k = 100): string {
  const score = form ? productSql(similarity, temporalSql(form, storage)) : similarity;
  return `select row, ${score} as score from ${tables[storage].name} r
    where ${maskSql(mask ?? {}, storage)} order by score desc limit ${k}`;
}

export async function timeStudy(client: Client, rows: StudyRows): Promise<void> {
  await createTimes(client);
  await client.query('set max_parallel_workers_per_gather = 0');
  const query = vectorText(rows.vectors.subarray(0, rows.dimensions));
  const n = rows.rows;
  const microseconds = async (sql: string, runs = 3): Promise<number> =>
    ((await least(client, sql, sql.includes('$1') ? [query] : [], runs)) * 1000) / n;
  const results = [];
  for (const each of cases) {
    const result: Record<string, string | number> = { form: each.name };
    for (const storage of ['arrays', 'inline', 'table'] as const)
      result[`${storage}, µs a row`] = await microseconds(topSql(each, storage));
    results.push(result);
  }
  await plpgsql(client, microseconds, results);
  await recency(microseconds, results);
  print(`c. Top 100 of similarity with a form or mask, ${n} rows, one core`, results);
  for (const { name } of Object.values(tables))
    console.log(name, (await one(client, `select pg_table_size('${name}')`)) / n, 'bytes a row');
  const sizes = "select pg_table_size('intervals') + pg_indexes_size('intervals')";
  console.log('intervals', (await one(client, sizes)) / n, 'bytes a row');
  await parity(client, rows);
}

/** The same spline by functions instead of expressions. */
async function plpgsql(
  client: Client,
  microseconds: (sql: string) => Promise<number>,
  results: Record<string, string | number>[],
): Promise<void> {
  const form = spline(3);
  const expression = splineSql(form as never, 'arrays').replaceAll('$1', '$9');
  for (const language of ['sql', 'plpgsql']) {
    const body = language === 'sql' ? `select ${expression}` : `begin return ${expression}; end`;
    await client.query(
      `create or replace function form_${language}(content_start float8[], content_end float8[])
       returns float8 immutable parallel safe language ${language} as $f$ ${body} $f$`,
    );
    const value = `form_${language}(content_start, content_end)`;
    const sql = `select row, ${productSql(similarity, value)} as score from times_arrays
      order by score desc limit 100`;
    results.push({
      form: `spline, 3 lines, ${language} function`,
      'arrays, µs a row': await microseconds(sql),
      'inline, µs a row': '',
      'table, µs a row': '',
    });
  }
}

/** A recency: a pass for the moments, and a pass that adds it. */
async function recency(
  microseconds: (sql: string) => Promise<number>,
  results: Record<string, string | number>[],
): Promise<void> {
  for (const clock of ['published', 'content'] as const) {
    const form = { kind: 'recency', clock, at, floorDays: 1, weight: 1 } as const;
    for (const pass of ['moments', 'scores']) {
      const result: Record<string, string | number> = { form: `recency, ${clock}, ${pass}` };
      for (const storage of ['arrays', 'inline', 'table'] as const) {
        const value = recencySql(form, storage);
        const sql =
          pass === 'moments'
            ? `select count(t), avg(s), stddev_pop(s), avg(t), stddev_pop(t) from
               (select ${similarity} s, ${value} t from ${tables[storage].name} r
                where published <= ${float8(at)}) x`
            : `select row, ${similarity} + 1 * (0.1 + (coalesce(${value}, 0.2) - 0.2) * 1.7) score
               from ${tables[storage].name} r where published <= ${float8(at)}
               order by score desc limit 100`;
        result[`${storage}, µs a row`] = await microseconds(sql);
      }
      results.push(result);
    }
  }
}

/** Values of forms and rows of masks against the addon's. */
async function parity(client: Client, rows: StudyRows): Promise<void> {
  const native = new MemoryRowsOf(rows, 20_000);
  const query = rows.vectors.slice(0, rows.dimensions);
  const results = [];
  for (const each of cases) {
    const wanted = await native.temporal(query, each);
    let [equal, most, missing] = [0, 0, 0];
    const sql = `select row, ${temporalSql(each.form ?? { combine: 'none' }, 'inline')} from times_inline r
      where row < ${native.rows} and ${maskSql(each.mask ?? {}, 'inline')}`;
    const { rows: got } = await client.query({ text: sql, rowMode: 'array' });
    for (const [row, value] of got as unknown as [number, number][]) {
      const ours = wanted.get(row);
      if (ours === undefined) missing += 1;
      else if (ours === value) equal += 1;
      else most = Math.max(most, Math.abs(ours - value));
    }
    results.push({
      form: each.name,
      'visible rows': `${got.length} of ${wanted.size} of ${native.rows}`,
      'not the same rows': missing,
      'bit-equal values': equal,
      'greatest difference': most,
    });
  }
  print('Values in SQL against the addon', results);
}
