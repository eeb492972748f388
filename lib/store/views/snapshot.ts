// Snapshot: a consistent view of a corpus at one commit, with its segments, live passages and
// records.
import { dirname } from 'node:path';
import { AsOfError } from '../../errors.js';
import type { PassageFilter, Segment } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import type { CacheRegistry } from '../../runtime/cacheRegistry.js';
import type { Device } from '../../vectors/device.js';
import { segmentFile, type Manifest, type SegmentEntry } from '../format/manifest.js';
import { corrupt } from '../format/files.js';
import { fileSystem } from '../format/fileSystem.js';
import type { ManifestFile } from '../format/manifestFile.js';
import { readRecord } from '../passages/passages.js';
import type { RemoteRows } from '../scorePlan.js';
import { passagesOf, passingPassages, recordedPassages } from './passingPassages.js';
import type { PassagePlace, SnapshotSegment } from './snapshotSegment.js';
import {
  noPassage,
  type IdBytes,
  type OpenSegment,
  type OpenSegments,
} from '../format/openSegments.js';
import { recordedField } from '../fields/types.js';
import { allLive, noneEnded, type Ended, type Tombstones } from '../format/tombstones.js';

const attempts = 20;

/** A consistent view of a corpus at one commit. It holds files: release it when done. */
export class Snapshot {
  readonly segments: readonly SnapshotSegment[];
  /** Those that it joins. */
  readonly parts: readonly Snapshot[] = [this];
  private readonly tombstones: readonly (Tombstones | undefined)[];
  private released = false;

  protected constructor(
    readonly manifest: Manifest,
    private readonly segmentFiles: { files: OpenSegments; opened: readonly OpenSegment[] },
    private readonly onRelease: () => void,
  ) {
    const { segments: entries } = manifest;
    // Read now: the files of a commit are removed after the next.
    this.tombstones = segmentFiles.opened.map((each, i) =>
      each.tombstones(entries[i]!, segmentFiles.files.folder),
    );
    this.segments = segmentFiles.opened.map((each, i) =>
      // With history, what ended stays, and would count for good.
      segmentOf(each, this.tombstones[i]?.live, manifest.history !== undefined),
    );
  }

  /** The newest commit. */
  static take(file: ManifestFile, files: OpenSegments, onRelease: () => void): Snapshot {
    for (let attempt = 1; ; attempt += 1) {
      const manifest = file.read();
      if (!manifest) throw corrupt(`a manifest in ${dirname(files.folder)}`, 'none');
      try {
        const opened = files.acquire(manifest.segments);
        try {
          return new Snapshot(manifest, { files, opened }, onRelease);
        } catch (error) {
          files.release(opened);
          throw error;
        }
      } catch (error) {
        if (!AsOfError.is(error) || error.code !== 'ERR_NOT_FOUND') throw error;
        // Another process may have merged segments after the manifest was read.
        const isNewer = file.read() !== manifest;
        if (attempt === attempts || !isNewer)
          throw corrupt(
            'every file of the manifest',
            `one missing: ${error.message.replace(/\.$/, '')}`,
            error,
          );
      }
    }
  }

  /** A view of several snapshots as one corpus, in their order. It releases them. */
  static join(parts: readonly Snapshot[], manifest: Manifest, caches: CacheRegistry): Snapshot {
    const [first] = parts as [Snapshot];
    const opened = parts.flatMap(({ segmentFiles }) => segmentFiles.opened);
    return Object.create(first, {
      parts: { value: parts },
      manifest: { value: manifest },
      segments: { value: joinedSegments(parts) },
      tombstones: { value: parts.flatMap(({ tombstones }) => tombstones) },
      segmentFiles: { value: { files: first.segmentFiles.files, opened } },
      caches: { value: caches },
      missingShards: { get: () => parts.flatMap(({ missingShards }) => missingShards) },
      ranksAll: { get: () => allRanked(parts) },
      release: { value: () => parts.forEach((part) => part.release()) },
    }) as Snapshot;
  }

  /** Names of shards that could not be reached, whose passages it lacks. */
  get missingShards(): readonly string[] {
    return [];
  }

  /** Whether searches ranked all rows, where they are elsewhere; undefined before the first. */
  get ranksAll(): boolean | undefined {
    return undefined;
  }

  /** What fetches its rows, if they are elsewhere. */
  get remote(): RemoteRows | undefined {
    return undefined;
  }

  get generation(): number {
    return this.manifest.generation;
  }

  /** Time zone of the corpus's days, an IANA name; undefined for UTC. */
  get timeZone(): string | undefined {
    return this.manifest.timeZone;
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
    return readRecord(
      this.segmentAt(segment, passage).record(passage),
      `passage ${passage} of ${segmentFile(this.manifest.segments[segment]!)}`,
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
  find(id: string): PassagePlace | undefined {
    return this.findEach([id])[0];
  }

  /** Addresses of the passages of ids; undefined of an id that no live passage has. */
  findEach(ids: readonly string[]): (PassagePlace | undefined)[] {
    this.checkInUse();
    const places = new Array<PassagePlace | undefined>(ids.length).fill(undefined);
    // The newest segments first: what is looked up was often added lately.
    for (let segment = this.segments.length - 1; segment >= 0; segment -= 1) {
      const sought = ids.flatMap((id, at) => (places[at] ? [] : [{ id, at }]));
      if (sought.length === 0) break;
      const { liveDocs } = this.segments[segment]!;
      const found = this.segmentFiles.opened[segment]!.find(
        sought.map(({ id }) => id),
        liveDocs,
      );
      found.forEach((passage, i) => {
        if (passage !== noPassage) places[sought[i]!.at] = { segment, passage };
      });
    }
    return places;
  }

  /** The hash that a record was stored with. */
  hash({ segment, passage }: PassagePlace): Buffer {
    return this.segmentAt(segment, passage).hash(passage);
  }

  /** A record as it was stored: JSON text. */
  record({ segment, passage }: PassagePlace): string {
    return this.segmentAt(segment, passage).record(passage);
  }

  /** What ranking reads of passages, packed; undefined where their segment does not have it. */
  statements(segment: number, passages: readonly number[]): Uint8Array[] | undefined {
    return this.segmentAt(segment, passages[0]!).statements(passages);
  }

  /** All live passages, segment by segment. */
  *livePassages(): Generator<PassagePlace> {
    this.checkInUse();
    for (const [segment, each] of this.segments.entries())
      for (const passage of passagesOf(each)) yield { segment, passage };
  }

  /** This view restricted to some of its passages; it ends when this one is released. */
  restrictedTo(places: Iterable<PassagePlace>): Snapshot {
    this.checkInUse();
    const pools = this.segments.map(({ passages }) => new Uint8Array(Math.ceil(passages / 8)));
    for (const { segment, passage } of places) {
      const liveDocs = this.segments[segment]?.liveDocs;
      const bit = 1 << (passage & 7);
      if (!liveDocs || liveDocs[passage >> 3]! & bit) pools[segment]![passage >> 3]! |= bit;
    }
    return this.withLiveDocs(pools);
  }

  /** The same to those of ids, of which unknown ones are ignored. */
  restrictedToIds(ids: readonly string[]): Snapshot {
    return this.restrictedTo(this.findEach(ids).filter((place) => place !== undefined));
  }

  /**
   * This view restricted to the passages that pass a filter; it ends when this one is released.
   * `countsPassing`: BM25's statistics count them alone.
   */
  async filteredBy(
    filter: PassageFilter,
    options: { countsPassing?: boolean; signal?: AbortSignal | undefined },
  ): Promise<Snapshot> {
    this.checkInUse();
    const passing = await Promise.all(
      this.segments.map(({ segment, liveDocs }) =>
        passingPassages(segment, filter, liveDocs, options.signal),
      ),
    );
    return this.withLiveDocs(passing, options.countsPassing ? passing : undefined);
  }

  /**
   * The corpus as it was recorded at a time in UTC epoch milliseconds, with statistics of its own;
   * it ends when this view is released. Only of corpora with history. A time that has not passed
   * sees all writes, also those that a clock which was ahead has recorded later.
   */
  async asRecordedAt(time: number, signal: AbortSignal | undefined): Promise<Snapshot> {
    const { fields, history } = this.manifest;
    if (time >= Math.min(history!.last, fileSystem.date())) return this;
    if (this.parts.length > 1) {
      const parts = await Promise.all(this.parts.map((part) => part.asRecordedAt(time, signal)));
      return this.withSegments(joinedSegments(parts));
    }
    const at = { field: recordedField(fields), time };
    const recorded = await Promise.all(
      this.segments.map((each, i) => recordedPassages(each, this.endedIn(i), at, signal)),
    );
    return this.withLiveDocs(recorded, recorded);
  }

  /** Passages of a segment that were replaced or deleted, in corpora with history. */
  endedIn(segment: number): [before: Ended, since: Ended] {
    this.checkInUse();
    const before = this.segmentFiles.opened[segment]!.ended();
    return [before, this.tombstones[segment]?.ended ?? noneEnded];
  }

  /** Every version of a passage that is kept, the oldest first. */
  versions(id: string): PassagePlace[] {
    this.checkInUse();
    const places: PassagePlace[] = [];
    for (const [segment, opened] of this.segmentFiles.opened.entries()) {
      const [first] = opened.find([id], undefined);
      if (first === noPassage) continue;
      const { passages } = opened.entry;
      for (let passage = first!; passage < passages && opened.id(passage) === id; passage += 1)
        places.push({ segment, passage });
    }
    return places;
  }

  /** This view of other passages; `counted`: those of statistics, if not the same as before. */
  private withLiveDocs(bitmaps: readonly Uint8Array[], counted?: readonly Uint8Array[]): Snapshot {
    const segments = this.segments.map(({ liveDocs: _, countedDocs, ...each }, i) => {
      const isAll = (bits: Uint8Array): boolean =>
        Buffer.compare(bits, allLive(each.passages)) === 0;
      const counts = counted ? counted[i]! : countedDocs;
      const segment: SnapshotSegment = each;
      if (!isAll(bitmaps[i]!)) segment.liveDocs = bitmaps[i]!;
      if (counts && !isAll(counts)) segment.countedDocs = counts;
      return segment;
    });
    return this.withSegments(segments);
  }

  private withSegments(segments: readonly SnapshotSegment[]): Snapshot {
    return Object.create(this, {
      segments: { value: segments },
      release: { value: () => {} },
    }) as Snapshot; // inherits all else
  }

  /** Running searches keep their mappings. Later calls throw ERR_CLOSED. */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.segmentFiles.files.release(this.segmentFiles.opened);
    this.onRelease();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  /** Appends a segment of a temporary file, for views whose rows are fetched. */
  protected addSegment(native: Segment, entry: SegmentEntry): void {
    if (this.released) native.close(); // the question has ended meanwhile
    this.checkInUse();
    const opened = this.segmentFiles.files.adopt(native, entry);
    const { segments } = this.manifest;
    (this.segmentFiles.opened as OpenSegment[]).push(opened);
    (this.segments as SnapshotSegment[]).push(segmentOf(opened));
    segments.push(opened.entry);
  }

  private checkInUse(): void {
    if (this.released)
      throw new AsOfError(
        'ERR_CLOSED',
        'Expected a snapshot in use, received one that was released. Take another from the corpus.',
      );
  }

  private segmentAt(segment: number, passage: number): OpenSegment {
    this.checkInUse();
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

const joinedSegments = (parts: readonly Snapshot[]): SnapshotSegment[] =>
  parts.flatMap(({ segments }) => segments);

function areEqual(numbers: ArrayLike<number>): boolean {
  for (let at = 1; at < numbers.length; at += 1) if (numbers[at] !== numbers[0]) return false;
  return true;
}

function segmentOf(
  { native, identity, entry, derived, caches }: OpenSegment,
  liveDocs?: Uint8Array,
  countsLive = false,
): SnapshotSegment {
  const { passages, multiSentence, rows } = entry;
  return {
    segment: native,
    identity,
    passages,
    multiSentence,
    rows,
    derived,
    caches,
    ...(liveDocs ? { liveDocs } : {}),
    ...(liveDocs && countsLive ? { countedDocs: liveDocs } : {}),
  };
}

/** Of parts of which some may have their rows here. */
function allRanked(parts: readonly Snapshot[]): boolean | undefined {
  const each = parts.flatMap(({ ranksAll }) => ranksAll ?? []);
  return each.length === 0 ? undefined : each.every(Boolean);
}
