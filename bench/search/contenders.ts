// Who takes part: asof by its public API, in memory and over a corpus on disk, against usearch,
// hnswlib-node, sqlite-vec, LanceDB and the loop that one would write. Each takes a batch of
// queries as its users give them and hands its own results over to be read outside the clock. None
// is helped or held back; what one cannot do is said in its note.
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import * as asof from '../../lib/index.js';
import type { PassageHit } from '../../lib/retrieval/vectorSearch.js';
import type { Encoder } from '../../lib/index.js';
import type { Exactness } from '../../lib/retrieval/scanReport.js';
import type { Storage } from '../../lib/store/format/manifest.js';
import { readRows, type DataSet } from './data.js';
import { peerPackages, versionOf } from './install.js';

export interface SearchResult {
  rows: number[];
  scores: number[];
  /** Rows that were scored in full after a look at fewer bits, where it says. */
  rescored?: number;
}

export interface ContenderIndex {
  version: string;
  /** Whether it takes several queries at once; else they are asked one at a time. */
  batches: boolean;
  /** Largest number of threads it uses; absent where the number can be set. */
  threads?: number;
  /** What is different about it, in words. */
  note?: string;
  setThreads?(threads: number): void;
  /** Of an index that may miss rows: how much it looks at. */
  setBreadth?(breadth: number): void;
  /** One call; `queries` is count * d. What it resolves with is given to `read`. */
  search(queries: Float32Array, k: number): unknown;
  read(result: unknown): SearchResult[];
}

export type Open = (data: DataSet, work: string) => Promise<ContenderIndex>;

/**
 * What asof is asked for: in what type vectors are stored next to f32, how exact the result has to
 * be, and the instruction set where not the best.
 */
export interface AsOfForm {
  storage: Storage;
  exactness: Exactness;
  level?: string;
}

/**
 * Each is a contender of its own, by the name that tables show; the last is over a corpus on disk.
 */
export const asofForms: Record<string, AsOfForm> = {
  'asof f32': { storage: 'f32', exactness: 'certified' },
  'asof bf16 certified': { storage: 'bf16', exactness: 'certified' },
  'asof int8 certified': { storage: 'int8', exactness: 'certified' },
  'asof int4 certified': { storage: 'int4', exactness: 'certified' },
  'asof int8 rescored': { storage: 'int8', exactness: 'rescored' },
  'asof int8 rescored, no AMX': { storage: 'int8', exactness: 'rescored', level: 'x86-64-v4+vnni' },
};
export const storedForm: AsOfForm = { storage: 'int8', exactness: 'certified' };

export function asofInMemory({ storage, exactness }: AsOfForm): Open {
  return async (data) => {
    const vectors = readRows(data.rowFile, 0, data.rows, data.dimensions);
    const index = new asof.VectorIndex({ dimensions: data.dimensions, vectors, storage });
    return {
      version: `level ${binding.isa()}`,
      batches: true,
      setThreads: (threads) => addon.setThreadCount(threads),
      search: (queries, k) => index.searchBatch(queries, k, { exactness }),
      read(result) {
        const { offsets, row, score, scans } = result as asof.VectorHits;
        return Array.from({ length: offsets.length - 1 }, (_, q) => ({
          rows: [...row.subarray(offsets[q], offsets[q + 1])],
          scores: [...score.subarray(offsets[q], offsets[q + 1])],
          rescored: scans[q]!.rescored,
        }));
      },
    };
  };
}

/**
 * Passages whose text is the number of their row, which the encoder looks up: a corpus of vectors
 * that exist.
 */
export async function openStored(data: DataSet, work: string): Promise<asof.Corpus> {
  const { rows, dimensions: d, name, rowFile } = data;
  const encoder: Encoder = {
    id: `rows of ${name}`,
    dimensions: d,
    encode: async (texts) => {
      const numbers = texts.map((text) => Number(/\d+/.exec(text)![0]));
      const consecutive = numbers.every((each, at) => each === numbers[0]! + at);
      if (consecutive) return readRows(rowFile, numbers[0]!, numbers.length, d);
      const vectors = new Float32Array(numbers.length * d);
      numbers.forEach((row, at) => vectors.set(readRows(rowFile, row, 1, d), at * d));
      return vectors;
    },
  };
  const folder = join(work, 'data', `${name.replaceAll(' ', '-')}.${storedForm.storage}.asof`);
  const corpus = await asof.Corpus.open(folder, { encoder, storage: storedForm.storage });
  const there = corpus.info().passages;
  if (there < rows) {
    await corpus.add(
      (function* () {
        for (let row = there; row < rows; row += 1)
          yield { id: String(row).padStart(9, '0'), text: `Row ${row} of many.` };
      })(),
    );
    await corpus.compact();
  }
  return corpus;
}

async function asofStored(data: DataSet, work: string): Promise<ContenderIndex> {
  const corpus = await openStored(data, work);
  const { storage, exactness } = storedForm;
  return {
    version: `level ${binding.isa()}, ${corpus.info().segments} segment, ${storage} ${exactness}`,
    batches: true,
    setThreads: (threads) => addon.setThreadCount(threads),
    search: (queries, k) => asof.searchVectors(corpus, queries, k, { exactness }),
    read: (result) =>
      (result as PassageHit[][]).map((hits) => ({
        rows: hits.map(({ id }) => Number(id)),
        scores: hits.map(({ score }) => score),
      })),
  };
}

async function usearch(data: DataSet): Promise<ContenderIndex> {
  const load = createRequire(import.meta.url);
  const library = load('usearch');
  const folder = load.resolve('usearch').replace(/(.*node_modules[\\/]usearch)[\\/].*/, '$1');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const vectors = readRows(data.rowFile, 0, data.rows, data.dimensions);
  let threads = 1;
  return {
    version,
    batches: true,
    setThreads: (wanted) => void (threads = wanted),
    search: (queries, k) =>
      library.exactSearch(vectors, queries, data.dimensions, k, library.MetricKind.IP, threads),
    read(result: any) {
      const each = (found: any): SearchResult => ({
        rows: Array.from(found.keys, Number),
        scores: Array.from(found.distances, (far: any) => 1 - far),
      });
      if (!result.get) return [each(result)];
      return Array.from({ length: result.keys.length / result.k }, (_, q) => each(result.get(q)));
    },
  };
}

async function hnswlib(data: DataSet, work: string): Promise<ContenderIndex> {
  const library = peerPackages(work)('hnswlib-node');
  const { rows, dimensions: d } = data;
  const index = new library.BruteforceSearch('ip', d);
  index.initIndex(rows);
  for (let first = 0; first < rows; first += 4096) {
    const chunk = readRows(data.rowFile, first, Math.min(4096, rows - first), d);
    for (let at = 0; at * d < chunk.length; at += 1)
      index.addPoint(Array.from(chunk.subarray(at * d, (at + 1) * d)), first + at);
  }
  return {
    version: versionOf(work, 'hnswlib-node'),
    batches: false,
    threads: 1,
    search: (queries, k) => index.searchKnn(Array.from(queries), k),
    // Its results come worst first.
    read: (result: any) => [
      {
        rows: [...result.neighbors].reverse(),
        scores: result.distances.map((far: number) => 1 - far).reverse(),
      },
    ],
  };
}

async function sqliteVec(data: DataSet, work: string): Promise<ContenderIndex> {
  const load = peerPackages(work);
  const Database = load('better-sqlite3');
  const file = join(work, 'data', `${data.name.replaceAll(' ', '-')}.sqlite`);
  const made = existsSync(file);
  const database = new Database(file);
  load('sqlite-vec').load(database);
  const { rows, dimensions: d } = data;
  const stored = made
    ? (
        database
          .prepare("select count(*) as n from sqlite_master where name = 'finished'")
          .get() as { n: number }
      ).n
    : 0;
  if (!stored) {
    database.exec(
      `drop table if exists v; create virtual table v using vec0(embedding float[${d}] distance_metric=cosine)`,
    );
    const insert = database.prepare('insert into v (rowid, embedding) values (?, ?)');
    for (let first = 0; first < rows; first += 4096) {
      const chunk = readRows(data.rowFile, first, Math.min(4096, rows - first), d);
      database.transaction(() => {
        for (let at = 0; at * d < chunk.length; at += 1)
          insert.run(BigInt(first + at + 1), Buffer.from(chunk.buffer, at * d * 4, d * 4));
      })();
    }
    database.exec('create table finished (x)');
  }
  const query = database.prepare(
    'select rowid as id, distance from v where embedding match ? and k = ?',
  );
  return {
    version: versionOf(work, 'sqlite-vec'),
    batches: false,
    threads: 1,
    note: 'cosine: it has no inner product',
    search: (queries, k) =>
      query.all(Buffer.from(queries.buffer, queries.byteOffset, queries.byteLength), k),
    read: (result) => [
      {
        rows: (result as any[]).map(({ id }) => id - 1),
        scores: (result as any[]).map(({ distance }) => 1 - distance),
      },
    ],
  };
}

/** A table of the rows with their numbers, and with the `columns` of some of these. */
export async function lanceTable(
  data: DataSet,
  work: string,
  name: string,
  columns: (arrow: any, numbers: number[]) => object = () => ({}),
): Promise<any> {
  const load = peerPackages(work);
  const library = load('@lancedb/lancedb');
  const arrow = createRequire(load.resolve('@lancedb/lancedb'))('apache-arrow');
  const { rows, dimensions: d } = data;
  const database = await library.connect(join(work, 'data', name));
  const batchOf = (first: number): unknown => {
    const count = Math.min(16384, rows - first);
    const vectors = arrow.vectorFromArray(readRows(data.rowFile, first, count, d));
    const type = new arrow.FixedSizeList(d, new arrow.Field('item', new arrow.Float32(), true));
    const embedding = arrow.makeVector(
      arrow.makeData({ type, length: count, nullCount: 0, child: vectors.data[0] }),
    );
    const numbers = Array.from({ length: count }, (_, at) => first + at);
    const id = arrow.vectorFromArray(Int32Array.from(numbers));
    return new arrow.Table({ id, ...columns(arrow, numbers), vector: embedding });
  };
  const names = (await database.tableNames()) as string[];
  let table = names.includes('v') ? await database.openTable('v') : undefined;
  const there = table ? await table.countRows() : 0;
  for (let first = there; first < rows; first += 16384) {
    if (table) await table.add(batchOf(first));
    else table = await database.createTable('v', batchOf(first));
  }
  if (there < rows) await table.optimize();
  return table;
}

export const readLance = (result: unknown): SearchResult[] => [
  {
    rows: (result as any[]).map(({ id }) => id),
    scores: (result as any[]).map(({ _distance }) => 1 - _distance),
  },
];

async function lancedb(data: DataSet, work: string): Promise<ContenderIndex> {
  const table = await lanceTable(data, work, `${data.name.replaceAll(' ', '-')}.lance`);
  return {
    version: versionOf(work, '@lancedb/lancedb'),
    batches: false,
    note: 'flat: no index; its own threads, read by CPU time for one',
    search: (queries, k) =>
      table
        .vectorSearch(queries)
        .distanceType('dot')
        .limit(k)
        .select(['id', '_distance'])
        .toArray(),
    read: readLance,
  };
}

async function plainLoop(data: DataSet): Promise<ContenderIndex> {
  const { rows, dimensions: d } = data;
  const vectors = readRows(data.rowFile, 0, rows, d);
  return {
    version: `Node ${process.version}`,
    batches: false,
    threads: 1,
    search(query, k) {
      const best: SearchResult = { rows: [], scores: [] };
      for (let row = 0; row < rows; row += 1) {
        let score = 0;
        for (let c = 0, at = row * d; c < d; c += 1, at += 1) score += vectors[at]! * query[c]!;
        if (best.rows.length === k && score <= best.scores[k - 1]!) continue;
        let place = best.rows.length;
        while (place > 0 && best.scores[place - 1]! < score) place -= 1;
        best.rows.splice(place, 0, row);
        best.scores.splice(place, 0, score);
        best.rows.splice(k);
        best.scores.splice(k);
      }
      return best;
    },
    read: (result) => [result as SearchResult],
  };
}

/** In the order of tables. FAISS is a process of Python's: see faiss_peer.py. */
export const contenders: Record<string, Open> = {
  ...Object.fromEntries(
    Object.entries(asofForms).map(([name, form]) => [name, asofInMemory(form)]),
  ),
  'asof, corpus on disk': asofStored,
  'usearch exact': usearch,
  'hnswlib-node brute force': hnswlib,
  'sqlite-vec': sqliteVec,
  'LanceDB flat': lancedb,
  'TypeScript loop': plainLoop,
};
