// Line filters: JSON lines in, JSON lines out, in order. Invalid lines are reported and skipped; at
// most two batches and a chunk of the file are in memory.
import { AsOfError } from '../../errors.js';
import { readJsonChunks, type LineLocation, errorAtLine, withLocation } from '../../text/lines.js';
import type { Invocation } from '../command.js';

export interface LineFilter<Item> {
  /** The item of a line; throws `invalidLine` or an error of the library for an invalid one. */
  shape(record: Record<string, unknown>, where: LineLocation): Item;
  /** Size of an item in UTF-16 units; their sum limits a batch. */
  weight(item: Item): number;
  /**
   * The lines to print for a batch, in its order. After ERR_INVALID_INPUT its items are retried one
   * by one, to report the invalid lines.
   */
  transform(batch: readonly Item[]): readonly unknown[] | Promise<readonly unknown[]>;
}

interface LocatedItem<Item> {
  item: Item;
  where: LineLocation;
}

const batchItems = 512;
const batchWeight = 1 << 20;
const batchMilliseconds = 20;

/**
 * Runs a filter over a file, by default standard input, and returns the exit code: 1 after an
 * invalid line. A batch closes early after a pause, so that interactive input is answered.
 */
export async function filterLines<Item>(
  invocation: Invocation,
  filter: LineFilter<Item>,
): Promise<number> {
  const { terminal, signal, positionals } = invocation;
  let invalid = false;
  const onFault = (fault: Error): void => {
    invalid = true;
    terminal.say(`asof: ${fault.message}`);
  };
  const shape = (record: Record<string, unknown>, where: LineLocation): LocatedItem<Item> => ({
    where,
    item: withLocation(() => filter.shape(record, where), where),
  });
  const records = readJsonChunks(positionals[0] ?? '-', shape, { signal, onFault });
  const transform = async (batch: readonly LocatedItem<Item>[]): Promise<readonly unknown[]> => {
    try {
      return await filter.transform(batch.map(({ item }) => item));
    } catch (fault) {
      if (!AsOfError.is(fault) || fault.code !== 'ERR_INVALID_INPUT') throw fault;
      if (batch.length === 1) return onFault(errorAtLine(fault, batch[0]!.where)), [];
      const lines: unknown[] = [];
      for (const each of batch) lines.push(...(await transform([each])));
      return lines;
    }
  };
  const write = async (lines: Promise<readonly unknown[]>): Promise<void> => {
    const texts = (await lines).map((line) => `${JSON.stringify(line)}\n`);
    if (texts.length > 0) await terminal.print(texts.join(''));
  };
  let written = Promise.resolve();
  for await (const batch of batches(records, ({ item }) => filter.weight(item))) {
    const lines = transform(batch);
    // Awaited below; handled here, as it may reject while the previous batch is written.
    lines.catch(() => {});
    await written;
    written = write(lines);
    written.catch(() => {}); // awaited above or at the end
  }
  await written;
  return invalid ? 1 : 0;
}

/** Items of chunks in batches: full ones, or what came until a pause. */
async function* batches<Item>(
  source: AsyncGenerator<Iterable<Item>>,
  weigh: (item: Item) => number,
): AsyncGenerator<Item[]> {
  const late = Symbol('late');
  let batch: Item[] = [];
  let weight = 0;
  let timer: Promise<typeof late> | undefined;
  const take = (): Item[] => {
    const taken = batch;
    [batch, weight, timer] = [[], 0, undefined];
    return taken;
  };
  let next = source.next();
  for (;;) {
    const arrived = timer ? await Promise.race([next, timer]) : await next;
    const ended = arrived !== late && arrived.done === true;
    if (arrived !== late && !arrived.done) {
      for (const item of arrived.value) {
        batch.push(item);
        weight += weigh(item);
        if (batch.length >= batchItems || weight >= batchWeight) yield take();
      }
      if (batch.length > 0)
        timer ??= new Promise((done) => void setTimeout(done, batchMilliseconds, late).unref());
    }
    if (batch.length > 0 && (arrived === late || ended)) yield take();
    if (ended) return;
    if (arrived !== late) next = source.next();
  }
}

/** The id of a line, unchanged; null without one. @throws the error of `invalid` */
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
