// The tables of a corpus in one PostgreSQL schema of each shard, their creation and their versions.
// Why they hold what they hold: docs/decisions/postgres.md.
import { AsOfError } from 'asof';
import { invalidArgument, type RemoteStorage } from 'asof/kit';
import type { Session, Shard } from './connection.js';

/** Version of the tables. */
const formatVersion = 1;

/** What a corpus says of its passages: the same on every shard. */
export type CorpusSettings = RemoteStorage['settings'] & {
  /** The field whose keyword says on which shard a passage is. */
  shardBy?: string | undefined;
};

/** Of pgvector's type `vector`. */
const mostDimensions = 16_000;
/** Dimensions up to which a vector and the rest of its row fit a page of 8 KiB. */
const inlineDimensions = 1900;

/** Parts of rows, as `rows.part`: passages are rows of 0 and 1, sentences of 1 and 2. */
export const parts = { whole: 0, single: 1, sentence: 2 } as const;

/**
 * Deltas are added by every write: sum(n) by term and part of postings, and the sums of totals, are
 * exact at any time. A deleted row stays in packed postings until compactPostings; `rows` says
 * whether there is one.
 */
const ddl = (dimensions: number): string => `
create sequence row_numbers cache 1;
create table passages (
  passage int8 primary key, -- the row of the whole
  id text collate "C" not null unique,
  hash bytea not null, record text not null,
  fields jsonb not null, -- { name: [keywords] or number }
  published float8, valid_from float8, valid_to float8);
create index passages_fields on passages using gin (fields jsonb_path_ops);
create table rows (
  row int8 not null, passage int8 not null, length int4 not null, part int2 not null,
  v vector(${dimensions}) not null,
  sentence int4 not null, -- from 1, 0 for a whole
  published float8, valid_start float8, valid_end float8,
  first_start float8, first_end float8, more_start float8[], more_end float8[],
  first_granularity int2, more_granularity int2[]);
alter table rows alter v set storage ${dimensions <= inlineDimensions ? 'plain' : 'external'};
-- Of rows that were added in the order of time, those of other times are not read.
create index rows_times on rows using brin (published, valid_start, valid_end);
create unique index rows_masks on rows (row) include (published, valid_start, valid_end);
create index rows_passage on rows (passage);
create table postings (
  base int8 not null, n int4 not null, part int2 not null, term text collate "C" not null,
  packed int8[] not null); -- (row - base) << 48 | count << 32 | length; of a deletion none
alter table postings alter packed set storage external;
create index postings_terms on postings (term, part) include (n, base);
create table derived_vectors (
  key text collate "C" not null, row int8 not null, v vector(${dimensions}) not null,
  primary key (key, row)); -- of rows that were deleted none
create index derived_vectors_row on derived_vectors (row);
create table derived_totals (key text collate "C" not null, rows int8 not null);
create table totals (part int2 not null, rows int8 not null, tokens int8 not null);`;

/** Statements from each version to the next one: [0] is from 1 to 2. */
const migrations: readonly string[] = [];

interface SettingsRow {
  version: number;
  settings: CorpusSettings;
  shard: number;
  shards: number;
}

/**
 * The settings of a corpus on one of `shards` shards. Where there is none it is created with
 * `created`; processes that do so at once wait for each other, and all get the same settings.
 * Whether the settings are those that a caller wants is the caller's to check.
 * @throws AsOfError ERR_NOT_FOUND without `created`, ERR_CORPUS_NEWER, ERR_CORPUS_FOREIGN for a
 * schema of other tables, ERR_INVALID_ARGUMENT for another number of shards or order of them
 */
export async function openSchema(
  shard: Shard,
  { created, shards }: { created?: CorpusSettings | undefined; shards: number },
  signal: AbortSignal | undefined,
): Promise<CorpusSettings> {
  const dimensions = created?.encoder.dimensions ?? 1;
  if (dimensions > mostDimensions)
    throw invalidArgument(
      'encoder.dimensions',
      `at most ${mostDimensions} for pgvector`,
      dimensions,
    );
  const known = await shard.read(signal, (session) => settingsOf(session, shard));
  const isCurrent = known?.version === formatVersion;
  const row = isCurrent
    ? known
    : await shard.write(signal, (session) => prepared(session, shard, { created, shards }));
  if (row.shard === shard.index && row.shards === shards) return row.settings;
  throw new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected ${shard.name} to be number ${shard.index} of ${shards} shards, found number ` +
      `${row.shard} of ${row.shards}. Give all shards in the order in which the corpus was created.`,
    { details: { argument: 'shards', shard: shard.name } },
  );
}

async function settingsOf(session: Session, shard: Shard): Promise<SettingsRow | undefined> {
  const [found] = await session.query<{ settings: boolean; others: boolean }>(
    `select coalesce(bool_or(relname = 'settings'), false) as settings, count(*) > 0 as others
     from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relkind in ('r', 'p', 'v', 'm')`,
    [shard.schema],
  );
  if (!found!.others) return undefined;
  const [row] = found!.settings
    ? await session.query<SettingsRow & { product: string }>(
        `select * from "${shard.schema}".settings limit 1`,
      )
    : [];
  if (row?.product !== 'asof corpus')
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected the schema ${shard.schema} of ${shard.name} to be empty or a corpus, found other ` +
        'tables. Name another schema.',
      { details: { shard: shard.name } },
    );
  if (row.version > formatVersion)
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected a corpus of version ${formatVersion} or older in the schema ${shard.schema} of ` +
        `${shard.name}, found version ${row.version}. Upgrade asof to read it.`,
      { details: { shard: shard.name } },
    );
  return row;
}

/** Creates or migrates the tables, unless another process did while this one waited. */
async function prepared(
  session: Session,
  shard: Shard,
  { created, shards }: { created?: CorpusSettings | undefined; shards: number },
): Promise<SettingsRow> {
  const { schema } = shard;
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`asof ${schema}`]);
  const known = await settingsOf(session, shard);
  if (known) {
    for (const migration of migrations.slice(known.version - 1)) await session.query(migration);
    await session.query(`update "${schema}".settings set version = $1`, [formatVersion]);
    return { ...known, version: formatVersion };
  }
  if (!created)
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a corpus in the schema ${schema} of ${shard.name}, found none. ` +
        'Check the URL and the schema, or create the corpus first.',
      { details: { shard: shard.name } },
    );
  await createExtension(session, shard);
  await session.query(`create schema if not exists "${schema}"`);
  await session.query(ddl(created.encoder.dimensions));
  await session.query(
    'create table settings (product text, version int4, settings json, shard int4, shards int4)',
  );
  const row = { version: formatVersion, settings: created, shard: shard.index, shards };
  await session.query('insert into settings values ($1, $2, $3, $4, $5)', [
    'asof corpus',
    formatVersion,
    JSON.stringify(created),
    shard.index,
    shards,
  ]);
  return row;
}

async function createExtension(session: Session, shard: Shard): Promise<void> {
  const installed = await session.query("select from pg_extension where extname = 'vector'");
  if (installed.length > 0) return;
  const available = await session.query(
    "select from pg_available_extensions where name = 'vector'",
  );
  if (available.length === 0)
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected ${shard.name} to have pgvector, found none. Install it on the server ` +
        '(Debian: postgresql-18-pgvector), or use a service that has it.',
      { details: { shard: shard.name } },
    );
  await session.query('create extension vector with schema public');
}
