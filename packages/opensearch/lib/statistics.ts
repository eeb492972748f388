// What scores are normalised by, and counts: of live passages and rows, whatever the engine has not
// merged away yet.
import type { ScorePlan } from 'asof/kit';
import { every, filterQuery, scopeQueries, viewQueries, type Query } from './filter.js';
import { fieldName } from './mapping.js';
import type { Aggregation, Reader, SearchAnswer } from './reader.js';
import type { CollectionStatistics, CorpusView } from './remoteTypes.js';
import type { Settings } from './options.js';

export interface CountContext {
  reader: Reader;
  settings: Settings;
  view: CorpusView;
  signal: AbortSignal | undefined;
}

/** Passages of a view. */
export function passagesQuery({ filter, ids }: CorpusView, { fields }: Settings): Query {
  return every([
    ...(filter ? [filterQuery(filter, fields)] : []),
    ...(ids ? [{ terms: { id: ids } }] : []),
  ]);
}

export async function countPassages(context: CountContext): Promise<number> {
  const { reader, view, settings, signal } = context;
  const query = passagesQuery(view, settings);
  const body = { size: 0, query, aggs: { n: { value_count: { field: 'id' } } } };
  const answer = await reader.search(body, signal);
  return answer.aggregations!['n']!.value!;
}

/** Most buckets that a shard gives, unless its users raised that. */
const mostBuckets = 65_535;

export async function countValues(
  field: string,
  most: number,
  { reader, view, settings, signal }: CountContext,
): Promise<{ value: string; count: number }[]> {
  const terms = {
    field: `fields.${fieldName(field)}`,
    size: most,
    shard_size: Math.min(mostBuckets, 10 * most + 10_000),
  };
  const query = passagesQuery(view, settings);
  const answer = await reader.search({ size: 0, query, aggs: { values: { terms } } }, signal);
  return answer.aggregations!['values']!.buckets.map(({ key, doc_count: count }) => ({
    value: key,
    count,
  }));
}

/** Rows of a scope, their tokens, and how many have each term: cached until a write. */
export function collectionSearch(
  terms: readonly string[],
  scope: ScorePlan['scope'],
  { view, settings }: CountContext,
): object {
  const counted = view.countsPassing ? viewQueries(view, settings.fields) : [];
  const frequencies = {
    filters: { filters: terms.map((term) => ({ term: { 'rows.words': term } })) },
  };
  return {
    size: 0,
    aggs: {
      rows: {
        nested: { path: 'rows' },
        aggs: {
          counted: {
            filter: every([...scopeQueries(scope), ...counted]),
            aggs: { tokens: { sum: { field: 'rows.length' } }, frequencies },
          },
        },
      },
    },
  };
}

export function collectionOf(
  { aggregations }: SearchAnswer,
  terms: readonly string[],
): CollectionStatistics {
  const counted = aggregations!['rows']!['counted'] as Aggregation;
  const { value: tokens } = counted['tokens'] as Aggregation;
  const { buckets } = counted['frequencies'] as Aggregation;
  return {
    rows: counted.doc_count,
    tokens: tokens ?? 0,
    frequencies: new Map(terms.map((term, at) => [term, buckets[at]!.doc_count])),
  };
}

export async function collectionStatistics(
  terms: readonly string[],
  scope: ScorePlan['scope'],
  context: CountContext,
): Promise<CollectionStatistics> {
  const search = collectionSearch(terms, scope, context);
  return collectionOf(await context.reader.search(search, context.signal), terms);
}
