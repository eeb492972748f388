// Values of --device and --exactness.
import { exactnesses, type Exactness } from '../../retrieval/scanReport.js';
import { deviceNames, type Device } from '../../vectors/device.js';
import { option, UsageError, type Arguments, type Command } from '../command.js';

export function deviceOf(invocation: Arguments, command: Command): Device | undefined {
  const value = option(invocation, 'device');
  if (value === undefined || deviceNames.includes(value as Device))
    return value as Device | undefined;
  throw new UsageError(
    `--device must be one of ${deviceNames.join(', ')}, received ${JSON.stringify(value)}.`,
    command.name,
  );
}

export function exactnessOf(invocation: Arguments, command: Command): Exactness | undefined {
  const value = option(invocation, 'exactness');
  if (value === undefined || exactnesses.includes(value as Exactness))
    return value as Exactness | undefined;
  throw new UsageError(
    `--exactness must be one of ${exactnesses.join(', ')}, received ${JSON.stringify(value)}.`,
    command.name,
  );
}
