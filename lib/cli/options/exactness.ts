// Option --exactness: whether vector searches are exact or approximate.
import { exactnesses, type Exactness } from '../../retrieval/scanReport.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

export const exactnessOption = {
  type: 'string',
  value: 'E',
  group: 'encoder',
  help:
    'certified (default): exact results; rescored: candidates from quantized vectors, scored in ' +
    'full; raw: scores of quantized vectors',
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
