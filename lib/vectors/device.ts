// Where searches run: on the CPU, or on the first CUDA device, for which asof's CUDA library, a
// driver and a device have to be there. It says what there is and why not; it moves nothing to a
// device, which is the addon's business when a search asks for it.
import { cpus, totalmem, freemem } from 'node:os';
import { binding } from '../binding.js';
import { AsOfError, invalidArgument } from '../errors.js';

/**
 * 'cuda' is the first device that CUDA shows this process; CUDA_VISIBLE_DEVICES says which that is.
 */
export const deviceNames = ['cpu', 'cuda'] as const;
/** See `deviceNames`. */
export type Device = (typeof deviceNames)[number];

/** A device of this machine, or why there is none. */
export interface DeviceInfo {
  device: Device;
  /** Whether `device` may be given so. Of several CUDA devices the first is used. */
  available: boolean;
  /** The processor's or the device's name. */
  name?: string;
  /** Bytes, in all and now free. */
  memory?: number;
  freeMemory?: number;
  /** Of a CUDA device, such as '9.0'. */
  computeCapability?: string;
  /** Of the CPU: the instruction-set level in use. Of CUDA: what built the library. */
  build?: string;
  /** Why it is not available: what was expected, what was found, and what to do. */
  reason?: string;
}

/**
 * What searches may be told to run on: the CPU first, then every CUDA device, or one entry with the
 * reason why there is none. Never rejects for a device that is not there. Asks every device what is
 * free, which takes some of its memory until the process ends.
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

/** Throws where a device that is asked for is not there: ERR_DEVICE_UNAVAILABLE with the reason. */
export async function requireDevice(device: Device): Promise<void> {
  const reason = device === 'cpu' ? null : await binding.deviceUnavailableReason();
  if (reason !== null) throw new AsOfError('ERR_DEVICE_UNAVAILABLE', reason);
}
