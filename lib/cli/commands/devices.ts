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

export async function run({ terminal }: Invocation): Promise<void> {
  const list = await devices();
  if (terminal.json) return terminal.printJson(list.map(record));
  await terminal.print(table(list.map(row), { align: ['left', 'left'] }));
}

/** JSON leaves out what is undefined. */
const record = ({ freeMemory, computeCapability, ...rest }: DeviceInfo): object => ({
  ...rest,
  free_memory: freeMemory,
  compute_capability: computeCapability,
});

function row(info: DeviceInfo): [string, string] {
  const { device, available, name, memory, freeMemory, computeCapability, build, reason } = info;
  if (!available) return [device, `not available: ${reason}`];
  const free = freeMemory === undefined ? '' : `, ${bytes(freeMemory)} free`;
  const parts = [
    name,
    memory && bytes(memory) + free,
    computeCapability && `compute capability ${computeCapability}`,
    build,
  ];
  return [device, parts.filter((part) => part !== undefined).join('; ')];
}
