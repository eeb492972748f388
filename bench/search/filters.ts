// What a filter costs: searches by vectors of which 50 %, 10 %, 1 % and .01 % of the rows pass,
// over the plain scan of the same rows in the same rounds; and LanceDB, sqlite-vec and Orama with
// the same filter over the same rows, each with its share of the exact top k.
//
// node --import tsx bench/search/filters.ts [--rows 1000000] [--dimensions 256] [--k 10]
// [--threads 1,2] [--rounds 7] [--peer-rows 100000] [--work FOLDER] [--docs]
// --peer-rows 0: asof alone. A work folder keeps packages and data for the next run.
import { addon } from '../../test/addon.js';
import { VectorIndex, type Where } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import {
  callTime,
  clockName,
  inTurns,
  median,
  publish,
  ratioOf,
  row,
  say,
  short,
} from '../report.js';
import { lanceTable, readLance } from './contenders.js';
import { dataSet, readRows, type DataSet } from './data.js';
import { installPeers, peerPackages, versionOf } from './install.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    dimensions: { type: 'string', default: '256' },
    k: { type: 'string', default: '10' },
    threads: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '7' },
    'peer-rows': { type: 'string', default: '100000' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const [rows, d, k, rounds, peerRows] = [
  values.rows,
  values.dimensions,
  values.k,
  values.rounds,
  values['peer-rows'],
].map(Number) as [number, number, number, number, number];
const work = workFolder('filters', values.work);

/** A row's place in an order that has nothing to do with the file's, 0 to 1. */
const share = (at: number, of: number): number => ((at * 7919) % of) / of;
/** Tenants of 50, 40, 9, .99 and .01 %, so that one or two of them are each share. */
const tenants = [
  ['half', 0.5],
  ['two fifths', 0.9],
  ['eleventh', 0.99],
  ['hundredth', 0.9999],
  ['few', 1],
] as const;
const tenantOf = (at: number, of: number): string =>
  tenants.find(([, below]) => share(at, of) < below)![0];

interface Case {
  name: string;
  where: Where;
  /** Of the plain scan at most. */
  aim: number;
}

const cases: Case[] = [
  { name: 'keyword, 50 % pass', where: { tenant: 'half' }, aim: 1 },
  { name: 'keyword, 9 %', where: { tenant: 'eleventh' }, aim: 0.5 },
  { name: 'keyword, 1 %', where: { tenant: 'hundredth' }, aim: 0.2 },
  { name: 'keyword, .01 %', where: { tenant: 'few' }, aim: 0.1 },
  { name: 'number, 50 %', where: { price: { lt: 0.5 } }, aim: 1 },
  { name: 'number, 10 %', where: { price: { lt: 0.1 } }, aim: 0.5 },
  { name: 'number, 1 %', where: { price: { lt: 0.01 } }, aim: 0.2 },
  { name: 'number, .01 %', where: { price: { lt: 0.0001 } }, aim: 0.1 },
  { name: 'two conditions, 5 %', where: { tenant: 'half', price: { lt: 0.05 } }, aim: 0.5 },
];

say(describeMachine(machine()));
await plainAndFiltered(await dataSet(work, 'random', rows, d));
if (peerRows > 0) await withPeers(await dataSet(work, 'random', peerRows, d));
if (values.docs) publish('bench/search/filters.ts');
process.exit(0);

function indexOf(data: DataSet): VectorIndex {
  const each = { length: data.rows };
  return new VectorIndex({
    dimensions: d,
    vectors: readRows(data.rowFile, 0, data.rows, d),
    fields: {
      tenant: { type: 'keyword', values: Array.from(each, (_, at) => tenantOf(at, data.rows)) },
      price: { type: 'number', values: Array.from(each, (_, at) => share(at, data.rows)) },
    },
  });
}

async function plainAndFiltered(data: DataSet): Promise<void> {
  using index = indexOf(data);
  const queries = readRows(data.queryFile, 0, data.queries, d);
  for (const threads of values.threads.split(',').map(Number)) {
    addon.setThreadCount(threads);
    say(
      `\n## ${data.rows.toLocaleString('en')} x ${d}, k = ${k}, one query, ${clockName(threads)}\n`,
    );
    row(['filter', 'milliseconds', 'times the plain scan (least to most)', 'aim']);
    row(['---', '---:', '---:', '---:']);
    const all = [{ name: 'plain' }, ...cases] as (Partial<Case> & { name: string })[];
    const taken = await inTurns(all, rounds, ({ where }) =>
      callTime(threads, (at) => {
        const query = queries.subarray((at % 100) * d, ((at % 100) + 1) * d);
        return index.searchBatch(query, k, where ? { where } : {});
      }),
    );
    taken.forEach((list, which) => {
      const { name, aim } = all[which]!;
      row([name, short(median(list)), ratioOf(list, taken[0]!), String(aim ?? '')]);
    });
  }
}

interface Peer {
  name: string;
  version: string;
  /** Rows of the best k that pass. */
  search(query: Float32Array, which: Case): Promise<number[]>;
}

async function withPeers(data: DataSet): Promise<void> {
  installPeers(work, ['better-sqlite3', 'sqlite-vec', 'LanceDB', 'Orama']);
  using index = indexOf(data);
  const ours: Peer = {
    name: 'asof',
    version: 'VectorIndex, int8 certified',
    search: async (query, { where }) => [...(await index.searchBatch(query, k, { where })).row],
  };
  const peers = [ours];
  for (const open of [lancedb, sqliteVec, orama]) {
    try {
      peers.push(await open(data));
    } catch (error) {
      say(`\n${open.name} did not take part: ${String(error)}`);
    }
  }
  addon.setThreadCount(1);
  say(`\n## Others, ${data.rows.toLocaleString('en')} x ${d}, k = ${k}: processor time of a query`);
  say(`\n${peers.map(({ name, version }) => `${name}: ${version}`).join('; ')}\n`);
  row(['filter', ...peers.map(({ name }) => `${name}, ms (share of the exact top ${k})`)]);
  row(['---', ...peers.map(() => '---:')]);
  const queries = readRows(data.queryFile, 0, data.queries, d);
  for (const which of cases.slice(0, 8)) {
    const cells: string[] = [];
    const exact = await Promise.all(
      Array.from({ length: 10 }, (_, q) =>
        ours.search(queries.subarray(q * d, (q + 1) * d), which),
      ),
    );
    for (const peer of peers) {
      const ask = (q: number) => peer.search(queries.subarray(q * d, (q + 1) * d), which);
      const each = await callTime(1, (q) => ask(q % 100));
      let [found, wanted] = [0, 0];
      for (const [q, expected] of exact.entries()) {
        const rows = new Set(await ask(q));
        found += expected.filter((at) => rows.has(at)).length;
        wanted += expected.length;
      }
      cells.push(`${short(each)} (${(found / Math.max(1, wanted)).toFixed(2)})`);
    }
    row([which.name, ...cells]);
  }
}

/** A condition in SQL. */
function sqlOf({ where }: Case): string {
  const { tenant, price } = where as { tenant?: string; price?: { lt: number } };
  return [tenant && `tenant = '${tenant}'`, price && `price < ${price.lt}`]
    .filter(Boolean)
    .join(' and ');
}

async function lancedb(data: DataSet): Promise<Peer> {
  const library = peerPackages(work)('@lancedb/lancedb');
  const table = await lanceTable(data, work, `filters-${data.rows}.lance`, (arrow, numbers) => ({
    tenant: arrow.vectorFromArray(
      numbers.map((at) => tenantOf(at, data.rows)),
      new arrow.Utf8(),
    ),
    price: arrow.vectorFromArray(Float64Array.from(numbers, (at) => share(at, data.rows))),
  }));
  await table.createIndex('tenant', { config: library.Index.bitmap() });
  await table.createIndex('price', { config: library.Index.btree() });
  return {
    name: 'LanceDB',
    version: `${versionOf(work, '@lancedb/lancedb')}, flat, with scalar indexes`,
    search: async (query, which) => {
      const found = await table
        .vectorSearch(query)
        .distanceType('dot')
        .where(sqlOf(which))
        .limit(k)
        .select(['id', '_distance'])
        .toArray();
      return readLance(found)[0]!.rows;
    },
  };
}

async function sqliteVec(data: DataSet): Promise<Peer> {
  const load = peerPackages(work);
  const database = new (load('better-sqlite3'))(':memory:');
  load('sqlite-vec').load(database);
  database.exec(
    `create virtual table v using vec0(embedding float[${d}] distance_metric=cosine, ` +
      'tenant text, price float)',
  );
  const insert = database.prepare(
    'insert into v (rowid, embedding, tenant, price) values (?, ?, ?, ?)',
  );
  for (let first = 0; first < data.rows; first += 4096) {
    const chunk = readRows(data.rowFile, first, Math.min(4096, data.rows - first), d);
    database.transaction(() => {
      for (let i = 0; i * d < chunk.length; i += 1) {
        const at = first + i;
        const vector = Buffer.from(chunk.buffer, i * d * 4, d * 4);
        insert.run(BigInt(at + 1), vector, tenantOf(at, data.rows), share(at, data.rows));
      }
    })();
  }
  const statements = new Map(
    cases.map((each) => [
      each,
      database.prepare(
        `select rowid as id from v where embedding match ? and k = ${k} and ${sqlOf(each)}`,
      ),
    ]),
  );
  return Promise.resolve({
    name: 'sqlite-vec',
    version: versionOf(work, 'sqlite-vec'),
    search: (query, which) => {
      const vector = Buffer.from(query.buffer, query.byteOffset, query.byteLength);
      const found = statements.get(which).all(vector) as { id: number }[];
      return Promise.resolve(found.map(({ id }) => id - 1));
    },
  });
}

async function orama(data: DataSet): Promise<Peer> {
  const library = peerPackages(work)('@orama/orama');
  const schema = { tenant: 'enum', price: 'number', vector: `vector[${d}]` };
  const database = await library.create({ schema });
  for (let first = 0; first < data.rows; first += 4096) {
    const count = Math.min(4096, data.rows - first);
    const chunk = readRows(data.rowFile, first, count, d);
    const documents = Array.from({ length: count }, (_, i) => ({
      id: String(first + i),
      tenant: tenantOf(first + i, data.rows),
      price: share(first + i, data.rows),
      vector: Array.from(chunk.subarray(i * d, (i + 1) * d)),
    }));
    await library.insertMultiple(database, documents, 4096);
  }
  const whereOf = ({ where }: Case): object => {
    const { tenant, price } = where as { tenant?: string; price?: { lt: number } };
    return { ...(tenant ? { tenant: { eq: tenant } } : {}), ...(price ? { price } : {}) };
  };
  return {
    name: 'Orama',
    version: versionOf(work, '@orama/orama'),
    search: async (query, which) => {
      const { hits } = await library.searchVector(database, {
        vector: { value: Array.from(query), property: 'vector' },
        similarity: -1,
        where: whereOf(which),
        limit: k,
      });
      return hits.map(({ id }: { id: string }) => Number(id));
    },
  };
}
