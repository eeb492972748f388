// Series in a shard: the rules of a local corpus (lib/store/passages/series.ts) over the passages
// that a write touches, which are fetched under locks of the names of their series.
import { createHash } from 'node:crypto';
import {
  type PassageSchema,
  newManifest,
  type Manifest,
  OpenSegments,
  type PreparedPassage,
  SeriesStates,
  type Snapshot,
  type PassagePlace,
  pipelineNames,
  compareBatch,
  type AddCounts,
} from 'asof/kit';
import type { Session } from './connection.js';
import { FetchedSnapshot, type RemoteSource } from './fetchedSnapshot.js';
import type { RowMakers } from './layout.js';
import { readPassages } from './read.js';

/** Locks of a shard, each of the names with its hash: a write has few of them. */
const locks = 64;

/** Passages to write, and numbers of those that they replace. */
export interface SeriesChanges {
  counts: AddCounts;
  fresh: PreparedPassage[];
  gone: string[];
}

/** What a batch changes; undefined where neither it nor what it replaces is of a series. */
export async function addedToSeries(
  session: Session,
  batch: readonly PreparedPassage[],
  makers: RowMakers,
  signal: AbortSignal | undefined,
): Promise<SeriesChanges | undefined> {
  const all = batch.map(({ stored }) => stored);
  const superseded = all.flatMap(({ supersedes }) => supersedes ?? []);
  const named = all.flatMap(({ series }) => series ?? []);
  const ids = [...new Set([...all.map(({ id }) => id), ...superseded])];
  const isNamed = superseded.length > 0 || named.length > 0;
  if (!isNamed && !(await hasSeries(session, ids))) return undefined;
  const found = await touched(session, ids, [...ids, ...named]);
  using snapshot = await snapshotOf(session, found, makers.schema, signal);
  const { counts, fresh, gone } = await compareBatch(batch, snapshot, signal);
  return { counts, fresh, gone: numbersOf(snapshot, gone, found) };
}

/** The passages whose deletion opens others, which are written anew, by their ids. */
export async function deletedFromSeries(
  session: Session,
  ids: readonly string[],
  makers: RowMakers,
  signal: AbortSignal | undefined,
): Promise<Omit<SeriesChanges, 'counts'>> {
  if (!(await hasSeries(session, ids))) return { fresh: [], gone: [] };
  const found = await touched(session, ids, []);
  using snapshot = await snapshotOf(session, found, makers.schema, signal);
  const places = snapshot.findEach(ids).filter((place) => place !== undefined);
  const changes = await (await SeriesStates.ofDeleted(places, snapshot, signal)).changes();
  return {
    fresh: changes.map(({ passage }) => passage),
    gone: numbersOf(
      snapshot,
      changes.flatMap(({ place }) => place ?? []),
      found,
    ),
  };
}

interface Touched {
  passage: string;
  id: string;
  series: string | null;
}

/** Whether passages of the ids, or of series that have the names of ids, are of series. */
async function hasSeries(session: Session, ids: readonly string[]): Promise<boolean> {
  const found = await session.query(
    `select from passages where (id = any($1) or fields @> any($2::jsonb[])) and fields ? 'series'
     limit 1`,
    [ids, membersOf(ids)],
  );
  return found.length > 0;
}

/** Locks the passages of the ids, and all members of their series and of those of the names. */
async function touched(
  session: Session,
  ids: readonly string[],
  names: readonly string[],
): Promise<Touched[]> {
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
    if (still.length === found.length) return found;
  }
}

const membersOf = (names: readonly string[]): string[] =>
  names.map((name) => JSON.stringify({ series: [name] }));

const lockOf = (name: string): number => createHash('sha256').update(name).digest()[0]! % locks;

/** Of these passages alone. */
async function snapshotOf(
  session: Session,
  found: readonly Touched[],
  schema: PassageSchema,
  signal: AbortSignal | undefined,
): Promise<Snapshot> {
  const manifest = {
    ...newManifest({ id: '', dimensions: 1 }, pipelineNames),
    ...schema,
  } as Manifest;
  const ids = found.map(({ id }) => id);
  const source = { read: () => readPassages(session, ids) } as Pick<RemoteSource, 'read'>;
  const snapshot = FetchedSnapshot.of(
    {
      source: source as RemoteSource,
      manifest,
      files: new OpenSegments('', 'cpu'),
    },
    () => {},
  );
  await snapshot.remote.fetchIds(ids, signal);
  return snapshot;
}

function numbersOf(
  snapshot: Snapshot,
  places: readonly PassagePlace[],
  found: readonly Touched[],
): string[] {
  const numbers = new Map(found.map(({ id, passage }) => [id, passage]));
  return places.map(({ segment, passage }) => numbers.get(snapshot.id(segment, passage))!);
}
