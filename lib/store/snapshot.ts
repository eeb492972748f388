// A consistent view of a corpus at one commit, for a search or any other read of several steps: its
// segments, which passages are visible, and their records. Later commits do not change it. Release
// it when done: it holds files and pages.
import { AsOfError } from '../errors.js';
import type { Segment } from '../../binding.js';
import type { StoredPassage } from '../records.js';
import type { CacheRegistry } from '../runtime/cacheRegistry.js';
import type { Device } from '../vectors/device.js';
import type { Catalog, ReadTransaction } from './catalog.js';
import type { Manifest, SegmentEntry } from './manifest.js';
import { readRecord } from './passages.js';
import type { IdBytes, OpenSegment, OpenSegments } from './openSegments.js';

/** One segment of a snapshot. */
export interface SnapshotSegment {
  /** Mapped; for the addon's searches. */
  segment: Segment;
  /** The segment's number, which no other segment of the corpus ever has: for keys of caches. */
  number: number;
  /** P, M and R: passages, those of several sentences, rows. */
  passages: number;
  several: number;
  rows: number;
  /**
   * Bit p % 8 of byte p >> 3 is set where local passage p is visible; absent where all are. Do not
   * write to it.
   */
  liveDocs?: Uint8Array;
  /**
   * Files computed from it that are mapped, by the key of their recipe; for lib/store/derivedColumn.ts.
   */
  derived: Map<string, Segment>;
  /** Caches of what is read off this segment, freed when it is closed. */
  caches: CacheRegistry<Segment>;
}

/** Where a passage is in a snapshot. */
export interface PassagePlace {
  /** Index in the snapshot's segments. */
  segment: number;
  /** Local passage number. */
  passage: number;
}

const attempts = 20;

/**
 * A consistent view of a corpus at one commit, which later commits do not change. Release it when
 * done (`release()`, or `using`): it holds files and pages.
 */
export class Snapshot {
  readonly segments: readonly SnapshotSegment[];
  private released = false;

  private constructor(
    readonly manifest: Manifest,
    private readonly catalog: Catalog,
    private readonly transaction: ReadTransaction,
    private readonly files: OpenSegments,
    private readonly opened: readonly OpenSegment[],
    private readonly entries: readonly SegmentEntry[],
    private readonly onRelease: () => void,
  ) {
    this.segments = opened.map((each, i) => {
      const { deleted, firstOrdinal, endOrdinal, passages, several, rows } = entries[i]!;
      const liveDocs = each.liveDocs(deleted, () =>
        catalog.tombstones(firstOrdinal, endOrdinal, transaction),
      );
      return {
        segment: each.native,
        number: each.entry.number,
        passages,
        several,
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
          return new Snapshot(
            manifest,
            catalog,
            transaction,
            files,
            opened,
            manifest.segments,
            onRelease,
          );
        } catch (error) {
          files.release(opened);
          throw error;
        }
      } catch (error) {
        const generation = catalog.generation(transaction);
        transaction.done();
        // A writer of another process may have merged segments between our reading the manifest and
        // opening its files.
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
            `A segment that the manifest names is missing: ${error.message} Restore the corpus from a backup, or index it again.`,
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

  /** Where searches of it run. */
  get device(): Device {
    return this.files.device;
  }

  /** The corpus's caches, freed when it is closed. */
  get caches(): CacheRegistry {
    return this.files.caches;
  }

  get isOpen(): boolean {
    return !this.released;
  }

  /** The record of a local passage. Its JSON is read each time: keep what you need. */
  passage(segment: number, passage: number): StoredPassage {
    const record = this.catalog.record(
      this.segmentAt(segment, passage).ordinal(passage),
      this.view(),
    );
    return readRecord(
      this.found(segment, passage, record),
      `passage ${passage} of ${this.entries[segment]!.file}`,
    );
  }

  /**
   * The same as the UTF-8 bytes of its JSON, a character for each: for a look at a thousand of
   * which few are to be read.
   */
  recordBytes(segment: number, passage: number): string {
    return this.found(
      segment,
      passage,
      this.catalog.recordBytes(this.segmentAt(segment, passage).ordinal(passage), this.view()),
    );
  }

  /** The id of a local passage, without reading its record: what ties are broken by. */
  id(segment: number, passage: number): string {
    return this.segmentAt(segment, passage).id(passage);
  }

  /**
   * The ids of many passages, given by their segments and their numbers in these, one after
   * another.
   */
  ids(segments: ArrayLike<number>, passages: ArrayLike<number>): string[] {
    if (areEqual(segments))
      return segments.length === 0 ? [] : this.segmentAt(segments[0]!, passages[0]!).ids(passages);
    const own = new Map<number, number[]>();
    for (let at = 0; at < segments.length; at += 1)
      void (own.get(segments[at]!)?.push(at) ?? own.set(segments[at]!, [at]));
    const ids = new Array<string>(segments.length);
    for (const [segment, at] of own) {
      const locals = at.map((each) => passages[each]!);
      this.segmentAt(segment, locals[0]!)
        .ids(locals)
        .forEach((id, i) => void (ids[at[i]!] = id));
    }
    return ids;
  }

  /**
   * The same as UTF-8 bytes one after another, and where each ends: for thousands of which few are
   * read.
   */
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

  /** Where the passage of an id is, undefined where the corpus has none. */
  find(key: Buffer): PassagePlace | undefined {
    const ordinal = this.catalog.id(key, this.view())?.ordinal;
    if (ordinal === undefined) return undefined;
    const segment = this.entries.findIndex(
      (entry) => ordinal >= entry.firstOrdinal && ordinal < entry.endOrdinal,
    );
    const passage = this.opened[segment]?.local(ordinal);
    return passage === undefined ? undefined : { segment, passage };
  }

  /** Every passage that searches see, segment by segment. */
  *livePassages(): Generator<PassagePlace> {
    this.view();
    for (const [segment, { passages, liveDocs }] of this.segments.entries()) {
      for (let passage = 0; passage < passages; passage += 1) {
        if (!liveDocs || liveDocs[passage >> 3]! & (1 << (passage & 7))) yield { segment, passage };
      }
    }
  }

  /**
   * The same view with only those of its passages to be found: a fixed pool of candidates. It ends
   * when this one is released.
   */
  restrictedTo(places: Iterable<PassagePlace>): Snapshot {
    this.view();
    const shown = this.segments.map(({ passages }) => new Uint8Array(Math.ceil(passages / 8)));
    for (const { segment, passage } of places) {
      const visible = this.segments[segment]?.liveDocs;
      const bit = 1 << (passage & 7);
      if (!visible || visible[passage >> 3]! & bit) shown[segment]![passage >> 3]! |= bit;
    }
    const segments = this.segments.map((each, i) => ({ ...each, liveDocs: shown[i]! }));
    return Object.create(this, {
      segments: { value: segments },
      release: { value: () => {} },
    }) as Snapshot; // all else is this one's
  }

  /**
   * What the catalog keeps of an id: the hash it was stored with, and the record. For verification.
   */
  stored(key: Buffer): { hash: Buffer; record: string | undefined } | undefined {
    const entry = this.catalog.id(key, this.view());
    return (
      entry && { hash: entry.hash, record: this.catalog.record(entry.ordinal, this.transaction) }
    );
  }

  /** Looks at every page of the catalog's file. Throws ERR_CORPUS_CORRUPT. */
  verifyCatalog(signal?: AbortSignal): Promise<void> {
    this.view();
    return this.catalog.verify(signal);
  }

  /** How many records and ids the catalog has. */
  catalogCounts(): { passages: number; ids: number } {
    return this.catalog.counts(this.view());
  }

  /**
   * Releases files and pages. Searches that are running keep their mappings until they end;
   * everything else throws ERR_CLOSED from now on.
   */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.transaction.done();
    this.files.release(this.opened);
    this.onRelease();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  private found(segment: number, passage: number, record: string | undefined): string {
    if (record !== undefined) return record;
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected a record of passage ${passage} of ${this.entries[segment]!.file}, found none. Run verify, and restore the corpus from a backup.`,
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
    const found = this.opened[segment];
    if (!found || !(Number.isInteger(passage) && passage >= 0 && passage < found.entry.passages)) {
      throw new AsOfError(
        'ERR_INVALID_ARGUMENT',
        `Expected a passage of the snapshot, received passage ${passage} of segment ${segment}. Use numbers that a search of this snapshot gave.`,
      );
    }
    return found;
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
