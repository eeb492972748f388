// Opening of a corpus by the text that names it: the path of a folder, or URLs of PostgreSQL.
import { Corpus } from '../../store/corpus.js';
import type { CorpusOptions } from '../../store/corpusOptions.js';
import type { StoredCorpus } from '../../store/storedCorpus.js';
import { option, UsageError, type Arguments } from '../command.js';
import { loadPackage } from '../packages.js';
import { isPostgres, serverUrls, shownCorpus } from '../credentials.js';

/** What a command opens a corpus with; `signal` ends the opening. */
export type CorpusAccess = Pick<
  CorpusOptions,
  | 'encoder'
  | 'create'
  | 'readOnly'
  | 'storage'
  | 'device'
  | 'timeZone'
  | 'sentences'
  | 'fields'
  | 'history'
  | 'concurrency'
  | 'signal'
>;

/** A folder, or servers and their schema. */
export async function openStored(
  corpus: string,
  access: CorpusAccess,
  schema: string | undefined,
): Promise<StoredCorpus> {
  if (!isPostgres(corpus)) {
    if (schema === undefined) return Corpus.open(corpus, access);
    throw new UsageError('--schema is of a corpus in PostgreSQL, received a folder: omit it.');
  }
  const { PostgresCorpus } = await loadPackage<typeof import('@asof/postgres')>(
    '@asof/postgres',
    'for a corpus in PostgreSQL',
  );
  return PostgresCorpus.connect({ shards: serverUrls(corpus), schema, ...serverAccess(access) });
}

/** @throws UsageError for what a corpus in PostgreSQL does not have */
function serverAccess({
  storage,
  device,
  history,
  ...access
}: CorpusAccess): Omit<import('@asof/postgres').PostgresOptions, 'shards'> {
  const refused = {
    '--storage': storage !== undefined,
    '--device cuda': device === 'cuda',
    'a history': history !== undefined,
  };
  for (const [name, isGiven] of Object.entries(refused))
    if (isGiven) throw new UsageError(`A corpus in PostgreSQL has no ${name.replace(/^a /, '')}.`);
  return access;
}

/** As `openStored`, with the schema of --schema. */
export const openNamed = (
  corpus: string,
  invocation: Arguments,
  access: CorpusAccess,
): Promise<StoredCorpus> => openStored(corpus, access, option(invocation, 'schema'));

/** @throws UsageError for URLs of servers */
export function checkFolder(corpus: string): void {
  if (!isPostgres(corpus)) return;
  throw new UsageError(
    `This command needs the folder of a corpus, received ${shownCorpus(corpus)}. ` +
      'Copy it into one: asof copy FROM TO.',
  );
}
