// Filters of passages (lib/store/fields/where.ts) and masks of rows as queries of OpenSearch.
import type { Fields } from 'asof';
import type { ScorePlan } from 'asof/kit';
import { fieldName, parts, timeText } from './mapping.js';
import type { CorpusView, PassageFilter } from './remoteTypes.js';

type Mask = NonNullable<ScorePlan['queries'][number]['mask']>;
export type Query = object;

export const all: Query = { match_all: {} };
const none: Query = { match_none: {} };

export const every = (queries: readonly Query[]): Query =>
  queries.length === 0 ? all : queries.length === 1 ? queries[0]! : { bool: { filter: queries } };
export const some = (queries: readonly Query[]): Query =>
  queries.length === 0 ? none : { bool: { should: queries, minimum_should_match: 1 } };
const not = (queries: readonly Query[]): Query =>
  queries.length === 0 ? all : { bool: { must_not: queries } };

/** Times of passages and of the rows that they are in: publishedAt, validFrom, validTo. */
const timeFields = ['published', 'valid_from', 'valid_to'] as const;
/** The path of a field or time of passages. */
export const pathOf = (field: number, fields: Fields): string =>
  field < 0 ? timeFields[-1 - field]! : `fields.${fieldName(Object.keys(fields)[field]!)}`;

/** A filter of passages; with the prefix 'rows.' of rows, which have the same fields. */
export function filterQuery(filter: PassageFilter, fields: Fields, prefix = ''): Query {
  const of = (each: PassageFilter): Query => filterQuery(each, fields, prefix);
  const path = 'field' in filter ? prefix + pathOf(filter.field, fields) : '';
  switch (filter.kind) {
    case 'all':
      return every(filter.of.map(of));
    case 'any':
      return some(filter.of.map(of));
    case 'none':
      return not(filter.of.map(of));
    case 'exists':
      return { exists: { field: path } };
    case 'keywords':
      return { terms: { [path]: filter.values } };
    case 'numbers':
      return some(Array.from(filter.values, (n) => between(path, filter.field, n, n)));
    case 'range':
      return between(path, filter.field, filter.from, filter.to);
  }
}

/** Numbers of a field from one to another, both inclusive; a NaN excludes all. */
function between(path: string, field: number, from: number, to: number): Query {
  if (!(from <= to)) return none;
  if (field >= 0) return { range: { [path]: bounds('gte', from, 'lte', to, (n) => n) } };
  // validTo is of the first instant after; times are whole milliseconds.
  const shift = field === -3 ? 1 : 0;
  const [first, last] = [Math.ceil(from) + shift, Math.floor(to) + shift];
  return first > last ? none : { range: { [path]: bounds('gte', first, 'lte', last) } };
}

/** Of a range of times, or of what `shown` makes of numbers, without infinite ends. */
const bounds = (
  low: 'gt' | 'gte',
  from: number,
  high: 'lt' | 'lte',
  to: number,
  shown: (value: number) => string | number = timeText,
): object => ({
  ...(Number.isFinite(from) ? { [low]: shown(from) } : {}),
  ...(Number.isFinite(to) ? { [high]: shown(to) } : {}),
});

/** Rows that a mask shows. */
export function maskQueries({ publishedUntil = Infinity, window }: Mask): Query[] {
  const undated = not([{ exists: { field: 'rows.published' } }]);
  const published = {
    range: { 'rows.published': bounds('gte', -Infinity, 'lte', Math.floor(publishedUntil)) },
  };
  return [
    ...(publishedUntil === Infinity ? [] : [some([undated, published])]),
    ...(window ? [windowQuery(window)] : []),
  ];
}

/** Rows with a time of the clock in a relation to a window; equal ends are that instant. */
export function windowQuery({ start, end, clock, relation }: NonNullable<Mask['window']>): Query {
  const last = start === end ? end + 1 : end;
  if (clock !== 'published') {
    const path = clock === 'validity' ? 'rows.valid' : 'rows.content';
    const intervals = bounds('gte', start, 'lt', last);
    return { range: { [path]: { ...intervals, relation: relations[relation] } } };
  }
  if (relation === 'contains' && last - start !== 1) return none; // no instant does
  const span =
    relation === 'contains'
      ? bounds('gte', last - 1, 'lte', start) // of one instant alone
      : bounds('gte', start, 'lt', last);
  return every([{ exists: { field: 'rows.published' } }, { range: { 'rows.published': span } }]);
}

const relations = { overlaps: 'intersects', within: 'within', contains: 'contains' } as const;

const partsOf: Record<ScorePlan['scope'], readonly number[]> = {
  passages: [parts.whole, parts.single],
  sentences: [parts.single, parts.sentence],
  all: [],
};

/** Rows of a scope. */
export const scopeQueries = (scope: ScorePlan['scope']): Query[] =>
  partsOf[scope].length === 0 ? [] : [{ terms: { 'rows.part': partsOf[scope] } }];

/** Rows of the passages of a view, by their fields. */
export const viewQueries = ({ filter }: CorpusView, fields: Fields): Query[] =>
  filter ? [filterQuery(filter, fields, 'rows.')] : [];
