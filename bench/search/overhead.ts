// What Node adds to a search: one query over 10,000 x 384 by the public API against the same scan
// called from C++, in turns. What a search does to the event loop is delay.ts'.
//
// node --import tsx bench/search/overhead.ts [--work FOLDER] [--docs] [--rounds 9]
import '../../test/selectAddon.js';
import { execFileSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from '../options.js';
import { binding } from '../../lib/binding.js';
import { addon } from '../../test/addon.js';
import { VectorIndex } from '../../lib/index.js';
import { compileBare } from '../compileBare.js';
import { describeMachine, machine } from '../machine.js';
import { dataSet, readRows, type DataSet } from './data.js';
import { median, publish, say } from '../report.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    work: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    docs: { type: 'boolean', default: false },
  },
});
const work = workFolder('overhead', values.work);
const [rounds, d] = [Number(values.rounds), 384];

say(describeMachine(machine()));
await nodeOverhead(await dataSet(work, 'random', 10_000, d));
if (values.docs) publish('bench/search/overhead.ts');
process.exit(0);

interface Clocks {
  from: bigint;
  to: bigint;
}

async function nodeOverhead(data: DataSet): Promise<void> {
  const calls = 400;
  const bareScan = compileBare('bench/search/bare.cpp', work);
  if ('why' in bareScan) say(`bare C++ call: not run (${bareScan.why})`);
  const queries = readRows(data.queryFile, 0, data.queries, d);
  using index = new VectorIndex({
    dimensions: d,
    vectors: readRows(data.rowFile, 0, data.rows, d),
  });
  const { searchFlatSync } = binding;
  let inAddon: Clocks | undefined;
  binding.searchFlatSync = (...given) => {
    const from = process.hrtime.bigint();
    const found = searchFlatSync(...given);
    inAddon = { from, to: process.hrtime.bigint() };
    return found;
  };
  say(`\n## One query over ${data.rows} x ${d}, k = 10: microseconds, wall clock\n`);
  say(
    'First decile, median, last decile: other work of the machine disturbs the first least. ' +
      'The parts are medians: what is done before the',
  );
  say(
    'addon is entered, what it takes more than the bare call, and what is done after. A ' +
      'service gets its requests in turns of their own; where',
  );
  say(
    'searches await each other within one turn, what exceeds a millisecond is left to other ' +
      'threads, so that timers have their turn.\n',
  );
  const adds = 'Node adds, first decile and median (aim: under 30)';
  say(
    `| threads | calls | bare C++ call | by the API | ${adds} | before, in, after the addon | left to other threads |`,
  );
  say('| ---: | --- | ---: | ---: | ---: | ---: | ---: |');
  for (const [threads, apart] of [
    [1, true],
    [2, true],
    [1, false],
    [2, false],
  ] as const) {
    const all: { bare: number[]; whole: number[]; parts: [number[], number[], number[]] } = {
      bare: [],
      whole: [],
      parts: [[], [], []],
    };
    for (let round = 0; round < rounds; round += 1) {
      if ('program' in bareScan) {
        const said = execFileSync(
          bareScan.program,
          [data.rowFile, data.queryFile, d, 10, threads, calls].map(String),
          { encoding: 'utf8' },
        );
        all.bare.push(...said.trim().split(' ').map(Number));
      }
      addon.setThreadCount(threads);
      for (let call = -40; call < calls; call += 1) {
        const at = ((call + 40) % data.queries) * d;
        if (apart) await turn();
        const started = process.hrtime.bigint();
        inAddon = undefined;
        await index.searchBatch(queries.subarray(at, at + d), 10);
        const ended = process.hrtime.bigint();
        if (call < 0) continue;
        all.whole.push(microseconds(started, ended));
        if (!inAddon) continue;
        const { from, to }: Clocks = inAddon;
        [
          [started, from],
          [from, to],
          [to, ended],
        ].forEach(([begin, end], part) => all.parts[part]!.push(microseconds(begin!, end!)));
      }
    }
    const {
      bare,
      whole,
      parts: [before, within, after],
    } = all;
    const more = (share: number): string => (decile(whole, share) - decile(bare, share)).toFixed(1);
    const adds = bare.length ? `${more(0.1)}, ${more(0.5)}` : 'not run';
    const parts = [
      decile(before, 0.5),
      decile(within, 0.5) - (bare.length ? decile(bare, 0.5) : 0),
      decile(after, 0.5),
    ];
    const others = `${(100 * (1 - before.length / whole.length)).toFixed(0)} %`;
    const figures = [
      deciles(bare),
      deciles(whole),
      adds,
      parts.map((each) => each.toFixed(1)).join(', '),
      others,
    ];
    say(
      `| ${threads} | ${apart ? 'a turn each' : 'awaiting each other'} | ${figures.join(' | ')} |`,
    );
  }
  binding.searchFlatSync = searchFlatSync;
  await emptySearch(queries);
}

function microseconds(from: bigint, to: bigint): number {
  return Number(to - from) / 1000;
}

function decile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

function deciles(times: readonly number[]): string {
  return times.length
    ? [0.1, 0.5, 0.9].map((share) => decile(times, share).toFixed(1)).join(', ')
    : 'not run';
}

/**
 * The same call where there is nothing to scan: what it costs with warm caches, and how much of it
 * before the promise is there.
 */
async function emptySearch(queries: Float32Array): Promise<void> {
  using index = new VectorIndex({ dimensions: d, vectors: new Float32Array() });
  const [whole, before]: [number[], number[]] = [[], []];
  for (let call = 0; call < 3000; call += 1) {
    const started = process.hrtime.bigint();
    const found = index.searchBatch(queries.subarray(0, d), 10);
    before.push(Number(process.hrtime.bigint() - started) / 1000);
    await found;
    whole.push(Number(process.hrtime.bigint() - started) / 1000);
  }
  const [all, first] = [whole, before].map((list) => median(list.slice(1000)).toFixed(1));
  say(`\nOver no rows at all ${all} microseconds, ${first} of them before the promise is there.`);
}
