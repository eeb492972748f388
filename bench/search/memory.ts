// Memory in addition to the mapped files that searches of a corpus on disk take at their peak: one
// process a case, watched from outside while it opens the corpus and searches it for the first time
// and on. What grows of JavaScript's heap meanwhile is part of it. Speed is not measured here.
//
// node --import tsx bench/search/memory.ts [--rows 200000] [--dimensions 384] [--work FOLDER]
// [--only 'k = 1000'] [--docs]
import '../../test/selectAddon.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { parseArgs } from '../options.js';
import { searchVectors, type VectorSearchOptions } from '../../lib/index.js';
import type { ColumnSearchOptions } from '../../lib/retrieval/vectorSearch.js';
import { describeMachine, machine, ownMemory } from '../machine.js';
import { openStored, storedForm } from './contenders.js';
import { dataSet, readRows } from './data.js';
import { publish, say } from '../report.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    dimensions: { type: 'string', default: '384' },
    work: { type: 'string' },
    docs: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    search: { type: 'string' },
  },
});
const aimMiB = 64;
const searches = 5;
const [rows, dimensions] = [Number(values.rows), Number(values.dimensions)];

interface Case {
  name: string;
  batch: number;
  k: number;
  options: VectorSearchOptions | ColumnSearchOptions;
}
const recency = {
  combine: 'sum',
  kind: 'recency',
  clock: 'published',
  at: Date.UTC(2024, 0, 1),
  floorDays: 1,
  weight: 1,
} as const;
const cases: Case[] = [
  ...[1, 64, 256].flatMap((batch) =>
    [10, 100, 1000].map((k) => ({ name: `batch ${batch}, k = ${k}`, batch, k, options: {} })),
  ),
  { name: 'batch 256, k = 1000, as columns', batch: 256, k: 1000, options: { as: 'columns' } },
  { name: 'batch 64, k = 100, rescored', batch: 64, k: 100, options: { exactness: 'rescored' } },
  { name: 'batch 64, k = 100, recency', batch: 64, k: 100, options: { form: recency } },
];

if (values.search !== undefined) await searchHere(cases[Number(values.search)]!);
else if (!existsSync('/proc/self/status')) say('not run: no /proc here');
else await measureAll();

async function searchHere({ batch, k, options }: Case): Promise<void> {
  const data = await dataSet(values.work!, 'random', rows, dimensions);
  await using corpus = await openStored(data, values.work!);
  const queries = readRows(data.queryFile, 0, data.queries, dimensions);
  await told('open');
  for (let call = 0; call < searches; call += 1) {
    const asked = Float32Array.from(
      { length: batch * dimensions },
      (_, i) => queries[(i + call * dimensions) % queries.length]!,
    );
    await searchVectors(corpus, asked, k, options);
    if (call === 0) await told('first');
  }
  await told('done');
}

/** Notifies the parent and waits for its measurement. */
async function told(phase: string): Promise<void> {
  process.send!(phase);
  await once(process, 'message');
}

async function measureAll(): Promise<void> {
  const work = workFolder('memory', values.work);
  const data = await dataSet(work, 'random', rows, dimensions);
  await (await openStored(data, work)).close();
  const { storage, exactness } = storedForm;
  say(describeMachine(machine()));
  const what = `${searches} searches of ${rows} x ${dimensions} on disk (${storage}, ${exactness})`;
  say(`\n## Memory of ${what}, MiB in addition to mapped files (aim: at most ${aimMiB} more)\n`);
  say(
    '| | corpus open | at most in the first search | in all | more than open | |\n| --- | ' +
      '---: | ---: | ---: | ---: | --- |',
  );
  for (const [number, { name }] of cases.entries()) {
    if (!name.includes(values.only)) continue;
    const { open, first, all } = await watched(number, work);
    const more = all - open;
    say(
      `| ${name} | ${[open, first, all, more].map((each) => each.toFixed(0)).join(' | ')} | ${more > aimMiB ? 'missed' : ''} |`,
    );
  }
  if (values.docs) publish('bench/search/memory.ts');
}

/** The most that the process of a case holds, by what it has done. */
async function watched(
  number: number,
  work: string,
): Promise<{ open: number; first: number; all: number }> {
  const given = [
    '--search',
    String(number),
    '--rows',
    String(rows),
    '--dimensions',
    String(dimensions),
    '--work',
    work,
  ];
  const child = fork(new URL(import.meta.url), given, { execArgv: process.execArgv });
  const seen = { open: 0, first: 0, all: 0 };
  let most = 0;
  const looking = setInterval(() => void (most = Math.max(most, ownMemory(child.pid) || 0)), 1);
  child.on('message', (phase) => {
    if (phase === 'open') most = seen.open = ownMemory(child.pid);
    if (phase === 'first') seen.first = most;
    if (phase === 'done') seen.all = most;
    child.send('seen');
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(looking);
  if (code !== 0)
    throw new Error(`Expected the search of case ${number} to end well, it ended with ${code}.`);
  return seen;
}
