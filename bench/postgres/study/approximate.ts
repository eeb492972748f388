// e. pgvector's indexes: build time, and the recall of their best 10 against the exact ones, with
// and without a filter.
import { least, one, print, vectorText, type Client } from './client.js';
import { float8 } from './forms.js';
import { readQuestions } from './questions.js';
import type { StudyRows } from './rows.js';
import { staticEncoder } from '../../../lib/vectors/staticEncoder.js';

const filters = {
  'no filter': 'true',
  'published, 40 %': `published <= ${float8(Date.UTC(2010, 0, 1))}`,
  'published, 4 %': `published <= ${float8(Date.UTC(2001, 0, 1))}`,
};

export async function approximateStudy(
  client: Client,
  rows: StudyRows,
  folder: string,
): Promise<void> {
  const encoder = await staticEncoder();
  const texts = readQuestions(folder)
    .filter((_, nth) => nth % 23 === 0)
    .slice(0, rows.rows > 200_000 ? 20 : 50);
  const encoded = await encoder.encode(texts, { kind: 'query' });
  const queries = texts.map((_, q) =>
    vectorText(encoded.subarray(q * rows.dimensions, (q + 1) * rows.dimensions)),
  );
  await client.query('set max_parallel_workers_per_gather = 0');
  const results = [];
  const exact = new Map<string, Set<number>[]>();
  const kinds = [
    { name: 'exact', table: 'ann', type: 'vector', index: '', settings: [''] },
    {
      name: 'HNSW',
      table: 'ann',
      type: 'vector',
      index: 'using hnsw (v vector_ip_ops)',
      settings: [40, 100, 400].map(
        (ef) => `set hnsw.ef_search = ${ef}; set hnsw.iterative_scan = relaxed_order`,
      ),
    },
    {
      name: 'HNSW, halfvec',
      table: 'ann',
      type: 'halfvec',
      index: 'using hnsw ((v::halfvec(256)) halfvec_ip_ops)',
      settings: [100].map(
        (ef) => `set hnsw.ef_search = ${ef}; set hnsw.iterative_scan = relaxed_order`,
      ),
    },
    {
      name: 'IVFFlat',
      table: 'ann',
      type: 'vector',
      index: `using ivfflat (v vector_ip_ops) with (lists = ${Math.round(Math.sqrt(rows.rows))})`,
      settings: [10, 40].map(
        (probes) => `set ivfflat.probes = ${probes}; set ivfflat.iterative_scan = relaxed_order`,
      ),
    },
  ];
  await client.query('drop table if exists ann');
  await client.query('create table ann as select row, published, v from base limit 0');
  await client.query('alter table ann alter v set storage plain');
  await client.query('insert into ann select row, published, v from base');
  await client.query('vacuum (analyze, freeze) ann');
  for (const { name, type, index, settings } of kinds) {
    let build = 0;
    await client.query('drop index if exists ann_index');
    if (index) {
      const start = performance.now();
      await client.query(`create index ann_index on ann ${index}`);
      build = (performance.now() - start) / 1000;
    }
    const bytes = index ? Number(await one(client, "select pg_relation_size('ann_index')")) : 0;
    for (const setting of settings) {
      await client.query(setting || 'select 1');
      await client.query(`set enable_seqscan = ${index ? 'off' : 'on'}`);
      const value = type === 'halfvec' ? 'v::halfvec(256)' : 'v';
      const result: Record<string, string | number> = {
        index: name,
        setting: setting.replace(/set (\w+\.)?/g, '').replace(/;.*/, ''),
        'build, s': build,
        'bytes a row': bytes / rows.rows,
      };
      for (const [title, filter] of Object.entries(filters)) {
        let [milliseconds, found] = [0, 0];
        const wanted = exact.get(title) ?? [];
        for (const [q, text] of queries.entries()) {
          const sql = `select row from ann where ${filter} order by ${value} <#> $1::${type}(256) limit 10`;
          milliseconds += await least(client, sql, [text], 2);
          const { rows: got } = await client.query(sql, [text]);
          const numbers = got.map(({ row }: { row: number }) => row);
          if (!index) wanted.push(new Set(numbers));
          found += numbers.filter((row: number) => wanted[q]!.has(row)).length;
        }
        exact.set(title, wanted);
        result[`${title}, ms`] = milliseconds / queries.length;
        result[`${title}, recall`] = found / (10 * queries.length);
      }
      console.log(JSON.stringify(result));
      results.push(result);
    }
  }
  print(
    `e. Best 10 by an index of pgvector, ${rows.rows} rows, ${queries.length} questions`,
    results,
  );
}
