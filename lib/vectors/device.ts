// Devices of searches: the CPU, or the first CUDA device if asof's CUDA library, a driver and a
// device are present. Reports availability; the addon moves data to the device when a search
// selects it.
import { cpus, totalmem, freemem } from 'node:os';
import { binding } from '../binding.js';
import { AsOfError, invalidArgument } from '../errors.js';

/** 'cuda' is the first visible CUDA device, which CUDA_VISIBLE_DEVICES selects. */
export const deviceNames = ['cpu', 'cuda'] as const;
/** See `deviceNames`. */
export type Device = (typeof deviceNames)[number];

/** A device of this machine, or the reason why there is none. */
export interface DeviceInfo {
  device: Device;
  /** Whether `device` can be selected. Of several CUDA devices the first is used. */
  available: boolean;
  /** Name of the processor or device. */
  name?: string | undefined;
  /** Memory in bytes, total and free. */
  memory?: number | undefined;
  freeMemory?: number | undefined;
  /** CUDA only, such as '9.0'. */
  computeCapability?: string | undefined;
  /** CPU: the instruction-set level in use. CUDA: the toolkit of the library. */
  build?: string | undefined;
  /** Why it is not available: expected, received, remedy. */
  reason?: string | undefined;
}

/**
 * Devices that searches can select: the CPU first, then every CUDA device, or one entry with the
 * reason why there is none. Never rejects for a missing device. Querying free memory creates a CUDA
 * context, which uses device memory until the process ends.
 * @example for (const { device, available, name, reason } of await devices()) console.log(device,
 * available, name ?? reason);
 */
export async function devices(): Promise<DeviceInfo[]> {
  const { build, reason, devices: found } = await binding.listDevices();
  const cpu: DeviceInfo = {
    device: 'cpu',
    available: true,
    memory: totalmem(),
    freeMemory: freemem(),
    build: binding.isa(),
  };
  const name = cpus()[0]?.model;
  const built = build === null ? {} : { build };
  const cuda = found.map(
    ({ name, memory, freeMemory, computeCapability }): DeviceInfo => ({
      device: 'cuda',
      available: true,
      name,
      memory,
      freeMemory,
      computeCapability,
      ...built,
    }),
  );
  const missing: DeviceInfo[] =
    reason === null ? [] : [{ device: 'cuda', available: false, ...built, reason }];
  return [name === undefined ? cpu : { ...cpu, name }, ...cuda, ...missing];
}

export function checkDevice(device: unknown): Device {
  if (deviceNames.includes(device as Device)) return device as Device;
  throw invalidArgument('device', `one of ${deviceNames.join(', ')}`, device);
}

/** Throws ERR_DEVICE_UNAVAILABLE, with the reason, if the device is missing. */
export async function requireDevice(device: Device): Promise<void> {
  const reason = device === 'cpu' ? null : await binding.deviceUnavailableReason();
  if (reason !== null) throw new AsOfError('ERR_DEVICE_UNAVAILABLE', reason);
}
