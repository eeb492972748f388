// Pages of passages in an order, merged over shards, and all passages in batches. Ids are in the
// order of their code points, which the collation C and UTF-8 have; a local corpus orders them by
// UTF-16 units, which differs where U+E000 to U+FFFF meet characters beyond them.
import type { PreparedPassage } from 'asof/kit';
import type { Session, Shard } from './connection.js';
import { filterSql, numberSql } from './filter.js';
import type { PlanContext } from './querySql.js';
import { byBytes, readPassages, recordOf, type PassageColumns } from './read.js';
import type { PageRequest } from './remoteTypes.js';
import { float8, Parameters } from './sql.js';

/** Passages that are read together, with their vectors. */
const batchPassages = 500;

type Listed = Pick<PassageColumns, 'id' | 'record'> & { value: number | null };

/** The first passages of the view behind the cursor. */
export async function listPassages(context: PlanContext, page: PageRequest) {
  const shards = await context.onShards((session) => firstOf(session, page, context));
  const found = shards.flat().sort(byOrder).slice(0, page.limit);
  return found.map((each) => ({ value: each.value, passage: recordOf(each) }));
}

/** Those of a shard. */
function firstOf(
  session: Session,
  { order: { field, descending }, cursor, limit }: PageRequest,
  context: PlanContext,
): Promise<Listed[]> {
  const parameters = new Parameters();
  const where = passing(context, parameters);
  const number = field === undefined ? float8(0) : numberSql(field, context.fields, parameters);
  const behind = cursor ? behindSql(cursor, parameters) : 'true';
  return session.query<Listed>(
    `select id, record, value
     from (select id, record, ${descending ? `0 - ${number}` : number} as value
           from passages where ${where}) x
     where ${behind} order by ${field === undefined ? '' : 'value nulls last, '}id
     limit ${limit}`,
    parameters.values,
  );
}

function behindSql(
  { value, id }: NonNullable<PageRequest['cursor']>,
  parameters: Parameters,
): string {
  // No id has U+0000, which PostgreSQL refuses: behind such a one is what is behind its beginning.
  const isBehind = `id > ${parameters.add(id.split('\0', 1)[0], 'text')}`;
  if (value === null) return `value is null and ${isBehind}`;
  const from = float8(value);
  return `(value > ${from} or value is null or (value = ${from} and ${isBehind}))`;
}

type Passing = Pick<PlanContext, 'view' | 'fields'>;

const passing = ({ view, fields }: Passing, parameters: Parameters): string =>
  view.filter ? filterSql(view.filter, fields, parameters) : 'true';

/** Without a value last; of two without one the difference is NaN, and ids decide. */
const byOrder = (a: Listed, b: Listed): number =>
  (a.value ?? Infinity) - (b.value ?? Infinity) || byBytes(a.id, b.id);

/** All passages of a shard with their vectors, in the order of ids, a transaction each batch. */
export async function* allPassages(
  shard: Shard,
  context: Passing,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreparedPassage> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: PreparedPassage[] = await shard.read(signal, async (session) => {
      const parameters = new Parameters();
      const behind = `id > ${parameters.add(after, 'text')}`;
      const found = await session.query<{ id: string }>(
        `select id from passages where ${behind} and ${passing(context, parameters)}
         order by id limit ${batchPassages}`,
        parameters.values,
      );
      return readPassages(
        session,
        found.map(({ id }) => id),
      );
    });
    yield* batch;
    after = batch.at(-1)?.stored.id;
  }
}
