// Writer of a corpus, which holds its lock. A change writes and syncs its segment, then commits the
// manifest that names it: a crash between them leaves an orphan file, not damage.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../binding.js';
import type { FileLock } from '../../binding.js';
import { AsOfError, invalidArgument, throwIfAborted } from '../errors.js';
import { englishAnalyzer } from '../text/analyzer.js';
import type { Encoder } from '../vectors/encoder.js';
import type { Progress } from '../records.js';
import type { Catalog, Changes, IdEntry, NewPassage } from './catalog.js';
import { applyMerge, mergeSegments } from './compaction.js';
import { removeOrphans, type CorpusFolder } from './folder.js';
import {
  defaultStorage,
  applyTombstones,
  type DerivedEntry,
  type Manifest,
  type Storage,
} from './manifest.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { idKey, type PreparedPassage } from './passages.js';
import { buildSegment } from './segmentBuilder.js';
import type { MergeRange } from './mergePolicy.js';
import type { Snapshot } from './snapshot.js';

/** Result of `add`, in passages. */
export interface AddCounts {
  /** Passages whose id was new. */
  added: number;
  /** Passages whose id was there with another record. */
  replaced: number;
  /** Passages whose id was there with the same record. */
  unchanged: number;
}

const maxOrdinal = 0xfffffffe;

/** Result of `compact`. */
export interface CompactCounts {
  /** Segments merged into one. */
  merged: number;
  /** Deleted passages removed from the files. */
  dropped: number;
}

export class Writer {
  private readonly lock: FileLock;
  private readonly analyzer = englishAnalyzer();

  /**
   * Takes the lock and removes orphan files.
   * @throws AsOfError ERR_CORPUS_LOCKED if another writer holds the lock
   */
  constructor(
    private readonly catalog: Catalog,
    private readonly folder: CorpusFolder,
    /** Storage type of new segments. Default: the manifest's. */
    private readonly storage?: Storage,
  ) {
    this.lock = new binding.FileLock(folder.lock);
    try {
      catalog.removeStaleReaders();
      const transaction = catalog.read();
      const files = catalog.hasManifest(transaction) ? filesOf(catalog.manifest(transaction)) : [];
      transaction.done();
      removeOrphans(folder, new Set(files));
    } catch (error) {
      this.lock.release();
      throw error;
    }
  }

  release(): void {
    this.lock.release();
  }

  /** The current manifest, with the storage type to write; only this writer changes it. */
  manifest(): Manifest & { storage: Storage } {
    const transaction = this.catalog.read();
    try {
      const manifest = this.catalog.manifest(transaction);
      return { ...manifest, storage: this.storage ?? manifest.storage ?? defaultStorage };
    } finally {
      transaction.done();
    }
  }

  /**
   * Adds passages in one commit, as if one by one: of equal ids the last wins.
   */
  async add(
    batch: readonly PreparedPassage[],
    encoder: Encoder,
    signal: AbortSignal | undefined,
  ): Promise<AddCounts> {
    throwIfAborted(signal);
    const { counts, fresh, gone } = await this.compare(batch, signal);
    if (fresh.length === 0) return counts;
    const manifest = this.manifest();
    if (manifest.nextOrdinal + fresh.length > maxOrdinal) {
      throw invalidArgument(
        'passages',
        'fewer than 4,294,967,295 over the life of a corpus',
        fresh.length,
        'Index the passages to keep into a new corpus.',
      );
    }
    const number = manifest.nextSegment;
    const { file, path } = this.place(number);
    const passages = fresh.map(({ stored }) => stored);
    try {
      const { entry, sentences } = await buildSegment(
        { path, file, number, firstOrdinal: manifest.nextOrdinal, storage: manifest.storage },
        passages,
        { encoder, analyzer: this.analyzer },
        signal,
      );
      throwIfAborted(signal);
      const added = fresh.map(
        ({ key, hash, record }, p): NewPassage => ({
          key,
          hash,
          record,
          ordinal: manifest.nextOrdinal + p,
          sentences: sentences[p]!,
        }),
      );
      const next = applyTombstones({ ...manifest, segments: [...manifest.segments, entry] }, gone);
      await this.commit(
        { ...next, nextSegment: number + 1, nextOrdinal: manifest.nextOrdinal + fresh.length },
        { added, deleted: gone },
      );
    } catch (error) {
      // A failed commit may have happened: the file stays, and the next writer removes orphans.
      if (!(AsOfError.is(error) && error.code === 'ERR_STORAGE')) rmSync(path, { force: true });
      throw error;
    }
    return counts;
  }

  /** Deletes passages by id; unknown ids are ignored. */
  async delete(ids: Iterable<string>): Promise<number> {
    const transaction = this.catalog.read();
    const gone = new Map<string, IdEntry & { key: Buffer }>();
    try {
      for (const id of ids) {
        const key = idKey(id, (expected, remedy) => invalidArgument('an id', expected, id, remedy));
        const entry = this.catalog.id(key, transaction);
        if (entry) gone.set(id, { ...entry, key });
      }
    } finally {
      transaction.done();
    }
    if (gone.size === 0) return 0;
    const deleted = [...gone.values()];
    await this.commit(applyTombstones(this.manifest(), deleted), { deleted });
    return deleted.length;
  }

  /**
   * Merges the range of segments that the merge policy `choose` selects, if any.
   */
  async merge(
    choose: (manifest: Manifest) => MergeRange | undefined,
    snapshot: Snapshot,
    signal: AbortSignal | undefined,
    onProgress?: (progress: Progress) => void,
  ): Promise<CompactCounts> {
    const { storage } = this.manifest();
    const manifest = { ...snapshot.manifest, storage };
    const range = choose(manifest);
    if (!range) return { merged: 0, dropped: 0 };
    const number = manifest.nextSegment;
    const { file, path } = this.place(number);
    const total = range.to - range.from + 3;
    let done = 0;
    try {
      const onStep = (): void => onProgress?.({ done: (done += 1), total });
      const { entry, dropped } = await mergeSegments(
        snapshot,
        range,
        { path, file, number, storage },
        signal,
        onStep,
      );
      const sources = manifest.segments.slice(range.from, range.to);
      await this.commit(applyMerge(manifest, range, entry), {
        forgotten: sources.flatMap((segment) => this.deletedIn(segment)),
      });
      for (const segment of sources) this.removeFile(segment.file);
      return { merged: sources.length, dropped };
    } catch (error) {
      if (!(AsOfError.is(error) && error.code === 'ERR_STORAGE')) rmSync(path, { force: true });
      throw error;
    }
  }

  /** Commits a manifest with its changes, without segments that have no live passage. */
  async commit(
    manifest: Manifest,
    changes: Pick<Changes, 'added' | 'deleted'> & { forgotten?: readonly number[] },
  ): Promise<void> {
    const empty = manifest.segments.filter((segment) => segment.deleted === segment.passages);
    const segments = manifest.segments.filter((segment) => segment.deleted < segment.passages);
    const deleted = changes.deleted ?? [];
    const emptied = empty.flatMap((segment) => [
      ...this.deletedIn(segment),
      ...deleted.map(({ ordinal }) => ordinal).filter((ordinal) => inside(segment, ordinal)),
    ]);
    const derived = manifest.derived.filter((each) =>
      segments.some((segment) => segment.number === each.segment),
    );
    await this.catalog.commit({
      manifest: { ...manifest, segments, derived, generation: manifest.generation + 1 },
      ...changes,
      forgotten: [...(changes.forgotten ?? []), ...emptied],
    });
    for (const segment of empty) this.removeFile(segment.file);
    for (const each of manifest.derived) if (!derived.includes(each)) this.removeFile(each.file);
  }

  /** Adds a derived column to the manifest; it replaces one of the same key and segment. */
  async addDerived(entry: DerivedEntry): Promise<void> {
    const manifest = this.manifest();
    const others = manifest.derived.filter(
      ({ key, segment }) => key !== entry.key || segment !== entry.segment,
    );
    await this.commit({ ...manifest, derived: [...others, entry] }, {});
  }

  /** Removes all derived columns; processes that map them continue to read them. */
  async dropDerived(): Promise<void> {
    const manifest = this.manifest();
    if (manifest.derived.length === 0) return;
    await this.commit({ ...manifest, derived: [] }, {});
    for (const { file } of manifest.derived) this.removeFile(file);
  }

  /** Removes a segment's file; processes that map it continue to read it. */
  removeFile(file: string): void {
    rmSync(join(this.folder.segments, file), { force: true });
  }

  /** Path of a new segment. A file there is left from a failed commit. */
  private place(number: number): { file: string; path: string } {
    const file = `${String(number).padStart(6, '0')}.seg`;
    this.removeFile(file);
    return { file, path: join(this.folder.segments, file) };
  }

  private deletedIn({
    firstOrdinal,
    endOrdinal,
  }: {
    firstOrdinal: number;
    endOrdinal: number;
  }): number[] {
    const transaction = this.catalog.read();
    try {
      return [...this.catalog.tombstones(firstOrdinal, endOrdinal, transaction)];
    } finally {
      transaction.done();
    }
  }

  /** Passages of a batch to write, ascending by id, and the stored ones that they replace. */
  private async compare(
    batch: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<{
    counts: AddCounts;
    fresh: PreparedPassage[];
    gone: { ordinal: number; sentences: number }[];
  }> {
    const counts: AddCounts = { added: 0, replaced: 0, unchanged: 0 };
    const latest = new Map<string, PreparedPassage>();
    const before = new Map<string, IdEntry>();
    const transaction = this.catalog.read();
    try {
      for (const passage of batch) {
        const turn = yieldToEventLoop(signal);
        if (turn) await turn;
        const { id } = passage.stored;
        const stored = latest.has(id) ? undefined : this.catalog.id(passage.key, transaction);
        if (stored) before.set(id, stored);
        const known = latest.get(id)?.hash ?? stored?.hash;
        if (known === undefined) counts.added += 1;
        else if (known.equals(passage.hash)) counts.unchanged += 1;
        else counts.replaced += 1;
        latest.set(id, passage);
      }
    } finally {
      transaction.done();
    }
    const fresh = [...latest.values()].filter(
      ({ stored, hash }) => !before.get(stored.id)?.hash.equals(hash),
    );
    fresh.sort((a, b) => (a.stored.id < b.stored.id ? -1 : 1));
    const gone = fresh.flatMap(({ stored }) => before.get(stored.id) ?? []);
    return { counts, fresh, gone };
  }
}

const filesOf = ({ segments, derived }: Manifest): string[] =>
  [...segments, ...derived].map(({ file }) => file);

function inside(segment: { firstOrdinal: number; endOrdinal: number }, ordinal: number): boolean {
  return ordinal >= segment.firstOrdinal && ordinal < segment.endOrdinal;
}
