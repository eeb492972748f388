// Passages as they are stored: by id at once, as pages in an order, and all of them.
import type { StoredPassage } from 'asof';
import { fieldValues, type PreparedPassage } from 'asof/kit';
import type { Cluster } from './cluster.js';
import { documentId, passageOf, recordOf, type StoredSource } from './documents.js';
import { every, pathOf, some, type Query } from './filter.js';
import { fieldName, timeText } from './mapping.js';
import type { Settings } from './options.js';
import type { Hit, Reader, SearchAnswer } from './reader.js';
import type { PageRequest } from './remoteTypes.js';
import { passagesQuery, type CountContext } from './statistics.js';

/** Documents of one request, of which each has the vectors of all its sentences. */
const batchDocuments = 500;
const keepAlive = '5m';

/** A document with its place in the order of writes, by which a write is conditional. */
export interface StoredDocument {
  id: string;
  seq: number;
  term: number;
  stored: StoredSource;
}

/** Those of the ids that there are, as they are now; vectors if `withVectors`. */
export async function getDocuments(
  cluster: Cluster,
  ids: readonly string[],
  withVectors: boolean,
  signal: AbortSignal | undefined,
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (const some of chunksOf([...new Set(ids)], batchDocuments)) {
    const { body } = await cluster.send<{ docs: (Hit & { found: boolean; error?: object })[] }>(
      {
        method: 'POST',
        path: '/_mget',
        body: { ids: some.map(documentId) },
        query: { _source_includes: withVectors ? 'id,stored' : 'id,stored.record,stored.hash' },
      },
      signal,
    );
    for (const { found: isThere, _source: source, _seq_no: seq, _primary_term: term } of body.docs)
      if (isThere && source) found.push({ ...source, seq: seq!, term: term! });
  }
  return found;
}

export async function readPassages(
  cluster: Cluster,
  ids: readonly string[],
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<PreparedPassage[]> {
  const found = await getDocuments(cluster, ids, true, signal);
  return found.map((each) => passageOf(each, settings));
}

/** The first passages of the view behind the cursor; ids are in the order of their code points. */
export async function listPassages(
  { reader, settings, view, signal }: CountContext,
  { order: { field, descending }, cursor, limit }: PageRequest,
): Promise<{ value: number | null; passage: StoredPassage }[]> {
  const { fields } = settings;
  const path = field === undefined ? undefined : pathOf(field, fields);
  const direction = descending ? 'desc' : 'asc';
  const shift = field === -3 ? 1 : 0;
  const answer = await reader.search(
    {
      size: limit,
      _source: ['stored.record'],
      track_total_hits: false,
      query: every([
        passagesQuery(view, settings),
        ...(cursor ? [behindQuery(cursor, path, descending, shift)] : []),
      ]),
      sort: [
        ...(path === undefined ? [] : [{ [path]: { order: direction, missing: '_last' } }]),
        { id: 'asc' },
      ],
    },
    signal,
  );
  return answer.hits.hits.map(({ _source: source }) => {
    const passage = recordOf(source!);
    const value = field === undefined ? 0 : numberOf(passage, field, settings);
    return { value: value === null ? null : descending ? 0 - value : value, passage };
  });
}

function behindQuery(
  { value, id }: NonNullable<PageRequest['cursor']>,
  path: string | undefined,
  descending: boolean,
  shift: number,
): Query {
  const isBehind = { range: { id: { gt: id } } };
  if (path === undefined) return isBehind;
  const lacks = { bool: { must_not: [{ exists: { field: path } }] } };
  if (value === null) return every([lacks, isBehind]);
  const number = (descending ? -value : value) + shift;
  const shown = path.startsWith('fields.') ? number : timeText(number);
  const equal = { range: { [path]: { gte: shown, lte: shown } } };
  const beyond = { range: { [path]: { [descending ? 'lt' : 'gt']: shown } } };
  return some([beyond, lacks, every([equal, isBehind])]);
}

/** The number of a field or time (lib/store/fields/where.ts), null without one. */
function numberOf(passage: StoredPassage, field: number, settings: Settings): number | null {
  const { publishedAt, validFrom, validTo } = passage;
  if (field < 0)
    return (
      [publishedAt, validFrom, validTo === undefined ? undefined : validTo - 1][-1 - field] ?? null
    );
  const name = Object.keys(settings.fields)[field]!;
  const value = fieldValues(passage, settings)[name];
  return typeof value === 'number' ? value : null;
}

/** Documents that a query finds, in batches, as of one moment. */
export async function* scanDocuments(
  cluster: Cluster,
  query: Query,
  source: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<(StoredDocument & { source: Record<string, unknown> })[]> {
  const opened = await cluster.send<{ pit_id: string }>(
    { method: 'POST', path: '/_search/point_in_time', query: { keep_alive: keepAlive } },
    signal,
  );
  let id = opened.body.pit_id;
  try {
    for (let after: unknown[] | undefined; ; ) {
      const { body }: { body: SearchAnswer & { pit_id?: string } } = await cluster.sendTo(
        {
          method: 'POST',
          path: '/_search',
          body: {
            size: batchDocuments,
            query,
            _source: source,
            pit: { id, keep_alive: keepAlive },
            sort: [{ id: 'asc' }],
            seq_no_primary_term: true,
            track_total_hits: false,
            ...(after ? { search_after: after } : {}),
          },
          query: { allow_partial_search_results: false },
        },
        signal,
      );
      id = body.pit_id ?? id;
      const { hits } = body.hits;
      yield hits.map(({ _source: found, _seq_no: seq, _primary_term: term }) => ({
        ...found!,
        seq: seq!,
        term: term!,
        source: found as unknown as Record<string, unknown>,
      }));
      if (hits.length < batchDocuments) return;
      after = hits.at(-1)!.sort;
    }
  } finally {
    const body = { pit_id: [id] };
    // It ends by itself, too.
    await cluster
      .sendTo({ method: 'DELETE', path: '/_search/point_in_time', body }, undefined)
      .catch(() => undefined);
  }
}

/** Of a search whose hits are ids alone, which needs no document. */
export const foundIds = {
  _source: false,
  stored_fields: '_none_',
  docvalue_fields: ['id'],
  track_total_hits: false,
};

export const idsOf = (answers: readonly SearchAnswer[]): string[] =>
  answers.flatMap(({ hits }) => hits.hits.map(({ fields }) => fields!.id[0]));

/** Ids of members of series of these names, until there are `enough`. */
export async function seriesMembers(
  reader: Reader,
  names: readonly string[],
  signal: AbortSignal | undefined,
  enough = Infinity,
): Promise<string[]> {
  const found: string[] = [];
  const field = `fields.${fieldName('series')}`;
  for (const some of chunksOf(names, batchDocuments)) {
    for (let after: unknown[] | undefined; ; ) {
      const answer: SearchAnswer = await reader.search(
        {
          size: Math.min(batchDocuments, enough),
          ...foundIds,
          query: { terms: { [field]: some } },
          sort: [{ id: 'asc' }],
          ...(after ? { search_after: after } : {}),
        },
        signal,
      );
      const { hits } = answer.hits;
      found.push(...idsOf([answer]));
      if (found.length >= enough) return found;
      if (hits.length < batchDocuments) break;
      after = hits.at(-1)!.sort;
    }
  }
  return found;
}

export function* chunksOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
