// b. BM25 with our own statistics: what holds the terms of rows.
import { least, one, plan, print, type Client } from './client.js';
import { questionsOf, type Question, type Statistics } from './questions.js';
import type { StudyRows } from './rows.js';

const quoted = (text: string): string => `'${text.replace(/'/g, "''")}'`;

/** The contribution of a term, as native/index/lexical/bm25.hpp has it: a multiple of 2^-32. */
export const contribution = (
  weight: string,
  count: string,
  length: string,
  { k1, base, slope }: Statistics,
): string => {
  const norm = `(1 / (${k1}::float8 * (${base}::float8 + ${slope}::float8 * ${length})))`;
  return `((${weight} - ${weight} / (1 + ${count} * ${norm}) + 1572864::float8) - 1572864::float8)`;
};

const literal = (weight: number): string => `${weight}::float8`;

interface Kind {
  name: string;
  create: string[];
  /** Rows and scores of a question. */
  scores(question: Question, statistics: Statistics): string;
  /** Statements that add the rows of `more`, and that delete them. */
  insert: string;
  remove: string;
}

const texts = (terms: readonly string[]): string => `array[${terms.map(quoted).join(',')}]::text[]`;
export const weighted = ({ terms, weights }: Question): string =>
  `(values ${terms.map((term, t) => `(${quoted(term)}::text collate "C", ${literal(weights[t]!)})`).join(',')}) q(term, w)`;

const inline = (
  table: string,
  count: (term: string) => string,
  match: (question: Question) => string,
): Kind['scores'] => {
  return (question, statistics) => {
    const sum = question.terms
      .map((term, t) =>
        contribution(literal(question.weights[t]!), count(quoted(term)), 'length', statistics),
      )
      .join(' + ');
    return `select row, ${sum} as s from ${table} where ${match(question)}`;
  };
};

const kinds: Kind[] = [
  {
    name: 'jsonb, GIN',
    create: [
      `create table words_json as select row, length, jsonb_object(terms, counts::text[]) terms from base`,
      'create index on words_json using gin (terms)',
      'create index on words_json (row)',
    ],
    scores: inline(
      'words_json',
      (term) => `coalesce((terms->>${term})::float8, 0)`,
      ({ terms }) => `terms ?| ${texts(terms)}`,
    ),
    insert:
      'insert into words_json select row, length, jsonb_object(terms, counts::text[]) from more',
    remove: 'delete from words_json where row >= 1000000000',
  },
  {
    name: 'text[] and int2[], GIN',
    create: [
      'create table words_array as select row, length, terms, counts from base',
      'create index on words_array using gin (terms)',
      'create index on words_array (row)',
    ],
    scores: inline(
      'words_array',
      (term) => `coalesce(counts[array_position(terms, ${term})], 0)`,
      ({ terms }) => `terms && ${texts(terms)}`,
    ),
    insert: 'insert into words_array select row, length, terms, counts from more',
    remove: 'delete from words_array where row >= 1000000000',
  },
  {
    name: 'tsvector, GIN: the match only',
    create: [
      'create table words_ts as select row, length, array_to_tsvector(terms) ts from base',
      'create index on words_ts using gin (ts)',
      'create index on words_ts (row)',
    ],
    scores: ({ terms }) =>
      `select row, 0::float8 as s from words_ts
       where ts @@ ${quoted(terms.map((term) => `'${term.replace(/'/g, "''")}'`).join('|'))}::tsquery`,
    insert: 'insert into words_ts select row, length, array_to_tsvector(terms) from more',
    remove: 'delete from words_ts where row >= 1000000000',
  },
  {
    name: 'postings table',
    create: [
      `create table words_postings (term text collate "C" not null, row int not null, count int2 not null, length int4 not null)`,
      `insert into words_postings select t, row, c, length from base, unnest(terms, counts) u(t, c) order by t, row`,
      'alter table words_postings add primary key (term, row) include (count, length)',
      'create index on words_postings (row)',
    ],
    scores: (question, statistics) =>
      `select row, sum(${contribution('w', 'count', 'length', statistics)}) as s
       from ${weighted(question)} join words_postings using (term) group by row`,
    insert: `insert into words_postings select t, row, c, length from more, unnest(terms, counts) u(t, c)`,
    remove: 'delete from words_postings where row >= 1000000000',
  },
  {
    name: 'blocks of postings',
    create: [
      `create table words_blocks (term text collate "C" not null, block int not null, rows int4[] not null, counts int2[] not null, lengths int2[] not null)`,
      `alter table words_blocks alter rows set storage external, alter counts set storage external, alter lengths set storage external`,
      `insert into words_blocks
       select t, row / 65536 b, array_agg(row order by row), array_agg(c order by row), array_agg(length::int2 order by row)
       from base, unnest(terms, counts) u(t, c) group by 1, 2 order by 1, 2`,
      'alter table words_blocks add primary key (term, block)',
    ],
    scores: (question, statistics) =>
      `select row, sum(${contribution('w', 'count', 'length', statistics)}) as s
       from ${weighted(question)} join words_blocks using (term),
       unnest(rows, counts, lengths) p(row, count, length) group by row`,
    insert: `insert into words_blocks
       select t, 1000000, array_agg(row order by row), array_agg(c order by row), array_agg(length::int2 order by row)
       from more, unnest(terms, counts) u(t, c) group by 1`,
    remove: 'delete from words_blocks where block >= 1000000',
  },
  {
    name: 'blocks of postings, unnested in the select list',
    create: [
      `create table words_stream (term text collate "C" not null, block int not null, rows int4[] not null, counts int2[] not null, lengths int2[] not null)`,
      `alter table words_stream alter rows set storage external, alter counts set storage external, alter lengths set storage external`,
      `insert into words_stream
       select t, row / 65536 b, array_agg(row order by row), array_agg(c order by row), array_agg(length::int2 order by row)
       from base, unnest(terms, counts) u(t, c) group by 1, 2 order by 1, 2`,
      'alter table words_stream add primary key (term, block)',
    ],
    scores: (question, statistics) =>
      `select row, sum(${contribution('w', 'count', 'length', statistics)}) as s
       from (select w, unnest(rows) as row, unnest(counts) as count, unnest(lengths) as length
             from ${weighted(question)} join words_stream using (term)) p group by row`,
    insert: `insert into words_stream
       select t, 1000000, array_agg(row order by row), array_agg(c order by row), array_agg(length::int2 order by row)
       from more, unnest(terms, counts) u(t, c) group by 1`,
    remove: 'delete from words_stream where block >= 1000000',
  },
];

async function milliseconds(client: Client, sql: string): Promise<number> {
  const start = performance.now();
  await client.query(sql);
  return performance.now() - start;
}

/** The number, the sum and the greatest of all scores: equal of all kinds. */
const summary = (scores: string): string =>
  `select count(*) filter (where s > 0), max(s), sum(s) from (${scores}) x`;

export async function wordStudy(client: Client, rows: StudyRows, folder: string): Promise<void> {
  const { questions, statistics } = questionsOf(folder, rows);
  const postings = questions.reduce((sum, each) => sum + each.postings, 0) / questions.length;
  await client.query('set max_parallel_workers_per_gather = 0');
  await client.query('drop table if exists more');
  await client.query(
    `create table more as select row + 1000000000 as row, length, terms, counts from base limit 2000`,
  );
  const results = [];
  const wanted: string[] = [];
  for (const { name, create, scores, insert, remove } of kinds) {
    const table = /words_\w+/.exec(create[0]!)![0];
    await client.query(`drop table if exists ${table}`);
    let build = 0;
    for (const sql of create) build += await milliseconds(client, sql);
    await client.query(`vacuum (analyze, freeze) ${table}`);
    const bytes = Number(await one(client, `select pg_table_size('${table}')`));
    const indexes = Number(await one(client, `select pg_indexes_size('${table}')`));
    let [all, top] = [0, 0];
    let same = 0;
    for (const [q, question] of questions.entries()) {
      const sql = scores(question, statistics);
      all += await least(client, summary(sql), [], 3);
      top += await least(
        client,
        `select row, s from (${sql}) x order by s desc, row limit 100`,
        [],
        3,
      );
      const { rows: got } = await client.query(
        `select row, s from (${sql}) x order by s desc, row limit 1000`,
      );
      const text = JSON.stringify(got);
      wanted[q] ??= text;
      if (wanted[q] === text) same += 1;
    }
    console.log(name, '::', await plan(client, scores(questions[0]!, statistics)));
    const inserted = await milliseconds(client, insert);
    const removed = await milliseconds(client, remove);
    results.push({
      terms: name,
      'table, bytes a row': bytes / rows.rows,
      'indexes, bytes a row': indexes / rows.rows,
      'build, s': build / 1000,
      'max and sum, ms a question': all / questions.length,
      'top 100, ms': top / questions.length,
      'ns a posting': (top / questions.length / postings) * 1e6,
      'insert 2,000 rows, ms': inserted,
      'delete them, ms': removed,
      'first 1,000 equal': `${same} of ${questions.length}`,
    });
  }
  print(
    `b. BM25, ${questions.length} questions of 3 to 6 terms with ${Math.round(postings)} postings on average, ${rows.rows} rows`,
    results,
  );
}
