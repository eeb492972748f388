// Options of OpenSearchCorpus.connect and their checks.
import type { CorpusOptions } from 'asof';
import { declaredFields, invalidArgument, mustBeWhole, type RemoteStorage } from 'asof/kit';
import { indexOf, parsedUrl } from './nodeUrl.js';

export type Settings = RemoteStorage['settings'];

export const defaultIndex = 'asof';
export const defaultCandidates = 500;
/** Of k of a vector search. */
export const mostCandidates = 10_000;

export interface OpenSearchOptions
  extends Pick<CorpusOptions, 'encoder' | 'sentences' | 'fields' | 'timeZone'> {
  /**
   * URLs of nodes of one cluster, between which requests alternate:
   * https://USER:PASSWORD@HOST:PORT, http:// in a network that you trust, or opensearch://, which
   * is https:// unless `?tls=false`. `?ca=FILE` names the certificate authority in a PEM file.
   * Without a user OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD count.
   */
  nodes: readonly string[];
  /** Index of the corpus, which its path in a URL also names. Default 'asof'. */
  index?: string | undefined;
  /** Shards of a new corpus, from 1. Default: the cluster's, which is 1 unless set. */
  shards?: number | undefined;
  /** Copies of each shard of a new corpus, from 0. Default: the cluster's, 1 unless set. */
  replicas?: number | undefined;
  /** Creates the corpus where there is none. Default true; false with `readOnly`. */
  create?: boolean | undefined;
  /** Refuses to add, delete, update and compact. Default false. */
  readOnly?: boolean | undefined;
  /** Questions that run at the same time, from 1. Default 8. */
  concurrency?: number | undefined;
  /**
   * Passages that each search of the first stage finds, from 10 to 10,000: by vectors, by vectors
   * among the times that count most, and by BM25; as many as a system retrieves if these are more.
   * Default 500.
   */
  candidates?: number | undefined;
  /**
   * Scores every passage on the cluster rather than candidates: the results of a folder, at a cost
   * in proportion to rows. Refused for `re3` and a recency over the corpus, which no script states.
   * Default false.
   */
  exact?: boolean | undefined;
  /**
   * Whether the first stage knows the question's time: masks as filters, forms in its scores. False
   * leaves both to what is fetched, as a store of vectors without time does, for comparisons.
   * Default true.
   */
  timeInQuery?: boolean | undefined;
  /** Longest request in milliseconds, from 1. Default 30,000. */
  requestTimeoutMs?: number | undefined;
  /**
   * Whether questions are answered from the other shards where one fails or is out of time; their
   * results name it in `missingShards`. All else fails, as questions do otherwise. Default false.
   */
  allowPartialResults?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export const optionNames: readonly (keyof OpenSearchOptions)[] = [
  'nodes',
  'index',
  'encoder',
  'sentences',
  'fields',
  'timeZone',
  'shards',
  'replicas',
  'create',
  'readOnly',
  'concurrency',
  'candidates',
  'exact',
  'timeInQuery',
  'requestTimeoutMs',
  'allowPartialResults',
  'signal',
];

/** Checks those of OpenSearch. @returns the index @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkOptions(options: OpenSearchOptions): string {
  const { nodes, shards, replicas, candidates, requestTimeoutMs } = options;
  const isList: boolean = Array.isArray(nodes); // would narrow to any[]
  if (!isList || nodes.length === 0)
    throw invalidArgument('nodes', 'an array of URLs, one a node', nodes);
  nodes.forEach(parsedUrl);
  for (const name of ['exact', 'timeInQuery', 'allowPartialResults'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      throw invalidArgument(name, 'a boolean', options[name]);
  if (candidates !== undefined) mustBeWhole({ candidates }, 10, mostCandidates);
  if (shards !== undefined) mustBeWhole({ shards }, 1, 1024);
  if (replicas !== undefined) mustBeWhole({ replicas }, 0, 1024);
  if (requestTimeoutMs !== undefined) mustBeWhole({ requestTimeoutMs }, 1, 2 ** 31 - 1);
  const named = nodes.flatMap((url) => indexOf(url) ?? []);
  const index = options.index ?? named[0] ?? defaultIndex;
  const other = named.find((each) => each !== index);
  if (other !== undefined)
    throw invalidArgument('nodes', `URLs of the index ${JSON.stringify(index)}`, other);
  if (!/^[a-z0-9][a-z0-9_.-]{0,199}$/.test(index))
    throw invalidArgument('index', 'lower-case letters, digits, _, - and ., at most 200', index);
  return index;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for options of another corpus than the index has */
export function checkSame(has: Settings, wanted: Settings, options: OpenSearchOptions): void {
  const text = (settings: Settings, name: 'fields' | 'timeZone' | 'sentences'): string =>
    JSON.stringify(name === 'fields' ? declaredFields(settings.fields) : settings[name]) ??
    'the default';
  for (const name of ['fields', 'timeZone', 'sentences'] as const) {
    if (options[name] === undefined || text(has, name) === text(wanted, name)) continue;
    throw invalidArgument(
      name,
      `${text(has, name)}, as the corpus was created`,
      text(wanted, name),
      'Omit it, or add the passages to a new corpus in another index.',
    );
  }
}
