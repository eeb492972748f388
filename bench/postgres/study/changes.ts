// Deletes in the schema of the study, and what they cost questions until a compaction.
import { one, print, type Client } from './client.js';
import type { Question } from './questions.js';

const quoted = (text: string): string => `'${text.replace(/'/g, "''")}'`;

/** In one transaction with the passages' own rows: statistics and postings follow at once. */
const removal = `
with gone as (delete from rows where passage = any($1) returning row, part, length),
  marked as (insert into deleted_rows select row from gone)
insert into totals select part, -count(*), -sum(length) from gone group by part`;

const frequencies = (terms: readonly string[], exact: boolean): string => {
  const list = terms.map(quoted).join(',');
  return exact
    ? `select term, count(*)::float8 as df from
       (select term, base + (unnest(packed) >> 48) as row from postings where term in (${list})) x
       where not exists (select from deleted_rows d where d.row = x.row) group by term`
    : `select term, sum(n)::float8 as df from postings where term in (${list}) group by term`;
};

async function milliseconds(client: Client, sql: string, values: unknown[] = []): Promise<number> {
  const start = performance.now();
  await client.query(sql, values);
  return performance.now() - start;
}

export async function changeStudy(client: Client, questions: readonly Question[]): Promise<void> {
  const results: Record<string, string | number>[] = [];
  const add = (what: string, ms: number): void => void results.push({ what, ms });
  const mean = async (exact: boolean): Promise<number> => {
    let total = 0;
    for (const { terms } of questions)
      total += await milliseconds(client, frequencies(terms, exact));
    return total / questions.length;
  };
  add('document frequencies of a question, nothing deleted', await mean(false));
  const count = (await one(client, 'select count(distinct passage)::int from rows')) as number;
  const passages = (await one(
    client,
    `select array_agg(passage) from (select distinct passage from rows order by passage
     limit ${Math.floor(count / 100)}) x`,
  )) as string[];
  await client.query('create index if not exists rows_passage on rows (passage)');
  add(
    `delete of ${passages.length} passages (1 %)`,
    await milliseconds(client, removal, [passages]),
  );
  add('document frequencies, 1 % deleted', await mean(true));
  print('g. Deletes', results);
}
