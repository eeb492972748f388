// The manifest: what a corpus is made of at one commit. Plain data with its version; the catalog
// stores it, and every change of a corpus is a new manifest with the next generation.
import { AsOfError } from '../errors.js';

/**
 * The version of the corpus format that this code writes; older ones are read, newer ones refused.
 */
const formatVersion = 1;

/**
 * [first, last] instants in UTC epoch milliseconds; an open end is null, as JSON has no infinity.
 */
export type TimeSpan = [number | null, number | null];

/**
 * In what type a corpus's vectors stand a second time, for scans to bound them by before they read
 * them: none beside f32.
 */
export const storages = ['int8', 'int4', 'bf16', 'f32'] as const;
/** The type that vectors are stored in beside f32 (`CorpusOptions.storage`). */
export type Storage = (typeof storages)[number];
export const defaultStorage: Storage = 'int8';

export interface SegmentEntry {
  /** Never used twice in a corpus. */
  number: number;
  /** The name of its file in the folder of segments. */
  file: string;
  bytes: number;
  /** P, deleted ones included until a merge drops them. */
  passages: number;
  /** M: passages of several sentences. */
  several: number;
  /** R */
  rows: number;
  /**
   * Ordinals of its passages lie in [firstOrdinal, endOrdinal); the ranges of segments are disjoint
   * and ascend.
   */
  firstOrdinal: number;
  endOrdinal: number;
  /**
   * Passages deleted or replaced since it was written, and how many rows and sentences they have.
   */
  deleted: number;
  deletedRows: number;
  deletedSentences: number;
  /** Of its vectors; absent, as in corpora of before there was any: f32. */
  storage?: Storage;
  /** What its clocks span, deleted passages included; absent where no row has the clock. */
  spans: { published?: TimeSpan; valid?: TimeSpan; content?: TimeSpan };
}

/**
 * Files computed from segments, such as vectors fused with time: keyed by the hash of what they
 * were computed with.
 */
export interface DerivedEntry {
  key: string;
  segment: number;
  file: string;
  bytes: number;
}

export interface Manifest {
  product: 'asof corpus';
  format: number;
  /** Rises by one with every commit. */
  generation: number;
  encoder: { id: string; dimensions: number };
  /**
   * What new segments are written with; absent: the default, which the first commit after writes
   * down.
   */
  storage?: Storage;
  /**
   * What made sentences, content times and terms: a merge keeps them as they are, so they say how
   * rows came to be.
   */
  pipeline: { sentences: string; times: string; terms: string };
  segments: SegmentEntry[];
  derived: DerivedEntry[];
  nextOrdinal: number;
  nextSegment: number;
}

export function newManifest(
  encoder: Manifest['encoder'],
  pipeline: Manifest['pipeline'],
  storage: Storage = defaultStorage,
): Manifest {
  const { id, dimensions } = encoder;
  return {
    product: 'asof corpus',
    format: formatVersion,
    generation: 0,
    encoder: { id, dimensions },
    storage,
    pipeline,
    segments: [],
    derived: [],
    nextOrdinal: 0,
    nextSegment: 1,
  };
}

/**
 * The manifest in a stored text. Throws ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER or ERR_CORPUS_CORRUPT.
 */
export function readManifest(text: string | undefined, path: string): Manifest {
  let manifest: Manifest | undefined;
  try {
    if (text !== undefined) manifest = JSON.parse(text) as Manifest;
  } catch (cause) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected the manifest of ${path} to be JSON, found text that is not. Restore the corpus from a backup.`,
      { cause },
    );
  }
  if (manifest?.product !== 'asof corpus' || typeof manifest.format !== 'number') {
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected a corpus of asof's at ${path}, found a database without its manifest. Check the path.`,
    );
  }
  if (manifest.format > formatVersion) {
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected a corpus of format ${formatVersion} or older at ${path}, found format ${manifest.format}. Upgrade asof to read it.`,
    );
  }
  if (!isWhole(manifest)) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a whole manifest of ${path}, found parts of one. Restore the corpus from a backup.`,
    );
  }
  return manifest;
}

/**
 * Whether it has its parts; LMDB keeps no checksums, so that a damaged page can be JSON of other
 * names.
 */
function isWhole({
  generation,
  encoder,
  pipeline,
  segments,
  derived,
  nextOrdinal,
  nextSegment,
}: Manifest): boolean {
  const counts = [
    'number',
    'bytes',
    'passages',
    'several',
    'rows',
    'firstOrdinal',
    'endOrdinal',
    'deleted',
    'deletedRows',
    'deletedSentences',
  ] as const;
  const counted = (each: SegmentEntry): boolean =>
    counts.every((name) => Number.isSafeInteger(each[name]));
  return (
    [generation, nextOrdinal, nextSegment, encoder?.dimensions].every(Number.isSafeInteger) &&
    typeof encoder.id === 'string' &&
    typeof pipeline === 'object' &&
    pipeline !== null &&
    Array.isArray(derived) &&
    Array.isArray(segments) &&
    derived.every((each) => typeof each?.file === 'string' && Number.isSafeInteger(each.segment)) &&
    segments.every(
      (each) => typeof each?.file === 'string' && typeof each.spans === 'object' && counted(each),
    )
  );
}

/** Passages, rows and sentences that are not deleted. */
export function liveCounts(manifest: Manifest): {
  passages: number;
  rows: number;
  sentences: number;
} {
  let [passages, rows, sentences] = [0, 0, 0];
  for (const segment of manifest.segments) {
    passages += segment.passages - segment.deleted;
    rows += segment.rows - segment.deletedRows;
    sentences += segment.rows - segment.several - segment.deletedSentences;
  }
  return { passages, rows, sentences };
}

/** The segment whose range holds the ordinal. */
function segmentOfOrdinal(manifest: Manifest, ordinal: number): SegmentEntry | undefined {
  return manifest.segments.find(
    (segment) => ordinal >= segment.firstOrdinal && ordinal < segment.endOrdinal,
  );
}

/** The manifest after passages of these ordinals were deleted, each with its count of sentences. */
export function applyTombstones(
  manifest: Manifest,
  deleted: readonly { ordinal: number; sentences: number }[],
): Manifest {
  const segments = manifest.segments.map((segment) => ({ ...segment }));
  const next = { ...manifest, segments };
  for (const { ordinal, sentences } of deleted) {
    const segment = segmentOfOrdinal(next, ordinal);
    if (!segment) {
      throw new AsOfError(
        'ERR_CORPUS_CORRUPT',
        `Expected a segment that holds passage ${ordinal}, found none. Run verify, and restore the corpus from a backup.`,
      );
    }
    segment.deleted += 1;
    segment.deletedSentences += sentences;
    segment.deletedRows += sentences > 1 ? sentences + 1 : 1;
  }
  return next;
}
