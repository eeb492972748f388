// How many questions should run at the same time: a burst of questions by `hybrid`, one process a
// limit, with its throughput, latencies from the call on, memory in addition to that of an open
// corpus, and the longest delay of a timer. With --wait, a model answers after that number of
// milliseconds, as one on another machine does. The last row is of no limit.
//
// node --import tsx bench/search/inFlight.ts [--questions 300] [--passages 3000] [--wait 0]
// [--limits 1,2,4,8,16,32,64]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from '../options.js';
import { AsOfError, Corpus, hybrid, type Passage } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { say } from '../report.js';

const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '300' },
    passages: { type: 'string', default: '3000' },
    wait: { type: 'string', default: '0' },
    limits: { type: 'string', default: '1,2,4,8,16,32,64' },
    corpus: { type: 'string' },
  },
});
const [questions, passages, waitMs] = [values.questions, values.passages, values.wait].map(Number);

interface Measured {
  seconds: number;
  cpuMs: number;
  p50: number;
  p99: number;
  peakMiB: number;
  delayMs: number;
}

if (values.corpus === undefined) await measureAll();
else process.send!(await burst(values.corpus, Number(values.limits)));

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-in-flight-'));
  const path = join(folder, 'corpus');
  const corpus = await Corpus.open(path);
  await corpus.add(Array.from({ length: passages! }, (_, n) => passage(n)));
  await corpus.close();
  say(describeMachine(machine()));
  const reading = waitMs! > 0 ? `, read by a model that answers after ${waitMs} ms` : '';
  say(`\n## ${questions} questions at once over ${passages} passages${reading}\n`);
  say(
    '| in flight | questions a second | CPU, ms a question | p50, ms | p99, ms | memory, MiB | ' +
      'longest delay of a timer, ms |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const limit of [...values.limits.split(','), values.questions]) {
    const { seconds, cpuMs, p50, p99, peakMiB, delayMs } = await inProcess(path, limit);
    const cells = [questions! / seconds, cpuMs / questions!].map((each) => each.toFixed(1));
    const whole = [p50, p99, peakMiB, delayMs].map((each) => each.toFixed(0));
    say(`| ${limit === values.questions ? 'all' : limit} | ${[...cells, ...whole].join(' | ')} |`);
  }
  rmSync(folder, { recursive: true });
}

async function inProcess(path: string, limit: string): Promise<Measured> {
  const given = Object.entries({ ...values, corpus: path, limits: limit });
  const child = fork(
    new URL(import.meta.url),
    given.flatMap(([name, value]) => [`--${name}`, value]),
    { execArgv: process.execArgv },
  );
  const measured = once(child, 'message') as Promise<[Measured]>;
  const failed = once(child, 'exit').then(([code]) => {
    throw new AsOfError('ERR_INTERNAL', `Expected a measurement, the process ended with ${code}.`);
  });
  const [result] = await Promise.race([measured, failed]);
  failed.catch(() => {});
  return result;
}

async function burst(path: string, concurrency: number): Promise<Measured> {
  await using corpus = await Corpus.open(path, { readOnly: true, concurrency });
  const model = {
    id: 'slow',
    generate: () => delay(waitMs, { text: '{"answer":"Ida Rowe"}', finishReason: 'stop' as const }),
  };
  const system = hybrid({
    corpus,
    ...(waitMs! > 0 ? { model, read: { mode: 'concatenated' as const } } : {}),
  });
  const ask = (n: number) =>
    system.run({ text: `Who was mayor of town ${n % 37} as of 6 May ${1950 + (n % 50)}?` });
  for (let n = 0; n < 20; n += 1) await ask(n);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => void (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const latencies = await Promise.all(
    Array.from({ length: questions! }, async (_, n) => {
      await ask(n);
      return performance.now() - start;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const { user, system: kernel } = process.cpuUsage(cpu);
  clearInterval(watching);
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))]!;
  return {
    seconds,
    cpuMs: (user + kernel) / 1000,
    p50: at(0.5),
    p99: at(0.99),
    peakMiB: (peak - before) / 2 ** 20,
    delayMs: delays.max / 1e6,
  };
}

/** Passages of one to twelve sentences, some with times of their own. */
function passage(n: number): Passage {
  const year = 1900 + ((n * 7) % 120);
  const more = 'The council met in the old hall and heard the report of the harbour. ';
  return {
    id: `p${n}`,
    title: `Town ${n % 37}`,
    text:
      `The mayor of town ${n % 37} took office on ${1 + (n % 28)} May ${year}. ` +
      more.repeat(n % 12),
    ...(n % 5 > 0 ? { publishedAt: `20${10 + (n % 10)}-01-0${1 + (n % 9)}` } : {}),
  };
}
