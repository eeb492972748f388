// Under the tables of bench/search/peers.ts: what this machine allows a search. How long it takes
// to read the bytes that a storage has of all rows, and to multiply them in registers by the
// fastest instruction of the level, in the same run. It asks limits.cpp; it searches nothing.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { binding } from '../../lib/binding.js';
import type { Storage } from '../../lib/store/format/manifest.js';
import { compileBare } from '../compileBare.js';
import { asofForms } from './contenders.js';
import { clocked, median, row, say, short } from '../report.js';
import { bestFaiss, type Cell, type SearchComparison } from './tables.js';

/** Of a component; of int4 its first plane, which is all that most rows are read of. */
const bytesOf: Record<Storage, number> = { f32: 4, bf16: 2, int8: 1, int4: 0.5 };

/**
 * The fastest multiplication of a storage's components at a level, as limits.cpp names it;
 * undefined where it knows none, as of AMX.
 */
function instructionOf(storage: Storage, level: string): string | undefined {
  if (process.arch === 'arm64') return storage === 'f32' ? 'fma128' : undefined;
  const has = (part: string): boolean => level.includes(part);
  if (storage === 'f32') return has('v4') ? 'fma512' : has('v3') ? 'fma256' : 'mul128';
  if (has('+amx')) return undefined;
  if (storage === 'bf16') return has('+bf16') ? 'dpbf16' : instructionOf('f32', level);
  if (has('+vnni') || has('+bf16')) return 'dpbusd512';
  return has('v4') ? 'maddubs512' : has('v3') ? 'maddubs256' : undefined;
}

/** What a contender reads and multiplies: FAISS and f32 rows, asof's by their form. */
interface Searched {
  name: string;
  storage: Storage;
  level: string;
}
const searchedBy = (name: string): Searched => {
  const { storage = 'f32', level = binding.isa() } = asofForms[name] ?? {};
  return { name, storage, level };
};
const keyOf = ({ storage, level }: Searched): string => `${storage} ${level}`;

export class MachineLimits {
  private readonly lines: AsyncIterator<string>;
  private readonly multiplied = new Map<string, number>();

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.on('error', () => {}); // it ended: the next answer says so
  }

  /** Reads the file into memory, or says why it cannot. */
  static start(file: string, work: string): MachineLimits | { why: string } {
    const compiled = compileBare('bench/search/limits.cpp', work);
    return 'why' in compiled ? compiled : new MachineLimits(spawn(compiled.program, [file]));
  }

  /**
   * What a round of a cell asks of it: the milliseconds of reading every storage that somebody
   * searches, and of multiplying its components with the batch.
   */
  async measure(
    names: readonly string[],
    data: SearchComparison['data'],
    cell: Cell,
  ): Promise<void> {
    const { threads, batch } = cell;
    const components = data.rows * data.dimensions;
    const distinct = new Map(names.map(searchedBy).map((each) => [keyOf(each), each]));
    for (const [key, { storage, level }] of distinct) {
      const limits = ((cell.limits ??= {})[key] ??= { reads: [], multiplies: NaN });
      limits.reads.push(await this.read(threads, bytesOf[storage] * components, 20));
      const instruction = instructionOf(storage, level);
      if (instruction !== undefined)
        limits.multiplies =
          ((await this.multiply(threads, instruction)) * components * batch) / 1e9;
    }
  }

  close(): void {
    this.child.stdin.end();
    this.child.kill();
  }

  /** Milliseconds of a pass over the given bytes, the mean over at least `leastMs`. */
  private async read(threads: number, bytes: number, leastMs: number): Promise<number> {
    const pass = (calls: number): Promise<{ wall: number; cpu: number }> =>
      this.ask(`read ${threads} ${Math.floor(bytes)} ${calls}`);
    const { wall } = await pass(1);
    return clocked(threads, await pass(Math.max(1, Math.ceil(leastMs / wall))));
  }

  /** Milliseconds of a thousand million products, once a run. */
  private async multiply(threads: number, instruction: string): Promise<number> {
    const what = `multiply ${threads} ${instruction}`;
    const known = this.multiplied.get(what) ?? clocked(threads, await this.ask(what));
    this.multiplied.set(what, known);
    return known;
  }

  private async ask(what: string): Promise<{ wall: number; cpu: number }> {
    this.child.stdin.write(`${what}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error('Expected limits.cpp to answer, it ended.');
    const [wall, cpu] = value.split(' ').map(Number) as [number, number];
    return { wall, cpu };
  }
}

/**
 * A row for the best FAISS and for each of asof's: what a batch took, and what parts of that
 * reading its rows and multiplying them would take alone. The longer of both is the limit; the rest
 * are thresholds, rows that are scored again, unpacking and pages.
 */
export function printLimits(
  { data, cells, entrants }: SearchComparison,
  k: number,
  threads: number,
): void {
  const of = cells.filter((cell) => cell.k === k && cell.threads === threads && cell.limits);
  const faiss = of[0] && bestFaiss(of[0]);
  if (of.length === 0) return;
  const which = `${data.name}, k = ${k}, ${threads} thread${threads > 1 ? 's' : ''}`;
  say(`\n### What the machine allows, ${which}: milliseconds, of which reading, multiplying\n`);
  row(['', 'MB', ...of.map(({ batch }) => `batch ${batch}`)]);
  row(['---', '---:', ...of.map(() => '---:')]);
  const own = entrants.map(({ name }) => name).filter((name) => name in asofForms);
  for (const each of [...(faiss ? [faiss] : []), ...own].map(searchedBy)) {
    const figures = of.map(({ times, limits }) => {
      const took = times[each.name]?.length ? median(times[each.name]!) : NaN;
      const { reads = [], multiplies = NaN } = limits![keyOf(each)] ?? {};
      if (Number.isNaN(took) || reads.length === 0) return '';
      const share = (part: number): string =>
        Number.isNaN(part) ? '?' : `${((100 * part) / took).toFixed(0)} %`;
      return `${short(took)}: ${share(median(reads))}, ${share(multiplies)}`;
    });
    row([
      each.name,
      short((bytesOf[each.storage] * data.rows * data.dimensions) / 1e6),
      ...figures,
    ]);
  }
}
