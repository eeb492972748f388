// g. The recommended schema as a whole: load in batches with their postings, compaction, and
// questions in rounds whose results, scored again by the addon, are those of a local segment.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import type { Segment } from '../../../binding.js';
import { scanFlat } from '../../../lib/retrieval/flatScan.js';
import { least, one, plan, print, vectorText, type Client } from './client.js';
import type { Field } from '../../../lib/postgres/copyBinary.js';
import { staticEncoder } from '../../../lib/vectors/staticEncoder.js';
import { changeStudy } from './changes.js';
import { copyRows } from './load.js';
import { localSegment } from './native.js';
import { questionsOf, type Question } from './questions.js';
import type { StudyRows } from './rows.js';
import { cases } from './times.js';
import {
  bestSql,
  lexicalWeight,
  scanSql,
  seededSql,
  semanticWeight,
  statisticsOf,
  type Asked,
  type Found,
} from './rounds.js';

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
  const encoder = await staticEncoder();
  const vectors = await encoder.encode(
    questions.map(({ text }) => text),
    { kind: 'query' },
  );
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
      await ask(client, rows, { questions, vectors, segment, order, state });
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
  local: {
    questions: Question[];
    vectors: Float32Array;
    segment: Segment;
    order: Uint32Array;
    state: string;
  },
): Promise<void> {
  const results = [];
  for (const name of ['none', 'spline, 3 lines', 'exponential, content']) {
    const form = cases.find((each) => each.name === name)!.form ?? { combine: 'none' as const };
    const times = { statistics: 0, best: 0, scan: 0, seeded: 0, local: 0 };
    let [same, returned, seededRows, seededCount] = [0, 0, 0, 0];
    for (const [q, question] of local.questions.entries()) {
      const d = rows.dimensions;
      const vector = local.vectors.subarray(q * d, q * d + d);
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
      const seeded = seededSql(asked, statistics, best);
      const seededFound = await client.query(seeded, text);
      if (seededFound.rowCount >= asked.k) {
        times.seeded += await least(client, seeded, text, 2);
        seededRows += seededFound.rowCount;
        seededCount += 1;
      }
      if (q === 0 && name === 'none') console.log(await plan(client, seeded, text));
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
      'seeded scan, ms': times.seeded / seededCount,
      'seeded rows': seededRows / seededCount,
      'seeded questions': seededCount,
      'local scan, ms': times.local / n,
      'best 1,000 rows and scores bit-equal': `${same} of ${n}`,
    });
  }
  print(`g. Hybrid questions in rounds, ${rows.rows} rows, postings ${local.state}`, results);
}
