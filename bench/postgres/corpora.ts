// The corpora that benches of PostgreSQL compare: servers with their settings and data, corpora on
// them and in folders, loaded once below a folder that may be kept, and what the servers used.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Corpus, type Passage } from '../../lib/index.js';
import { PostgresCorpus } from '../../packages/postgres/lib/index.js';
import { PostgresServers, type PostgresServer } from '../../packages/postgres/test/servers.js';

export interface ServerSettings {
  /** Of all servers together, in MB. */
  sharedBuffers: number;
  /** Parallel workers of one statement. */
  workers: number;
}

/** Servers on loopback; their data are below `folder`, or are not kept. */
export function startServers(
  folder: string | undefined,
  servers: number,
  { sharedBuffers, workers }: ServerSettings,
): Promise<PostgresServers> {
  return PostgresServers.start({
    servers,
    keep: folder && join(folder, `servers-${servers}`),
    settings: {
      shared_buffers: `${Math.ceil(sharedBuffers / servers)}MB`,
      max_parallel_workers_per_gather: workers,
      max_parallel_maintenance_workers: workers,
      maintenance_work_mem: '2GB',
      work_mem: '64MB',
      max_wal_size: '8GB',
      fsync: 'on',
      full_page_writes: 'on',
      autovacuum: 'off', // compact() vacuums; a measurement is not to meet it
    },
  });
}

const shown = [
  ...['shared_buffers', 'work_mem', 'maintenance_work_mem', 'max_wal_size', 'fsync'],
  ...['max_parallel_workers_per_gather', 'max_parallel_maintenance_workers', 'jit', 'autovacuum'],
];

/** The version of a server and the settings that matter here. */
export async function describeServer(url: string): Promise<string> {
  const [{ version }] = await query<{ version: string }>(
    url,
    "select split_part(version(), ' on ', 1) as version",
  );
  const settings = await query<{ said: string }>(
    url,
    `select name || ' ' || current_setting(name) as said from pg_settings where name = any($1)
     order by array_position($1, name)`,
    [shown],
  );
  return `${version}, ${settings.map(({ said }) => said).join(', ')}`;
}

/** Rows of one statement, on a connection of its own. */
export async function query<Row>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<[Row, ...Row[]]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as [Row, ...Row[]];
  } finally {
    await client.end();
  }
}

/**
 * Milliseconds of processor time that the servers used so far: of the processes that run, and of
 * those that ended, whose time their parent has in hundredths of a second.
 */
export function processorMs(servers: readonly PostgresServer[]): number {
  let sum = 0;
  for (const [first, ...others] of servers.map((each) => each.processes()).flatMap(own)) {
    for (const pid of [first!, ...others])
      sum += Number(textOf(`/proc/${pid}/schedstat`).split(' ')[0] ?? 0) / 1e6;
    const after = textOf(`/proc/${first}/stat`).split(') ')[1]!.split(' ');
    sum += (Number(after[13]) + Number(after[14])) * 10; // cutime, cstime
  }
  return sum;
}

const own = (pids: number[]): number[][] => (pids.length > 0 ? [pids] : []);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // ended meanwhile
  }
}

export interface Loaded<Any> {
  corpus: Any;
  /** Absent where the data were there already. */
  seconds?: { add: number; compact: number };
}

async function loaded<Any extends Corpus | PostgresCorpus>(
  corpus: Any,
  stored: number,
  passages: readonly Passage[],
): Promise<Loaded<Any>> {
  if (stored === passages.length) return { corpus };
  const started = performance.now();
  await corpus.add(passages);
  const added = performance.now();
  await corpus.compact();
  const ended = performance.now();
  return { corpus, seconds: { add: (added - started) / 1000, compact: (ended - added) / 1000 } };
}

/** A corpus of the passages in a folder. */
export async function localCorpus(
  folder: string,
  name: string,
  passages: readonly Passage[],
): Promise<Loaded<Corpus>> {
  const corpus = await Corpus.open(join(folder, `${name}.asof`));
  return loaded(corpus, corpus.info().passages, passages);
}

/** A corpus of the passages on servers. */
export async function postgresCorpus(
  shards: readonly string[],
  schema: string,
  passages: readonly Passage[],
): Promise<Loaded<PostgresCorpus>> {
  const corpus = await PostgresCorpus.connect({ shards, schema });
  const result = await loaded(corpus, await corpus.count(), passages);
  if (result.seconds)
    await Promise.all(shards.map((url) => query(url, 'checkpoint').then(() => undefined)));
  return result;
}

/** Bytes of the tables of a corpus and of their indexes, on all its shards. */
export async function tableBytes(
  shards: readonly string[],
  schema: string,
): Promise<Record<'rows' | 'postings' | 'passages' | 'vectorIndex', number>> {
  const sums = { rows: 0, postings: 0, passages: 0, vectorIndex: 0 };
  for (const url of shards) {
    const [found] = await query<Record<keyof typeof sums, number>>(
      url,
      `with indexes as (
         select coalesce(sum(pg_relation_size(c.oid)), 0)::float8 as bytes
         from pg_class c join pg_am on pg_am.oid = relam and amname = 'hnsw'
         where relnamespace = $1::regnamespace)
       select pg_total_relation_size(format('%I.rows', $1::text)::regclass)::float8 - bytes as rows,
         pg_total_relation_size(format('%I.postings', $1::text)::regclass)::float8 as postings,
         pg_total_relation_size(format('%I.passages', $1::text)::regclass)::float8 as passages,
         bytes as "vectorIndex" from indexes`,
      [schema],
    );
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += found[key];
  }
  return sums;
}

/** Rows a second that COPY takes into a table without indexes, from a file of the server. */
export async function copyRate(
  { url, folder }: PostgresServer,
  schema: string,
  most: number,
): Promise<number> {
  const file = join(folder, 'rows.copied');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set search_path to ${schema}, public`);
    const { rowCount } = await client.query(
      `copy (select * from rows limit ${most}) to '${file}' (format binary)`,
    );
    await client.query('create table copied (like rows including storage)');
    const started = performance.now();
    await client.query(`copy copied from '${file}' (format binary)`);
    const seconds = (performance.now() - started) / 1000;
    await client.query('drop table copied');
    return rowCount! / seconds;
  } finally {
    await client.end();
  }
}
