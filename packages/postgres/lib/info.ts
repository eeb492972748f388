// Counts, sizes and time spans of a shard. Counts are sums of the totals that every write keeps,
// spans those of the rows that are there.
import type { StoredCorpusInfo } from 'asof';
import type { Session } from './connection.js';

/** That of a corpus in PostgreSQL; `deleted` are those since the last compact(). */
export interface PostgresInfo extends StoredCorpusInfo {
  /** PostgreSQL schema of its tables. */
  schema: string;
  /** Servers, by host, port and database, in their order. */
  shards: { name: string; passages: number; bytes: number }[];
  /**
   * Bytes of tables with their indexes: `catalog` ids and records, `rows` vectors and times,
   * `lexical` postings, `derived` vectors that can be recomputed.
   */
  bytes: Record<'total' | 'catalog' | 'rows' | 'lexical' | 'derived', number>;
}

type ShardInfo = Pick<
  PostgresInfo,
  'passages' | 'rows' | 'sentences' | 'deleted' | 'bytes' | 'spans'
>;

/** Earliest start and latest end of a clock, in columns of those names. */
const spanSql = (clock: string, start: string, end: string): string =>
  `min(${start}) as ${clock}_start, max(${end}) as ${clock}_end`;
const leastOf = (first: string, more: string): string =>
  `least(${first}, (select min(x) from unnest(${more}) x))`;
const greatestOf = (first: string, more: string): string =>
  `greatest(${first}, (select max(x) from unnest(${more}) x))`;

export async function shardInfo(session: Session): Promise<ShardInfo> {
  const [counts] = await session.query<Omit<ShardInfo, 'bytes' | 'spans'>>(
    `select coalesce(sum(rows) filter (where part in (0, 1)), 0)::float8 as passages,
       coalesce(sum(rows), 0)::float8 as rows,
       coalesce(sum(rows) filter (where part in (1, 2)), 0)::float8 as sentences,
       coalesce(-sum(rows) filter (where part in (0, 1) and rows < 0), 0)::float8 as deleted
     from totals`,
  );
  const bytes = await session.query<{ name: string; bytes: number }>(
    `select name, pg_total_relation_size(to_regclass(name))::float8 as bytes
     from unnest($1::text[]) name`,
    [['passages', 'rows', 'postings', 'totals', 'derived_vectors', 'derived_totals']],
  );
  const [spans] = await session.query<Record<string, number | null>>(
    `select ${spanSql('published', 'published', 'published')},
       ${spanSql('valid', 'valid_start', 'valid_end')},
       ${spanSql('content', leastOf('first_start', 'more_start'), greatestOf('first_end', 'more_end'))}
     from rows`,
  );
  const size = new Map(bytes.map((each) => [each.name, each.bytes]));
  return {
    ...counts!,
    bytes: {
      total: bytes.reduce((total, each) => total + each.bytes, 0),
      catalog: size.get('passages')!,
      rows: size.get('rows')!,
      lexical: size.get('postings')! + size.get('totals')!,
      derived: size.get('derived_vectors')! + size.get('derived_totals')!,
    },
    spans: Object.fromEntries(
      ['published', 'valid', 'content'].flatMap((clock) => {
        const [start, end] = [spans![`${clock}_start`]!, spans![`${clock}_end`]!];
        return start === null ? [] : [[clock, [finite(start), finite(end)]]];
      }),
    ),
  };
}

/** An open end is an infinity in the table. */
const finite = (instant: number | null): number | null =>
  Number.isFinite(instant) ? instant : null;
