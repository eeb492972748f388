// The manifest: the segments, derived columns and settings of a corpus at one commit. Plain,
// versioned data in the catalog; every change writes a new manifest with the next generation.
import { AsOfError } from '../errors.js';

/** Corpus format version; older ones are readable, newer ones rejected. */
const formatVersion = 1;

/**
 * [first, last] instants in UTC epoch milliseconds; null for an open end, since JSON has no
 * infinity.
 */
export type TimeSpan = [number | null, number | null];

/**
 * Types of the quantized copy of a corpus's vectors, from which scans compute bounds; 'f32' is no
 * copy.
 */
export const storages = ['int8', 'int4', 'bf16', 'f32'] as const;
/** Type of the quantized copy of the vectors (`CorpusOptions.storage`). */
export type Storage = (typeof storages)[number];
export const defaultStorage: Storage = 'int8';

export interface SegmentEntry {
  /** Unique over the life of a corpus. */
  number: number;
  /** File name in the segments folder. */
  file: string;
  bytes: number;
  /** P, deleted ones included until a merge drops them. */
  passages: number;
  /** M: passages of several sentences (multiSentence elsewhere; the name is the format's). */
  several: number;
  /** R */
  rows: number;
  /**
   * Range [firstOrdinal, endOrdinal) of its passages' ordinals; ranges of segments are disjoint and
   * ascending.
   */
  firstOrdinal: number;
  endOrdinal: number;
  /**
   * Tombstones: passages deleted or replaced since the segment was written, and their rows and
   * sentences.
   */
  deleted: number;
  deletedRows: number;
  deletedSentences: number;
  /** Absent (in corpora of earlier versions): f32. */
  storage?: Storage;
  /** Time spans of its clocks, deleted passages included; absent if no row has the clock. */
  spans: { published?: TimeSpan; valid?: TimeSpan; content?: TimeSpan };
}

/** A derived column of a segment; `key` is the hash of everything that it depends on. */
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
  /** Storage type of new segments. Absent: the default, which the next commit records. */
  storage?: Storage;
  /**
   * Versions of the splitter, tagger and analyzer that produced the rows; merges keep rows
   * unchanged.
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

/** Parses a stored manifest. Throws ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER or ERR_CORPUS_CORRUPT. */
export function readManifest(text: string | undefined, path: string): Manifest {
  let manifest: Manifest | undefined;
  try {
    if (text !== undefined) manifest = JSON.parse(text) as Manifest;
  } catch (cause) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected the manifest of ${path} to be JSON, found other text. ` +
        'Restore the corpus from a backup.',
      { cause },
    );
  }
  if (manifest?.product !== 'asof corpus' || typeof manifest.format !== 'number') {
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected an asof corpus at ${path}, found a database without a manifest. Check the path.`,
    );
  }
  if (manifest.format > formatVersion) {
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected a corpus of format ${formatVersion} or older at ${path}, ` +
        `found format ${manifest.format}. Upgrade asof to read it.`,
    );
  }
  if (!isComplete(manifest)) {
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a complete manifest of ${path}, found parts of one. ` +
        'Restore the corpus from a backup.',
    );
  }
  return manifest;
}

/**
 * Whether all properties are present: LMDB has no checksums, so that a damaged page may be other
 * JSON.
 */
function isComplete({
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
  const hasCounts = (each: SegmentEntry): boolean =>
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
      (each) => typeof each?.file === 'string' && typeof each.spans === 'object' && hasCounts(each),
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

/** The segment whose range contains the ordinal. */
function segmentOfOrdinal(manifest: Manifest, ordinal: number): SegmentEntry | undefined {
  return manifest.segments.find(
    (segment) => ordinal >= segment.firstOrdinal && ordinal < segment.endOrdinal,
  );
}

/** The manifest with tombstones for these passages. */
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
        `Expected a segment that contains passage ${ordinal}, found none. ` +
          'Run verify, and restore the corpus from a backup.',
      );
    }
    segment.deleted += 1;
    segment.deletedSentences += sentences;
    segment.deletedRows += sentences > 1 ? sentences + 1 : 1;
  }
  return next;
}
