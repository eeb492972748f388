// Questions with several in flight all the time: how many a second, and what they cost the event
// loop: turns by a timer of a millisecond, by the clock and, on Linux, without the time that the
// main thread waited for a processor, which other work of the machine lengthens.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Qrels } from '../../packages/evaluation/lib/index.js';
import { ownMemory } from '../machine.js';
import { quantile, row, say, short } from '../report.js';
import type { SetQuery } from './sets/sets.js';

export interface LoadQuestions {
  warm: readonly SetQuery[];
  asked: readonly SetQuery[];
  qrels: Qrels;
}

/** A row for each number of questions in flight, the same questions in each. */
export async function measureLoad(
  /** Resolves with ids of passages, best first. */
  ask: (text: string) => Promise<readonly string[]>,
  { warm, asked, qrels }: LoadQuestions,
  inFlight: readonly number[],
): Promise<void> {
  for (const { text } of warm) await ask(text);
  say('');
  const columns = [
    ...['in flight', 'questions a second', 'ratio', 'question p50 ms', 'p99'],
    ...['turn p50 ms', 'p99', 'longest', 'without waiting for a processor: p99', 'longest'],
    ...['processor ms a question', 'of these the main thread', 'MiB more', 'hit@5'],
  ];
  row(columns);
  row(columns.map(() => '---:'));
  let alone: number | undefined;
  for (const count of inFlight) {
    const { seconds, taken, found, turns, ...used } = await underLoad(ask, asked, count);
    const rate = asked.length / seconds;
    alone ??= rate;
    const [clock, own] = [turns.map((turn) => turn.clock), turns.map((turn) => turn.own)];
    const hits = asked.filter(({ id }, at) =>
      found[at]!.slice(0, 5).some((passage) => (qrels.get(id)?.get(passage) ?? 0) > 0),
    );
    row([
      String(count),
      ...[rate, rate / alone, quantile(taken, 0.5), quantile(taken, 0.99)].map(short),
      ...[quantile(clock, 0.5), quantile(clock, 0.99), Math.max(...clock)].map(short),
      ...[quantile(own, 0.99), Math.max(...own)].map(short),
      ...[used.processor / asked.length, used.main / asked.length].map(short),
      used.mebibytes.toFixed(0),
      (hits.length / asked.length).toFixed(3),
    ]);
  }
}

interface Load {
  seconds: number;
  /** Milliseconds of each question. */
  taken: number[];
  /** By question: what was found. */
  found: (readonly string[])[];
  turns: Turn[];
  /** Milliseconds of all threads, and of the main one. */
  processor: number;
  main: number;
  /** The most memory that is no file's, above that at the start. */
  mebibytes: number;
}

async function underLoad(
  ask: (text: string) => Promise<readonly string[]>,
  asked: readonly SetQuery[],
  count: number,
): Promise<Load> {
  const taken: number[] = [];
  const found: (readonly string[])[] = [];
  const before = ownMemory();
  let [next, most] = [0, before];
  const one = async (): Promise<void> => {
    while (next < asked.length) {
      const at = next++;
      const since = performance.now();
      found[at] = await ask(asked[at]!.text);
      taken.push(performance.now() - since);
      most = Math.max(most, ownMemory());
    }
  };
  const turns = new Turns();
  const [used, started] = [process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: count }, one));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const processor = (user + system) / 1000;
  return { seconds, taken, found, ...turns.end(), processor, mebibytes: most - before };
}

/** Milliseconds, by the clock and without those spent waiting for a processor. */
interface Turn {
  clock: number;
  own: number;
}

class Turns {
  private readonly turns: Turn[] = [];
  private readonly file = schedulerFile();
  private readonly bytes = Buffer.alloc(64);
  private readonly started = this.scheduled();
  private readonly timer: NodeJS.Timeout;

  constructor() {
    let [last, waited] = [performance.now(), this.started.waited];
    this.timer = setInterval(() => {
      const [now, until] = [performance.now(), this.scheduled().waited];
      this.turns.push({ clock: now - last, own: now - last - (until - waited) });
      [last, waited] = [now, until];
    }, 1);
  }

  end(): Pick<Load, 'turns' | 'main'> {
    clearInterval(this.timer);
    const main = this.scheduled().ran - this.started.ran;
    if (this.file !== undefined) closeSync(this.file);
    return { turns: this.turns, main };
  }

  /** Milliseconds that the main thread had a processor, and that it waited for one. */
  private scheduled(): { ran: number; waited: number } {
    if (this.file === undefined) return { ran: NaN, waited: NaN };
    const length = readSync(this.file, this.bytes, 0, this.bytes.length, 0);
    const [ran = NaN, waited = NaN] = this.bytes.toString('latin1', 0, length).split(' ');
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  }
}

function schedulerFile(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined; // another system
  }
}
