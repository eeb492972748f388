// What a question costs a corpus in PostgreSQL and the local corpus of the same passages: wall
// time, processor time of the servers and of this process, per row and core; exact, with results
// compared with the local ones, and by indexes of vectors (HNSW), with recall@10 against the exact
// ones. Also how fast passages are loaded, the bytes of a row, and hard masks by time over rows in
// the order of publication. The exit code is 1 where an exact result differs from the local one.
//
// node --import tsx bench/postgres/questions.ts [--rows 100000,1000000] [--shards 1,2,4]
// [--questions 40] [--warm 4]
//   [--systems bm25,dense,hybrid,mrag,tempralm] [--buffers 8192] [--workers 2]
//   [--candidates 1000,2000] [--no-windows] [--no-approximate] [--keep FOLDER] [--docs]
//
// A size may have its own numbers of shards: 1000000x1+2.
// Servers run on this machine, on loopback: shards share its cores, and gain none. --buffers (MB)
// is shared_buffers of all servers together. With --keep a second run starts from the data.
// Questions are asked one after the other; other load on the machine lengthens wall times.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passage } from '../../lib/index.js';
import { createSystem } from '../../lib/papers/index.js';
import { PostgresCorpus } from '../../packages/postgres/lib/index.js';
import { dense } from '../../lib/systems/baselines.js';
import type { PostgresServers } from '../../packages/postgres/test/servers.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { requireData, workFolder } from '../quality/sets/sets.js';
import { publish, quantile, row, say, short } from '../report.js';
import {
  copyRate,
  describeServer,
  localCorpus,
  postgresCorpus,
  query,
  startServers,
  tableBytes,
  type Loaded,
} from './corpora.js';
import { agreement, k, measure, type Ask, type Measured } from './measure.js';
import { benchPassages, count } from './passages.js';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rows: { type: 'string', default: '100000,1000000' },
    shards: { type: 'string', default: '1,2,4' },
    questions: { type: 'string', default: '40' },
    warm: { type: 'string', default: '4' },
    systems: { type: 'string', default: 'bm25,dense,hybrid,mrag,tempralm' },
    buffers: { type: 'string', default: '8192' },
    workers: { type: 'string', default: '2' },
    candidates: { type: 'string', default: '1000,2000' },
    windows: { type: 'boolean', default: true },
    approximate: { type: 'boolean', default: true },
    keep: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
requireData();
const work = workFolder('postgres', values.keep);
const systems = values.systems.split(',');
const [asked, warmed] = [Number(values.questions), Number(values.warm)];
const settings = { sharedBuffers: Number(values.buffers), workers: Number(values.workers) };
const schema = 'asof';

const head = [
  ...['system', 'engine', 'p50', 'p99', 'servers, processor', 'client, processor'],
  ...['µs a row and core', 'same ids', 'greatest difference', 'recall@10'],
];

interface Load {
  engine: string;
  rows: number;
  seconds: Loaded<unknown>['seconds'];
  copy?: number;
  index?: number;
  bytes?: Awaited<ReturnType<typeof tableBytes>>;
}

const loads: Load[] = [];
/** Of a load whose data are kept, the times that it took; those of a new one are stored. */
function remember(folder: string, load: Load): void {
  const file = join(folder, 'loads.json');
  const all = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Partial<Load>>)
    : {};
  const known = all[load.engine] ?? {};
  load.seconds ??= known.seconds;
  load.index ??= known.index;
  writeFileSync(file, JSON.stringify({ ...all, [load.engine]: load }));
}

/** Questions whose results differ from the local corpus's. */
let wrong = 0;

say(`${describeMachine(machine())}`);
for (const size of values.rows.split(',')) {
  const [rows, shards] = size.split('x') as [string, string?];
  await compareAt(Number(rows), shards?.split('+') ?? values.shards.split(','));
}
printLoads();
if (values.docs) publish('bench/postgres/questions.ts');
if (wrong > 0) {
  console.error(`${wrong} questions have other results than the local corpus gives.`);
  process.exitCode = 1;
}

async function compareAt(wanted: number, shardCounts: readonly string[]): Promise<void> {
  const { passages, rows, said, questions } = await benchPassages(work, wanted);
  const folder = join(work, String(wanted));
  const asks = questions.slice(0, warmed + asked).map((text) => ({ text }));
  const [warm, all] = [asks.slice(0, warmed), asks.slice(warmed)];
  const local = await localCorpus(folder, 'local', passages);
  const load: Load = { engine: 'local', rows, seconds: local.seconds };
  loads.push(load);
  remember(folder, load);
  say('');
  say(`## ${said}`);
  const reference = new Map<string, Measured>();
  for (const name of systems)
    reference.set(name, await measure(createSystem(name, { corpus: local.corpus }), all, warm));
  const table: string[][] = [];
  for (const [name, of] of reference) table.push(cells(name, 'local', of));
  let described = '';
  for (const shards of shardCounts.map(Number)) {
    const servers = await startServers(values.keep && folder, shards, settings);
    try {
      described = await describeServer(servers.urls[0]!);
      await onServers(servers, { folder, passages, rows, all, warm, reference, table });
      if (values.windows && shards === 1) await windows(servers, folder, passages, questions);
    } finally {
      await servers.stop();
    }
  }
  await local.corpus.close();
  say('');
  say(`${described}. ${all.length} questions, k = ${k}; times in milliseconds.`);
  say('');
  row(head);
  row(head.map((_, at) => (at < 2 ? '---' : '---:')));
  const order = (cells: string[]): number => systems.indexOf(cells[0]!);
  for (const cells of table.sort((a, b) => order(a) - order(b))) row(cells);
}

function cells(
  system: string,
  engine: string,
  { ms, serverMs, clientMs }: Measured,
  more: { perRow?: number; same?: string; difference?: string; recall?: string } = {},
): string[] {
  const { perRow, same = '', difference = '', recall = '' } = more;
  return [
    ...[system, engine, short(quantile(ms, 0.5)), short(quantile(ms, 0.99))],
    ...[engine === 'local' ? '' : short(serverMs), short(clientMs)],
    ...[perRow === undefined ? '' : perRow.toFixed(2), same, difference, recall],
  ];
}

interface Comparison {
  folder: string;
  passages: readonly Passage[];
  rows: number;
  all: readonly Ask[];
  warm: readonly Ask[];
  reference: ReadonlyMap<string, Measured>;
  table: string[][];
}

async function onServers(
  { servers, urls }: PostgresServers,
  { folder, passages, rows, all, warm, reference, table }: Comparison,
): Promise<void> {
  const shards = `${urls.length} shard${urls.length > 1 ? 's' : ''}`;
  const { corpus, seconds } = await postgresCorpus(urls, schema, passages);
  const load: Load = { engine: shards, rows, seconds };
  loads.push(load);
  const exact = new Map<string, Measured>();
  for (const name of systems) {
    const found = await measure(createSystem(name, { corpus }), all, warm, servers);
    exact.set(name, found);
    const { same, difference } = agreement(found, reference.get(name)!);
    wrong += all.length - same;
    table.push(
      cells(name, shards, found, {
        perRow: (found.serverMs * 1000) / rows,
        same: `${same} of ${all.length}`,
        difference: difference.toExponential(0),
      }),
    );
  }
  if (urls.length === 1) load.copy = await copyRate(servers[0]!, schema, 100_000);
  if (values.approximate) {
    const started = performance.now();
    const built = await corpus.buildVectorIndex();
    if (built > 0) load.index = (performance.now() - started) / 1000;
    for (const candidates of values.candidates.split(',').map(Number)) {
      const options = { shards: urls, schema, approximate: { candidates } };
      await using other = await PostgresCorpus.connect(options);
      for (const name of systems) {
        const found = await measure(createSystem(name, { corpus: other }), all, warm, servers);
        if (found.approximate === 0) continue; // by words alone, or exact nevertheless
        const { recall, same, difference } = agreement(found, exact.get(name)!);
        table.push(
          cells(name, `${shards}, HNSW, ${count(candidates)}`, found, {
            same: `${same} of ${all.length}`,
            difference: difference.toExponential(0),
            recall: recall.toFixed(3),
          }),
        );
      }
    }
  }
  load.bytes = await tableBytes(urls, schema);
  remember(folder, load);
  await corpus.close();
}

/** Questions that see what was published until early, in the middle, and late. */
async function windows(
  { servers, urls }: PostgresServers,
  folder: string,
  passages: readonly Passage[],
  questions: readonly string[],
): Promise<void> {
  const time = ({ publishedAt }: Passage): number => new Date(publishedAt!).getTime();
  const dated = passages
    .filter(({ publishedAt }) => publishedAt !== undefined)
    .sort((a, b) => time(a) - time(b));
  const local = await localCorpus(folder, 'ordered', dated);
  const ordered = await postgresCorpus(urls, 'ordered', dated);
  await ordered.corpus.close();
  const [{ n: rows }] = await query<{ n: number }>(
    urls[0]!,
    'select count(*)::float8 as n from ordered.rows',
  );
  say('');
  say(
    `Of these, ${count(dated.length)} passages with a day of publication, in that order (${count(rows)} rows): ` +
      '`dense` with a mask of what was published later, exact, on 1 shard.',
  );
  say('');
  row([
    'asked at',
    'passages',
    'p50',
    'p99',
    'servers, processor',
    'rows read',
    'local p50',
    'same ids',
  ]);
  row(['---', ...Array.from({ length: 6 }, () => '---:'), '---']);
  for (const share of [0.05, 0.5, 0.95]) {
    const askedAt = new Date(time(dated[Math.floor(share * (dated.length - 1))]!)).toISOString();
    const asks = questions.slice(0, asked).map((text) => ({ text, askedAt }));
    const expected = await measure(dense({ corpus: local.corpus, mask: true }), asks, asks);
    const before = await rowsRead(urls[0]!);
    const corpus = await PostgresCorpus.connect({ shards: urls, schema: 'ordered' });
    const found = await measure(dense({ corpus, mask: true }), asks, asks.slice(0, 1), servers);
    await corpus.close(); // backends report what they read at their ends
    const read = ((await rowsRead(urls[0]!)) - before) / (asks.length + 1);
    const { same } = agreement(found, expected);
    wrong += asks.length - same;
    row([
      askedAt.slice(0, 10),
      `${(share * 100).toFixed(0)} %`,
      ...[0.5, 0.99].map((p) => short(quantile(found.ms, p))),
      short(found.serverMs),
      count(read),
      short(quantile(expected.ms, 0.5)),
      `${same} of ${asks.length}`,
    ]);
  }
  await local.corpus.close();
}

async function rowsRead(url: string): Promise<number> {
  const [{ n }] = await query<{ n: number }>(
    url,
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as n from pg_stat_all_tables
     where schemaname = 'ordered' and relname = 'rows'`,
  );
  return n;
}

function printLoads(): void {
  say('');
  say('## Loads');
  say('');
  row([
    ...['rows', 'engine', 'rows a second', 'COPY alone', 'compaction, s', 'index of vectors, s'],
    ...['bytes a row: rows', 'postings', 'records', 'index of vectors'],
  ]);
  row(['---:', '---', ...Array.from({ length: 8 }, () => '---:')]);
  for (const { engine, rows, seconds, copy, index, bytes } of loads) {
    const each = (n: number | undefined): string => (n === undefined ? '' : (n / rows).toFixed(0));
    row([
      ...[count(rows), engine, seconds ? count(rows / seconds.add) : 'kept'],
      ...[copy === undefined ? '' : count(copy), seconds ? short(seconds.compact) : ''],
      ...[index === undefined ? '' : short(index), each(bytes?.rows), each(bytes?.postings)],
      ...[each(bytes?.passages), each(bytes?.vectorIndex)],
    ]);
  }
}
