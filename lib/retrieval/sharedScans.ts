// Scans of concurrent questions: those that come while one of the same rows runs wait, and then run
// as one, so that a pass over the rows serves all of them.
import type { FlatResult } from '../../binding.js';
import { rejectOnAbort } from '../errors.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { scanFlat, type ScanOptions, type ScanQuery, type ScanSegment } from './flatScan.js';
import type { HitColumns } from './scanHits.js';
import type { ReportColumns } from './scanReport.js';

export interface Scan {
  segments: readonly ScanSegment[];
  queries: readonly ScanQuery[];
  /** With statistics of the segments. */
  options: Omit<ScanOptions, 'collection'>;
}

/** Columns of the hits of a scan's queries, and of their reports. */
export type ScanColumns = HitColumns & ReportColumns;

interface PendingScan extends Scan {
  resolve: (columns: ScanColumns) => void;
  reject: (reason: unknown) => void;
}

/** Those of one corpus. */
export const sharedScans: CacheSpec<SharedScans> = {
  name: 'shared scans',
  create: () => new SharedScans(),
};

export class SharedScans {
  /** One of each batch that runs. */
  private readonly running = new Set<Scan>();
  private waiting: PendingScan[] = [];

  /** @throws AsOfError as `scanFlat`; a scan that fails or is aborted leaves others alone. */
  scan(scan: Scan): Promise<ScanColumns> {
    const columns = new Promise<ScanColumns>((resolve, reject) => {
      const pending = { ...scan, resolve, reject };
      if ([...this.running].some((each) => ofSameRows(each, scan))) this.waiting.push(pending);
      else void this.start([pending]);
    });
    return rejectOnAbort(columns, scan.options.signal);
  }

  private async start(scans: readonly PendingScan[]): Promise<void> {
    const [first] = scans as [PendingScan];
    this.running.add(first);
    await runTogether(scans);
    this.running.delete(first);
    const next = this.waiting.filter((each) => ofSameRows(each, first));
    this.waiting = this.waiting.filter((each) => !next.includes(each));
    const wanted = next.filter(({ options: { signal } }) => !signal?.aborted);
    if (wanted.length > 0) void this.start(wanted);
  }
}

/** Settles every scan. */
async function runTogether(scans: readonly PendingScan[]): Promise<void> {
  const runAlone = ({ segments, queries, options, resolve, reject }: PendingScan): Promise<void> =>
    scanFlat(segments, queries, options).then(resolve, reject);
  const [first, ...others] = scans as [PendingScan];
  if (others.length === 0) return runAlone(first);
  const { signal: _, ...shared } = first.options;
  const k = Math.max(...scans.map(({ options }) => options.k));
  const queries = scans.flatMap((each) => each.queries);
  const signals = scans.map(({ options: { signal } }) => signal);
  const unwanted = new AbortController();
  const stop = (): void => {
    if (signals.every((each) => each?.aborted)) unwanted.abort();
  };
  for (const each of signals) each?.addEventListener('abort', stop, { once: true });
  try {
    const { signal } = unwanted;
    const result = await scanFlat(first.segments, queries, { ...shared, k, signal });
    let end = 0;
    for (const { queries: own, resolve } of scans)
      resolve(columnsOf(result, end, (end += own.length)));
  } catch {
    // One of them is at fault, or nobody waits: each has an error of its own.
    await Promise.all(scans.map(runAlone));
  } finally {
    for (const each of signals) each?.removeEventListener('abort', stop);
  }
}

/** Those of some of the queries. */
function columnsOf(result: FlatResult, from: number, to: number): ScanColumns {
  const { storage, rescored, exact, device } = result;
  return {
    ...result,
    offsets: result.offsets.subarray(from, to + 1),
    storage: storage.subarray(from, to),
    rescored: rescored.subarray(from, to),
    exact: exact.subarray(from, to),
    device: device.subarray(from, to),
  };
}

function ofSameRows(one: Scan, other: Scan): boolean {
  const areEqual = (a: ScanSegment, b: ScanSegment | undefined): boolean =>
    a.rows === b?.rows &&
    a.liveDocs === b.liveDocs &&
    a.countedDocs === b.countedDocs &&
    a.vectors === b.vectors;
  const { scope, pool, exactness, device, k1, b } = one.options;
  const { options } = other;
  return (
    one.segments.length === other.segments.length &&
    one.segments.every((each, s) => areEqual(each, other.segments[s])) &&
    scope === options.scope &&
    pool === options.pool &&
    exactness === options.exactness &&
    device === options.device &&
    k1 === options.k1 &&
    b === options.b
  );
}
