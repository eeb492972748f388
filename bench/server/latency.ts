// Latency that a server adds to the library: questions of the demo's corpus by 1, 10 and 100
// clients in turn, of the library in a process of its own and of `asof serve`, which another
// process asks over connections that stay open. Rounds of both alternate, so that what else the
// machine does falls on both. The processor time of each answer, of the process that gives it,
// differs less on a busy machine.
//
// node --import tsx bench/server/latency.ts --seconds N of a round (default 3), --rounds N (default
// 3),
// --system S (default hybrid; bm25 takes the least, so that the server shows most), --folder DIR
// of the corpus (default: made anew).
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Corpus } from '../../lib/index.js';
import { passageOfRecord } from '../../lib/store/passages/passageRecord.js';
import { readJsonLines } from '../../lib/text/lines.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median, quantile } from '../report.js';
import { closedLoop } from './load.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const demo = join(root, 'examples/demo');
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    system: { type: 'string', default: 'hybrid' },
    folder: { type: 'string' },
  },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const questions = readFileSync(join(demo, 'questions.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { text: string; asked_at?: string });

interface Contender {
  name: string;
  /** Process that answers. */
  pid: number;
  /** Latencies in milliseconds of that number of clients for the seconds of a round. */
  measure(clients: number): Promise<number[]>;
  stop(): void;
}

/** The library in a process of its own; `json`: with what a server makes of its result. */
async function library(folder: string, json: boolean): Promise<Contender> {
  const child = fork(join(root, 'bench/server/libraryChild.ts'), [folder, values.system], {
    execArgv: ['--import', 'tsx'],
  });
  await once(child, 'message');
  return {
    name: json ? 'library, result as JSON' : 'library',
    pid: child.pid!,
    async measure(clients) {
      child.send({ clients, seconds, json, questions });
      const [latencies] = (await once(child, 'message')) as [number[]];
      return latencies;
    },
    stop: () => void child.kill(),
  };
}

interface Served {
  url: string;
  child: ChildProcess;
}

async function server(folder: string): Promise<Served> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'dist/cli/main.js'),
      'serve',
      `demo=${folder}`,
      '--port',
      '0',
      '--json',
      '--system',
      values.system,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: (JSON.parse(line.toString()) as { url: string }).url, child };
}

function over(name: string, { url, child }: Served, method: string, path: string): Contender {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const bodies = questions.map(({ text, asked_at }) =>
    JSON.stringify({ question: text, ...(asked_at === undefined ? {} : { asked_at }) }),
  );
  const once = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const sent = request(url + path, { agent, method, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.on('end', resolve).resume();
      });
      sent.on('error', reject).end(method === 'POST' ? bodies[at % bodies.length] : undefined);
    });
  return {
    name,
    pid: child.pid!,
    measure: (clients) => closedLoop(clients, seconds, once),
    stop: () => agent.destroy(),
  };
}

/** Processor time of a process so far, all of its threads; from a clock of 10 ms ticks. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function demoCorpus(folder: string): Promise<void> {
  await using corpus = await Corpus.open(folder);
  await corpus.add(readJsonLines(join(demo, 'passages.jsonl'), passageOfRecord));
}

const temporary = await mkdtemp(join(tmpdir(), 'asof-latency-'));
const folder = values.folder ?? join(temporary, 'demo.asof');
await demoCorpus(folder);
const served = await server(folder);
const contenders = [
  await library(folder, false),
  await library(folder, true),
  over('POST /v1/corpora/{corpus}/ask', served, 'POST', '/v1/corpora/demo/ask'),
  over('GET /health', served, 'GET', '/health'),
];
console.log(`${describeMachine(machine())}\n`);
console.log('| milliseconds | clients | p50 | p99 | a second | CPU of each |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const clients of [1, 10, 100]) {
  const results = contenders.map(() => [] as number[][]);
  const used = contenders.map(() => 0);
  for (let round = 0; round < rounds + 1; round += 1)
    for (const [at, each] of contenders.entries()) {
      const before = processorMs(each.pid);
      const latencies = await each.measure(clients);
      if (round === 0) continue; // it warms up
      used[at]! += processorMs(each.pid) - before;
      results[at]!.push(latencies);
    }
  for (const [at, { name }] of contenders.entries()) {
    const of = (value: (latencies: number[]) => number): string =>
      median(results[at]!.map(value)).toFixed(2);
    const cells = [of((all) => quantile(all, 0.5)), of((all) => quantile(all, 0.99))];
    const rate = median(results[at]!.map((all) => all.length / seconds)).toFixed(0);
    const each = used[at]! / results[at]!.flat().length;
    console.log(`| ${name} | ${clients} | ${cells.join(' | ')} | ${rate} | ${each.toFixed(2)} |`);
  }
}
for (const each of contenders) each.stop();
served.child.kill('SIGTERM');
await rm(temporary, { recursive: true, force: true });
