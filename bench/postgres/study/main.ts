// What scoring in SQL costs: the study behind the schema of asof/postgres. Prints its tables.
//
// node --import tsx bench/postgres/study/main.ts --data FOLDER [--rows 100000]
//   [--parts f,a,b,c,d,e,g,h,i] [--buffers 2GB]
//
// FOLDER has JSON-lines files of passages. PostgreSQL and pgvector are those of test/postgres.
import { join } from 'node:path';
import { PostgresServers } from '../../../test/postgres/servers.js';
import { parseArgs } from '../../options.js';
import { machine } from '../../machine.js';
import { connectTo, one, print, root } from './client.js';
import { baseColumns, copyRows, copyText, fieldsOf } from './load.js';
import { studyRows } from './rows.js';
import type { StudyRows } from './rows.js';
import type { Client } from './client.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rows: { type: 'string', default: '100000' },
    buffers: { type: 'string' },
    parts: { type: 'string', default: 'f,a,b,c,d,e,g,h,i' },
  },
});

async function loadStudy(client: Client, rows: StudyRows): Promise<void> {
  const n = Math.min(rows.rows, 100_000);
  const pipeline = Object.values(rows.seconds).reduce((sum, each) => sum + each, 0) / rows.rows;
  const results = [];
  for (const [title, copy] of [
    ['binary', copyRows],
    ['text', copyText],
  ] as const) {
    let seconds = Infinity;
    for (let run = 0; run < 3; run += 1) {
      await client.query(`drop table if exists f; create table f (${baseColumns})`);
      await client.query('alter table f alter v set storage plain');
      seconds = Math.min(seconds, await copy(client, 'f', n, (row) => fieldsOf(rows, row)));
    }
    results.push({
      COPY: title,
      'rows a second': Math.round(n / seconds),
      'with the pipeline': Math.round(n / (seconds + pipeline * n)),
    });
  }
  print(`f. Load of ${n} rows without indexes, by one connection`, results);
  console.log(JSON.stringify(rows.seconds), 'seconds of the pipeline');
}

const parts: Record<string, () => Promise<(client: Client, rows: StudyRows) => Promise<void>>> = {
  a: async () => (await import('./vectors.js')).vectorStudy,
  b: async () => {
    const { wordStudy } = await import('./words.js');
    return (client, all) => wordStudy(client, all, values.data!);
  },
  c: async () => (await import('./times.js')).timeStudy,
  d: async () => {
    const { cutStudy } = await import('./cuts.js');
    return (client, all) => cutStudy(client, all, values.data!);
  },
  e: async () => {
    const { approximateStudy } = await import('./approximate.js');
    return (client, all) => approximateStudy(client, all, values.data!);
  },
  f: async () => loadStudy,
  i: async () => (await import('./fetch.js')).fetchStudy,
  h: async () => (await import('./recency.js')).recencyStudy,
  g: async () => {
    const { schemaStudy } = await import('./schema.js');
    return (client, all) => schemaStudy(client, all, values.data!);
  },
};

const rows = await studyRows(
  values.data!,
  Number(values.rows),
  join(root, '.cache', 'postgres-study'),
);
const all = await PostgresServers.start({
  settings: {
    shared_buffers: values.buffers ?? (rows.rows > 200_000 ? '6GB' : '2GB'),
    work_mem: '256MB',
    maintenance_work_mem: '2GB',
    max_wal_size: '8GB',
    max_parallel_maintenance_workers: 1,
    autovacuum: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    min_parallel_table_scan_size: 0,
  },
});
try {
  const client = await connectTo(all.urls[0]!);
  await client.query('create extension vector');
  const { processor, cores, load } = machine();
  console.log(`${processor}, ${cores} cores, load ${load.toFixed(1)}`);
  console.log(await one(client, 'select version()'));
  await client.query(`create table base (${baseColumns})`);
  await client.query('alter table base alter v set storage plain');
  await copyRows(client, 'base', rows.rows, (row) => fieldsOf(rows, row));
  await client.query('vacuum (analyze, freeze) base');
  for (const part of values.parts.split(',')) await (await parts[part]!())(client, rows);
  await client.end();
} finally {
  await all.stop();
}
