// What certainty costs: asof's exact scans and those declared approximate compared with indexes
// that may miss rows (graphs of hnswlib and usearch, LanceDB's indexes) at equal recall, k = 10,
// one query at a time on one thread; with the time to build each, and its memory. Each index is
// asked with ever more to look at (`ef`, `nprobes`) until it reaches a recall; then all take turns
// within every round, and cells are medians with least and most. A row counts as right where its
// exact score reaches the k-th best less 1e-7. Each contender is a process of its own over the same
// file of vectors; what building takes includes reading that file.
//
// node --import tsx bench/search/approximate.ts [--data timeqa,clustered] [--shape 200000x384]
// [--corpus FOLDER] [--recall 0.9,0.95,0.99,0.999] [--queries 300] [--rounds 5]
// [--only asof,usearch] [--work FOLDER] [--docs]
//
// --corpus takes the rows of a corpus, with TimeQA's questions. A graph of 200,000 rows takes
// minutes to build.
import '../../test/selectAddon.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { clocked, median, publish, row, say, short } from '../report.js';
import { approximateContenders } from './approximateContenders.js';
import type { SearchResult } from './contenders.js';
import { corpusData, dataSet, inner, readRows, type DataSet, type Kind } from './data.js';
import { installPeers } from './install.js';
import { Peer } from './peer.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'timeqa,clustered' },
    shape: { type: 'string', default: '200000x384' },
    corpus: { type: 'string' },
    recall: { type: 'string', default: '0.9,0.95,0.99,0.999' },
    queries: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const k = 10;
const recalls = values.recall.split(',').map(Number);
const [queries, rounds] = [Number(values.queries), Number(values.rounds)];
/** Queries of a round. */
const perRound = Math.min(50, queries);
const reference = 'asof f32';
const exact = [reference, 'asof int8 certified', 'asof int4 certified'];
const wanted = values.only?.split(',');
const names = [...exact, ...Object.keys(approximateContenders)].filter(
  (name) => name === reference || !wanted || wanted.some((part) => name.startsWith(part)),
);

interface Entrant {
  name: string;
  peer: Peer;
  buildSeconds: number;
  memory: { resident: number; peak: number };
}

/** A contender as it reaches a recall; `breadth` where it has one. */
interface Reached {
  entrant: Entrant;
  breadth?: number;
  recall: number;
}

const work = workFolder('approximate', values.work);
say(describeMachine(machine()));
for (const [name, why] of installPeers(work, ['hnswlib-node', 'LanceDB']))
  say(`- ${name}: not installed (${why})`);
const [rows, dimensions] = values.shape.split('x').map(Number) as [number, number];
const sets = values.corpus
  ? [await corpusData(work, values.corpus)]
  : await Promise.all(
      values.data.split(',').map((kind) => dataSet(work, kind as Kind, rows, dimensions)),
    );
for (const data of sets) await compare(data);
if (values.docs) publish(`bench/search/approximate.ts`);
process.exit(0);

async function compare(data: DataSet): Promise<void> {
  say(`\n## ${data.name}: ${data.rows.toLocaleString('en')} x ${data.dimensions}\n`);
  const entrants: Entrant[] = [];
  for (const name of names) {
    const peer = Peer.start(name, work);
    const started = performance.now();
    try {
      await peer.open(data);
      const buildSeconds = (performance.now() - started) / 1000;
      entrants.push({ name, peer, buildSeconds, memory: peer.memory() });
    } catch (error) {
      peer.close();
      say(`- ${name}: not run (${(error as Error).message})`);
    }
    console.error(`${data.name}: ${name} is there`);
  }
  const isRight = await truth(data, entrants[0]!);
  const curves = new Map<Entrant, Reached[]>();
  for (const entrant of entrants) {
    const curve: Reached[] = [];
    const { breadth } = approximateContenders[entrant.name] ?? {};
    for (const each of breadth?.values ?? [undefined]) {
      const recall = await recallOf(entrant, each, isRight);
      curve.push({ entrant, recall, ...(each === undefined ? {} : { breadth: each }) });
      if (recall >= Math.max(...recalls)) break;
    }
    curves.set(entrant, curve);
  }
  await printTimes(curves);
  say('');
  row(['', 'seconds to build', 'MiB resident', 'at most', 'greatest recall']);
  row(['---', '---:', '---:', '---:', '---:']);
  for (const { name, buildSeconds, memory } of entrants) {
    const most = Math.max(
      ...[...curves].find(([each]) => each.name === name)![1].map(({ recall }) => recall),
    );
    row([
      name,
      short(buildSeconds),
      memory.resident.toFixed(0),
      memory.peak.toFixed(0),
      most.toFixed(4),
    ]);
  }
  entrants.forEach(({ peer }) => peer.close());
}

/** The times of all contenders by recall: those that miss nothing stand in every column. */
async function printTimes(curves: ReadonlyMap<Entrant, readonly Reached[]>): Promise<void> {
  const cells = recalls.map((recall) =>
    [...curves].map(([, curve]) => curve.find((each) => each.recall >= recall)),
  );
  const times = new Map<Reached, number[]>();
  for (const each of new Set(cells.flat())) if (each) times.set(each, []);
  for (const each of times.keys()) await timed(each, 0);
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...times.keys()];
    for (const each of round % 2 ? turns.reverse() : turns)
      times.get(each)!.push(await timed(each, round));
  }
  const base = [...times].find(([{ entrant }]) => entrant.name === 'asof int4 certified')?.[1];
  row(['', ...recalls.map((recall) => `recall@${k} of ${recall}: ms (least to most)`)]);
  row(['---', ...recalls.map(() => '---:')]);
  [...curves.keys()].forEach(({ name }, at) => {
    const texts = cells.map((list) => {
      const found = list[at];
      if (!found) return 'not reached';
      const own = times.get(found)!;
      const ratio = base ? `, x ${short(median(base.map((time, r) => time / own[r]!)))}` : '';
      const set = found.breadth === undefined ? '' : ` at ${found.breadth}`;
      return `${short(median(own))} (${short(Math.min(...own))} to ${short(Math.max(...own))})${ratio}${set}`;
    });
    const { breadth } = approximateContenders[name] ?? {};
    row([breadth ? `${name}, ${breadth.name}` : name, ...texts]);
  });
  say('\nProcessor time of a query; x: times faster than asof int4 certified.');
}

/** Milliseconds of processor time a query. */
async function timed({ entrant, breadth }: Reached, round: number): Promise<number> {
  const one = { batch: 1, k, threads: 1, results: false, calls: perRound };
  const first = (round * perRound) % queries;
  // A new breadth may load the index again: not within the time.
  if (breadth !== undefined) await entrant.peer.search({ ...one, calls: 1, first, breadth });
  return clocked(1, await entrant.peer.search({ ...one, first }));
}

async function recallOf(
  { peer }: Entrant,
  breadth: number | undefined,
  isRight: (query: number, row: number) => boolean,
): Promise<number> {
  const found = await search(peer, breadth);
  let right = 0;
  found.forEach((result, query) =>
    result.rows.slice(0, k).forEach((each) => (right += Number(isRight(query, each)))),
  );
  return right / (k * queries);
}

async function search(peer: Peer, breadth?: number): Promise<SearchResult[]> {
  const request = { first: 0, batch: queries, calls: 1, k, threads: 1, results: true };
  const wide = breadth === undefined ? {} : { breadth };
  return (await peer.search({ ...request, ...wide })).found!;
}

/** By the exact scan, whose k-th score is the limit; other rows are scored in float64. */
async function truth(data: DataSet, { peer }: Entrant) {
  const { dimensions: d } = data;
  const vectors = readRows(data.queryFile, 0, queries, d);
  const limits: number[] = [];
  const known = (await search(peer)).map(({ rows: best }, query) => {
    const scores = best.map((each) => scoreOf(query, each));
    limits.push(Math.min(...scores) - 1e-7);
    return new Set(best);
  });
  function scoreOf(query: number, number: number): number {
    return inner(vectors, query * d, readRows(data.rowFile, number, 1, d), 0, d);
  }
  return (query: number, number: number): boolean =>
    known[query]!.has(number) || scoreOf(query, number) >= limits[query]!;
}
