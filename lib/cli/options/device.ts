// --device of the commands that search a corpus: where it is searched. It refuses any other word,
// and says what there is.
import { deviceNames, type Device } from '../../vectors/device.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

export const deviceOption = {
  type: 'string',
  value: 'D',
  help: 'where searches by vector run: cpu (default), or cuda, the first CUDA device; the same results (asof devices says what there is)',
} as const;

export async function deviceOf(
  invocation: Arguments,
  command: Command,
): Promise<Device | undefined> {
  const given = option(invocation, 'device');
  if (given === undefined || deviceNames.includes(given as Device))
    return given as Device | undefined;
  throw new UsageError(
    `--device must be one of ${deviceNames.join(', ')}, received ${JSON.stringify(given)}.`,
    command.name,
  );
}
