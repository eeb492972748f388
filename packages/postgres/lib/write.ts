// Writes of one shard: upserts and deletions, each one transaction, and the compaction of postings.
import { isDeepStrictEqual } from 'node:util';
import { mustBeWhole, type PassageWriter, type PreparedPassage, throwIfAborted } from 'asof/kit';
import type { Session, Shard } from './connection.js';
import { copyBuffers, type Field } from './copyBinary.js';
import { filterSql } from './filter.js';
import { allPassageColumns, passageFields, rowColumns, rowFields } from './layout.js';
import { readPassages, recordOf, storedVectors } from './read.js';
import type { IndexedPassage, PassageFilter, StoredPassages } from './remoteTypes.js';
import { type CorpusSettings, parts } from './schema.js';
import { hasSeries, withSeries } from './series.js';
import { Parameters } from './sql.js';

/** Rows of one block of postings have numbers from its base to below base + this. */
const blockRows = 32_768;
/** Passages of one deletion. */
const deletedTogether = 2048;
/** Greatest count that a posting holds; what a BM25 gains above it is below 2 %. */
const mostCount = 65_535;

/**
 * Adds passages in one transaction. They are encoded before it, unless the stored passages changed
 * meanwhile.
 * @throws AsOfError as PassageWriter.added and Shard.write
 */
export async function addPassages(
  shard: Shard,
  passages: readonly PreparedPassage[],
  writer: PassageWriter,
  signal: AbortSignal | undefined,
) {
  throwIfAborted(signal);
  const stored = await shard.read(signal, (session) => storedVersions(session, passages, ''));
  const before = await writer.compared(passages, stored, signal);
  await writer.index(before.fresh, signal);
  if (before.fresh.length === 0) return before.counts;
  return shard.write(signal, async (session) => {
    const { counts, fresh, gone } = await writer.added(passages, locked(session), signal);
    await replace(session, gone, await writer.index(fresh, signal), writer, signal);
    return counts;
  });
}

/**
 * Writes the passages of the ids that there are, or that pass a filter, as `changed` makes them, in
 * one transaction.
 * @throws AsOfError as PassageWriter.added and Shard.write, and what `changed` throws
 */
export function updatePassages(
  shard: Shard,
  which: readonly string[] | PassageFilter,
  changed: (stored: readonly PreparedPassage[]) => PreparedPassage[],
  writer: PassageWriter,
  signal: AbortSignal | undefined,
) {
  return shard.write(signal, async (session) => {
    const { condition, values } = conditionOf(which, writer.settings);
    const query = `select id from passages where ${condition} order by id`;
    const chosen = idsOf(await session.query<{ id: string }>(query, values));
    // In the order in which other writes take their locks.
    if (await hasSeries(session, chosen)) await withSeries(session, chosen, []);
    const ids = idsOf(await lockedRows<{ id: string }>(session, query, values));
    const batch = changed(await readPassages(session, ids));
    const { counts, fresh, gone } = await writer.added(batch, locked(session), signal);
    await replace(session, gone, await writer.index(fresh, signal), writer, signal);
    return counts;
  });
}

/** The condition of a query for passages of ids, or that pass a filter. */
function conditionOf(
  which: readonly string[] | PassageFilter,
  { fields }: PassageWriter['settings'],
): { condition: string; values: readonly unknown[] } {
  const parameters = new Parameters();
  const condition =
    'kind' in which
      ? filterSql(which, fields, parameters)
      : `id = any(${parameters.add(which, 'text[]')})`;
  return { condition, values: parameters.values };
}

/** Deletes the passages of the ids that there are, or that pass a filter, in one transaction. */
export function deletePassages(
  shard: Shard,
  which: readonly string[] | PassageFilter,
  writer: PassageWriter,
  signal: AbortSignal | undefined,
): Promise<number> {
  return shard.write(signal, async (session) => {
    const { condition, values } = conditionOf(which, writer.settings);
    const query = `select id from passages where ${condition}`;
    const members = await session.query<{ id: string }>(`${query} and fields ? 'series'`, values);
    const { fresh, gone } = await writer.reopened(idsOf(members), locked(session), signal);
    const ids = idsOf(await lockedRows<{ id: string }>(session, `${query} order by id`, values));
    // Their records are in memory while their words are counted.
    for (let from = 0; from < ids.length; from += deletedTogether)
      await remove(session, ids.slice(from, from + deletedTogether), writer, signal);
    await replace(session, gone, await writer.index(fresh, signal), writer, signal);
    return ids.length;
  });
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/**
 * The rows that a query finds, locked. A lock that others held was of rows that they have replaced,
 * and the new ones may be others' already: until the locked rows are the stored ones.
 */
async function lockedRows<Row>(
  session: Session,
  query: string,
  values: readonly unknown[],
): Promise<Row[]> {
  for (;;) {
    const found = await session.query<Row>(`${query} for update`, values);
    if (isDeepStrictEqual(found, await session.query<Row>(query, values))) return found;
  }
}

/** Stored passages, locked as they are read, until the transaction ends. */
const locked = (session: Session): StoredPassages => ({
  versions: (batch) => storedVersions(session, batch, 'for update'),
  hasSeries: (ids) => hasSeries(session, ids),
  withSeries: (ids, names) => withSeries(session, ids, names),
});

type Found = Pick<PreparedPassage, 'hash' | 'vector' | 'sentenceVectors'> & {
  passage: string;
  id: string;
};

/** By id; with the vectors of those whose new version brings some and is else the same. */
async function storedVersions(
  session: Session,
  batch: readonly PreparedPassage[],
  lock: '' | 'for update',
): Promise<Map<string, Found>> {
  const ids = [...new Set(batch.map(({ stored }) => stored.id))];
  const query = 'select passage, id, hash from passages where id = any($1) order by id';
  const found = lock
    ? await lockedRows<Found>(session, query, [ids])
    : await session.query<Found>(query, [ids]);
  const versions = new Map(found.map((each) => [each.id, each]));
  const compared = new Set<string>();
  for (const { stored, hash, vector } of batch) {
    const version = versions.get(stored.id);
    if (vector && version?.hash.equals(hash)) compared.add(version.passage);
  }
  const vectors = await storedVectors(session, [...compared]);
  for (const version of found) Object.assign(version, vectors.get(version.passage));
  return versions;
}

/** Puts passages in the place of those of the ids. */
async function replace(
  session: Session,
  gone: readonly string[],
  fresh: readonly IndexedPassage[],
  writer: PassageWriter,
  signal: AbortSignal | undefined,
): Promise<void> {
  await remove(session, gone, writer, signal);
  await insert(session, fresh, writer.settings);
}

/** Deletes passages: their rows, and from the statistics by deltas. */
async function remove(
  session: Session,
  ids: readonly string[],
  writer: PassageWriter,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (ids.length === 0) return;
  const gone = await session.query<{ passage: string; id: string; record: string }>(
    'delete from passages where id = any($1) returning passage, id, record',
    [ids],
  );
  const rows = await session.query<{ row: string }>(
    `with gone as (delete from rows where passage = any($1) returning row, part, length),
       counted as (insert into totals select part, -count(*), -sum(length) from gone group by part)
     select row from gone`,
    [gone.map(({ passage }) => passage)],
  );
  // Apart, since it sees what was derived until the rows were locked.
  await session.query(
    `with gone as (delete from derived_vectors where row = any($1) returning key)
     insert into derived_totals select key, -count(*) from gone group by key`,
    [rows.map(({ row }) => row)],
  );
  const deltas = Object.values(parts).map(() => new Map<string, Block>());
  for (const { part: name, counts } of await writer.terms(gone.map(recordOf), signal))
    for (const term of counts.keys()) {
      const part = parts[name];
      const delta = deltas[part]!.get(term);
      if (delta) delta.n -= 1;
      else deltas[part]!.set(term, { base: 0, n: -1, part, term, halves: [] });
    }
  await copyPostings(
    session,
    deltas.flatMap((ofPart) => [...ofPart.values()]),
  );
}

/** Inserts passages that are not there. */
async function insert(
  session: Session,
  passages: readonly IndexedPassage[],
  settings: CorpusSettings,
): Promise<void> {
  if (passages.length === 0) return;
  const count = passages.reduce((sum, { rows }) => sum + rows.length, 0);
  const numbers = await rowNumbers(session, count);
  let used = 0;
  const placed = passages.map(({ passage, rows }) => {
    const own = rows.map((row) => ({ row, number: numbers[used++]! }));
    return { passage, rows: own, number: own[0]!.number };
  });
  await session.copyIn(
    'passages',
    allPassageColumns,
    copyBuffers(
      placed.map(({ passage, number }) => [{ int8: number }, ...passageFields(passage, settings)]),
    ),
  );
  const fields = placed.flatMap(({ rows, number: passage }) =>
    rows.map(({ row, number }, nth) => [{ int8: number }, ...rowFields(passage, row, nth)]),
  );
  await session.copyIn('rows', rowColumns, copyBuffers(fields));
  const all = placed.flatMap(({ rows }) => rows);
  await addTotals(
    session,
    all.map(({ row }) => row),
  );
  await copyPostings(session, blocksOf(all));
}

type Row = IndexedPassage['rows'][number];

/** Ascending numbers, with gaps where others write at the same time. */
async function rowNumbers(session: Session, count: number): Promise<number[]> {
  mustBeWhole({ 'rows of one call': count }, 1, 2 ** 31 - 1);
  const [row] = await session.query<{ numbers: string[] }>(
    `select array_agg(n) as numbers
     from (select nextval('row_numbers') as n from generate_series(1, $1::int)) x`,
    [count],
  );
  return row!.numbers.map(Number).sort((a, b) => a - b);
}

async function addTotals(session: Session, rows: readonly Row[]): Promise<void> {
  const totals = new Map<number, [rows: number, tokens: number]>();
  for (const { part: name, length } of rows) {
    const part = parts[name];
    const [count, tokens] = totals.get(part) ?? [0, 0];
    totals.set(part, [count + 1, tokens + length]);
  }
  const values = Array.from(totals, ([part, sums]) => [part, ...sums]);
  await session.query(
    'insert into totals select * from unnest($1::int2[], $2::int8[], $3::int8[])',
    [0, 1, 2].map((column) => values.map((each) => each[column]!)),
  );
}

interface Block {
  base: number;
  n: number;
  part: number;
  term: string;
  /** Of each posting offset << 16 | count, then length: the halves of 64 bits. */
  halves: number[];
}

function blocksOf(rows: readonly { row: Row; number: number }[]): Block[] {
  const blocks: Block[] = [];
  const open = Object.values(parts).map(() => new Map<string, Block>());
  for (const { row, number } of rows) {
    const { length } = row;
    const part = parts[row.part];
    const ofPart = open[part]!;
    for (const [term, count] of row.counts) {
      let block = ofPart.get(term);
      if (!block || number - block.base >= blockRows) {
        block = { base: number, n: 0, part, term, halves: [] };
        ofPart.set(term, block);
        blocks.push(block);
      }
      block.n += 1;
      block.halves.push((number - block.base) * 65_536 + Math.min(count, mostCount), length);
    }
  }
  return blocks;
}

async function copyPostings(session: Session, blocks: Iterable<Block>): Promise<void> {
  await session.copyIn(
    'postings',
    ['base', 'n', 'part', 'term', 'packed'],
    copyBuffers(postingFields(blocks)),
  );
}

function* postingFields(blocks: Iterable<Block>): Generator<Field[]> {
  for (const { base, n, part, term, halves } of blocks)
    yield [{ int8: base }, { int4: n }, { int2: part }, { text: term }, { halves }];
}

/** Compacts postings, and has the tables vacuumed, which scans of indexes alone need. */
export async function compactShard(shard: Shard, signal: AbortSignal | undefined): Promise<void> {
  const named = (table: string): string => `"${shard.schema}".${table}`;
  const tables = ['passages', 'rows', 'postings', 'totals', 'derived_vectors', 'derived_totals'];
  await shard.write(signal, compactPostings);
  await shard.maintain(signal, [`vacuum (analyze) ${tables.map(named).join(', ')}`]);
  await shard.write(signal, movePostings);
  await shard.maintain(signal, [
    `vacuum (analyze) ${named('postings')}`,
    `drop index concurrently if exists ${named('postings_terms_ccnew')}`, // of one that failed
    `reindex index concurrently ${named('postings_terms')}`,
  ]);
}

/** One compaction waits for another at most a minute (ERR_STORAGE after that). */
async function lockPostings(session: Session): Promise<void> {
  await session.query("set local lock_timeout = '60s'");
  await session.query('lock table postings in share update exclusive mode');
}

/**
 * Moves postings, if a compaction put them at the end of the table, to the space of those that it
 * merged, so that a vacuum can cut off the end.
 */
async function movePostings(session: Session): Promise<void> {
  await lockPostings(session);
  const [found] = await session.query<{ page: number; pages: number }>(
    `select coalesce(avg((ctid::text::point)[0]), 0) as page,
       pg_relation_size('postings')::float8 / current_setting('block_size')::int as pages
     from postings`,
  );
  if (found!.page < 0.6 * found!.pages) return;
  await session.query(
    `with moved as (delete from postings returning base, n, part, term, packed)
     insert into postings (base, n, part, term, packed) select * from moved`,
  );
}

/**
 * Merges postings into blocks of 32,768 row numbers in the order of terms, without deleted rows,
 * and the deltas of totals. Neither writers nor questions wait for it: what commits meanwhile
 * stays as it is, since each statement sees one state (read committed). Compactions wait for each
 * other, since one would drop the deltas of rows that another keeps. For Shard.write.
 */
export async function compactPostings(session: Session): Promise<void> {
  await lockPostings(session);
  await session.query(
    `with gone as (delete from totals returning part, rows, tokens)
     insert into totals select part, sum(rows), sum(tokens) from gone group by part`,
  );
  await session.query(
    `with gone as (delete from derived_totals returning key, rows)
     insert into derived_totals select key, sum(rows) from gone group by key`,
  );
  await session.query(
    `with gone as (delete from postings returning base, part, term, packed),
       live as (select * from (
           select part, term, base + (p >> 48) as row, p & ${2 ** 48 - 1} as rest
           from (select part, term, base, unnest(packed) as p from gone) u) x
         where exists (select from rows r where r.row = x.row))
     insert into postings (base, n, part, term, packed)
     select row / ${blockRows} * ${blockRows}, count(*), part, term,
       array_agg((row % ${blockRows}) << 48 | rest order by row)
     from live group by term, part, row / ${blockRows} order by term, part`,
  );
}
