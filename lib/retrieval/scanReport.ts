// Scan reports: storage type, rescored rows, exactness and device of each query of a scan.
import type { FlatResult, Storage } from '../../binding.js';
import { deviceNames, type Device } from '../vectors/device.js';

/**
 * Use of reduced-precision vectors. certified: the exact top k of the f32 vectors, rows pruned
 * by a proven bound. rescored: the best 4 k by reduced precision, rescored by their f32 vectors.
 * raw: the best k by reduced precision.
 */
export const exactnesses = ['certified', 'rescored', 'raw'] as const;
/** See `exactnesses`. */
export type Exactness = (typeof exactnesses)[number];

/** Report of one query's scan. */
export interface ScanReport {
  /** The storage type that was scanned. */
  storage: Storage;
  /** Rows rescored by their f32 vectors; 0 if those were scanned. */
  rescored: number;
  /** Whether the result is certified to be that of the f32 vectors of all rows. */
  exact: boolean;
  /**
   * Where the scan ran. Queries without a vector, of few passages, or of over 4,096 results run on
   * the CPU, which is as fast.
   */
  device: Device;
}

/** Storage types by the addon's code, the smallest last. */
const storageCodes = ['f32', 'bf16', 'int8', 'int4'] as const;

export type ReportColumns = Pick<FlatResult, 'storage' | 'rescored' | 'exact' | 'device'>;

export function scanReport(
  { storage, rescored, exact, device }: ReportColumns,
  q: number,
  ranksAll = true,
): ScanReport {
  return decodeReport(storage[q]!, rescored[q]!, ranksAll ? exact[q]! : 0, device[q]!);
}

/** Decodes the addon's codes. */
export function decodeReport(
  storage: number,
  rescored: number,
  exact: number,
  device: number,
): ScanReport {
  return {
    storage: storageCodes[storage]!,
    rescored,
    exact: exact === 1,
    device: deviceNames[device]!,
  };
}

/** The report of several scans: smallest type, sum of rescored rows, whether all were exact. */
export function mergeReports(readings: readonly ScanReport[]): ScanReport | undefined {
  if (readings.length === 0) return undefined;
  const storage =
    storageCodes[Math.max(...readings.map((each) => storageCodes.indexOf(each.storage)))]!;
  const device = readings.some((each) => each.device === 'cuda') ? 'cuda' : 'cpu';
  return {
    storage,
    rescored: readings.reduce((sum, each) => sum + each.rescored, 0),
    exact: readings.every(({ exact }) => exact),
    device,
  };
}
