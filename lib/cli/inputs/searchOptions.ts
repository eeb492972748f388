// Values of --device and --exactness.
import { exactnesses, type Exactness } from '../../retrieval/scanReport.js';
import { deviceNames, type Device } from '../../vectors/device.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

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
