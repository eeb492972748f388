// Indexes that may miss rows, each with one number that trades recall for time (`setBreadth`): the
// graphs of hnswlib and usearch, LanceDB's inverted file and graph, with their defaults otherwise;
// and asof's scans that are declared approximate. One query at a time.
import { createRequire } from 'node:module';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  asofInMemory,
  lanceTable,
  readLance,
  type ContenderIndex,
  type Open,
  type SearchResult,
} from './contenders.js';
import { readRows, type DataSet } from './data.js';
import { peerPackages, versionOf } from './install.js';

/** Neighbours of a graph's node, and how many are weighed when one is added: hnswlib's defaults. */
const [connectivity, construction] = [16, 200];

const graphBreadths = [10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
const listBreadths = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export interface ApproximateContender {
  open: Open;
  /** What `setBreadth` sets and the values to try, ascending; absent without it. */
  breadth?: { name: string; values: readonly number[] };
}

async function hnswlib(data: DataSet, work: string): Promise<ContenderIndex> {
  const library = peerPackages(work)('hnswlib-node');
  const { rows, dimensions: d } = data;
  const index = new library.HierarchicalNSW('ip', d);
  index.initIndex(rows, connectivity, construction);
  for (let first = 0; first < rows; first += 4096) {
    const chunk = readRows(data.rowFile, first, Math.min(4096, rows - first), d);
    for (let at = 0; at * d < chunk.length; at += 1)
      index.addPoint(Array.from(chunk.subarray(at * d, (at + 1) * d)), first + at);
  }
  return {
    version: versionOf(work, 'hnswlib-node'),
    batches: false,
    setBreadth: (breadth) => index.setEf(breadth),
    search: (query, k) => index.searchKnn(Array.from(query), k),
    read: (result: any): SearchResult[] => [
      { rows: result.neighbors, scores: result.distances.map((far: number) => 1 - far) },
    ],
  };
}

/** Its breadth is given to an index when it is made, so that another one loads the saved graph. */
async function usearch(data: DataSet, work: string): Promise<ContenderIndex> {
  const library = createRequire(import.meta.url)('usearch');
  const { rows, dimensions } = data;
  const file = join(work, 'data', `${data.name.replaceAll(' ', '-')}.usearch`);
  const options = {
    dimensions,
    metric: library.MetricKind.IP,
    connectivity,
    expansion_add: construction,
  };
  let index = new library.Index(options);
  for (let first = 0; first < rows; first += 16_384) {
    const count = Math.min(16_384, rows - first);
    const keys = BigUint64Array.from({ length: count }, (_, at) => BigInt(first + at));
    index.add(keys, readRows(data.rowFile, first, count, dimensions), 1);
  }
  index.save(file);
  return {
    version: 'f32',
    batches: false,
    setBreadth(breadth) {
      index = new library.Index({ ...options, expansion_search: breadth });
      index.load(file);
    },
    search: (query, k) => index.search(query, k, 1),
    read: (result: any): SearchResult[] => [
      {
        rows: Array.from(result.keys, Number),
        scores: Array.from(result.distances, (far: any) => 1 - far),
      },
    ],
  };
}

/**
 * A graph reads the vectors of three times k rows that the compressed ones find; lists of product
 * quantization, which is coarser, of ever more of them.
 */
function lance(kind: 'ivfPq' | 'hnswSq'): Open {
  return async (data, work) => {
    const name = `${data.name.replaceAll(' ', '-')}.${kind}.lance`;
    rmSync(join(work, 'data', name), { recursive: true, force: true });
    const table = await lanceTable(data, work, name);
    const { Index } = peerPackages(work)('@lancedb/lancedb');
    await table.createIndex('vector', { config: Index[kind]({ distanceType: 'dot' }) });
    await table.waitForIndex(['vector_idx'], 3600);
    let breadth = 1;
    return {
      version: versionOf(work, '@lancedb/lancedb'),
      batches: false,
      note: 'threads of its own',
      setBreadth: (wanted) => void (breadth = wanted),
      search(query, k) {
        const search = table.vectorSearch(query).distanceType('dot').limit(k);
        const wide =
          kind === 'ivfPq'
            ? search.nprobes(breadth).refineFactor(Math.max(10, 2 * breadth))
            : search.ef(breadth).refineFactor(3);
        return wide.select(['id', '_distance']).toArray();
      },
      read: readLance,
    };
  };
}

/** In the order of tables. */
export const approximateContenders: Record<string, ApproximateContender> = {
  'asof int8 rescored': { open: asofInMemory({ storage: 'int8', exactness: 'rescored' }) },
  'asof int8 raw': { open: asofInMemory({ storage: 'int8', exactness: 'raw' }) },
  'asof int4 rescored': { open: asofInMemory({ storage: 'int4', exactness: 'rescored' }) },
  'hnswlib-node HNSW': { open: hnswlib, breadth: { name: 'ef', values: graphBreadths } },
  'usearch HNSW': {
    open: usearch,
    breadth: { name: 'expansion_search', values: graphBreadths },
  },
  'LanceDB IVF_PQ': {
    open: lance('ivfPq'),
    breadth: { name: 'nprobes', values: listBreadths },
  },
  'LanceDB IVF_HNSW_SQ': {
    open: lance('hnswSq'),
    // It wants at least as many as are refined.
    breadth: { name: 'ef', values: graphBreadths.filter((ef) => ef >= 32) },
  },
};
