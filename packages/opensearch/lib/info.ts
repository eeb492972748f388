// Counts, sizes and time spans of a corpus on a cluster.
import type { StoredCorpusInfo } from 'asof';
import type { Cluster } from './cluster.js';
import type { Reader } from './reader.js';

/**
 * That of a corpus in OpenSearch; `deleted` counts rows and passages that merges have not dropped
 * yet.
 */
export interface OpenSearchInfo extends StoredCorpusInfo {
  /** Index of the corpus. */
  index: string;
  /** Nodes of the cluster that hold data. */
  nodes: number;
  /** Primary shards and copies of each. */
  shards: number;
  replicas: number;
  /** Bytes of primary shards; `total` of all copies. */
  bytes: Record<'total' | 'primaries', number>;
}

type IndexInfo = Pick<
  OpenSearchInfo,
  | 'passages'
  | 'rows'
  | 'sentences'
  | 'deleted'
  | 'bytes'
  | 'spans'
  | 'shards'
  | 'replicas'
  | 'nodes'
>;

interface Stats {
  docs: { deleted: number };
  store: { size_in_bytes: number };
}

export async function indexInfo(
  cluster: Cluster,
  reader: Reader,
  signal: AbortSignal | undefined,
): Promise<IndexInfo> {
  const sum = (field: string): object => ({ sum: { field } });
  const least = (field: string): object => ({ min: { field } });
  const greatest = (field: string): object => ({ max: { field } });
  const open = (field: string, end: string): object => ({
    filter: { bool: { filter: [{ exists: { field } }], must_not: [{ exists: { field: end } }] } },
  });
  const { aggregations } = await reader.search(
    {
      size: 0,
      aggs: {
        passages: { value_count: { field: 'id' } },
        rows: sum('row_count'),
        sentences: sum('sentence_count'),
        published_start: least('published'),
        published_end: greatest('published'),
        valid_start: least('valid_from'),
        valid_end: greatest('valid_to'),
        content_start: least('content_from'),
        content_end: greatest('content_to'),
        valid_open_start: open('valid_to', 'valid_from'),
        valid_open_end: open('valid_from', 'valid_to'),
        content_open_start: open('content_to', 'content_from'),
        content_open_end: open('content_from', 'content_to'),
      },
    },
    signal,
  );
  const number = (name: string): number | null => aggregations![name]?.value ?? null;
  const span = (clock: string): [string, [number | null, number | null]][] => {
    const isOpen = (end: string): boolean =>
      (aggregations![`${clock}_open_${end}`]?.doc_count ?? 0) > 0;
    const ends = ['start', 'end'].map((end) => (isOpen(end) ? null : number(`${clock}_${end}`)));
    const isNone = ends.every((end) => end === null) && !isOpen('start') && !isOpen('end');
    return isNone ? [] : [[clock, ends as [number | null, number | null]]];
  };
  const { body: stats } = await cluster.send<{
    _shards: { total: number };
    _all: { primaries: Stats; total: Stats };
  }>({ method: 'GET', path: '/_stats/docs,store' }, signal);
  const { body: settings } = await cluster.send<
    Record<
      string,
      { settings: { index: Record<'number_of_shards' | 'number_of_replicas', string> } }
    >
  >({ method: 'GET', path: '/_settings' }, signal);
  const { body: health } = await cluster.sendTo<{ number_of_data_nodes: number }>(
    { method: 'GET', path: '/_cluster/health' },
    signal,
  );
  const { index } = Object.values(settings)[0]!.settings;
  return {
    passages: number('passages') ?? 0,
    rows: number('rows') ?? 0,
    sentences: number('sentences') ?? 0,
    deleted: stats._all.primaries.docs.deleted,
    nodes: health.number_of_data_nodes,
    shards: Number(index.number_of_shards),
    replicas: Number(index.number_of_replicas),
    bytes: {
      total: stats._all.total.store.size_in_bytes,
      primaries: stats._all.primaries.store.size_in_bytes,
    },
    spans: Object.fromEntries([...span('published'), ...span('valid'), ...span('content')]),
  };
}
