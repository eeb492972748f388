// --exactness of the commands that ask: how much of a corpus's full vectors a search reads. It
// refuses any other word, and says what there is.
import { exactnesses, type Exactness } from '../../retrieval/flatScan.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

export const exactnessOption = {
  type: 'string',
  value: 'E',
  help: 'certified (default): the exact result; rescored or raw: faster, from vectors in few bits, where the corpus has them',
} as const;

export async function exactnessOf(
  invocation: Arguments,
  command: Command,
): Promise<Exactness | undefined> {
  const given = option(invocation, 'exactness');
  if (given === undefined || exactnesses.includes(given as Exactness))
    return given as Exactness | undefined;
  throw new UsageError(
    `--exactness must be one of ${exactnesses.join(', ')}, received ${JSON.stringify(given)}.`,
    command.name,
  );
}
