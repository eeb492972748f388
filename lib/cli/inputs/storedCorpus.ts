// Opening of a corpus by the text that names it: the path of a folder, or URLs of PostgreSQL or
// OpenSearch.
import { Corpus } from '../../store/corpus.js';
import type { CorpusOptions } from '../../store/corpusOptions.js';
import type { StoredCorpus } from '../../store/storedCorpus.js';
import {
  option,
  UsageError,
  type Arguments,
  type OptionSpec,
  type Invocation,
} from '../command.js';
import { loadPackage } from '../packages.js';
import { isPostgres, isServer, serverUrls, shownCorpus } from '../credentials.js';
import { openEncoder } from './encoders.js';

export const postgresHelp =
  'postgres://USER@HOST:PORT/DATABASE, several servers between commas; the password is that of ' +
  'PGPASSWORD or ~/.pgpass, since others can read a command line';

export const openSearchHelp =
  'opensearch://USER@HOST:PORT/INDEX, several nodes between commas, ?tls=false without TLS; the ' +
  'password is that of OPENSEARCH_PASSWORD';

export const schemaOption: OptionSpec = {
  value: 'NAME',
  help:
    `of a corpus in PostgreSQL, default asof; its DIR is ${postgresHelp}. A corpus in OpenSearch ` +
    `is ${openSearchHelp}`,
};

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

/** A folder, or servers, of PostgreSQL with their schema. */
export async function openStored(
  corpus: string,
  access: CorpusAccess,
  schema: string | undefined,
): Promise<StoredCorpus> {
  if (schema !== undefined && !isPostgres(corpus)) {
    const received = isServer(corpus) ? 'one in OpenSearch' : 'a folder';
    throw new UsageError(`--schema is of a corpus in PostgreSQL, received ${received}: omit it.`);
  }
  if (!isServer(corpus)) return Corpus.open(corpus, access);
  if (!isPostgres(corpus)) {
    const { OpenSearchCorpus } = await loadPackage<typeof import('@asof/opensearch')>(
      '@asof/opensearch',
      'for a corpus in OpenSearch',
    );
    const nodes = serverUrls(corpus);
    return OpenSearchCorpus.connect({ nodes, ...serverAccess(access, 'OpenSearch') });
  }
  const { PostgresCorpus } = await loadPackage<typeof import('@asof/postgres')>(
    '@asof/postgres',
    'for a corpus in PostgreSQL',
  );
  return PostgresCorpus.connect({
    shards: serverUrls(corpus),
    schema,
    ...serverAccess(access, 'PostgreSQL'),
  });
}

/** @throws UsageError for what a corpus on servers does not have */
function serverAccess(
  { storage, device, history, ...access }: CorpusAccess,
  system: string,
): Omit<CorpusAccess, 'storage' | 'device' | 'history'> {
  const refused = {
    '--storage': storage !== undefined,
    '--device cuda': device === 'cuda',
    'a history': history !== undefined,
  };
  for (const [name, isGiven] of Object.entries(refused))
    if (isGiven) throw new UsageError(`A corpus in ${system} has no ${name.replace(/^a /, '')}.`);
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
  if (!isServer(corpus)) return;
  throw new UsageError(
    `This command needs the folder of a corpus, received ${shownCorpus(corpus)}. ` +
      'Copy it into one: asof copy FROM TO.',
  );
}

type Access = Omit<CorpusAccess, 'encoder'> &
  (
    | {
        /** True for writing; false for questions, whose derived columns may be saved. */
        create: boolean;
      }
    | { readOnly: true }
  );

/** Opens the corpus in a folder or on servers. */
export async function openCorpus(
  corpus: string,
  invocation: Invocation,
  access: Access,
): Promise<StoredCorpus> {
  const encoder = await openEncoder(invocation);
  return openNamed(corpus, invocation, { ...access, encoder });
}

/** Opens the corpus in a folder, for what reads its files. */
export async function openFolder(
  folder: string,
  invocation: Invocation,
  access: Access,
): Promise<Corpus> {
  checkFolder(folder);
  const encoder = await openEncoder(invocation);
  return Corpus.open(folder, { ...access, encoder });
}
