// Line filters: JSON lines in, JSON lines out, in order. Invalid lines are reported and skipped.
import { AsOfError } from '../../errors.js';
import {
  errorAtLine,
  invalidLine,
  readJsonChunks,
  stringField,
  withLocation,
  type LineLocation,
} from '../../text/lines.js';
import { parseAskedAt } from '../../time/instant.js';
import type { Invocation } from '../command.js';

export interface LineFilter<Item> {
  /** The item of a line; throws `invalidLine` or an error of the library for an invalid one. */
  shape(record: Record<string, unknown>, where: LineLocation): Item;
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

/**
 * Runs a filter over a file, by default standard input, a chunk of it at a time, so that
 * interactive input is answered. Returns the exit code: 1 after an invalid line.
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
  for await (const chunk of readJsonChunks(positionals[0] ?? '-', shape, { signal, onFault })) {
    const batch = [...chunk];
    const lines = batch.length > 0 ? await transform(batch) : [];
    const texts = lines.map((line) => `${JSON.stringify(line)}\n`);
    if (texts.length > 0) await terminal.print(texts.join(''));
  }
  return invalid ? 1 : 0;
}

/** A line {id, text, ref?}; `ref` is parsed here, so that an error names the line. */
export function datedText(record: Record<string, unknown>, where: LineLocation, timeZone?: string) {
  const date = stringField(record, 'ref', where, 'allowed');
  const ref = date === undefined ? undefined : parseAskedAt(date, 'ref', timeZone);
  return { id: lineId(record, where), text: stringField(record, 'text', where), ref };
}

/** The id of a line, unchanged; null without one. */
export function lineId(
  record: Record<string, unknown>,
  where: LineLocation,
): string | number | null {
  const id = record['id'] ?? null;
  if (
    id === null ||
    typeof id === 'string' ||
    (typeof id === 'number' && (!Number.isInteger(id) || Number.isSafeInteger(id)))
  )
    return id;
  const exactly = '"id" to be a number that 64-bit floating point holds exactly, or a string';
  throw typeof id === 'number'
    ? invalidLine(where, exactly, `${id}`)
    : invalidLine(
        where,
        '"id" to be a string or a number',
        Array.isArray(id) ? 'a list' : `a ${typeof id}`,
      );
}
