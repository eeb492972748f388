// Inputs of a fuzzer that makes its cases by drawing numbers: a seed, a case's number, and draws
// that others replace. Those that reached what none had reached are kept in a folder, from which
// the next run goes on.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Input {
  seed: number;
  number: number;
  /** Draws by their place, and what they give, from 0 to below 1. */
  changed: readonly (readonly [at: number, value: number])[];
}

interface Kept extends Input {
  /** How many draws the case took. */
  draws: number;
  /** What it reached that none had reached before it. */
  reached: string[];
}

/** The generator's numbers but where the input has others. */
export function redrawn(next: () => number, { changed }: Pick<Input, 'changed'>): () => number {
  const own = new Map(changed);
  let at = 0;
  return () => {
    const drawn = next();
    return own.get(at++) ?? drawn;
  };
}

/** mulberry32: numbers from 0 to below 1. */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where the inputs of a fuzzer are kept between runs. */
export const keptFolder = (fuzzer: string): string =>
  fileURLToPath(new URL(`../../build/fuzz/${fuzzer}`, import.meta.url));

export function readInput(path: string): Input {
  const { seed, number, changed } = JSON.parse(readFileSync(path, 'utf8')) as Input;
  return { seed, number, changed };
}

function write(folder: string, input: Input | Kept): string {
  const text = `${JSON.stringify(input)}\n`;
  const path = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Writes an input that found something, and says what to do with it. */
export function writeFound(
  fuzzer: string,
  command: string,
  { seed, number, changed }: Input,
): void {
  const path = write(join(keptFolder(fuzzer), 'found'), { seed, number, changed });
  console.log(
    `${command} ${path}\nA test once it is in test/${fuzzer}/fuzz/found/${basename(path)}\n`,
  );
}

const mostKept = 400;

/** The inputs of a folder. */
export class KeptInputs {
  private readonly kept: { path: string; input: Kept }[] = [];
  private readonly reached = new Set<string>();
  readonly atFirst: number;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
      try {
        const path = join(folder, name);
        this.add(path, JSON.parse(readFileSync(path, 'utf8')) as Kept);
      } catch {
        rmSync(join(folder, name)); // of a run that was killed while it wrote
      }
    }
    this.atFirst = this.kept.length;
  }

  get length(): number {
    return this.kept.length;
  }

  private add(path: string, input: Kept): void {
    this.kept.push({ path, input });
    for (const each of input.reached) this.reached.add(each);
  }

  /** The input of a case's number: one of its own, or a kept one with one to four draws changed. */
  next(seed: number, number: number): Input {
    const random = randomOf(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
    if (this.kept.length === 0 || random() < 0.5) return { seed, number, changed: [] };
    const { input } = this.kept[Math.floor(random() * this.kept.length)]!;
    const changed = new Map(input.changed);
    for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
      // The first draws decide the most, and the last ones the questions.
      const place = Math.floor(input.draws ** random()) - 1;
      changed.set(random() < 0.7 ? place : input.draws - 1 - place, random());
    }
    return { seed: input.seed, number: input.number, changed: [...changed].slice(-64) };
  }

  /** Keeps the input if it reached anything new; of more than are kept, the oldest leave. */
  offer(input: Input, draws: number, reached: Iterable<string>): boolean {
    const fresh = [...new Set(reached)].filter((each) => !this.reached.has(each));
    if (fresh.length === 0) return false;
    const kept = { ...input, draws, reached: fresh };
    this.add(write(this.folder, kept), kept);
    if (this.kept.length > mostKept) rmSync(this.kept.shift()!.path, { force: true });
    return true;
  }
}

/** `[SECONDS [SEED]]`, or the file of one input. */
export function fuzzArguments(given: readonly string[]): {
  seconds: number;
  seed: number;
  only?: Input;
} {
  const [first, second] = given;
  if (given.length === 1 && first!.endsWith('.json'))
    return { seconds: 0, seed: 0, only: readInput(first!) };
  const [seconds = 60, seed = Date.now() % 1_000_000] = [first, second].flatMap((value) =>
    value === undefined ? [] : [Number(value)],
  );
  if (given.length > 2 || !(seconds >= 0) || !(seed >= 0)) {
    console.error(`Expected seconds and a seed, or a file, received ${given.join(' ')}.`);
    process.exit(2);
  }
  return { seconds, seed };
}
