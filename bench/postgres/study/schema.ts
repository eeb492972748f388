// g. The recommended schema as a whole: load in batches with their postings, compaction, and
// questions in rounds whose results, scored again by the addon, are those of a local segment.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import type { Segment } from '../../../binding.js';
import { scanFlat } from '../../../lib/retrieval/flatScan.js';
import type { TemporalForm } from '../../../lib/time/temporalForms.js';
import { least, one, plan, print, vectorText, type Client } from './client.js';
import type { Field } from './copyBinary.js';
import { float8, maskSql, productSql } from './forms.js';
import { changeStudy } from './changes.js';
import { copyRows } from './load.js';
import { localSegment } from './native.js';
import { questionsOf, type Question } from './questions.js';
import type { StudyRows } from './rows.js';
import { cases, temporalSql } from './times.js';
import { contribution } from './words.js';

export const ddl = `
create table rows (
  row int8 not null, passage int8 not null, length int4 not null, part int2 not null,
  v vector(256) not null, published float8, valid_start float8, valid_end float8,
  first_start float8, first_end float8, more_start float8[], more_end float8[]);
alter table rows alter v set storage plain;
create table postings (
  base int8 not null, n int4 not null, part int2 not null, term text collate "C" not null,
  packed int8[] not null);
alter table postings alter packed set storage external;
create table deleted_rows (row int8 primary key);
create table totals (part int2 not null, rows int8 not null, tokens int8 not null);
`;
const indexes = `
alter table rows add primary key (row);
create index rows_masks on rows (row) include (published, valid_start, valid_end);
create index rows_passage on rows (passage);
create index postings_terms on postings (term, part) include (n, base);
`;

const number = (value: number): Field => (Number.isNaN(value) ? null : { float8: value });

function rowFields(rows: StudyRows, row: number): Field[] {
  const [from, to] = [rows.contentOffset[row]!, rows.contentOffset[row + 1]!];
  const first = (times: Float64Array): Field => (from === to ? null : { float8: times[from]! });
  const more = (times: Float64Array): Field =>
    to - from < 2 ? null : { float8s: times.subarray(from + 1, to) };
  return [
    { int8: row },
    { int8: rows.rowPassage[row]! },
    { int4: rows.lengths[row]! },
    { int2: rows.part[row]! },
    { vector: rows.vectors.subarray(row * rows.dimensions, (row + 1) * rows.dimensions) },
    number(rows.published[row]!),
    number(rows.validStart[row]!),
    number(rows.validEnd[row]!),
    first(rows.contentStart),
    first(rows.contentEnd),
    more(rows.contentStart),
    more(rows.contentEnd),
  ];
}

/** offset << 48 | count << 32 | length, of rows base + offset. */
const packedPosting = (offset: number, count: number, length: number): bigint =>
  (BigInt(offset) << 48n) | (BigInt(count) << 32n) | BigInt(length);

function batchPostings(rows: StudyRows, from: number, to: number): Field[][] {
  const blocks = new Map<string, bigint[]>();
  for (let row = from; row < to; row += 1) {
    rows.terms[row]!.forEach((term, t) => {
      const key = `${rows.part[row]}${term}`;
      const posting = packedPosting(row - from, rows.counts[row]![t]!, rows.lengths[row]!);
      const block = blocks.get(key);
      if (block) block.push(posting);
      else blocks.set(key, [posting]);
    });
  }
  return Array.from(blocks, ([key, packed]) => [
    { int8: from },
    { int4: packed.length },
    { int2: Number(key[0]) },
    { text: key.slice(1) },
    { int8s: packed },
  ]);
}

async function load(client: Client, rows: StudyRows, batch: number): Promise<number> {
  await client.query('drop table if exists rows, postings, deleted_rows, totals');
  await client.query(ddl + indexes);
  const start = performance.now();
  for (let from = 0; from < rows.rows; from += batch) {
    const to = Math.min(rows.rows, from + batch);
    await client.query('begin');
    await copyRows(client, 'rows', to - from, (nth) => rowFields(rows, from + nth));
    const postings = batchPostings(rows, from, to);
    await copyRows(client, 'postings', postings.length, (nth) => postings[nth]!);
    const totals = [0, 1, 2].map((part) => {
      let [count, tokens] = [0, 0];
      for (let row = from; row < to; row += 1)
        if (rows.part[row] === part) [count, tokens] = [count + 1, tokens + rows.lengths[row]!];
      return `(${part}, ${count}, ${tokens})`;
    });
    await client.query(`insert into totals values ${totals.join(', ')}`);
    await client.query('commit');
  }
  const seconds = (performance.now() - start) / 1000;
  await client.query('vacuum (analyze, freeze) rows');
  await client.query('vacuum (analyze, freeze) postings');
  return seconds;
}

export const compaction = `
create table compacted (like postings including storage);
insert into compacted
  select row / 32768 * 32768, count(*), part, term,
    array_agg((row % 32768) << 48 | rest order by row)
  from (select term, part, base + (p >> 48) as row, p & 281474976710655 as rest
        from postings, unnest(packed) p) x
  where not exists (select from deleted_rows d where d.row = x.row)
  group by term, part, row / 32768 order by term, part;
drop table postings;
alter table compacted rename to postings;
create index postings_terms on postings (term, part) include (n, base);
`;

const quoted = (text: string): string => `'${text.replace(/'/g, "''")}'`;

interface Statistics {
  weights: Map<string, number>;
  slope: number;
}

/** Round 1: document frequencies and lengths of the scope. Added over shards. */
async function statisticsOf(client: Client, { terms }: Question): Promise<Statistics> {
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

interface Asked {
  vector: Float32Array;
  question: Question;
  form: TemporalForm;
  until: number;
  k: number;
}

const semanticWeight = 0.7;
const lexicalWeight = 0.3;
const similarity = '(-(v <#> $1::vector(256)))';

interface Found {
  row: number;
  lexical: number;
}

const bestSql = (asked: Asked, statistics: Statistics): string =>
  `select s from (select * from (${lexicalSql(asked.question, statistics)}) l order by s desc offset 0) l
   join lateral (select from rows where rows.row = l.row and
     ${maskSql({ publishedUntil: asked.until }, 'inline')} offset 0) r on true limit 1`;

/** All rows from the k-th score less the band on, without order. */
function scanSql(asked: Asked, statistics: Statistics, best: number): string {
  const relevance = `(${semanticWeight}::float8 * ${similarity} + ${float8(lexicalWeight / best)} * coalesce(s::float4, 0))`;
  return `with x as materialized (
      select row, passage, coalesce(s::float4, 0) as lexical, ${productSql(relevance, temporalSql(asked.form, 'inline'))} as score
      from rows r left join (${lexicalSql(asked.question, statistics)}) l using (row)
      where ${maskSql({ publishedUntil: asked.until }, 'inline')}),
    kth as (select min(score) as least from
      (select score from x order by score desc limit ${asked.k}) y)
    select row, lexical from x, kth where score >= least - 1e-5`;
}

/** The addon's scores of the rows that SQL returned, best first. */
async function rescored(
  rows: StudyRows,
  asked: Asked,
  found: Found[],
  best: number,
): Promise<[number, number][]> {
  found.sort((a, b) => a.row - b.row);
  const d = rows.dimensions;
  const spans = found.map(({ row }) => [rows.contentOffset[row]!, rows.contentOffset[row + 1]!]);
  const times = (all: Float64Array): Float64Array =>
    Float64Array.from(spans.flatMap(([from, to]) => [...all.subarray(from, to)]));
  const offsets = new Uint32Array(found.length + 1);
  spans.forEach(([from, to], i) => void (offsets[i + 1] = offsets[i]! + to! - from!));
  const vectors = new Float32Array(found.length * d);
  found.forEach(({ row }, i) => vectors.set(rows.vectors.subarray(row * d, row * d + d), i * d));
  const memory = new binding.MemoryRows({
    passages: found.length,
    multiSentence: 0,
    dimensions: d,
    vectors,
    rowPassage: Uint32Array.from(found, (_, i) => i),
    published: Float64Array.from(found, ({ row }) => rows.published[row]!),
    validStart: Float64Array.from(found, ({ row }) => rows.validStart[row]!),
    validEnd: Float64Array.from(found, ({ row }) => rows.validEnd[row]!),
    contentOffset: offsets,
    contentStart: times(rows.contentStart),
    contentEnd: times(rows.contentEnd),
  });
  const result = await scanFlat(
    [{ rows: memory }],
    [
      {
        vector: asked.vector,
        semanticWeight,
        lexical: [Float32Array.from(found, ({ lexical }) => lexical)],
        lexicalWeight: lexicalWeight / best,
        form: asked.form,
        mask: { publishedUntil: asked.until },
      },
    ],
    { k: asked.k },
  );
  return Array.from(result.row, (row, i) => [found[row]!.row, result.score[i]!]);
}

export async function schemaStudy(client: Client, rows: StudyRows, folder: string): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 0');
  const loads = [];
  const size = async (table: string): Promise<number> =>
    (await one(
      client,
      `select (pg_table_size('${table}') + pg_indexes_size('${table}'))::float8`,
    )) / rows.rows;
  for (const batch of rows.rows > 200_000 ? [5000] : [1000, 30_000, 5000]) {
    const seconds = await load(client, rows, batch);
    loads.push({
      'rows a transaction': batch,
      'rows a second': Math.round(rows.rows / seconds),
      'rows, bytes a row': await size('rows'),
      'postings, bytes a row': await size('postings'),
    });
  }
  print(`g. Load of the schema with its indexes, ${rows.rows} rows, pipeline not counted`, loads);
  const { questions } = questionsOf(folder, rows);
  const place = mkdtempSync(join(tmpdir(), 'asof-study-'));
  const { segment, order } = await localSegment(rows, join(place, 'segment'));
  try {
    for (const state of ['in batches of 5,000', 'compacted']) {
      if (state === 'compacted') {
        const start = performance.now();
        await client.query(compaction);
        await client.query('vacuum (analyze, freeze) postings');
        console.log(
          `\ncompaction: ${((performance.now() - start) / 1000).toFixed(1)} s,`,
          `${(await size('postings')).toFixed(0)} bytes a row of postings`,
        );
      }
      await ask(client, rows, { questions, segment, order, state });
    }
    await changeStudy(client, questions);
  } finally {
    segment.close();
    rmSync(place, { recursive: true });
  }
}

async function ask(
  client: Client,
  rows: StudyRows,
  local: { questions: Question[]; segment: Segment; order: Uint32Array; state: string },
): Promise<void> {
  const results = [];
  for (const name of ['none', 'spline, 3 lines', 'exponential, content']) {
    const form = cases.find((each) => each.name === name)!.form ?? { combine: 'none' as const };
    const times = { statistics: 0, best: 0, scan: 0, local: 0 };
    let [same, returned] = [0, 0];
    for (const [q, question] of local.questions.entries()) {
      const d = rows.dimensions;
      const vector = rows.vectors.slice(q * 911 * d, q * 911 * d + d);
      const asked: Asked = { vector, question, form, until: Date.UTC(2020, 0, 1), k: 1000 };
      const text = [vectorText(vector)];
      let start = performance.now();
      const statistics = await statisticsOf(client, question);
      times.statistics += performance.now() - start;
      const best = (await one(client, bestSql(asked, statistics))) as number;
      times.best += await least(client, bestSql(asked, statistics), [], 2);
      const sql = scanSql(asked, statistics, best);
      const { rows: found } = await client.query(sql, text);
      times.scan += await least(client, sql, text, 2);
      returned += found.length;
      const ours = await rescored(
        rows,
        asked,
        found.map(({ row, lexical }: Record<string, string>) => ({
          row: Number(row),
          lexical: Number(lexical),
        })),
        best,
      );
      const query = {
        vector,
        terms: question.terms,
        semanticWeight,
        lexicalWeight,
        form,
        mask: { publishedUntil: asked.until },
      };
      const scan = () => scanFlat([{ rows: local.segment }], [query], { k: asked.k });
      const wanted = await scan();
      start = performance.now();
      await scan();
      times.local += performance.now() - start;
      const key = (list: [number, number][]): string =>
        JSON.stringify(list.sort((a, b) => b[1] - a[1] || a[0] - b[0]));
      const theirs = Array.from(
        wanted.row,
        (row, i) => [local.order[row]!, wanted.score[i]!] as [number, number],
      );
      if (key(ours) === key(theirs)) same += 1;
      if (q === 0 && name === 'none') console.log(await plan(client, sql, text));
    }
    const n = local.questions.length;
    results.push({
      form: name,
      'statistics, ms': times.statistics / n,
      'best BM25, ms': times.best / n,
      'scan, ms': times.scan / n,
      'rows returned for k = 1000': returned / n,
      'local scan, ms': times.local / n,
      'best 1,000 rows and scores bit-equal': `${same} of ${n}`,
    });
  }
  print(`g. Hybrid questions in rounds, ${rows.rows} rows, postings ${local.state}`, results);
}
