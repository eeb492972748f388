// Exact search over rows x dimensions f32, k = 100, one query and 64 at a time: asof's fused scan beside usearch's exact search,
// hnswlib-node's brute force and a plain TypeScript loop, in one process, in turns; then what masks and temporal scores add to it.
// Every trial is a fresh process, warmed up first; printed are medians over trials with their range, and recall and error
// against the plain loop (which adds in float64). A contender that is not installed is said to be missing.
//
//   node --import tsx bench/kernels/search.bench.ts [--rows 200000] [--dimensions 384] [--trials 5] [--rounds 9] [--json]
//   npm install --no-save hnswlib-node && npm rebuild hnswlib-node     (compiles; adds that contender)
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { binding } from '../../lib/binding.js';
import { scanFlat, type ScanQuery } from '../../lib/candidates/flatScan.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' }, dimensions: { type: 'string', default: '384' }, trials: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' }, json: { type: 'boolean', default: false }, child: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const d = Number(values.dimensions);
const k = 100;
const batch = 64;
const day = 86_400_000;

interface Measured {
  name: string;
  /** Median milliseconds of a search of the whole batch. */
  milliseconds: number;
  recall?: number;
  maxError?: number;
}

/** Milliseconds by case: "1 asof" is one query with asof. */
type Trial = Record<string, Measured>;

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Unit vectors with a fifth of their length in common, so that similarities spread as those of texts do. */
function unitVectors(count: number, seed: number): Float32Array {
  const vectors = new Float32Array(count * d);
  let state = seed;
  for (let i = 0; i < count; i += 1) {
    let length = 0;
    for (let j = i * d; j < (i + 1) * d; j += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      vectors[j] = state / 2 ** 31 + 0.2;
      length += vectors[j]! ** 2;
    }
    for (let j = i * d; j < (i + 1) * d; j += 1) vectors[j]! /= Math.sqrt(length);
  }
  return vectors;
}

/** What one would write: a loop over rows, a loop over components, the best k kept in a sorted list. */
function plainLoop(vectors: Float32Array, query: Float32Array): { row: number; score: number }[] {
  const best: { row: number; score: number }[] = [];
  for (let row = 0; row < rows; row += 1) {
    let score = 0;
    for (let j = 0, at = row * d; j < d; j += 1, at += 1) score += vectors[at]! * query[j]!;
    if (best.length === k && score <= best[k - 1]!.score) continue;
    let place = best.length;
    while (place > 0 && best[place - 1]!.score < score) place -= 1;
    best.splice(place, 0, { row, score });
    if (best.length > k) best.pop();
  }
  return best;
}

interface Contender {
  name: string;
  /** Rows and scores of the first query of the batch. */
  search(queries: Float32Array[]): Promise<{ row: number; score: number }[]> | { row: number; score: number }[];
}

async function contenders(vectors: Float32Array, asofRows: InstanceType<typeof binding.MemoryRows>): Promise<Contender[]> {
  const list: Contender[] = [{
    name: 'asof',
    async search(queries) {
      const found = await scanFlat([{ rows: asofRows }], queries.map((vector) => ({ vector })), { k });
      return Array.from(found.row.subarray(0, k), (row, i) => ({ row, score: found.score[i]! }));
    },
  }];
  const installed = async (name: string): Promise<any> => import(name).catch(() => undefined);
  const usearch = await installed('usearch');
  if (usearch) {
    const packed = new Map<number, Float32Array>();
    list.push({
      name: 'usearch exactSearch',
      search(queries) {
        const flat = packed.get(queries.length) ?? new Float32Array(queries.length * d);
        packed.set(queries.length, flat);
        queries.forEach((query, q) => flat.set(query, q * d));
        const found = usearch.exactSearch(vectors, flat, d, k, usearch.MetricKind.IP, binding.threadCount());
        const first = found.get ? found.get(0) : found;
        return Array.from({ length: k }, (_, i) => ({ row: Number(first.keys[i]), score: 1 - first.distances[i] }));
      },
    });
  }
  const hnswlib = await installed('hnswlib-node');
  if (hnswlib) {
    const index = new hnswlib.default.BruteforceSearch('ip', d);
    index.initIndex(rows);
    for (let row = 0; row < rows; row += 1) index.addPoint(Array.from(vectors.subarray(row * d, (row + 1) * d)), row);
    list.push({
      name: 'hnswlib-node brute force (1 thread)',
      search(queries) {
        const all = queries.map((query) => index.searchKnn(Array.from(query), k));
        return all[0].neighbors.map((row: number, i: number) => ({ row, score: 1 - all[0].distances[i] })).reverse();
      },
    });
  }
  list.push({ name: 'plain TypeScript loop (1 thread)', search: (queries) => queries.map((query) => plainLoop(vectors, query))[0]! });
  return list;
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** What the scan is asked beside similarity, to be compared with asking for nothing more. */
function timeForms(now: number): Record<string, Omit<ScanQuery, 'vector'>> {
  const window = { start: now - 10 * 365 * day, end: now };
  const recency = { combine: 'sum', kind: 'recency', clock: 'published', at: now, floorDays: 1, weight: 1 } as const;
  return {
    plain: {},
    'publication mask, half hidden': { mask: { publishedUntil: now - 5 * 365 * day } },
    'content window, half hidden': { mask: { window: { start: now - 5 * 365 * day, end: now, clock: 'content', relation: 'overlaps' } } },
    'spline on content': {
      form: { combine: 'product', kind: 'spline', clock: 'content', lines: [{ window, atStart: 0.6, atEnd: 1 }], outside: 0.5 },
    },
    recency: { form: recency },
    'mask and recency': { mask: { publishedUntil: now - 5 * 365 * day }, form: recency },
  };
}

async function trial(rounds: number): Promise<Trial> {
  const vectors = unitVectors(rows, 1);
  const queryMatrix = unitVectors(batch, 2);
  const queries = Array.from({ length: batch }, (_, q) => queryMatrix.slice(q * d, (q + 1) * d));
  const now = Date.UTC(2024, 0, 1);
  const at = Float64Array.from({ length: rows }, (_, row) => now - ((row * 7919) % 3650) * day);
  const asofRows = new binding.MemoryRows({
    passages: rows, whole: 0, dimensions: d, vectors, rowPassage: Uint32Array.from({ length: rows }, (_, row) => row), published: at,
    contentOffset: Uint32Array.from({ length: rows + 1 }, (_, row) => row), contentStart: at, contentEnd: at.map((each) => each + day),
  });
  const result: Trial = {};
  const truth = plainLoop(vectors, queries[0]!);
  const list = await contenders(vectors, asofRows);
  for (const width of [1, batch]) {
    const asked = queries.slice(0, width);
    const times = new Map<string, number[]>(list.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, search } of list) {
        const slow = width > 1 && !name.startsWith('asof') && !name.startsWith('usearch');
        if (slow && round !== 0) continue; // seconds each: one round, after many of one query
        const milliseconds = await timed(() => search(asked));
        if (round >= 0) times.get(name)!.push(milliseconds);
      }
    }
    for (const { name, search } of list) {
      const found = await search(asked.slice(0, 1));
      const rank = new Map(truth.map(({ row, score }) => [row, score]));
      const hit = found.filter(({ row }) => rank.has(row));
      result[`${width} ${name}`] = {
        name, milliseconds: median(times.get(name)!), recall: hit.length / k,
        maxError: Math.max(...hit.map(({ row, score }) => Math.abs(score - rank.get(row)!))),
      };
    }
    const forms = Object.entries(timeForms(now));
    const formTimes = new Map<string, number[]>(forms.map(([name]) => [name, []]));
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, form] of forms) {
        for (const pool of name === 'plain' ? [false, true] : [false]) {
          const milliseconds = await timed(() => scanFlat([{ rows: asofRows }], asked.map((vector) => ({ vector, ...form })), { k, pool }));
          const key = pool ? 'pooled' : name;
          if (round >= 0) formTimes.set(key, [...(formTimes.get(key) ?? []), milliseconds]);
        }
      }
    }
    for (const [name, each] of formTimes) result[`${width} form ${name}`] = { name, milliseconds: median(each) };
  }
  return result;
}

function summary(trials: Trial[], base: (key: string) => string): Record<string, unknown>[] {
  return Object.keys(trials[0]!).map((key) => {
    const times = trials.map((each) => each[key]!.milliseconds);
    const ratios = trials.map((each) => each[key]!.milliseconds / each[base(key)]!.milliseconds);
    const { name, recall, maxError } = trials[0]![key]!;
    const low = Math.min(...ratios), high = Math.max(...ratios);
    return {
      key, batch: Number(key.split(' ')[0]), name, milliseconds: median(times), range: [Math.min(...times), Math.max(...times)],
      ratio: median(ratios), ratioRange: [low, high], ...(recall === undefined ? {} : { recall, maxError }),
    };
  });
}

function print(lines: Record<string, any>[]): void {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const load = loadavg()[0]!.toFixed(1);
  console.log(`${model}, ${cpus().length} cores, level ${binding.isa()}, ${binding.threadCount()} threads, load ${load}, Node ${process.version}`);
  console.log(`${rows} x ${d} f32, k = ${k}; median of ${values.trials} processes (least to most); ratio to asof, or to the plain search`);
  for (const { batch: width, name, milliseconds, range, ratio, ratioRange, recall, maxError, key } of lines) {
    const exact = recall === undefined ? '' : `  recall ${recall.toFixed(2)}  max error ${maxError.toExponential(1)}`;
    const label = key.includes(' form ') ? `  ${name}` : name;
    const spread = (value: number, [low, high]: number[], digits: number): string =>
      `${value.toFixed(digits)} (${low!.toFixed(digits)} to ${high!.toFixed(digits)})`;
    const columns = `${label.padEnd(38)} ${spread(milliseconds, range, 1).padStart(26)} ms  x ${spread(ratio, ratioRange, 2).padEnd(22)}`;
    console.log(`batch ${String(width).padStart(2)}  ${columns}${exact}`);
  }
  for (const contender of ['usearch', 'hnswlib']) {
    if (!lines.some(({ name }) => name.startsWith(contender))) console.log(`${contender}: not installed, not run`);
  }
}

if (values.child) {
  console.log(JSON.stringify(await trial(Number(values.rounds))));
} else {
  const trials = Array.from({ length: Number(values.trials) }, (): Trial => {
    const given = ['--child', '--rows', values.rows, '--dimensions', values.dimensions, '--rounds', values.rounds];
    const child = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), ...given], {
      encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.status !== 0) throw new Error(`a trial ended with status ${child.status}`);
    return JSON.parse(child.stdout) as Trial;
  });
  const lines = summary(trials, (key) => (key.includes(' form ') ? `${key.split(' ')[0]} form plain` : `${key.split(' ')[0]} asof`));
  const machine = { processor: cpus()[0]?.model, level: binding.isa(), threads: binding.threadCount() };
  if (values.json) console.log(JSON.stringify({ rows, dimensions: d, k, ...machine, lines }));
  else print(lines);
}
