// How long each stage of a system takes for one question, over the TimeQA corpus and over a million
// passages made of it, p50 and p99 from the trace, with the event loop's delay. After `npm run
// build`: `node --import tsx bench/quality/latency.ts [--passages timeqa,1000000]
// [--system mrag,hybrid] [--questions 200] [--warm 20] [--together 1,8,32] [--combined] [--worst N]
// [--settings JSON] [--keep DIR] [--docs]`, the settings being a system's options. A corpus under
// --keep is indexed once; one left half made is continued. Questions go one at a time, as a user
// waits, and then again with each number of --together in flight (load.ts); --combined also asks
// what a user would put together of other packages, over the TimeQA corpus (combined.ts); --worst
// tells where the N that took most processor time spent it; the load average is printed.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { parseArgs } from '../options.js';
// As it ships: tsx names each closure when it is made, which takes a third of a question's time.
import { Corpus, type Passage, type TraceEntry } from '../../dist/index.js';
import { createSystem, type Settings } from '../../dist/papers/index.js';
import { readQrels } from '../../packages/evaluation/lib/index.js';
import { describeMachine, machine, ownMemory } from '../machine.js';
import { publish, quantile, row, say } from '../report.js';
import { perturbedPassages } from './sets/perturbedPassages.js';
import { combined } from './combined.js';
import { measureLoad } from './load.js';
import { makeSet, passagesOf, queriesOf, requireData, workFolder } from './sets/sets.js';

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: 'timeqa,1000000' },
    system: { type: 'string', default: 'mrag,hybrid' },
    questions: { type: 'string', default: '200' },
    warm: { type: 'string', default: '20' },
    together: { type: 'string', default: '' },
    combined: { type: 'boolean', default: false },
    worst: { type: 'string', default: '0' },
    settings: { type: 'string', default: '{}' },
    keep: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
requireData();
/**
 * MRAG's table 9, seconds on a GPU server, and what this project aims at over a million passages on
 * two cores.
 */
const paper: Record<string, string> = {
  'question processing': '0.06 s',
  'retrieval and summaries': '1.23 s',
  'hybrid ranking': '1.04 s',
  'whole retrieval': '2.33 s',
};
const aim =
  'aim over a million passages on 2 cores with the embedded encoder, p99: hybrid 40 ms, mrag ' +
  '15 ms; at most 64 MiB of memory in addition to mapped files';

const work = workFolder('latency', values.keep);
say(
  `${describeMachine(machine())}\npaper: MRAG table 9, on a GPU server, all of Wikipedia; ${aim}`,
);
const folder = makeSet(work, 'timeqa');
const originals = passagesOf(folder);
const settings = JSON.parse(values.settings) as Settings;
const [warm, questions] = [Number(values.warm), Number(values.questions)];
const asked = queriesOf(folder, 'queries-hard', warm + questions);
const qrels = await readQrels(join(folder, 'qrels.tsv'));
const load = { warm: asked.slice(0, warm), asked: asked.slice(warm), qrels };
const inFlight = values.together === '' ? [] : values.together.split(',').map(Number);
for (const size of values.passages.split(',')) {
  const corpus = await corpusOf(size === 'timeqa' ? originals.length : Number(size));
  const { passages, rows, segments, bytes } = corpus.info();
  say(
    `\n## ${passages.toLocaleString('en')} passages, ${rows.toLocaleString('en')} rows, ${segments} segments, ` +
      `${(bytes.total / 2 ** 20).toFixed(0)} MiB`,
  );
  for (const name of values.system.split(',')) {
    await measure(name, corpus);
    const system = createSystem(name, { corpus, settings });
    const ask = async (text: string): Promise<string[]> =>
      (await system.run({ text })).evidence.map(({ id }) => id);
    if (inFlight.length > 0) await measureLoad(ask, load, inFlight);
  }
  await corpus.close();
}
if (values.combined) {
  const { name, ask } = await combined(work, originals);
  say(`\n### ${name}, over ${originals.length.toLocaleString('en')} passages`);
  await measureLoad((text) => ask(text, 10), load, inFlight.length > 0 ? inFlight : [1]);
}
if (values.docs) publish('bench/quality/latency.ts');

async function corpusOf(size: number): Promise<Corpus> {
  if (!Number.isInteger(size) || size < 1)
    throw new Error(`Expected --passages to be numbers or timeqa, received ${values.passages}.`);
  const corpus = await Corpus.open(
    join(work, size === originals.length ? 'timeqa.asof' : `timeqa-${size}.asof`),
  );
  const there = corpus.info().passages;
  if (there < size) {
    const started = performance.now();
    // Skipping stored passages is cheaper than comparing them. Recognised by id, since any of them
    // may be missing.
    await corpus.add(lackedBy(corpus, perturbedPassages(originals, size)), {
      onProgress: ({ done }) =>
        void (done % 102_400 === 0 && console.error(`indexed ${there + done} of ${size}`)),
    });
    const seconds = (performance.now() - started) / 1000;
    say(
      `\nindexed ${(size - there).toLocaleString('en')} passages in ${seconds.toFixed(0)} s, ${((size - there) / seconds).toFixed(0)} a second ` +
        `(load ${loadNow()})`,
    );
  }
  return corpus;
}

function* lackedBy(corpus: Corpus, passages: Iterable<Passage>): Generator<Passage> {
  for (const each of passages) if (!corpus.has(each.id)) yield each;
}

async function measure(name: string, corpus: Corpus): Promise<void> {
  const system = createSystem(name, { corpus, settings });
  const before = loadNow();
  const [own, most] = [ownMemory(), { mebibytes: 0 }];
  const cold = await timed(() => system.run({ text: asked[0]!.text }));
  for (const { text } of asked.slice(0, warm)) await system.run({ text });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const collections: { startTime: number; duration: number }[] = [];
  const collector = new PerformanceObserver((seen) => collections.push(...seen.getEntries()));
  collector.observe({ entryTypes: ['gc'] });
  const traces: TraceEntry[][] = [];
  const totals: number[] = [];
  const starts: number[] = [];
  delay.enable();
  const used = process.cpuUsage();
  for (const { text } of asked.slice(warm)) {
    const started = performance.now();
    const { trace } = await system.run({ text });
    totals.push(performance.now() - started);
    starts.push(started);
    traces.push(trace);
    most.mebibytes = Math.max(most.mebibytes, ownMemory());
  }
  const { user, system: kernel } = process.cpuUsage(used);
  delay.disable();
  // the observer is notified of collections later
  await new Promise((resolve) => setTimeout(resolve, 50));
  collector.disconnect();
  print(name, traces, totals);
  const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1);
  say(
    `\n${totals.length} questions after ${warm} to warm up; the first of all took ${cold.toFixed(0)} ms. Turns of the event loop, by a timer of ` +
      `1 ms: p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, longest ${ms(delay.max)} ms.`,
  );
  say(
    `Processor time of all threads ${((user + kernel) / 1000 / totals.length).toFixed(1)} ms a question, whatever the load; load average ` +
      `${before} before, ${loadNow()} after. Memory, mapped files apart: ${own.toFixed(0)} MiB before the first question, then at most ` +
      `${(most.mebibytes - own).toFixed(0)} MiB more.`,
  );
  const collected = starts.map((start, at) =>
    collections.filter(({ startTime }) => startTime >= start && startTime < start + totals[at]!),
  );
  printWorst(
    traces,
    totals,
    collected.map((all) => all.reduce((sum, { duration }) => sum + duration, 0)),
  );
}

/**
 * The questions that took most processor time, which other work does not lengthen much: each stage
 * by the clock and by that, and collections.
 */
function printWorst(
  traces: readonly TraceEntry[][],
  totals: readonly number[],
  collecting: readonly number[],
): void {
  const used = traces.map((trace) =>
    trace.reduce((sum, { processorMilliseconds = NaN }) => sum + processorMilliseconds, 0),
  );
  const worst = [...totals.keys()]
    .sort((a, b) => used[b]! - used[a]!)
    .slice(0, Number(values.worst));
  if (worst.length === 0) return;
  say('');
  row([
    'ms',
    'processor',
    'collecting',
    ...traces[0]!.map(({ stage }) => `${stage}, processor`),
    'question',
  ]);
  row(['---:', '---:', '---:', ...traces[0]!.map(() => '---:'), '---']);
  for (const at of worst) {
    const stages = traces[at]!.map(
      ({ milliseconds: ms, processorMilliseconds = NaN }) =>
        `${ms.toFixed(1)}, ${processorMilliseconds.toFixed(1)}`,
    );
    row([
      totals[at]!.toFixed(1),
      used[at]!.toFixed(1),
      collecting[at]!.toFixed(1),
      ...stages,
      asked[warm + at]!.text,
    ]);
  }
}

/** Which of the paper's columns a stage belongs to. */
function partOf(stage: string): string {
  if (
    /^(?:decompose|wholeQuestion|contentWithYears|rawQuery|withoutYears|findKeywords)/.test(stage)
  )
    return 'question processing';
  if (/^read/.test(stage)) return 'answer by rules';
  if (/^(?:rank\(semantic x spline|rankPassages|rankBySeries|limit)/.test(stage))
    return 'hybrid ranking';
  return 'retrieval and summaries';
}

function print(name: string, traces: readonly TraceEntry[][], totals: readonly number[]): void {
  const figures = (list: readonly number[]): string[] =>
    [quantile(list, 0.5), quantile(list, 0.99), Math.max(...list)].map((each) =>
      each.toFixed(each < 10 ? 2 : 1),
    );
  say(`\n### ${name}${values.settings === '{}' ? '' : ` ${values.settings}`}\n`);
  // Of all threads: what a stage costs where other work has the processors as well.
  const used = (list: readonly number[]): string[] => figures(list).slice(0, 2);
  const processor = ({ processorMilliseconds = NaN }: TraceEntry): number => processorMilliseconds;
  row(['stage', 'p50 ms', 'p99 ms', 'longest', 'processor p50', 'p99', 'paper']);
  row(['---', '---:', '---:', '---:', '---:', '---:', '---']);
  traces[0]!.forEach(({ stage }, at) => {
    row([
      stage,
      ...figures(traces.map((trace) => trace[at]!.milliseconds)),
      ...used(traces.map((trace) => processor(trace[at]!))),
      '',
    ]);
  });
  const summed = (wanted: (part: string) => boolean): string[] => {
    const parts = traces.map((trace) => trace.filter(({ stage }) => wanted(partOf(stage))));
    const sum = (trace: TraceEntry[], of: (entry: TraceEntry) => number): number =>
      trace.reduce((all, entry) => all + of(entry), 0);
    return [
      ...figures(parts.map((part) => sum(part, ({ milliseconds }) => milliseconds))),
      ...used(parts.map((part) => sum(part, processor))),
    ];
  };
  for (const part of ['question processing', 'retrieval and summaries', 'hybrid ranking']) {
    row([`*${part}*`, ...summed((each) => each === part), paper[part]!]);
  }
  row([
    '**whole retrieval**',
    ...summed((part) => part !== 'answer by rules'),
    paper['whole retrieval']!,
  ]);
  row(['**with the answer**', ...figures(totals), '', '', '']);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function loadNow(): string {
  return loadavg()[0]!.toFixed(1);
}
