// Exact search against FAISS (as shipped and tuned), usearch, hnswlib-node, sqlite-vec, LanceDB and
// a plain loop: each in a separate process over the same files, in turns within every round;
// medians with least and most, recall and error against speed, ratio to the best FAISS of the cell.
// One thread is timed by processor time, which a busy machine lengthens less; two by wall clock,
// where there are two. Under the tables stands what reading the rows and multiplying them take at
// the least (limits.ts).
//
// node --import tsx bench/search/peers.ts [--full] [--shapes 200000x384,100000x768] [--data
// random,clustered,timeqa,minilm] [--model FOLDER] [--k 10,100]
// [--batch 1,8,64,256] [--threads 1,2] [--rounds 5] [--only asof,FAISS] [--work FOLDER] [--docs]
// [--no-install] [--json FILE] [--docs] [--against TREE]
//
// --against adds every asof form of another checkout, built, and a table of the ratios of the times
// of a round: a guard against regressions (within 3 %; some 40 rounds on a quiet machine).
// A minute: --shapes 50000x384 --data random --k 10. --full: 1000000x384 and 500000x768, about 20
// GB of memory with every contender.
import '../../test/selectAddon.js';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from '../options.js';
import { describeMachine, machine } from '../machine.js';
import { asofForms, contenders } from './contenders.js';
import {
  checkedQueries,
  dataSet,
  inner,
  kinds,
  readRows,
  type DataSet,
  type Kind,
} from './data.js';
import { installPeers } from './install.js';
import { faissForms, Peer, type PeerOpened } from './peer.js';
import { MachineLimits, printLimits } from './limits.js';
import { clocked, median, publish, say } from '../report.js';
import {
  againstName,
  print,
  printAgainst,
  type Cell,
  type RecallCheck,
  type Entrant,
} from './tables.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    full: { type: 'boolean', default: false },
    shapes: { type: 'string' },
    data: { type: 'string', default: 'random,clustered,timeqa' },
    model: { type: 'string' },
    k: { type: 'string', default: '10,100' },
    batch: { type: 'string', default: '1,8,64,256' },
    threads: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
    install: { type: 'boolean', default: true },
    json: { type: 'string' },
    against: { type: 'string' },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);
const [ks, batches, threadCounts, rounds] = [
  numbers(values.k),
  numbers(values.batch),
  numbers(values.threads),
  Number(values.rounds),
];
const shapes = (values.shapes ?? (values.full ? '1000000x384,500000x768' : '200000x384,100000x768'))
  .split(',')
  .map((shape) => numbers(shape.replace('x', ',')));
const wanted = values.only?.split(',');
const names = [...Object.keys(faissForms), ...Object.keys(contenders)].filter(
  (name) => !wanted || wanted.some((part) => name.startsWith(part)),
);
const work = workFolder('search', values.work);

/**
 * Limit of a contender's time in a cell, milliseconds, after its first call; one round at least.
 * Another build has as many rounds as this one, since their rounds are compared in pairs.
 */
const patience = values.against ? Infinity : 3000;
/** A round repeats its call for at least this many milliseconds. */
const leastRound = 60;
/**
 * Calls that are not timed take this many milliseconds in every cell: JavaScript that has not run
 * often is yet to be compiled.
 */
const leastWarmUp = 250;

say(describeMachine(machine()));
const packages = [
  ...['FAISS', 'MKL for FAISS', 'hnswlib-node', 'better-sqlite3', 'sqlite-vec', 'LanceDB'],
];
const missing = values.install ? installPeers(work, packages) : new Map<string, string>();
for (const [name, why] of missing) say(`- ${name}: not installed (${why})`);
const all: unknown[] = [];
for (const kind of values.data.split(',') as Kind[]) {
  if (!kinds.includes(kind))
    throw new Error(`Expected --data among ${kinds.join(', ')}, received ${kind}.`);
  for (const [rows, dimensions] of kind === 'random' || kind === 'clustered' ? shapes : [[0, 0]]) {
    const data = await dataSet(work, kind, rows!, dimensions!, values.model).catch((error: Error) =>
      say(`\n## ${kind}: ${error.message}`),
    );
    if (data) all.push(await compare(data));
  }
}
if (values.json)
  writeFileSync(
    values.json,
    `${JSON.stringify({ date: new Date().toISOString(), machine: machine(), sets: all }, undefined, 1)}\n`,
  );
if (values.docs) publish(`bench/search/peers.ts ${values.shapes || values.data}`);
process.exit(0);

async function compare(data: DataSet): Promise<unknown> {
  const entrants: (Entrant & { peer?: Peer })[] = [];
  for (const name of names) {
    entrants.push(await entered(name, data));
    if (values.against && name in asofForms)
      entrants.push(await entered(name, data, resolve(values.against)));
  }
  const limits = MachineLimits.start(data.rowFile, work);
  if ('why' in limits) say(`- limits.cpp: not run (${limits.why})`);
  const present = entrants.filter(
    (each): each is Entrant & { peer: Peer; opened: PeerOpened } => each.peer !== undefined,
  );
  const cells: Cell[] = [];
  const checked: RecallCheck[] = [];
  for (const { name, peer, opened } of present) {
    for (const k of ks) checked.push({ name, k, ...(await check(peer, opened, data, k)) });
  }
  for (const k of ks) {
    for (const threads of threadCounts) {
      for (const batch of batches) {
        const able = present.filter(
          ({ opened }) => (opened.batches || batch === 1) && threads <= (opened.threads ?? threads),
        );
        const cell: Cell = { k, threads, batch, times: {} };
        const searched = able.map(({ name }) => name);
        await measure(able, cell, async () => {
          if (limits instanceof MachineLimits) await limits.measure(searched, data, cell);
        });
        cells.push(cell);
        console.error(
          `${data.name}: k = ${k}, ${threads} thread${threads > 1 ? 's' : ''}, batch ${batch} is done`,
        );
      }
    }
  }
  for (const each of present) each.memory = each.peer.memory();
  present.forEach(({ peer }) => peer.close());
  if (limits instanceof MachineLimits) limits.close();
  const result = {
    data: { name: data.name, rows: data.rows, dimensions: data.dimensions },
    entrants: entrants.map(({ peer: _, ...rest }) => rest),
    cells,
    checked,
  };
  print(result, { ks, batches, threadCounts });
  if (values.against) printAgainst(result, Object.keys(asofForms));
  for (const k of ks) threadCounts.forEach((threads) => printLimits(result, k, threads));
  return result;
}

async function entered(
  form: string,
  data: DataSet,
  tree?: string,
): Promise<Entrant & { peer?: Peer }> {
  const name = tree ? againstName(form) : form;
  let peer: Peer | undefined;
  try {
    peer = Peer.start(form, work, tree);
    const started = performance.now();
    const opened = await peer.open(data);
    return { name, peer, opened, openSeconds: (performance.now() - started) / 1000 };
  } catch (error) {
    peer?.close();
    return { name, why: (error as Error).message };
  }
}

/**
 * Recall and error of the first queries. A row counts as right where its exact score reaches the
 * k-th but for float32's rounding.
 */
async function check(
  peer: Peer,
  opened: PeerOpened,
  data: DataSet,
  k: number,
): Promise<Omit<RecallCheck, 'name' | 'k'>> {
  const batch = opened.batches ? 64 : checkedQueries;
  const { found } = await peer.search({ first: 0, batch, calls: 1, k, threads: 1, results: true });
  const d = data.dimensions;
  const queries = readRows(data.queryFile, 0, checkedQueries, d);
  const depth = Math.min(k, data.rows);
  let [right, error] = [0, 0];
  for (let q = 0; q < checkedQueries; q += 1) {
    const { rows: best, scores } = data.truth[q]!;
    const exact = new Map(best.map((row, at) => [row, scores[at]!]));
    found![q]!.rows.slice(0, depth).forEach((row, at) => {
      const score =
        exact.get(row) ?? inner(queries, q * d, readRows(data.rowFile, row, 1, d), 0, d);
      if (score >= scores[depth - 1]! - 1e-7) right += 1;
      error = Math.max(error, Math.abs(score - found![q]!.scores[at]!));
    });
  }
  const rescored = found!.flatMap((each) => each.rescored ?? []);
  return {
    recall: right / (depth * checkedQueries),
    error,
    ...(rescored.length ? { rescored: median(rescored) } : {}),
  };
}

/** Fills the cell's times; `between` is called after every round. */
async function measure(
  able: { name: string; peer: Peer }[],
  { k, threads, batch, times }: Cell,
  between: () => Promise<void>,
): Promise<void> {
  const plan = new Map<string, { calls: number; rounds: number }>();
  const one = { batch, k, threads, results: false };
  for (const { name, peer } of able) {
    // warm-up, apart; it says how many rounds there is time for
    let { wall } = await peer.search({ ...one, first: 0, calls: 1 });
    if (wall < leastWarmUp)
      ({ wall } = await peer.search({ ...one, first: 0, calls: Math.ceil(leastWarmUp / wall) }));
    plan.set(name, {
      calls: Math.max(1, Math.ceil(leastRound / wall)),
      rounds: Math.max(1, Math.min(rounds, Math.floor(patience / wall))),
    });
    times[name] = [];
  }
  for (let round = 0; round < rounds; round += 1) {
    const turns = able.map((_, turn) => able[(turn + round) % able.length]!);
    for (const { name, peer } of round % 2 ? turns.reverse() : turns) {
      const { calls, rounds: most } = plan.get(name)!;
      if (round >= most) continue;
      times[name]!.push(
        clocked(threads, await peer.search({ ...one, first: round * batch, calls })),
      );
    }
    await between();
  }
}
