// The line under the tables of bench/search/peers.ts below which no search of few queries can be:
// how long this machine, in the same run, takes to read the bytes that a storage has of all rows,
// and what part of that speed FAISS and asof reach. It asks reading.cpp; it searches nothing.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Storage } from '../../lib/store/format/manifest.js';
import { compileBare } from '../compileBare.js';
import { asofForms } from './contenders.js';
import { clocked, median, row, say, short } from '../report.js';
import { bestFaiss, type Cell, type SearchComparison } from './tables.js';

/** Of a component; of int4 its first plane, which is all that most rows are read of. */
const bytesOf: Record<Storage, number> = { f32: 4, bf16: 2, int8: 1, int4: 0.5 };

/** Bytes that a storage has of all rows. */
const bytesRead = (
  storage: Storage,
  { rows, dimensions }: { rows: number; dimensions: number },
): number => bytesOf[storage] * rows * dimensions;

export class MemoryReader {
  private readonly lines: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.on('error', () => {}); // it ended: the next answer says so
  }

  /** Reads the file into memory, or says why it cannot. */
  static start(file: string, work: string): MemoryReader | { why: string } {
    const compiled = compileBare('bench/search/reading.cpp', work);
    return 'why' in compiled ? compiled : new MemoryReader(spawn(compiled.program, [file]));
  }

  /** Milliseconds of a pass over the given bytes, the mean over at least `leastMs`. */
  async pass(threads: number, bytes: number, leastMs: number): Promise<number> {
    const { wall } = await this.ask(threads, bytes, 1);
    return clocked(threads, await this.ask(threads, bytes, Math.max(1, Math.ceil(leastMs / wall))));
  }

  close(): void {
    this.child.stdin.end();
    this.child.kill();
  }

  private async ask(
    threads: number,
    bytes: number,
    calls: number,
  ): Promise<{ wall: number; cpu: number }> {
    this.child.stdin.write(`${threads} ${Math.floor(bytes)} ${calls}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error('Expected reading.cpp to answer, it ended.');
    const [wall, cpu] = value.split(' ').map(Number) as [number, number];
    return { wall, cpu };
  }
}

/** The batch that is bound by reading; of more queries, multiplying takes longer. */
export const mostQueries = 1;

/**
 * What a round of a cell of few queries asks of it: a time for every storage that somebody
 * searches.
 */
export async function read(
  reading: MemoryReader,
  names: readonly string[],
  data: SearchComparison['data'],
  cell: Pick<Cell, 'threads' | 'reads'>,
): Promise<void> {
  const storages = new Set<Storage>([
    'f32',
    ...names.flatMap((name) => asofForms[name]?.storage ?? []),
  ]);
  for (const storage of storages)
    ((cell.reads ??= {})[storage] ??= []).push(
      await reading.pass(cell.threads, bytesRead(storage, data), 20),
    );
}

/**
 * A row for FAISS and for each of asof's: their time against the least one, and how many times
 * FAISS's speed that would be.
 */
export function printReading(
  { data, cells, entrants }: SearchComparison,
  k: number,
  batch: number,
  threadCounts: readonly number[],
): void {
  const of = cells.filter(
    (cell) => cell.k === k && cell.batch === batch && cell.reads && bestFaiss(cell),
  );
  if (of.length === 0) return;
  const what = 'a sum over the bytes that a storage has of all rows, in the same rounds';
  say(`\n### What reading allows a batch of ${batch}, ${data.name}, k = ${k}: ${what}\n`);
  const title = (threads: number): string =>
    `${threads} thread${threads > 1 ? 's' : ''}: took, of which reading; times FAISS, at most`;
  row(['', 'MB', ...threadCounts.map(title)]);
  row(['---', '---:', ...threadCounts.map(() => '---:')]);
  const asked = entrants.flatMap(({ name }) =>
    asofForms[name] ? [{ name, storage: asofForms[name].storage }] : [],
  );
  const faiss = bestFaiss(of[0]!)!;
  for (const { name, storage } of [{ name: faiss, storage: 'f32' as const }, ...asked]) {
    const bytes = bytesRead(storage, data);
    const figures = threadCounts.map((threads) => {
      const cell = of.find((each) => each.threads === threads);
      const [own, least, base] = [
        cell?.times[name],
        cell?.reads?.[storage],
        cell?.times[faiss],
      ].map((list) => (list?.length ? median(list) : NaN)) as [number, number, number];
      if (Number.isNaN(own + least + base)) return '';
      const speed = `${short(own)}, ${short(least)} (${(bytes / least / 1e6).toFixed(1)} GB/s): ${((100 * least) / own).toFixed(0)} %`;
      return `${speed}; x ${(base / own).toFixed(2)}, x ${(base / least).toFixed(2)}`;
    });
    row([name, short(bytes / 1e6), ...figures]);
  }
}
