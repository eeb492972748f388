// Option --device: the device that vector searches run on.
import { deviceNames, type Device } from '../../vectors/device.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

export const deviceOption = {
  type: 'string',
  value: 'D',
  group: 'encoder',
  help:
    'device of vector searches: cpu (default) or cuda, the first CUDA device, with the same ' +
    'results; asof devices lists them',
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
