// Derived columns of vectors in PostgreSQL, such as those fused with time: computed from passages
// that are fetched in batches, once for each row.
import type { PreparedPassage } from 'asof/kit';
import type { Session, Shard } from './connection.js';
import { copyBuffers, type Field } from './copyBinary.js';
import { readPassages } from './read.js';
import type { RemoteSource } from './remoteTypes.js';

/** Passages of a transaction. */
const batchPassages = 512;

/** Computes the column of the rows that lack it. @returns rows computed */
export async function completeColumn(
  shard: Shard,
  ...[key, vectorsOf, signal]: Parameters<RemoteSource['derive']>
): Promise<number> {
  for (let computed = 0; ; ) {
    const passages = await shard.read(signal, (session) => lackingPassages(session, key));
    if (!passages) return computed;
    const vectors = await vectorsOf(passages);
    computed += await shard.write(signal, (session) => insert(session, key, vectors));
  }
}

/** Some passages without the column; undefined where every row has it. */
async function lackingPassages(
  session: Session,
  key: string,
): Promise<PreparedPassage[] | undefined> {
  const [row] = await session.query<{ lacking: number }>(
    `select (coalesce((select sum(rows) from totals), 0) -
       coalesce((select sum(rows) from derived_totals where key = $1), 0))::float8 as lacking`,
    [key],
  );
  if (row!.lacking === 0) return undefined;
  const found = await session.query<{ id: string }>(
    `select id from passages p where not exists
       (select from derived_vectors d where d.key = $1 and d.row = p.passage)
     limit ${batchPassages}`,
    [key],
  );
  return readPassages(
    session,
    found.map(({ id }) => id),
  );
}

/** Inserts vectors of rows that are still there, and that nobody else inserted meanwhile. */
async function insert(
  session: Session,
  key: string,
  vectors: ReadonlyMap<string, readonly Float32Array[]>,
): Promise<number> {
  const rows = await session.query<{ row: string; id: string; sentence: number }>(
    `select row, id, sentence from rows join passages using (passage)
     where id = any($1) for key share of rows`,
    [[...vectors.keys()]],
  );
  await session.query('create temporary table derived_batch (row int8, v vector) on commit drop');
  await session.copyIn(
    'derived_batch',
    ['row', 'v'],
    copyBuffers(
      rows.flatMap(({ row, id, sentence }): Field[][] => {
        // Of a passage that was replaced meanwhile the next batch takes care.
        const vector = vectors.get(id)![sentence];
        return vector ? [[{ int8: Number(row) }, { vector }]] : [];
      }),
    ),
  );
  const [inserted] = await session.query<{ n: number }>(
    `with fresh as (
       insert into derived_vectors (key, row, v) select $1, row, v from derived_batch
       on conflict do nothing returning row)
     insert into derived_totals select $1, count(*) from fresh returning rows::float8 as n`,
    [key],
  );
  return inserted!.n;
}
