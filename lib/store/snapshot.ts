// Snapshot: a consistent view of a corpus at one commit, with its segments, live passages and
// records.
import { AsOfError } from '../errors.js';
import type { Segment } from '../../binding.js';
import type { StoredPassage } from '../records.js';
import type { CacheRegistry } from '../runtime/cacheRegistry.js';
import type { Device } from '../vectors/device.js';
import type { Catalog, ReadTransaction } from './catalog.js';
import type { Manifest } from './manifest.js';
import { readRecord } from './passages.js';
import type { IdBytes, OpenSegment, OpenSegments } from './openSegments.js';

/** One segment of a snapshot. */
export interface SnapshotSegment {
  /** Mapped; for the addon's searches. */
  segment: Segment;
  /** Segment number, unique over the life of the corpus: for cache keys. */
  number: number;
  /** P, M and R: passages, passages of several sentences, rows. */
  passages: number;
  multiSentence: number;
  rows: number;
  /**
   * Bitmap of live docs: bit p % 8 of byte p >> 3 is set if local passage p is live; absent if all
   * are. Read-only.
   */
  liveDocs?: Uint8Array;
  /** Mapped derived columns, by the key of their spec. */
  derived: Map<string, Segment>;
  /** Caches of this segment's data, freed when it is closed. */
  caches: CacheRegistry<Segment>;
}

/** Address of a passage in a snapshot. */
export interface PassagePlace {
  /** Index in the snapshot's segments. */
  segment: number;
  /** Local passage number. */
  passage: number;
}

const attempts = 20;

/**
 * A consistent view of a corpus at one commit. It holds files and pages: release it when done
 * (`release()`, or `using`).
 */
export class Snapshot {
  readonly segments: readonly SnapshotSegment[];
  private released = false;

  private constructor(
    private readonly catalog: Catalog,
    private readonly transaction: ReadTransaction,
    readonly manifest: Manifest,
    private readonly segmentFiles: { files: OpenSegments; opened: readonly OpenSegment[] },
    private readonly onRelease: () => void,
  ) {
    const { segments: entries } = manifest;
    this.segments = segmentFiles.opened.map((each, i) => {
      const { deleted, firstOrdinal, endOrdinal, passages, several, rows } = entries[i]!;
      const liveDocs = each.liveDocs(deleted, () =>
        catalog.tombstones(firstOrdinal, endOrdinal, transaction),
      );
      return {
        segment: each.native,
        number: each.entry.number,
        passages,
        multiSentence: several,
        rows,
        derived: each.derived,
        caches: each.caches,
        ...(liveDocs ? { liveDocs } : {}),
      };
    });
  }

  /** The newest commit. */
  static take(catalog: Catalog, files: OpenSegments, onRelease: () => void): Snapshot {
    for (let attempt = 1; ; attempt += 1) {
      const transaction = catalog.read();
      try {
        const manifest = catalog.manifest(transaction);
        const opened = files.acquire(manifest.segments);
        try {
          return new Snapshot(catalog, transaction, manifest, { files, opened }, onRelease);
        } catch (error) {
          files.release(opened);
          throw error;
        }
      } catch (error) {
        const generation = catalog.generation(transaction);
        transaction.done();
        // Another process may have merged segments after the manifest was read.
        if (
          AsOfError.is(error) &&
          error.code === 'ERR_NOT_FOUND' &&
          attempt < attempts &&
          newestGeneration(catalog) !== generation
        )
          continue;
        if (AsOfError.is(error) && error.code === 'ERR_NOT_FOUND') {
          throw new AsOfError(
            'ERR_CORPUS_CORRUPT',
            `Expected every segment of the manifest, found one missing: ${error.message} ` +
              'Restore the corpus from a backup, or index it again.',
            { cause: error },
          );
        }
        throw error;
      }
    }
  }

  get generation(): number {
    return this.manifest.generation;
  }

  /** Device of its vector searches. */
  get device(): Device {
    return this.segmentFiles.files.device;
  }

  /** The corpus's caches, freed when it is closed. */
  get caches(): CacheRegistry {
    return this.segmentFiles.files.caches;
  }

  get isOpen(): boolean {
    return !this.released;
  }

  /** The record of a local passage, parsed at each call. */
  passage(segment: number, passage: number): StoredPassage {
    const record = this.catalog.record(
      this.segmentAt(segment, passage).ordinal(passage),
      this.view(),
    );
    return readRecord(
      this.existing(segment, passage, record),
      `passage ${passage} of ${this.manifest.segments[segment]!.file}`,
    );
  }

  /**
   * The UTF-8 bytes of the record's JSON, one character each: for inspecting many records of which
   * few are parsed.
   */
  recordBytes(segment: number, passage: number): string {
    return this.existing(
      segment,
      passage,
      this.catalog.recordBytes(this.segmentAt(segment, passage).ordinal(passage), this.view()),
    );
  }

  /** The id of a local passage, without reading its record: the tie-breaker of rankings. */
  id(segment: number, passage: number): string {
    return this.segmentAt(segment, passage).id(passage);
  }

  /** Ids of passages, given as parallel arrays of segments and local passages. */
  ids(segments: ArrayLike<number>, passages: ArrayLike<number>): string[] {
    if (areEqual(segments))
      return segments.length === 0 ? [] : this.segmentAt(segments[0]!, passages[0]!).ids(passages);
    const bySegment = new Map<number, number[]>();
    for (let at = 0; at < segments.length; at += 1)
      void (bySegment.get(segments[at]!)?.push(at) ?? bySegment.set(segments[at]!, [at]));
    const ids = new Array<string>(segments.length);
    for (const [segment, at] of bySegment) {
      const locals = at.map((each) => passages[each]!);
      this.segmentAt(segment, locals[0]!)
        .ids(locals)
        .forEach((id, i) => void (ids[at[i]!] = id));
    }
    return ids;
  }

  /** The same ids as concatenated UTF-8 with their ends: for thousands of which few are decoded. */
  idBytes(segments: ArrayLike<number>, passages: ArrayLike<number>): IdBytes {
    const alone =
      segments.length > 0 && areEqual(segments)
        ? this.segmentAt(segments[0]!, passages[0]!).idBytes(passages)
        : undefined;
    if (alone) return alone;
    const each = this.ids(segments, passages).map((id) => Buffer.from(id));
    let end = 0;
    return {
      bytes: Buffer.concat(each),
      ends: Uint32Array.from(each, ({ length }) => (end += length)),
    };
  }

  /** Address of the passage of an id; undefined if there is none. */
  find(key: Buffer): PassagePlace | undefined {
    const ordinal = this.catalog.id(key, this.view())?.ordinal;
    if (ordinal === undefined) return undefined;
    const segment = this.manifest.segments.findIndex(
      (entry) => ordinal >= entry.firstOrdinal && ordinal < entry.endOrdinal,
    );
    const passage = this.segmentFiles.opened[segment]?.local(ordinal);
    return passage === undefined ? undefined : { segment, passage };
  }

  /** All live passages, segment by segment. */
  *livePassages(): Generator<PassagePlace> {
    this.view();
    for (const [segment, { passages, liveDocs }] of this.segments.entries()) {
      for (let passage = 0; passage < passages; passage += 1) {
        if (!liveDocs || liveDocs[passage >> 3]! & (1 << (passage & 7))) yield { segment, passage };
      }
    }
  }

  /** This view restricted to some of its passages; it ends when this one is released. */
  restrictedTo(places: Iterable<PassagePlace>): Snapshot {
    this.view();
    const pools = this.segments.map(({ passages }) => new Uint8Array(Math.ceil(passages / 8)));
    for (const { segment, passage } of places) {
      const liveDocs = this.segments[segment]?.liveDocs;
      const bit = 1 << (passage & 7);
      if (!liveDocs || liveDocs[passage >> 3]! & bit) pools[segment]![passage >> 3]! |= bit;
    }
    const segments = this.segments.map(
      (each, i): SnapshotSegment => ({ ...each, liveDocs: pools[i]! }),
    );
    return Object.create(this, {
      segments: { value: segments },
      release: { value: () => {} },
    }) as Snapshot; // inherits all else
  }

  /** Stored hash and record of an id, for verification. */
  stored(key: Buffer): { hash: Buffer; record: string | undefined } | undefined {
    const entry = this.catalog.id(key, this.view());
    return (
      entry && { hash: entry.hash, record: this.catalog.record(entry.ordinal, this.transaction) }
    );
  }

  /** Checks every page of the catalog's file. @throws AsOfError ERR_CORPUS_CORRUPT */
  verifyCatalog(signal?: AbortSignal): Promise<void> {
    this.view();
    return this.catalog.verify(signal);
  }

  /** Numbers of records and ids in the catalog. */
  catalogCounts(): { passages: number; ids: number } {
    return this.catalog.counts(this.view());
  }

  /**
   * Releases files and pages; running searches keep their mappings. Later calls throw ERR_CLOSED.
   */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.transaction.done();
    this.segmentFiles.files.release(this.segmentFiles.opened);
    this.onRelease();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  private existing(segment: number, passage: number, record: string | undefined): string {
    if (record !== undefined) return record;
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a record of passage ${passage} of ${this.manifest.segments[segment]!.file}, found none. ` +
        'Run verify, and restore the corpus from a backup.',
    );
  }

  private view(): ReadTransaction {
    if (this.released)
      throw new AsOfError(
        'ERR_CLOSED',
        'Expected a snapshot in use, received one that was released. Take another from the corpus.',
      );
    return this.transaction;
  }

  private segmentAt(segment: number, passage: number): OpenSegment {
    this.view();
    const opened = this.segmentFiles.opened[segment];
    const inSegment =
      opened && Number.isInteger(passage) && passage >= 0 && passage < opened.entry.passages;
    if (!inSegment) {
      throw new AsOfError(
        'ERR_INVALID_ARGUMENT',
        `Expected a passage of the snapshot, received passage ${passage} of segment ` +
          `${segment}. Use numbers from a search of this snapshot.`,
      );
    }
    return opened;
  }
}

function areEqual(numbers: ArrayLike<number>): boolean {
  for (let at = 1; at < numbers.length; at += 1) if (numbers[at] !== numbers[0]) return false;
  return true;
}

function newestGeneration(catalog: Catalog): number {
  const transaction = catalog.read();
  try {
    return catalog.generation(transaction);
  } finally {
    transaction.done();
  }
}
