// What searches do to the event loop: how late a timer of a millisecond is while a million rows are
// searched, in memory and in a corpus on disk, one search after another and many asked at once.
// Lateness is by the wall clock: where more wants to run than there are cores, the timer waits for
// a core too, with no search as well as with one. So the processor time that the JS thread itself
// took between two turns is printed next to it, where the system tells. Speed is not measured here.
//
// node --import tsx bench/search/delay.ts [--rows 1000000] [--dimensions 384] [--seconds 4] [--work
// FOLDER] [--docs]
import '../../test/selectAddon.js';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from '../options.js';
import { searchVectors, VectorIndex, type VectorSearchOptions } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { openStored } from './contenders.js';
import { dataSet, readRows } from './data.js';
import { publish, row, say } from '../report.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    dimensions: { type: 'string', default: '384' },
    seconds: { type: 'string', default: '4' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const work = workFolder('delay', values.work);
const [rows, d, seconds] = [Number(values.rows), Number(values.dimensions), Number(values.seconds)];

type Search = (queries: Float32Array, k: number, options?: VectorSearchOptions) => Promise<unknown>;

interface Case {
  batch: number;
  k: number;
  together: number;
  options?: VectorSearchOptions;
}
const recency = {
  combine: 'sum',
  kind: 'recency',
  clock: 'published',
  at: Date.UTC(2024, 0, 1),
  floorDays: 1,
  weight: 1,
} as const;
const cases: readonly Case[] = [
  { batch: 1, k: 10, together: 1 },
  { batch: 256, k: 100, together: 1 },
  { batch: 256, k: 1000, together: 1 },
  { batch: 64, k: 100, together: 1, options: { form: recency } },
  { batch: 64, k: 100, together: 8 },
  { batch: 1, k: 10, together: 300 },
];

say(describeMachine(machine()));
say(
  `\n## Lateness of a timer of 1 ms while ${rows.toLocaleString('en')} x ${d} are searched on all cores, milliseconds\n`,
);
row(['', 'p50', 'p99', 'longest', 'processor time of a turn, at most', 'searches']);
row(['---', '---:', '---:', '---:', '---:', '---:']);
const data = await dataSet(work, 'random', rows, d);
const queries = readRows(data.queryFile, 0, data.queries, d);
await watch('no search', () => wait(50), 0);
{
  using index = new VectorIndex({ dimensions: d, vectors: readRows(data.rowFile, 0, rows, d) });
  await watchAll('in memory', (asked, k, options) => index.searchBatch(asked, k, options));
}
{
  await using corpus = await openStored(data, work);
  await watchAll('on disk', (asked, k, options) => searchVectors(corpus, asked, k, options));
}
if (values.docs) publish('bench/search/delay.ts');
process.exit(0);

async function watchAll(where: string, search: Search): Promise<void> {
  for (const { batch, k, together, options } of cases) {
    const asked = queries.subarray(0, batch * d);
    const many = (): Promise<unknown> =>
      Promise.all(Array.from({ length: together }, () => search(asked, k, options)));
    const named = `${where}, batch ${batch}, k = ${k}${options ? ', recency' : ''}${together > 1 ? `, ${together} asked at once` : ''}`;
    await many(); // what a corpus measures once
    await watch(named, many, together);
  }
}

async function watch(name: string, work: () => Promise<unknown>, searches: number): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const until = performance.now() + 1000 * seconds;
  let done = 0;
  let [taken, longestTurn] = [threadTime(), 0];
  const turns = setInterval(() => {
    const now = threadTime();
    longestTurn = Math.max(longestTurn, now - taken);
    taken = now;
  }, 1);
  delay.enable();
  while (performance.now() < until) {
    await work();
    done += searches;
  }
  delay.disable();
  clearInterval(turns);
  const lateness = [delay.percentile(50), delay.percentile(99), delay.max].map((nanoseconds) =>
    (nanoseconds / 1e6).toFixed(1),
  );
  row([
    name,
    ...lateness,
    Number.isNaN(longestTurn) ? 'not told' : longestTurn.toFixed(1),
    String(done),
  ]);
}

/** Milliseconds that the JS thread has run. */
function threadTime(): number {
  try {
    return (
      Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    );
  } catch {
    return NaN;
  }
}
