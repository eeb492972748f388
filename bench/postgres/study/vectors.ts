// a. The vector column: type, storage, width of the table, parallel workers, JIT.
import { binding } from '../../../lib/binding.js';
import { least, one, plan, print, vectorText, type Client } from './client.js';
import type { StudyRows } from './rows.js';

const tables: Record<string, string> = {
  'wide vector': 'select * from base',
  'wide halfvec':
    'select row, passage, part, length, published, valid_start, valid_end, content_start, ' +
    'content_end, terms, counts, v::halfvec(256) v from base',
  'narrow vector': 'select row, passage, part, published, v from base',
  'narrow halfvec': 'select row, passage, part, published, v::halfvec(256) v from base',
  'narrow, first interval': `select row, passage, part, published, valid_start, valid_end,
     content_start[1] c1s, content_end[1] c1e, content_start[2:] cs, content_end[2:] ce, v from base`,
};

export const nameOf = (title: string): string => `a_${title.replace(/\W+/g, '_')}`;

export async function vectorStudy(client: Client, rows: StudyRows): Promise<void> {
  const n = rows.rows;
  const results: Record<string, string | number>[] = [];
  const query = vectorText(rows.vectors.subarray(0, rows.dimensions));
  for (const [title, select] of Object.entries(tables)) {
    const name = nameOf(title);
    await client.query(`drop table if exists ${name}`);
    await client.query(`create table ${name} as ${select} limit 0`);
    await client.query(`alter table ${name} alter v set storage plain`);
    await client.query(`insert into ${name} ${select}`);
    await client.query(`vacuum (analyze, freeze) ${name}`);
    const bytes = Number(await one(client, `select pg_table_size('${name}')`));
    const type = title.includes('halfvec') ? 'halfvec' : 'vector';
    const sql = `select row from ${name} order by v <#> $1::${type}(256) limit 100`;
    const result: Record<string, string | number> = { table: title, 'bytes a row': bytes / n };
    const count = await (async () => {
      await client.query('set max_parallel_workers_per_gather = 0');
      return least(client, `select count(*) from ${name} where part < 3`);
    })();
    result['count(*) µs'] = (count * 1000) / n;
    for (const workers of [0, 1, 2]) {
      await client.query(`set max_parallel_workers_per_gather = ${workers}`);
      await client.query(`alter table ${name} set (parallel_workers = ${workers})`);
      result[`top 100, ${workers} workers, µs`] =
        ((await least(client, sql, [query], 5, workers > 0)) * 1000) / n;
    }
    if (title === 'narrow vector') console.log(await plan(client, sql, [query]));
    results.push(result);
    if (!title.startsWith('narrow ')) await client.query(`drop table ${name}`);
  }
  print(`a. Scan by inner product, ${n} rows`, results);
  console.log(`JIT available: ${await one(client, 'select pg_jit_available()')}`);
  await products(client, rows);
}

/** How far pgvector's sums are from the addon's. */
async function products(client: Client, rows: StudyRows): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 0');
  const d = rows.dimensions;
  const table = nameOf('narrow vector');
  const half = nameOf('narrow halfvec');
  let [pairs, equal, most, mostHalf] = [0, 0, 0, 0];
  for (let q = 0; q < 10; q += 1) {
    const vector = rows.vectors.slice(q * 997 * d, (q * 997 + 1) * d);
    const ours = await binding.innerProduct(vector, rows.vectors.subarray(0, 1e5 * d), d);
    const text = [vectorText(vector)];
    const sql = (name: string, type: string): string =>
      `select array_agg(-(v <#> $1::${type}(256)) order by row) from ${name} where row < 100000`;
    const theirs = (await one(client, sql(table, 'vector'), text)) as number[];
    const halves = (await one(client, sql(half, 'halfvec'), text)) as number[];
    theirs.forEach((value, row) => {
      pairs += 1;
      if (value === ours[row]) equal += 1;
      most = Math.max(most, Math.abs(value - ours[row]!));
      mostHalf = Math.max(mostHalf, Math.abs(halves[row]! - ours[row]!));
    });
  }
  print('Inner products against the addon', [
    {
      pairs,
      'bit-equal': `${((100 * equal) / pairs).toFixed(1)} %`,
      'greatest difference, vector': most,
      'greatest difference, halfvec': mostHalf,
    },
  ]);
}
