// Ids of passages, from the arguments or from standard input.
import { readJsonLines, stringField } from '../../text/lines.js';
import type { Invocation } from '../command.js';

export const idDetails =
  'ID - stands for the ids on standard input, {id} a line; other fields are ignored.';

/** The ids after DIR; for - those of the lines on standard input. An invalid line is an error. */
export async function* readIds({ positionals, signal }: Invocation): AsyncGenerator<string> {
  for (const each of positionals.slice(1)) {
    if (each !== '-') yield each;
    else yield* readJsonLines('-', (record, where) => stringField(record, 'id', where), { signal });
  }
}
