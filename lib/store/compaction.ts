// Merging segments: which to merge, and the merge itself, which drops deleted passages. Sources are
// verified first, so that damage is found rather than copied under a new checksum. It changes no
// passage and no row's vector.
import { statSync } from 'node:fs';
import { binding, withCancellation } from '../binding.js';
import type { SectionArray } from '../../binding.js';
import { AsOfError, throwIfAborted } from '../errors.js';
import { unionSpans } from './info.js';
import { defaultStorage, type Manifest, type SegmentEntry, type Storage } from './manifest.js';
import type { Snapshot, SnapshotSegment } from './snapshot.js';

/** So many neighbours of a similar size are merged when they were added. */
const similarSegments = 8;
/** Rows of a segment of the lowest size class, and the factor from one class to the next. */
const classRows = 32_768;
const classFactor = 8;

/** Segments [from, to) of the manifest. */
export interface MergeRange {
  from: number;
  to: number;
}

/**
 * What compact() merges: everything, unless it is one segment with nothing deleted and of the
 * corpus's storage.
 */
export function fullMerge({
  segments,
  storage = defaultStorage,
}: Manifest): MergeRange | undefined {
  if (segments.length === 0) return undefined;
  if (
    segments.length === 1 &&
    segments[0]!.deleted === 0 &&
    (segments[0]!.storage ?? 'f32') === storage
  )
    return undefined;
  return { from: 0, to: segments.length };
}

/**
 * What is worth merging after an add: the newest segments, back to the last one of a larger class,
 * once more than eight of them are of one size class, so that a row is rewritten once for each
 * factor of eight that the corpus grows; else a segment of which most is deleted.
 */
export function tieredMerge({ segments }: Manifest): MergeRange | undefined {
  const classes = segments.map((segment) =>
    Math.max(0, Math.floor(Math.log(segment.rows / classRows) / Math.log(classFactor)) + 1),
  );
  for (let sizeClass = 0; sizeClass <= Math.max(0, ...classes); sizeClass += 1) {
    const from = classes.findLastIndex((each) => each > sizeClass) + 1;
    if (classes.slice(from).filter((each) => each === sizeClass).length > similarSegments)
      return { from, to: segments.length };
  }
  const wasted = segments.findIndex((segment) => segment.deleted * 2 > segment.passages);
  return wasted < 0 ? undefined : { from: wasted, to: wasted + 1 };
}

/**
 * Of a merge after an add: what was added is on the disk, and a disk with no room for more of it
 * puts the merge off to a later add.
 */
export function deferIfDiskFull(error: unknown): { merged: number; dropped: number } {
  if (AsOfError.is(error) && error.code === 'ERR_STORAGE') return { merged: 0, dropped: 0 };
  throw error;
}

export interface MergedSegment {
  /** Absent where nothing was visible. */
  entry?: SegmentEntry;
  /** Passages that were dropped. */
  dropped: number;
}

/**
 * Writes the segment that the run of the snapshot's segments becomes. `onStep` is called after each
 * of run length + 3 steps.
 */
export async function mergeSegments(
  snapshot: Snapshot,
  run: MergeRange,
  place: { path: string; file: string; number: number; storage: Storage },
  signal: AbortSignal | undefined,
  onStep: () => void,
): Promise<MergedSegment> {
  const entries = snapshot.manifest.segments.slice(run.from, run.to);
  const opened = snapshot.segments.slice(run.from, run.to);
  for (const { segment } of opened) {
    await withCancellation(signal, (cancellation) => segment.verify(cancellation));
    onStep();
  }
  const sources = opened.map(({ segment, liveDocs }) => ({ segment, liveDocs: liveDocs ?? null }));
  const plan = await withCancellation(signal, (cancellation) =>
    binding.planMerge(sources, cancellation),
  );
  onStep();
  const dropped = entries.reduce((sum, entry) => sum + entry.passages, 0) - plan.passages;
  if (plan.passages === 0) return { dropped };
  const postings = await mergedPostings(opened, plan, signal);
  onStep();
  const segments = opened.map(({ segment }) => segment);
  await withCancellation(signal, (cancellation) =>
    binding.writeMerge(
      place.path,
      { segments, plan, sections: postings, storage: place.storage },
      cancellation,
    ),
  );
  onStep();
  throwIfAborted(signal);
  const entry: SegmentEntry = {
    number: place.number,
    file: place.file,
    bytes: statSync(place.path).size,
    passages: plan.passages,
    several: plan.several,
    rows: plan.rows,
    firstOrdinal: entries[0]!.firstOrdinal,
    endOrdinal: entries.at(-1)!.endOrdinal,
    deleted: 0,
    deletedRows: 0,
    deletedSentences: 0,
    storage: place.storage,
    spans: unionSpans(entries.map((each) => each.spans)),
  };
  return { entry, dropped };
}

async function mergedPostings(
  opened: readonly SnapshotSegment[],
  plan: {
    passages: number;
    several: number;
    rows: number;
    newRows: Uint32Array[];
    newPassages: Uint32Array[];
  },
  signal: AbortSignal | undefined,
): Promise<{ name: string; data: SectionArray }[]> {
  const sources = opened.map(({ segment }, i) => ({
    segment,
    newRows: plan.newRows[i]!,
    newPassages: plan.newPassages[i]!,
  }));
  const parts = { several: plan.several, passages: plan.passages, rows: plan.rows };
  return withCancellation(signal, (cancellation) =>
    binding.mergePostings(sources, parts, cancellation),
  );
}

/** The manifest with the run's segments replaced by the merged one. */
export function applyMerge(
  manifest: Manifest,
  run: MergeRange,
  entry: SegmentEntry | undefined,
): Manifest {
  const segments = manifest.segments.toSpliced(
    run.from,
    run.to - run.from,
    ...(entry ? [entry] : []),
  );
  return { ...manifest, segments, nextSegment: manifest.nextSegment + 1 };
}
