// Ids of passages, from the arguments or from standard input.
import { readJsonLines, stringField } from '../../text/lines.js';
import type { Where } from '../../store/fields/where.js';
import { UsageError, type Invocation } from '../command.js';
import { askValues } from '../options/ask.js';

export const idDetails =
  'ID - stands for the ids on standard input, {id} a line; other fields are ignored.';

/** The ids after DIR; for - those of the lines on standard input. An invalid line is an error. */
export async function* readIds({ positionals, signal }: Invocation): AsyncGenerator<string> {
  for (const each of positionals.slice(1)) {
    if (each !== '-') yield each;
    else yield* readJsonLines('-', (record, where) => stringField(record, 'id', where), { signal });
  }
}

/** The passages that a command `does` something to: by ids, or by the filter of --where. */
export async function chosenPassages(
  invocation: Invocation,
  does: string,
): Promise<Set<string> | { where: Where }> {
  const { where } = askValues(invocation, ['where']);
  if ((where === undefined) === (invocation.positionals.length === 1)) {
    const { name } = invocation.command;
    throw new UsageError(
      where
        ? `asof ${name} takes ids or --where, received both.`
        : `asof ${name} needs ids, - or --where; --where '{}' ${does} all passages.`,
    );
  }
  if (where) return { where };
  const ids = new Set<string>();
  for await (const id of readIds(invocation)) ids.add(id);
  return ids;
}
