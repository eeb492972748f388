// What OpenTelemetry costs a question: `hybrid` over a small corpus without its API, with the API
// but no SDK, and with an SDK that exports spans and metrics to memory. Each round starts one
// process a state, in turn; the table has the medians of the rounds and their ratio in one round.
//
// node --import tsx bench/telemetry.ts [--passages 300] [--questions 300] [--rounds 7]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, hybrid, type Passage } from '../lib/index.js';
import { observe } from '../lib/runtime/telemetry.js';
import { describeMachine, machine } from './machine.js';
import { parseArgs } from './options.js';
import { median, row, say, short } from './report.js';

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '300' },
    questions: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '7' },
    corpus: { type: 'string' },
    state: { type: 'string' },
  },
});
const [passages, questions, rounds] = [values.passages, values.questions, values.rounds].map(
  Number,
) as [number, number, number];

const states = ['without the API', 'API, no SDK', 'SDK, spans and metrics in memory'] as const;

interface Measured {
  /** Processor time of a question, in milliseconds. */
  cpuMs: number;
  /** Median time of a question, in milliseconds. */
  p50: number;
  /** Nanoseconds of an observed call that does nothing. */
  callNs: number;
  spans: number;
}

if (values.corpus === undefined) await measureAll();
else process.send!(await measure(values.corpus, Number(values.state)));

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
  try {
    const path = join(folder, 'corpus');
    const corpus = await Corpus.open(path);
    await corpus.add(passagesOf(passages));
    await corpus.close();
    const measured: Measured[][] = states.map(() => []);
    for (let round = 0; round < rounds; round += 1)
      for (const state of states.keys()) measured[state]!.push(await inProcess(path, state));
    print(measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inProcess(corpus: string, state: number): Promise<Measured> {
  const options = ['--corpus', corpus, '--state', String(state), '--questions', String(questions)];
  const child = fork(process.argv[1]!, options, { execArgv: ['--import', 'tsx'] });
  const [result] = (await once(child, 'message')) as [Measured];
  await once(child, 'exit');
  return result;
}

function print(measured: readonly Measured[][]): void {
  say(`${describeMachine(machine())}, ${passages} passages, ${questions} questions a process`);
  say('');
  row(['state', 'p50 ms', 'processor ms', 'ratio', 'of rounds', 'spans', 'ns a call']);
  row(['---', '---:', '---:', '---:', '---', '---:', '---:']);
  const [base] = measured as [Measured[]];
  for (const [state, name] of states.entries()) {
    const each = measured[state]!;
    const ratios = each.map(({ cpuMs }, round) => cpuMs / base[round]!.cpuMs);
    row([
      name,
      short(median(each.map(({ p50 }) => p50))),
      short(median(each.map(({ cpuMs }) => cpuMs))),
      median(ratios).toFixed(3),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      String(each[0]!.spans),
      median(each.map(({ callNs }) => callNs)).toFixed(0),
    ]);
  }
}

async function measure(path: string, state: number): Promise<Measured> {
  if (state === 1) await import('@opentelemetry/api');
  const sdk = state === 2 ? await registered() : undefined;
  await using corpus = await Corpus.open(path, { readOnly: true });
  const system = hybrid({ corpus });
  const ask = (i: number) =>
    system.run({ text: `Who was mayor of ${placeOf(i)} as of 5 May ${2001 + (i % 20)}?` });
  for (let i = 0; i < 100; i += 1) await ask(i);
  sdk?.reset();
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let i = 0; i < questions; i += 1) {
    const started = performance.now();
    await ask(i);
    times.push(performance.now() - started);
  }
  const { user, system: kernel } = process.cpuUsage(before);
  const spans = (sdk?.count() ?? 0) / questions;
  return {
    cpuMs: (user + kernel) / 1000 / questions,
    p50: median(times),
    callNs: await nanosecondsOfCall(),
    spans,
  };
}

async function nanosecondsOfCall(): Promise<number> {
  const [work, calls] = [() => 1, 20_000];
  for (let i = 0; i < calls; i += 1) await observe({ name: 'call' }, work);
  const started = performance.now();
  let sum = 0;
  for (let i = 0; i < calls; i += 1) {
    const result = observe({ name: 'call' }, work);
    sum += typeof result === 'number' ? result : await result;
  }
  return ((performance.now() - started) * 1e6) / sum;
}

async function registered(): Promise<{ count: () => number; reset: () => void }> {
  const { registerSdk } = await import('../test/runtime/telemetry/sdk.js');
  const sdk = registerSdk();
  return { count: () => sdk.spans().length, reset: () => void sdk.spans() };
}

function placeOf(i: number): string {
  return `${['Ar', 'Bel', 'Cor', 'Dun', 'Esk'][i % 5]}${['ham', 'ford', 'by', 'wick'][i % 4]}`;
}

function passagesOf(count: number): Passage[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    text: `Person ${i} became mayor of ${placeOf(i)} on ${1 + (i % 28)} May ${2000 + (i % 21)}.`,
    publishedAt: `${2000 + (i % 21)}-06-01`,
  }));
}
