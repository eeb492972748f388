// The stores compared: asof's Corpus, a table of better-sqlite3 with an FTS5 index, and a table of
// LanceDB. Each does the same work in the way that its documentation advises, and says in its note
// what it does more or less. asof's encoder looks vectors up, so that nobody pays for encoding.
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Asof from '../../lib/index.js';
import type { Encoder } from '../../lib/index.js';
import { peerPackages, versionOf } from '../search/install.js';
import { dimensions, keyIn, type Item } from './passages.js';

export interface Store {
  version: string;
  /** What it does, and what not, in words. */
  note: string;
  /** Adds new passages in one commit. */
  add(items: readonly Item[]): unknown;
  /** Replaces passages of existing ids in one commit. */
  upsert(items: readonly Item[]): unknown;
  /** Adds passages in commits of `size` that stay apart, as far as it has such parts. */
  addApart(items: readonly Item[], size: number): Promise<void>;
  /** What its documentation advises once data are there. */
  index?(): Promise<void>;
  delete(ids: readonly string[]): unknown;
  /** The record of an id; undefined if there is none. */
  get(id: string): unknown;
  has(id: string): unknown;
  /** Merges and frees as much as it can. */
  compact(): Promise<void>;
  /** Parts that it has on disk, where it counts them. */
  parts(): Promise<number | undefined>;
  close(): unknown;
}

/** Opens the store of a folder, or creates it. */
export type OpenStore = (folder: string) => Promise<Store>;

/** Loads the modules of a store; `tree` is the built checkout of asof to load. */
export type LoadStore = (work: string, tree: string) => Promise<OpenStore>;

function partsOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}

/** Vectors by the key of a text; any other text has the first of them. */
function lookUpEncoder(vectors: ReadonlyMap<string, Float32Array>): Encoder {
  const other = new Float32Array(dimensions);
  other[0] = 1;
  return {
    id: `bench-lookup-${dimensions}`,
    dimensions,
    async encode(texts) {
      const all = new Float32Array(texts.length * dimensions);
      texts.forEach((text, at) =>
        all.set(vectors.get(keyIn(text) ?? '') ?? other, at * dimensions),
      );
      return all;
    },
  };
}

async function loadAsof(_work: string, tree: string): Promise<OpenStore> {
  const built = pathToFileURL(join(tree, 'dist', 'index.js')).href;
  const { Corpus } = (await import(built)) as typeof Asof;
  return async (folder) => {
    const vectors = new Map<string, Float32Array>();
    const corpus = await Corpus.open(join(folder, 'corpus'), { encoder: lookUpEncoder(vectors) });
    const add = async (items: readonly Item[], options: Asof.AddOptions = {}): Promise<void> => {
      for (const { key, vector } of items) vectors.set(key, vector);
      try {
        await corpus.add(
          items.map(({ passage }) => passage),
          options,
        );
      } finally {
        vectors.clear();
      }
    };
    return {
      version: 'this checkout',
      note:
        'each commit synced; finds times in the text; postings of words; an int8 copy of the ' +
        'vectors next to f32',
      add,
      upsert: add,
      async addApart(items, size) {
        // a call that is aborted after its last commit does not merge them
        const control = new AbortController();
        const { signal } = control;
        const onProgress = ({ done, total }: Asof.Progress): void => {
          if (done === total) control.abort();
        };
        await add(items, { batchSize: size, signal, onProgress }).catch((error) => {
          if (!signal.aborted) throw error;
        });
      },
      delete: (ids) => corpus.delete(ids),
      get: (id) => corpus.get(id),
      has: (id) => corpus.has(id),
      compact: async () => void (await corpus.compact()),
      parts: async () => corpus.info().segments,
      close: () => corpus.close(),
    };
  };
}

async function loadSqlite(work: string): Promise<OpenStore> {
  const Database = peerPackages(work)('better-sqlite3');
  new Database(':memory:').close(); // loads its addon
  return async (folder) => {
    const database = new Database(join(folder, 'store.sqlite'));
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(
      'create table if not exists passage (row integer primary key, id text not null unique, ' +
        'record text not null, vector blob not null); ' +
        "create virtual table if not exists words using fts5(text, content='', " +
        'contentless_delete=1);',
    );
    const write = database.prepare(
      'insert into passage (id, record, vector) values (?, ?, ?) on conflict (id) ' +
        'do update set record = excluded.record, vector = excluded.vector returning row',
    );
    const writeWords = database.prepare('insert or replace into words (rowid, text) values (?, ?)');
    const remove = database.prepare('delete from passage where id = ? returning row');
    const removeWords = database.prepare('delete from words where rowid = ?');
    const record = database.prepare('select record from passage where id = ?');
    const exists = database.prepare('select 1 from passage where id = ?');
    const add = database.transaction((items: readonly Item[]) => {
      for (const { passage, vector } of items) {
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        const { row } = write.get(passage.id, JSON.stringify(passage), bytes);
        writeWords.run(row, passage.text);
      }
    });
    const { version } = database.prepare('select sqlite_version() as version').get();
    return {
      version: `${versionOf(work, 'better-sqlite3')} with SQLite ${version}`,
      note:
        'WAL with synchronous=FULL, each commit synced; records as JSON, vectors as blobs, ' +
        'contentless FTS5 of the text; no search by vectors, finds no times; called on the ' +
        'JS thread',
      add,
      upsert: add,
      async addApart(items, size) {
        for (const part of partsOf(items, size)) add(part);
      },
      delete: database.transaction((ids: readonly string[]) => {
        for (const id of ids) {
          const removed = remove.get(id);
          if (removed) removeWords.run(removed.row);
        }
      }),
      get(id) {
        const found = record.get(id);
        return found && JSON.parse(found.record);
      },
      has: (id) => exists.get(id) !== undefined,
      async compact() {
        database.exec("insert into words (words) values ('optimize'); vacuum");
        database.pragma('wal_checkpoint(TRUNCATE)');
      },
      parts: async () => undefined,
      close: () => database.close(),
    };
  };
}

async function loadLance(work: string): Promise<OpenStore> {
  const load = peerPackages(work);
  const library = load('@lancedb/lancedb');
  const arrow = createRequire(load.resolve('@lancedb/lancedb'))('apache-arrow');
  const columns = ['id', 'title', 'text', 'publishedAt', 'validFrom', 'validTo'] as const;
  // an Arrow table, because conversion of plain objects takes several times as long
  const tableOf = (items: readonly Item[]): unknown => {
    const numbers = new Float32Array(items.length * dimensions);
    items.forEach(({ vector }, at) => numbers.set(vector, at * dimensions));
    const field = new arrow.Field('item', new arrow.Float32(), true);
    const vectors = arrow.makeData({
      type: new arrow.FixedSizeList(dimensions, field),
      length: items.length,
      nullCount: 0,
      child: arrow.vectorFromArray(numbers).data[0],
    });
    const strings = columns.map((column) => [
      column,
      arrow.vectorFromArray(
        items.map(({ passage }) => passage[column]),
        new arrow.Utf8(),
      ),
    ]);
    return new arrow.Table({ ...Object.fromEntries(strings), vector: arrow.makeVector(vectors) });
  };
  return async (folder) => {
    mkdirSync(folder, { recursive: true });
    const database = await library.connect(folder);
    const schema = (tableOf([]) as { schema: unknown }).schema;
    const table = ((await database.tableNames()) as string[]).includes('passages')
      ? await database.openTable('passages')
      : await database.createEmptyTable('passages', schema);
    const quoted = (id: string): string => `id = '${id}'`;
    const add = async (items: readonly Item[]): Promise<void> => table.add(tableOf(items));
    return {
      version: versionOf(work, '@lancedb/lancedb'),
      note:
        'no commit is synced, so that a power cut may lose it (see the syncs below); add() ' +
        'looks for no existing ids; a B-tree index of ids made once the first data are there; no ' +
        'index of words, finds no times; old versions are removed by compaction',
      add,
      upsert: (items) =>
        table
          .mergeInsert('id')
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .execute(tableOf(items)),
      async addApart(items, size) {
        for (const part of partsOf(items, size)) await add(part);
      },
      index: () => table.createIndex('id', { config: library.Index.btree() }),
      delete: (ids) => table.delete(ids.map(quoted).join(' or ')),
      async get(id) {
        // without select() and limit(), which make it slower
        const [found] = await table.query().where(quoted(id)).toArray();
        return found?.toJSON();
      },
      has: async (id) => (await table.countRows(quoted(id))) > 0,
      compact: () => table.optimize({ cleanupOlderThan: new Date() }),
      parts: async () => (await table.stats()).fragmentStats.numFragments,
      close() {
        table.close();
        database.close();
      },
    };
  };
}

/** In the order of tables, by the names that bench/search/install.ts has. */
export const contenders: Record<string, LoadStore> = {
  'asof': loadAsof,
  'better-sqlite3': loadSqlite,
  'LanceDB': loadLance,
};
