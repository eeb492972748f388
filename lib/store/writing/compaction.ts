// Segment merge: sources are verified first, so that damage is not copied under a new checksum, and
// deleted passages are dropped.
import { binding, withCancellation } from '../../binding.js';
import type { SectionArray } from '../../../binding.js';
import type { NewFile } from '../format/files.js';
import { writeSegment } from '../format/openSegments.js';
import { unionSpans } from '../info.js';
import type { Manifest, SegmentEntry, Storage } from '../format/manifest.js';
import { endedVersions, mergedHistory } from '../views/history.js';
import type { Snapshot } from '../views/snapshot.js';
import type { SnapshotSegment } from '../views/snapshotSegment.js';
import { withPassages, type Tombstones } from '../format/tombstones.js';
import { AsOfError } from '../../errors.js';

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

export interface MergedSegment {
  /** Absent if no passage is left. */
  merged?: { entry: SegmentEntry; file: NewFile; tombstones?: Tombstones };
  /** Passages that were dropped. */
  dropped: number;
}

/**
 * Merges a range of the snapshot's segments in to - from + 3 steps, each followed by `onStep`. In
 * corpora with history passages stay that ended at `keptFrom` or later (default: all).
 */
export async function mergeSegments(
  snapshot: Snapshot,
  range: MergeRange,
  place: { path: string; id: string; storage: Storage; keptFrom?: number | undefined },
  signal: AbortSignal | undefined,
  onStep: () => void,
): Promise<MergedSegment> {
  const entries = snapshot.manifest.segments.slice(range.from, range.to);
  const opened = snapshot.segments.slice(range.from, range.to);
  for (const { segment } of opened) {
    await withCancellation(signal, (cancellation) => segment.verify(cancellation));
    onStep();
  }
  const ended = snapshot.manifest.history
    ? opened.map((_, i) => endedVersions(snapshot, range.from + i, place.keptFrom))
    : undefined;
  const sources = opened.map(({ segment, liveDocs = null }, i) => ({
    segment,
    liveDocs: liveDocs && ended ? withPassages(liveDocs, ended[i]!.passages) : liveDocs,
  }));
  const plan = await withCancellation(signal, (cancellation) =>
    binding.planMerge(sources, cancellation),
  );
  onStep();
  const dropped = entries.reduce((sum, entry) => sum + entry.passages, 0) - plan.passages;
  if (plan.passages === 0) return { dropped };
  const postings = await mergedPostings(opened, plan, signal);
  onStep();
  const segments = opened.map(({ segment }) => segment);
  const history = ended && mergedHistory(opened, ended, plan);
  const sections = [...postings, ...(history?.sections ?? [])];
  const parts = { segments, plan, sections, storage: place.storage };
  const { file, seal } = await writeSegment(place.path, signal, (output, cancellation) =>
    binding.writeMerge(output, parts, cancellation),
  );
  onStep();
  const entry: SegmentEntry = {
    id: place.id,
    ...seal,
    passages: plan.passages,
    multiSentence: plan.multiSentence,
    rows: plan.rows,
    deleted: 0,
    deletedRows: 0,
    deletedSentences: 0,
    ...history?.counts,
    storage: place.storage,
    spans: unionSpans(entries.map((each) => each.spans)),
  };
  const { tombstones } = history ?? {};
  return { merged: { entry, file, ...(tombstones ? { tombstones } : {}) }, dropped };
}

async function mergedPostings(
  opened: readonly SnapshotSegment[],
  plan: { passages: number; multiSentence: number; rows: number; newRows: Uint32Array[] },
  signal: AbortSignal | undefined,
): Promise<{ name: string; data: SectionArray }[]> {
  const sources = opened.map(({ segment }, i) => ({ segment, newRows: plan.newRows[i]! }));
  const parts = { multiSentence: plan.multiSentence, passages: plan.passages, rows: plan.rows };
  return withCancellation(signal, (cancellation) =>
    binding.mergePostings(sources, parts, cancellation),
  );
}

/** The manifest with the segments of the range replaced by the merged one. */
export function applyMerge(
  manifest: Manifest,
  range: MergeRange,
  entry: SegmentEntry | undefined,
): Manifest {
  const segments = manifest.segments.toSpliced(
    range.from,
    range.to - range.from,
    ...(entry ? [entry] : []),
  );
  return { ...manifest, segments, nextSegment: manifest.nextSegment + 1 };
}
