// Line filters: JSON lines in, JSON lines out, in order. Invalid lines are reported and skipped; at
// most two batches are in memory.
import { AsOfError } from '../../errors.js';
import { readJsonLines, type LineLocation } from '../../text/lines.js';
import type { Invocation } from '../command.js';
import { atLine, located } from './jsonLines.js';

export interface LineFilter<Item> {
  /**
   * The item of a line; throws `invalidLine`, or a fault of the library's, where the line has none.
   */
  shape(record: Record<string, unknown>, where: LineLocation): Item;
  /** How much an item holds, in UTF-16 units: a batch closes when it is full of them. */
  weight(item: Item): number;
  /**
   * The lines that are printed for a batch, in the batch's order. Where it throws
   * ERR_INVALID_INPUT, the lines that cause it are found.
   */
  transform(batch: readonly Item[]): readonly unknown[] | Promise<readonly unknown[]>;
}

interface Placed<Item> {
  item: Item;
  where: LineLocation;
}

const batchItems = 512;
const batchWeight = 1 << 20;
const batchMilliseconds = 20;
const printedUnits = 1 << 16;

/**
 * Runs a filter over the file named (standard input where none is) and returns the exit code: 1
 * where a line was faulty. A batch closes early when no line comes for a while, so that a writer
 * who waits gets its answers.
 */
export async function filterLines<Item>(
  invocation: Invocation,
  filter: LineFilter<Item>,
): Promise<number> {
  const { terminal, signal, positionals } = invocation;
  let faulty = false;
  const onFault = (fault: Error): void => {
    faulty = true;
    terminal.say(`asof: ${fault.message}`);
  };
  const shape = (record: Record<string, unknown>, where: LineLocation): Placed<Item> => ({
    where,
    item: located(() => filter.shape(record, where), where),
  });
  const records = readJsonLines(positionals[0] ?? '-', shape, { signal, onFault });
  const transform = async (batch: readonly Placed<Item>[]): Promise<readonly unknown[]> => {
    try {
      return await filter.transform(batch.map(({ item }) => item));
    } catch (fault) {
      if (!AsOfError.is(fault) || fault.code !== 'ERR_INVALID_INPUT') throw fault;
      if (batch.length === 1) return onFault(atLine(fault, batch[0]!.where)), [];
      const lines: unknown[] = [];
      for (const each of batch) lines.push(...(await transform([each])));
      return lines;
    }
  };
  const write = async (lines: Promise<readonly unknown[]>): Promise<void> => {
    let text = '';
    for (const line of await lines) {
      text += `${JSON.stringify(line)}\n`;
      if (text.length < printedUnits) continue;
      await terminal.print(text);
      text = '';
    }
    if (text !== '') await terminal.print(text);
  };
  let written = Promise.resolve();
  for await (const batch of batches(records, ({ item }) => filter.weight(item))) {
    const lines = transform(batch);
    // awaited below: a rejection while the batch before is written must not be an unhandled one
    lines.catch(() => {});
    await written;
    written = write(lines);
    written.catch(() => {}); // awaited above or at the end
  }
  await written;
  return faulty ? 1 : 0;
}

async function* batches<Item>(
  source: AsyncGenerator<Item>,
  weigh: (item: Item) => number,
): AsyncGenerator<Item[]> {
  const late = Symbol('late');
  let batch: Item[] = [];
  let weight = 0;
  let timer: Promise<typeof late> | undefined;
  let next = source.next();
  for (;;) {
    const arrived = timer ? await Promise.race([next, timer]) : await next;
    const ended = arrived !== late && arrived.done === true;
    if (arrived !== late && !arrived.done) {
      batch.push(arrived.value);
      weight += weigh(arrived.value);
      timer ??= new Promise((resolve) => void setTimeout(resolve, batchMilliseconds, late).unref());
    }
    const full = batch.length >= batchItems || weight >= batchWeight;
    if (batch.length > 0 && (arrived === late || ended || full)) {
      yield batch;
      batch = [];
      weight = 0;
      timer = undefined;
    }
    if (ended) return;
    if (arrived !== late) next = source.next();
  }
}

/**
 * The id of a line, given back as it is; null where there is none. Errors: a fault of the line
 * where the id is neither text nor a number that JavaScript holds exactly.
 */
export function lineId(
  record: Record<string, unknown>,
  invalid: (expected: string, received: string) => Error,
): string | number | null {
  const id = record['id'] ?? null;
  if (
    id === null ||
    typeof id === 'string' ||
    (typeof id === 'number' && (!Number.isInteger(id) || Number.isSafeInteger(id)))
  )
    return id;
  throw typeof id === 'number'
    ? invalid('"id" to be a number that 64-bit floating point holds exactly, or a string', `${id}`)
    : invalid('"id" to be a string or a number', Array.isArray(id) ? 'a list' : `a ${typeof id}`);
}
