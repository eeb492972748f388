// Options of PostgresCorpus.connect, their checks, and what a new corpus has by them.
import type { CorpusOptions } from 'asof';
import { checkOptionNames, declaredFields, invalidArgument, mustBeWhole } from 'asof/kit';
import type { CorpusSettings } from './schema.js';

export const defaultSchema = 'asof';
const defaultCandidates = 1000;

export interface PostgresOptions
  extends Pick<CorpusOptions, 'encoder' | 'sentences' | 'fields' | 'timeZone'> {
  /** One URL a server, always in the same order: postgres://USER:PASSWORD@HOST:PORT/DATABASE. */
  shards: readonly string[];
  /** PostgreSQL schema of the corpus. Default 'asof'. */
  schema?: string | undefined;
  /**
   * A field of type keyword, such as the tenant, whose passages of one value are on one shard, and
   * those without it by their ids: questions whose filter names the value rank there alone. It is
   * that of the corpus once it is created. To change it in a passage, delete that first. Default:
   * all are by their ids.
   */
  shardBy?: string | undefined;
  /** Creates the corpus where there is none. Default true; false with `readOnly`. */
  create?: boolean | undefined;
  /** Refuses to add, delete and compact; vectors derived for a system are saved. Default false. */
  readOnly?: boolean | undefined;
  /** Questions that run at the same time, from 1. Default 8. */
  concurrency?: number | undefined;
  /** Most connections to each server, from 1. Default 10. */
  poolSize?: number | undefined;
  /**
   * Longest statement in milliseconds; a server that is silent for 2 s more counts as gone.
   * Default 0: no limit.
   */
  statementTimeoutMs?: number | undefined;
  /**
   * Searches by the indexes of vectors where they are built (`buildVectorIndex`): each shard scores
   * `candidates` rows nearest to the question, from 10 to 10,000, 1,000 by default, as many nearest
   * ones of the times that count most, and as many by BM25. Results may lack some of the best, as
   * `scan.exact` says. Where few rows pass a filter, or a recency is standardised over all
   * (`tempralm` with `overRetrieve: 'corpus'`), all are scored. Default false.
   */
  approximate?: boolean | { candidates?: number | undefined } | undefined;
  /**
   * Whether questions are answered from the other shards where one cannot be reached; their results
   * name it in `missingShards`. All else fails, as questions do otherwise. Default false.
   */
  allowPartialResults?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export const optionNames: readonly (keyof PostgresOptions)[] = [
  'shards',
  'schema',
  'encoder',
  'sentences',
  'fields',
  'timeZone',
  'shardBy',
  'create',
  'readOnly',
  'concurrency',
  'poolSize',
  'statementTimeoutMs',
  'approximate',
  'allowPartialResults',
  'signal',
];

const settingNames = [
  'encoder',
  'fields',
  'timeZone',
  'sentences',
  'pipeline',
  'shardBy',
] as const satisfies (keyof CorpusSettings)[];

/** Candidates of each query; undefined for exact search. */
export function candidatesOf({ approximate = false }: PostgresOptions): number | undefined {
  if (typeof approximate === 'boolean') return approximate ? defaultCandidates : undefined;
  checkOptionNames('approximate', approximate, ['candidates']);
  return approximate.candidates ?? defaultCandidates;
}

/** Those that are of PostgreSQL. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkOptions(options: PostgresOptions): void {
  const { shards, fields, shardBy, allowPartialResults } = options;
  const isList: boolean = Array.isArray(shards); // would narrow to any[]
  if (!isList || shards.length === 0)
    throw invalidArgument('shards', 'an array of URLs, one a server', shards);
  if (allowPartialResults !== undefined && typeof allowPartialResults !== 'boolean')
    throw invalidArgument('allowPartialResults', 'a boolean', allowPartialResults);
  mustBeWhole({ candidates: candidatesOf(options) ?? defaultCandidates }, 10, 10_000);
  const isKeyword = fields === undefined || fields[shardBy!] === 'keyword';
  if (shardBy !== undefined && !(typeof shardBy === 'string' && isKeyword))
    throw invalidArgument(
      'shardBy',
      'one of fields, of the type keyword',
      shardBy,
      "Declare it: fields: { tenant: 'keyword' }, shardBy: 'tenant'.",
    );
}

/**
 * Checks the settings of shards, by their numbers.
 * @throws AsOfError ERR_INVALID_ARGUMENT for shards that differ, or options of another corpus
 */
export function checkSame(
  opened: ReadonlyMap<number, CorpusSettings>,
  wanted: CorpusSettings,
  options: PostgresOptions,
): void {
  const [first] = [...opened.values()] as [CorpusSettings];
  const text = (value: unknown): string => JSON.stringify(value);
  for (const [at, each] of opened)
    for (const name of settingNames)
      if (text(each[name]) !== text(first[name]))
        throw invalidArgument(
          `shards[${at}]`,
          `a shard of the same ${name} as the first, ${text(first[name])}`,
          text(each[name]),
        );
  for (const name of ['fields', 'timeZone', 'sentences', 'shardBy'] as const) {
    if (options[name] === undefined) continue;
    const [has, wants] = [first, wanted].map((each) =>
      text(name === 'fields' ? declaredFields(each.fields) : each[name]),
    );
    if (has !== wants)
      throw invalidArgument(
        name,
        `${has ?? 'the default'}, as the corpus was created`,
        wants ?? 'the default',
        'Omit it, or add the passages to a new corpus in another schema.',
      );
  }
}
