// What time inside the scan costs: masks, splines, decays and recency over the plain scan of the
// same rows and batch, in turns within every round, by the public API; and what a narrow window
// saves where rows are sorted by time. It compares asof with itself only.
//
// node --import tsx bench/search/time.ts [--rows 200000] [--dimensions 384] [--batch 1,8,64] [--k
// 100] [--threads 1,2] [--rounds 7]
// [--corpus FOLDER] [--storage int8,int4] [--only TEXT] [--work FOLDER] [--docs]
// Rows are random, or those of a corpus. --only: the plain scan and the cases whose names have the
// text. Decays: --rows 1000000 --dimensions 256 --only decay. Windows: --corpus FOLDER --k 10
// --batch 1 --storage int8,int4 --only window
import { parseArgs } from '../options.js';
import { addon } from '../../test/addon.js';
import { VectorIndex, type VectorTimes } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { corpusData, dataSet, readRows } from './data.js';
import { callTime, clockName, inTurns, median, publish, ratioOf, say } from '../report.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    dimensions: { type: 'string', default: '384' },
    batch: { type: 'string', default: '1,8,64' },
    k: { type: 'string', default: '100' },
    threads: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '7' },
    corpus: { type: 'string' },
    storage: { type: 'string', default: 'int8' },
    only: { type: 'string', default: '' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
/** Questions differ in what a window leaves out. */
const leastQueries = 24;
const [k, rounds] = [Number(values.k), Number(values.rounds)];
const numbers = (text: string): number[] => text.split(',').map(Number);
const work = workFolder('time', values.work);

const day = 86_400_000;
const days = 3650;
const now = Date.UTC(2024, 0, 1);
const start = now - days * day;
const whole = { start, end: now + day };
/** Of this share of the rows. */
const windowOf = (share: number) => ({
  start: now - 0.6 * days * day,
  end: now - (0.6 - share) * days * day,
});
const lines = [{ window: whole, atStart: 0.6, atEnd: 1 }];
const recency = {
  combine: 'sum',
  kind: 'recency',
  clock: 'published',
  at: now,
  floorDays: 1,
  weight: 1,
} as const;
const spline = {
  combine: 'product',
  kind: 'spline',
  clock: 'content',
  lines,
  outside: 0.5,
} as const;

// Half of the rows are older than five half-lives.
const decay = { shape: 'exponential', halfLife: '1y', origin: now } as const;

/**
 * Aims as times of the plain scan: at most, at full width; a window of a hundredth at most a
 * twentieth.
 */
const all: { name: string; times: VectorTimes; aim?: number }[] = [
  { name: 'plain', times: {} },
  { name: 'asOf that hides nothing', times: { asOf: now }, aim: 1.1 },
  { name: 'window that every row overlaps', times: { interval: whole }, aim: 1.1 },
  { name: 'spline over all', times: { form: spline }, aim: 1.1 },
  { name: 'recency over all, which decides', times: { form: recency }, aim: 1.1 },
  {
    name: 'recency over all, which weighs little',
    times: { form: { ...recency, floorDays: 30, weight: 0.1 } },
    aim: 1.1,
  },
  {
    name: 'asOf, window and spline over all',
    times: { asOf: now, interval: whole, form: spline },
    aim: 1.1,
  },
  { name: 'exponential decay', times: { decay }, aim: 1.1 },
  { name: 'gaussian decay', times: { decay: { ...decay, shape: 'gaussian' } }, aim: 1.1 },
  {
    name: 'linear decay',
    times: { decay: { ...decay, shape: 'linear', halfLife: '5y' } },
    aim: 1.1,
  },
  {
    name: 'exponential decay, floor 0.5',
    times: { decay: { ...decay, floor: 0.5 } },
    aim: 1.1,
  },
  {
    name: 'exponential decay of content times',
    times: { decay: { ...decay, clock: 'content' } },
    aim: 1.1,
  },
  {
    name: 'exponential decay that is added',
    times: { decay: { ...decay, combine: 'sum', weight: 0.2 } },
    aim: 1.1,
  },
  { name: 'asOf that hides half', times: { asOf: now - (days / 2) * day } },
  {
    name: 'window of 1 % of the rows',
    times: { interval: windowOf(0.01), relation: 'within' },
    aim: 0.05,
  },
  ...[0.1, 0.3].map((share) => ({
    name: `window of ${100 * share} % of the rows`,
    times: { interval: windowOf(share), relation: 'within' } as const,
  })),
  ...[0.01, 0.1, 0.3].map((share) => ({
    name: `twice the score in a window of ${100 * share} %`,
    times: {
      form: { ...spline, lines: [{ window: windowOf(share), atStart: 1, atEnd: 1 }] },
    } as const,
  })),
];
const cases = all.filter(({ name }) => name === 'plain' || name.includes(values.only));

say(describeMachine(machine()));
const data = values.corpus
  ? await corpusData(work, values.corpus)
  : await dataSet(work, 'random', Number(values.rows), Number(values.dimensions));
const { rows, dimensions: d } = data;
const queries = readRows(data.queryFile, 0, data.queries, d);
for (const storage of values.storage.split(','))
  for (const order of ['sorted by time', 'in no order of time'] as const)
    await compare(storage as 'int8' | 'int4', order);
if (values.docs) publish('bench/search/time.ts');
process.exit(0);

async function compare(
  storage: 'int8' | 'int4',
  order: 'sorted by time' | 'in no order of time',
): Promise<void> {
  const dayOf = (row: number): number =>
    Math.floor(((order === 'sorted by time' ? row : (row * 7919) % rows) / rows) * days);
  const at = Float64Array.from({ length: rows }, (_, row) => start + dayOf(row) * day);
  using index = new VectorIndex({
    dimensions: d,
    vectors: readRows(data.rowFile, 0, rows, d),
    storage,
    publishedAt: at,
    contentFrom: at,
    contentTo: at.map((each) => each + day),
  });
  for (const threads of numbers(values.threads)) {
    say(`\n## ${data.name}, ${storage}, rows ${order}, k = ${k}, ${clockName(threads)}\n`);
    const batches = numbers(values.batch);
    say(
      `| milliseconds, times the plain scan (least to most) | ${batches.map((batch) => `batch ${batch}`).join(' | ')} | aim |`,
    );
    say(`| --- | ${batches.map(() => '---:').join(' | ')} | ---: |`);
    addon.setThreadCount(threads);
    const columns: string[][] = [];
    for (const batch of batches) columns.push(await measure(index, batch, threads));
    cases.forEach(({ name, aim }, at_) =>
      say(`| ${name} | ${columns.map((column) => column[at_]).join(' | ')} | ${aim ?? ''} |`),
    );
  }
}

async function measure(index: VectorIndex, batch: number, threads: number): Promise<string[]> {
  const taken = await inTurns(cases, rounds, ({ times }) =>
    callTime(
      threads,
      (call) => {
        const at = (call * batch) % (data.queries - batch + 1);
        return index.searchBatch(queries.subarray(at * d, (at + batch) * d), k, times);
      },
      40,
      leastQueries / batch,
    ),
  );
  return taken.map((list) => `${median(list).toFixed(2)} x ${ratioOf(list, taken[0]!)}`);
}
