// Merge policy: the segments to merge after an add (tiered), or by compact() (all).
import { AsOfError } from '../../errors.js';
import type { Manifest, Storage } from '../format/manifest.js';

/** Segments of one size class that an add leaves unmerged. */
const segmentsPerTier = 8;
/**
 * Rows of a segment of the lowest size class, and the factor from one class to the next. Classes
 * from 32,768 rows on had small writes rewrite the last 32,768 rows at every ninth: 4.5 times the
 * bytes, and writes of 240 ms for 30, for 5 segments rather than 13.
 */
const lowestTierRows = 512;
const tierFactor = 8;

/** Segments [from, to) of the manifest. */
export interface MergeRange {
  from: number;
  to: number;
}

/**
 * All segments, unless it is one of the storage type to write without passages to drop. A history
 * that is kept for good drops none.
 */
export function fullMerge(
  { segments, storage: stored, history }: Manifest,
  { storage = stored, keepMs }: WriterOptions,
): MergeRange | undefined {
  if (segments.length === 0) return undefined;
  const [first] = segments;
  const mayDrop = first!.deleted > 0 && (!history || keepMs !== undefined);
  if (segments.length === 1 && !mayDrop && first!.storage === storage) return undefined;
  return { from: 0, to: segments.length };
}

/**
 * The newest segments, back to the last one of a higher tier, once more than eight of them are of
 * one tier: a row is rewritten once for each factor of eight that the corpus grows. Otherwise a
 * segment with more tombstones than live passages, where there is no history.
 */
export function tieredMerge({ segments, history }: Manifest): MergeRange | undefined {
  const tiers = segments.map((segment) =>
    Math.max(0, Math.floor(Math.log(segment.rows / lowestTierRows) / Math.log(tierFactor)) + 1),
  );
  for (let tier = 0; tier <= Math.max(0, ...tiers); tier += 1) {
    const from = tiers.findLastIndex((each) => each > tier) + 1;
    if (tiers.slice(from).filter((each) => each === tier).length > segmentsPerTier)
      return { from, to: segments.length };
  }
  if (history) return undefined;
  const sparse = segments.findIndex((segment) => segment.deleted * 2 > segment.passages);
  return sparse < 0 ? undefined : { from: sparse, to: sparse + 1 };
}

/** For the merge after an add, which a full or failing disk defers: the passages are on disk. */
export function deferIfDiskFull(error: unknown): { merged: number; dropped: number } {
  if (AsOfError.is(error) && error.code === 'ERR_STORAGE') return { merged: 0, dropped: 0 };
  throw error;
}

export interface WriterOptions {
  /** Storage type of new segments. Default: the manifest's. */
  storage?: Storage | undefined;
  /** How long ended versions are kept, in milliseconds. Default: for good. */
  keepMs?: number | undefined;
}
