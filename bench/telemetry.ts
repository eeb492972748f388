// What OpenTelemetry costs a question: `hybrid` over a small corpus without its API, with the API
// but no SDK, and with an SDK that exports spans and metrics to memory. Each round is a process
// without the API, and one with it, in which blocks of questions with and without the SDK take
// turns. Ratios are of processor times: the SDK's of neighbouring blocks, the API's of two
// processes, which differ by more than the two states do. The cost of an observed call that does
// nothing is the least of many batches: times the spans of a question it is the cost when off.
//
// node --import tsx bench/telemetry.ts [--passages 300] [--blocks 20] [--rounds 5]
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
    blocks: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
    corpus: { type: 'string' },
    api: { type: 'boolean', default: false },
  },
});
const [passages, blocks, rounds] = [values.passages, values.blocks, values.rounds].map(Number) as [
  number,
  number,
  number,
];

/** Questions of a block. */
const blockSize = 10;

/** Of one state in one process. */
interface Measured {
  /** Processor time of a question in each block, in milliseconds. */
  cpuMs: number[];
  /** Nanoseconds of an observed call that does nothing. */
  callNs: number;
  /** Spans of a question. */
  spans: number;
}

if (values.corpus === undefined) await measureAll();
else process.send!(await measure(values.corpus, values.api));

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
  try {
    const path = join(folder, 'corpus');
    const corpus = await Corpus.open(path);
    await corpus.add(passagesOf(passages));
    await corpus.close();
    const [without, withApi]: [Measured[][], Measured[][]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      without.push(await inProcess(path, false));
      withApi.push(await inProcess(path, true));
    }
    print(
      without.map(([off]) => off!),
      withApi.map(([off]) => off!),
      withApi.map(([, on]) => on!),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One state without the API, two with it: without and with an SDK. */
async function inProcess(corpus: string, api: boolean): Promise<Measured[]> {
  const options = ['--corpus', corpus, '--blocks', String(blocks), ...(api ? ['--api'] : [])];
  const child = fork(process.argv[1]!, options, { execArgv: ['--import', 'tsx'] });
  const [result] = (await once(child, 'message')) as [Measured[]];
  await once(child, 'exit');
  return result;
}

function print(without: Measured[], off: Measured[], on: Measured[]): void {
  const questions = blocks * blockSize;
  say(`${describeMachine(machine())}, ${passages} passages, ${rounds} x ${questions} questions`);
  say('');
  row(['state', 'processor ms a question', 'ratio', 'ns a call', 'spans a question']);
  row(['---', '---:', '---:', '---:', '---:']);
  const print = (name: string, each: Measured[], ratio: string): void =>
    row([
      name,
      short(median(each.flatMap(({ cpuMs }) => cpuMs))),
      ratio,
      Math.min(...each.map(({ callNs }) => callNs)).toFixed(0),
      String(Math.max(...each.map(({ spans }) => spans))),
    ]);
  const processes = without.map(({ cpuMs }, at) => median(off[at]!.cpuMs) / median(cpuMs));
  const neighbours = on.flatMap(({ cpuMs }, at) =>
    cpuMs.map((ms, block) => ms / off[at]!.cpuMs[block]!),
  );
  print('without the API', without, '1');
  print('API, no SDK', off, `${median(processes).toFixed(2)} (between processes)`);
  print('SDK, exporting to memory', on, `${median(neighbours).toFixed(2)} to "API, no SDK"`);
}

async function measure(path: string, api: boolean): Promise<Measured[]> {
  const sdk = api ? await import('../test/runtime/telemetry/sdk.js') : undefined;
  await using corpus = await Corpus.open(path, { readOnly: true });
  const system = hybrid({ corpus });
  const ask = (i: number) =>
    system.run({ text: `Who was mayor of ${placeOf(i)} as of 5 May ${2001 + (i % 20)}?` });
  for (let i = 0; i < 100; i += 1) await ask(i);
  const states = (api ? [false, true] : [false]).map((on) => ({
    on,
    measured: { cpuMs: new Array<number>(), callNs: Infinity, spans: 0 },
  }));
  for (let block = 0; block < blocks; block += 1)
    for (const { on, measured } of block % 2 ? [...states].reverse() : states) {
      const registered = on ? sdk!.registerSdk() : undefined;
      const before = process.cpuUsage();
      for (let i = 0; i < blockSize; i += 1) await ask(block * blockSize + i);
      const { user, system: kernel } = process.cpuUsage(before);
      measured.cpuMs.push((user + kernel) / 1000 / blockSize);
      measured.spans = (registered?.spans().length ?? 0) / blockSize;
      measured.callNs = Math.min(measured.callNs, await nanosecondsOfCall());
      await registered?.shutdown();
    }
  return states.map(({ measured }) => measured);
}

async function nanosecondsOfCall(): Promise<number> {
  const [work, calls] = [() => 1, 1000];
  const started = performance.now();
  let sum = 0;
  for (let i = 0; i < calls; i += 1) {
    const result = observe({ name: 'call' }, work);
    sum += typeof result === 'number' ? result : await result;
  }
  return ((performance.now() - started) * 1e6) / sum;
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
