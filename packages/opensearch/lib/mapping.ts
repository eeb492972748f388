// The index of a corpus: its settings and mapping, their creation and their version. Why it holds
// what it holds: docs/decisions/opensearch.md.
import { AsOfError, type Fields } from 'asof';
import { invalidArgument } from 'asof/kit';
import type { Cluster } from './cluster.js';
import type { OpenSearchOptions, Settings } from './options.js';

/** Version of the mapping. */
const formatVersion = 1;
const product = 'asof corpus';
/** Of a vector field of the engine lucene. */
const mostDimensions = 16_000;
/** Hits of one search. */
export const mostHits = 10_000;
/** Ids that a question may be restricted to (`candidateIds`), and more. */
const mostIds = 131_072;
/** Longest term that is indexed, in UTF-16 units: Lucene's limit is 32,766 bytes. */
export const longestTerm = 8000;

/** Parts of rows, as `rows.part`: passages are rows of 0 and 1, sentences of 1 and 2. */
export const parts = { whole: 0, single: 1, sentence: 2 } as const;

/** The name of a field in the mapping, in which a dot would be an object. */
export const fieldName = (name: string): string => name.replaceAll('.', '%2E');

/** Text: of numbers before 1970 the engine reads milliseconds wrongly. */
const format = 'strict_date_optional_time';
const date = { type: 'date', format };
const range = { type: 'date_range', format };

const lastInstant = 8.64e15;

/** A time as the index has it; beyond those of a Date the last of them. */
export const timeText = (instant: number): string =>
  new Date(Math.max(-lastInstant, Math.min(lastInstant, instant))).toISOString();

function fieldTypes(fields: Fields): object {
  const types = Object.entries(fields).map(([name, type]) => [
    fieldName(name),
    { type: type === 'number' || type === 'time' ? 'double' : 'keyword' },
  ]);
  return { properties: Object.fromEntries(types) as object };
}

const mapping = (settings: Settings): object => ({
  dynamic: 'strict',
  // What of rows only the engine needs is not stored again as JSON.
  _source: { excludes: ['rows'] },
  // As text, since the engine orders the entries of objects, and filters number fields by order.
  _meta: { product, version: formatVersion, settings: JSON.stringify(settings) },
  properties: {
    id: { type: 'keyword' },
    recorded: date,
    published: date,
    valid_from: date,
    valid_to: date,
    content_from: date,
    content_to: date,
    row_count: { type: 'integer' },
    sentence_count: { type: 'integer' },
    fields: fieldTypes(settings.fields),
    /** Record, hash, vectors and content times, as documents.ts packs them. */
    stored: { type: 'object', enabled: false },
    rows: {
      type: 'nested',
      properties: {
        part: { type: 'byte' },
        length: { type: 'integer' },
        words: { type: 'text', analyzer: 'terms', index_options: 'freqs', similarity: 'terms' },
        vector: {
          type: 'knn_vector',
          dimension: settings.encoder.dimensions,
          method: { name: 'hnsw', engine: 'lucene', space_type: 'innerproduct' },
        },
        published: date,
        valid: range,
        content: range,
        /** What scripts read: script.ts. */
        times: { type: 'binary', doc_values: true },
        // Those of the passage again, since a search of vectors filters rows.
        valid_from: date,
        valid_to: date,
        fields: fieldTypes(settings.fields),
      },
    },
  },
});

const indexSettings = ({ shards, replicas }: OpenSearchOptions): object => ({
  'index.knn': true,
  'index.mapping.nested_objects.limit': 1_000_000,
  'index.max_result_window': mostHits,
  'index.max_terms_count': mostIds,
  ...(shards === undefined ? {} : { 'index.number_of_shards': shards }),
  ...(replicas === undefined ? {} : { 'index.number_of_replicas': replicas }),
  analysis: {
    tokenizer: { terms: { type: 'whitespace', max_token_length: longestTerm } },
    analyzer: { terms: { type: 'custom', tokenizer: 'terms' } },
  },
  similarity: { terms: { type: 'BM25', k1: 0.9, b: 0.4 } },
});

interface Meta {
  product?: string;
  version?: number;
  /** As JSON. */
  settings?: string;
}

/**
 * The settings of the corpus of an index. Where there is none it is created with `created`;
 * processes that do so at once get the same settings.
 * @throws AsOfError ERR_NOT_FOUND without `created`, ERR_CORPUS_NEWER, ERR_CORPUS_FOREIGN
 */
export async function openIndex(
  cluster: Cluster,
  created: Settings | undefined,
  options: OpenSearchOptions,
): Promise<Settings> {
  const { signal } = options;
  const known = await settingsOf(cluster, signal);
  if (known) return known;
  if (!created)
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a corpus in the ${cluster.name}, found none. Check the URL and the index, or ` +
        'create the corpus first.',
      { details: { index: cluster.index } },
    );
  const { dimensions } = created.encoder;
  if (dimensions > mostDimensions)
    throw invalidArgument('encoder.dimensions', `at most ${mostDimensions}`, dimensions);
  const body = { settings: indexSettings(options), mappings: mapping(created) };
  // 400 where another process created it meanwhile.
  const answer = await cluster.send<{ error?: { type?: string } }>(
    { method: 'PUT', path: '', body, expected: [400] },
    signal,
  );
  const fault = answer.status === 400 ? answer.body.error : undefined;
  if (fault && fault.type !== 'resource_already_exists_exception')
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected OpenSearch to create the ${cluster.name}, it answered: ` +
        `${JSON.stringify(fault).slice(0, 300)}. It needs version 2.19 or later with the k-NN plugin.`,
      { details: { index: cluster.index } },
    );
  // Of an index that another process creates, shards may not have started yet.
  const query = { wait_for_status: 'yellow' };
  const path = `/_cluster/health/${cluster.index}`;
  await cluster.sendTo({ method: 'GET', path, query, expected: [408] }, signal);
  const settings = await settingsOf(cluster, signal);
  if (settings) return settings;
  throw new AsOfError(
    'ERR_STORAGE',
    `Expected OpenSearch to have created the ${cluster.name}, found none. Try again.`,
    { details: { index: cluster.index } },
  );
}

async function settingsOf(
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<Settings | undefined> {
  const { status, body } = await cluster.send<Record<string, { mappings: { _meta?: Meta } }>>(
    { method: 'GET', path: '/_mapping', expected: [404] },
    signal,
  );
  if (status === 404) return undefined;
  const meta = Object.values(body)[0]?.mappings._meta;
  const { settings, version = 0 } = meta ?? {};
  if (meta?.product !== product || !settings)
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected the ${cluster.name} to be a corpus or absent, found another index. Name another ` +
        'index.',
      { details: { index: cluster.index } },
    );
  if (version > formatVersion)
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected a corpus of version ${formatVersion} or older in the ${cluster.name}, found ` +
        `version ${version}. Upgrade asof to read it.`,
      { details: { index: cluster.index } },
    );
  return JSON.parse(settings) as Settings;
}
