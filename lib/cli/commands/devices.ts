// `asof devices`: devices that searches can run on.
import type { Command, Invocation } from '../command.js';
import { devices, type DeviceInfo } from '../../vectors/device.js';
import { table } from '../tables/layout.js';
import { bytes } from '../terminal.js';

export const command: Command = {
  name: 'devices',
  summary:
    'Lists the devices that searches can run on: CPU and CUDA, with the reason for any missing.',
  positionals: [],
  options: {},
  details:
    'out with --json: [{device, available, name?, memory?, free_memory?, compute_capability?, ' +
    'build?, reason?}], memory in bytes.',
  example: 'asof devices',
};

export async function run({ terminal }: Invocation): Promise<number | void> {
  const list = await devices();
  if (terminal.json) await terminal.printJson(list.map(record));
  else await terminal.print(table(list.map(row), { align: ['left', 'left'] }));
  return 0;
}

function record({ freeMemory, computeCapability, ...rest }: DeviceInfo): Record<string, unknown> {
  return {
    ...rest,
    ...(freeMemory === undefined ? {} : { free_memory: freeMemory }),
    ...(computeCapability === undefined ? {} : { compute_capability: computeCapability }),
  };
}

function row({
  device,
  available,
  name,
  memory,
  freeMemory,
  computeCapability,
  build,
  reason,
}: DeviceInfo): [string, string] {
  if (!available) return [device, `not available: ${reason}`];
  const parts = [
    name,
    memory === undefined
      ? undefined
      : `${bytes(memory)}${freeMemory === undefined ? '' : `, ${bytes(freeMemory)} free`}`,
    computeCapability === undefined ? undefined : `compute capability ${computeCapability}`,
    build,
  ];
  return [device, parts.filter((part) => part !== undefined).join('; ')];
}
