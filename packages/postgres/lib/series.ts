// Series in a shard: the passages that a write touches, fetched under locks of the names of their
// series.
import { createHash } from 'node:crypto';
import type { PreparedPassage } from 'asof/kit';
import type { Session } from './connection.js';
import { readPassages } from './read.js';

/** Locks of a shard, each of the names with its hash: a write has few of them. */
const locks = 64;

interface Touched {
  passage: string;
  id: string;
  series: string | null;
}

/** Whether passages of the ids, or of series that have the names of ids, are of series. */
export async function hasSeries(session: Session, ids: readonly string[]): Promise<boolean> {
  const found = await session.query(
    `select from passages where (id = any($1) or fields @> any($2::jsonb[])) and fields ? 'series'
     limit 1`,
    [ids, membersOf(ids)],
  );
  return found.length > 0;
}

/** Locks the passages of the ids, and all members of their series and of those of the names. */
export async function withSeries(
  session: Session,
  ids: readonly string[],
  names: readonly string[],
): Promise<PreparedPassage[]> {
  const all = new Set(names);
  const locked = new Set<number>();
  for (;;) {
    const found = await session.query<Touched>(
      `select passage, id, fields -> 'series' ->> 0 as series from passages
       where id = any($1) or fields @> any($2::jsonb[])`,
      [ids, membersOf([...all])],
    );
    const before = all.size;
    for (const { series } of found) if (series !== null) all.add(series);
    const missing = [...new Set(Array.from(all, lockOf))].filter((lock) => !locked.has(lock));
    for (const lock of missing.sort((a, b) => a - b)) {
      await session.query(
        "select pg_advisory_xact_lock(hashtext('asof series ' || current_schema), $1)",
        [lock],
      );
      locked.add(lock);
    }
    if (missing.length > 0 || all.size > before) continue;
    const still = await session.query(
      'select from passages where passage = any($1) order by passage for update',
      [found.map(({ passage }) => passage)],
    );
    // Others may have replaced some while this waited for them.
    if (still.length < found.length) continue;
    return readPassages(
      session,
      found.map(({ id }) => id),
    );
  }
}

const membersOf = (names: readonly string[]): string[] =>
  names.map((name) => JSON.stringify({ series: [name] }));

const lockOf = (name: string): number => createHash('sha256').update(name).digest()[0]! % locks;
