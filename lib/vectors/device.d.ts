/** 'cuda' is the first visible CUDA device, which CUDA_VISIBLE_DEVICES selects. */
export declare const deviceNames: readonly ['cpu', 'cuda'];
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
export declare function devices(): Promise<DeviceInfo[]>;
export declare function checkDevice(device: unknown): Device;
/** Throws ERR_DEVICE_UNAVAILABLE, with the reason, if the device is missing. */
export declare function requireDevice(device: Device): Promise<void>;
