// Writer of a corpus, while its lock is held. A change writes and syncs its files, then replaces
// the manifest by one that names them: a crash between the two leaves orphan files, not damage.
import { join } from 'node:path';
import { binding } from '../../binding.js';
import type { OutputFile } from '../../../binding.js';
import { AsOfError, throwIfAborted } from '../../errors.js';
import type { Encoder } from '../../vectors/encoder.js';
import type { Progress } from '../../records.js';
import { accepts, type AddOptions } from '../corpusOptions.js';
import { applyMerge, mergeSegments, type MergeRange, type WriterOptions } from './compaction.js';
import {
  alteredFields,
  declaredFields,
  type FieldChanges,
  type Fields,
  type PassageSchema,
} from '../fields/types.js';
import { writingTime } from '../format/fileSystem.js';
import { fileBytes, fileNames, leavesDoubt, NewFile, removeFile } from '../format/files.js';
import type { CorpusFolder } from '../format/folder.js';
import {
  derivedFile,
  filesOf,
  isSegmentsFile,
  newSegmentId,
  segmentFile,
  tombstoneFile,
  type DerivedEntry,
  type Manifest,
  type SegmentEntry,
} from '../format/manifest.js';
import type { ManifestFile } from '../format/manifestFile.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import {
  haveSameTimes,
  patchedPassage,
  withRenamed,
  type PassagePatch,
} from '../passages/patch.js';
import {
  checkFieldValues,
  passageRules,
  recordHash,
  type PreparedPassage,
} from '../passages/passages.js';
import { batchCharacters, buildSegment } from './segmentBuilder.js';
import { versionsIn } from '../views/history.js';
import { rowCounts } from '../views/rowTimes.js';
import { SeriesStates } from './series.js';
import type { Snapshot } from '../views/snapshot.js';
import type { PassagePlace } from '../views/snapshotSegment.js';
import {
  isUnchanged,
  StoredRows,
  storedVersion,
  type StoredVersion,
  type Version,
} from '../views/storedVersion.js';
import {
  allLive,
  endedAt,
  mergeEnded,
  tombstoneBytes,
  withoutPassages,
  type Tombstones,
} from '../format/tombstones.js';

/** Result of `add`, in passages. */
export interface AddCounts {
  /** Passages whose id was new. */
  added: number;
  /** Passages whose id was there with another record. */
  replaced: number;
  /** Passages whose id was there with the same record. */
  unchanged: number;
}

interface Changes {
  tombstones?: ReadonlyMap<string, Tombstones>;
  files?: readonly NewFile[];
  signal?: AbortSignal | undefined;
}

/** Result of `compact`. */
export interface CompactCounts {
  /** Segments merged into one. */
  merged: number;
  /** Deleted passages removed from the files. */
  dropped: number;
}

export class Writer {
  /** Files of replaced commits, until they are removed. */
  private readonly unnamed = new Set<string>();

  constructor(
    private readonly file: ManifestFile,
    private readonly folder: CorpusFolder,
    private readonly options: WriterOptions = {},
  ) {}

  /** Removes files that the manifest does not name: of writers that died. */
  async removeOrphans(): Promise<void> {
    const manifest = this.file.read();
    // A manifest that is lost may come back: until then no file is an orphan.
    const named = manifest && new Set(filesOf(manifest));
    const orphans =
      (named &&
        fileNames(this.folder.segments)?.filter(
          (each) => isSegmentsFile(each) && !named.has(each),
        )) ??
      [];
    // The manifest before this one may name them, and come back in a power cut.
    if (orphans.length > 0) await this.file.sync();
    for (const orphan of orphans) this.unnamed.add(orphan);
    this.removeUnnamed();
  }

  /**
   * Tries again to remove what the newest commit does not name: Windows removes no file that is
   * mapped. Where that cannot be read, or is another corpus's by now, everything stays.
   */
  removeUnnamed(): void {
    if (this.unnamed.size === 0) return;
    let newest: Manifest | undefined;
    try {
      newest = this.file.read();
    } catch (error) {
      if (!AsOfError.is(error)) throw error;
    }
    if (!newest) return;
    for (const file of filesOf(newest)) this.unnamed.delete(file);
    for (const file of this.unnamed) if (removeFile(this.pathOf(file))) this.unnamed.delete(file);
  }

  /** The current manifest, with the storage type to write; only this writer changes it. */
  manifest(): Manifest {
    const manifest = this.file.read()!;
    const { storage = manifest.storage } = this.options;
    return { ...manifest, storage };
  }

  /**
   * The manifest to change by a write, and when it is recorded, if the corpus has a history: later
   * than all before it, whatever the clock.
   */
  private nextWrite(): { manifest: Manifest; recorded: number | undefined } {
    const manifest = this.manifest();
    if (!manifest.history) return { manifest, recorded: undefined };
    const recorded = Math.max(writingTime(), manifest.history.last + 1);
    const history = { ...manifest.history, last: recorded };
    return { manifest: { ...manifest, history }, recorded };
  }

  /**
   * Adds passages in one commit, as if one by one: of equal ids the last wins. `snapshot` is of the
   * newest commit.
   */
  async add(
    batch: readonly PreparedPassage[],
    encoder: Encoder,
    snapshot: Snapshot,
    { signal, onRefused }: Pick<AddOptions, 'signal' | 'onRefused'>,
  ): Promise<AddCounts> {
    throwIfAborted(signal);
    const { counts, fresh, gone } = await compareBatch(batch, snapshot, { signal, onRefused });
    if (fresh.length === 0) await this.file.sync();
    else await this.replace(gone, fresh, { encoder, snapshot, signal });
    return counts;
  }

  /**
   * Makes new versions of passages by a patch, in one commit: they keep vectors,
   * sentences and statements. All are in memory until then.
   */
  async update(
    places: Iterable<PassagePlace>,
    patch: PassagePatch,
    encoder: Encoder,
    snapshot: Snapshot,
    signal: AbortSignal | undefined,
  ): Promise<AddCounts> {
    const rules = passageRules(snapshot.manifest, true);
    const batch: PreparedPassage[] = [];
    for (const place of places) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      const stored = snapshot.passage(place.segment, place.passage);
      const passage = patchedPassage(stored, patch, batch.length, rules);
      const isSame = haveSameTimes(stored, passage.stored);
      batch.push({ ...passage, kept: new StoredRows(snapshot, place, isSame) });
    }
    return this.add(batch, encoder, snapshot, { signal });
  }

  /** Commits new passages, ascending by id, in place of stored ones. */
  private async replace(
    gone: readonly PassagePlace[],
    fresh: readonly PreparedPassage[],
    context: { encoder: Encoder; snapshot: Snapshot; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { encoder, snapshot, signal } = context;
    const { manifest, recorded } = this.nextWrite();
    const { segments, tombstones } = withTombstones(snapshot, gone, recorded);
    const characters = fresh.reduce((sum, { record }) => sum + record.length, 0);
    const batches = batchesOf(fresh, characters);
    const built = await this.build({ manifest, recorded }, batches, encoder, signal);
    const { entries, files, nextSegment } = built;
    const next = { ...manifest, segments: [...segments, ...entries], nextSegment };
    await this.commit(next, { tombstones, files, signal });
  }

  /**
   * Writes all segments anew with other fields, in one commit. Versions keep their times of
   * recording, vectors, sentences and statements.
   * @returns the fields
   */
  async alter(
    changes: FieldChanges,
    encoder: Encoder,
    snapshot: Snapshot,
    signal: AbortSignal | undefined,
  ): Promise<Fields> {
    const before = this.manifest();
    const manifest = { ...before, fields: alteredFields(before.fields, changes) };
    const batches = alteredBatches(snapshot, manifest, changes.rename, signal);
    const built = await this.build({ manifest, recorded: undefined }, batches, encoder, signal);
    const { entries: segments, files, tombstones, nextSegment } = built;
    await this.commit({ ...manifest, segments, nextSegment }, { tombstones, files, signal });
    return declaredFields(manifest.fields);
  }

  /** Writes a segment of each batch. */
  private async build(
    { manifest, recorded }: { manifest: Manifest; recorded: number | undefined },
    batches: AsyncIterable<readonly PreparedPassage[]>,
    encoder: Encoder,
    signal: AbortSignal | undefined,
  ): Promise<{
    entries: SegmentEntry[];
    files: NewFile[];
    tombstones: Map<string, Tombstones>;
    nextSegment: number;
  }> {
    const { storage } = manifest;
    const [entries, files]: [SegmentEntry[], NewFile[]] = [[], []];
    const tombstones = new Map<string, Tombstones>();
    try {
      for await (const batch of batches) {
        const id = newSegmentId(manifest.nextSegment + entries.length);
        const path = this.pathOf(segmentFile({ id }));
        const shape = { path, id, storage, schema: manifest, recorded };
        const built = await buildSegment(shape, batch, encoder, signal);
        entries.push(built.entry);
        files.push(built.file);
        if (built.tombstones) tombstones.set(id, built.tombstones);
      }
    } catch (error) {
      for (const file of files) file.discard();
      throw error;
    }
    const nextSegment = manifest.nextSegment + entries.length;
    return { entries, files, tombstones, nextSegment };
  }

  /**
   * Deletes live passages of the newest commit, and opens what they superseded.
   * @returns passages deleted, and those that were written anew for it
   */
  async delete(
    places: Iterable<PassagePlace>,
    encoder: Encoder,
    snapshot: Snapshot,
    signal?: AbortSignal,
  ): Promise<{ deleted: number; rewritten: number }> {
    const gone = [...places];
    const deleted = gone.length;
    if (deleted === 0) {
      await this.file.sync();
      return { deleted, rewritten: 0 };
    }
    const changes = await (await SeriesStates.ofDeleted(gone, snapshot, signal)).changes();
    const reopened = changes.map(({ passage }) => passage).sort(byId);
    if (reopened.length > 0) {
      const places = changes.flatMap(({ place }) => place ?? []);
      await this.replace([...gone, ...places], reopened, { encoder, snapshot, signal });
    } else {
      const { manifest, recorded } = this.nextWrite();
      const { segments, tombstones } = withTombstones(snapshot, gone, recorded);
      await this.commit({ ...manifest, segments }, { tombstones });
    }
    return { deleted, rewritten: reopened.length };
  }

  /**
   * Merges the range of segments that the merge policy `choose` selects, if any. Versions of
   * passages that ended more than `keepMs` ago are dropped.
   */
  async merge(
    choose: (manifest: Manifest) => MergeRange | undefined,
    snapshot: Snapshot,
    signal: AbortSignal | undefined,
    onProgress?: (progress: Progress) => void,
  ): Promise<CompactCounts> {
    const manifest = this.manifest();
    const range = choose(manifest);
    if (!range) return { merged: 0, dropped: 0 };
    const { storage, nextSegment } = manifest;
    const id = newSegmentId(nextSegment);
    const path = this.pathOf(segmentFile({ id }));
    const total = range.to - range.from + 3;
    let done = 0;
    const onStep = (): void => onProgress?.({ done: (done += 1), total });
    const place = { path, id, storage, keptFrom: this.keptFrom(manifest) };
    const { merged, dropped } = await mergeSegments(snapshot, range, place, signal, onStep);
    const files = merged ? [merged.file] : [];
    const tombstones = new Map(merged?.tombstones ? [[id, merged.tombstones]] : []);
    const next = applyMerge(manifest, range, merged?.entry);
    if (next.history && dropped > 0 && place.keptFrom !== undefined)
      next.history = { ...next.history, from: place.keptFrom };
    await this.commit(next, { tombstones, files, signal });
    return { merged: range.to - range.from, dropped };
  }

  /** From when on ended versions are kept; undefined for all. */
  private keptFrom({ history }: Manifest): number | undefined {
    if (!history || this.options.keepMs === undefined) return undefined;
    return Math.max(writingTime() - this.options.keepMs, history.from ?? 0);
  }

  /**
   * Commits a manifest, without segments that have no live passage nor a history, and removes the
   * files that it does not name any more; processes that map them continue to read them.
   * `tombstones` are new ones by id of the segment, `files` the other new files that it names.
   */
  private async commit(
    manifest: Manifest,
    { tombstones, files = [], signal }: Changes = {},
  ): Promise<void> {
    const generation = manifest.generation + 1;
    const contents = new Map(
      Array.from(tombstones ?? [], ([id, each]) => [id, tombstoneBytes(each)]),
    );
    const segments = manifest.segments
      .filter(({ deleted, passages }) => manifest.history || deleted < passages)
      .map((segment): SegmentEntry => {
        const bytes = contents.get(segment.id);
        if (!bytes) return segment;
        return { ...segment, tombstones: { generation, checksum: binding.crc32c(bytes) } };
      });
    const derived = manifest.derived.filter((each) =>
      segments.some((segment) => segment.id === each.segment),
    );
    const next = { ...manifest, generation, segments, derived };
    const written = [...files];
    let before: Manifest | undefined;
    try {
      before = this.file.read();
      for (const segment of segments) {
        const bytes = contents.get(segment.id);
        if (bytes) written.push(await NewFile.write(this.pathOf(tombstoneFile(segment)), bytes));
      }
      throwIfAborted(signal);
      await this.file.write(next, manifest, written);
    } catch (error) {
      // Where the commit may have happened its files stay, as orphans if it did not.
      const areNeeded = leavesDoubt(error) || this.mayBeNewest(generation);
      for (const file of written)
        if (areNeeded) file.close();
        else file.discard();
      throw error;
    }
    for (const file of before ? filesOf(before) : []) this.unnamed.add(file);
    this.removeUnnamed();
  }

  private mayBeNewest(generation: number): boolean {
    try {
      return this.file.read()?.generation === generation;
    } catch (error) {
      return !AsOfError.is(error) || error.code !== 'ERR_CORPUS_REPLACED';
    }
  }

  /** Writes a derived column; it replaces one of the same key and segment. */
  async addDerived(
    { key, segment }: Omit<DerivedEntry, 'bytes'>,
    write: (file: OutputFile) => Promise<void>,
  ): Promise<string> {
    const manifest = this.manifest();
    const path = this.pathOf(derivedFile({ key, segment }));
    const file = await NewFile.write(path, write);
    const derived = manifest.derived.filter((each) => each.key !== key || each.segment !== segment);
    derived.push({ key, segment, bytes: fileBytes(path) });
    await this.commit({ ...manifest, derived }, { files: [file] });
    return path;
  }

  /** Removes all derived columns; processes that map them continue to read them. */
  async dropDerived(): Promise<void> {
    const manifest = this.manifest();
    if (manifest.derived.length > 0) await this.commit({ ...manifest, derived: [] });
  }

  private pathOf(file: string): string {
    return join(this.folder.segments, file);
  }
}

/** Segments that a commit adds, about, however much it writes. */
const mostSegments = 64;

/** Passages of one segment each, of some that have so many characters. */
async function* batchesOf(
  passages: Iterable<PreparedPassage>,
  characters: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly PreparedPassage[]> {
  const most = Math.max(batchCharacters, characters / mostSegments);
  let batch: PreparedPassage[] = [];
  let units = 0;
  for (const passage of passages) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    batch.push(passage);
    units += passage.record.length;
    if (units < most) continue;
    yield batch;
    [batch, units] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** All versions of a corpus with entries of their metadata renamed, for segments in their order. */
async function* alteredBatches(
  snapshot: Snapshot,
  schema: PassageSchema,
  rename: FieldChanges['rename'],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly PreparedPassage[]> {
  const records = snapshot.segments.flatMap(({ segment }) =>
    segment.sections().filter(({ name }) => name === 'passages.record'),
  );
  const characters = records.reduce((sum, { count }) => sum + count, 0);
  function* altered(segment: number): Generator<PreparedPassage> {
    for (const { place, version } of versionsIn(snapshot, segment)) {
      const stored = snapshot.passage(segment, place.passage);
      const kept = new StoredRows(snapshot, place);
      const renamed = rename ? withRenamed(stored, rename) : stored;
      checkFieldValues({ passage: stored, index: place.passage }, schema, renamed.metadata);
      const record = renamed === stored ? snapshot.record(place) : JSON.stringify(renamed);
      const hash = renamed === stored ? snapshot.hash(place) : recordHash(record);
      yield { stored: renamed, record, hash, kept, version };
    }
  }
  for (const segment of snapshot.segments.keys())
    yield* batchesOf(altered(segment), characters, signal);
}

export const byId = (a: PreparedPassage, b: PreparedPassage): number =>
  a.stored.id < b.stored.id ? -1 : 1;

/** Passages of a batch to write, ascending by id, and the stored ones that they replace. */
export async function compareBatch(
  batch: readonly PreparedPassage[],
  snapshot: Snapshot,
  options: Pick<AddOptions, 'signal' | 'onRefused'>,
): Promise<{ counts: AddCounts; fresh: PreparedPassage[]; gone: PassagePlace[] }> {
  const { signal } = options;
  const places = snapshot.findEach(batch.map(({ stored }) => stored.id));
  const series = await SeriesStates.ofBatch(batch, places, snapshot, signal);
  const before = new Map<string, StoredVersion>();
  for (const [at, place] of places.entries())
    if (place) before.set(batch[at]!.stored.id, storedVersion(snapshot, place));
  const { counts, latest } = await latestVersions(batch, before, series, options);
  for (const { passage, place } of (await series?.changes()) ?? []) {
    const { id } = passage.stored;
    latest.set(id, passage);
    if (place && !before.has(id)) before.set(id, storedVersion(snapshot, place));
  }
  const fresh = changedOf(latest, before);
  const gone = fresh.flatMap(({ stored }) => before.get(stored.id)?.place ?? []);
  return { counts, fresh, gone };
}

/** The same where nothing is of a series; `before` are the stored versions by id. */
export async function compareVersions(
  batch: readonly PreparedPassage[],
  before: ReadonlyMap<string, Version>,
  signal: AbortSignal | undefined,
): Promise<{ counts: AddCounts; fresh: PreparedPassage[] }> {
  const { counts, latest } = await latestVersions(batch, before, undefined, { signal });
  return { counts, fresh: changedOf(latest, before) };
}

/** The last version of each id of a batch, of those that differ from the one before. */
async function latestVersions(
  batch: readonly PreparedPassage[],
  before: ReadonlyMap<string, Version>,
  series: SeriesStates | undefined,
  { signal, onRefused }: Pick<AddOptions, 'signal' | 'onRefused'>,
): Promise<{ counts: AddCounts; latest: Map<string, PreparedPassage> }> {
  const counts: AddCounts = { added: 0, replaced: 0, unchanged: 0 };
  const latest = new Map<string, PreparedPassage>();
  for (const passage of batch) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const { id } = passage.stored;
    const known = latest.get(id) ?? before.get(id);
    if (known && isUnchanged(known, passage, series?.isSame(passage))) counts.unchanged += 1;
    else if (accepts(() => series?.put(passage), onRefused)) {
      counts[known ? 'replaced' : 'added'] += 1;
      latest.set(id, passage);
    }
  }
  return { counts, latest };
}

/** Those that are to be written, ascending by id: some are again as they were before. */
const changedOf = (
  latest: ReadonlyMap<string, PreparedPassage>,
  before: ReadonlyMap<string, Version>,
): PreparedPassage[] =>
  [...latest.values()]
    .filter((passage) => {
      const stored = before.get(passage.stored.id);
      return !stored || !isUnchanged(stored, passage);
    })
    .sort(byId);

/**
 * The snapshot's segments with more deleted passages, and the tombstones of those that have any;
 * `recorded` is when they ended, in corpora with history.
 */
function withTombstones(
  snapshot: Snapshot,
  gone: readonly PassagePlace[],
  recorded: number | undefined,
): { segments: SegmentEntry[]; tombstones: Map<string, Tombstones> } {
  const tombstones = new Map<string, Tombstones>();
  const segments = snapshot.manifest.segments.map((entry, at): SegmentEntry => {
    const passages = gone.filter(({ segment }) => segment === at).map(({ passage }) => passage);
    if (passages.length === 0) return entry;
    const { liveDocs, segment } = snapshot.segments[at]!;
    const live = withoutPassages(liveDocs ?? allLive(entry.passages), passages);
    const { rows, sentences } = rowCounts({ segment }, passages);
    const [, since] = snapshot.endedIn(at);
    const ended = recorded === undefined ? since : mergeEnded(since, endedAt(passages, recorded));
    tombstones.set(entry.id, { live, ended });
    return {
      ...entry,
      deleted: entry.deleted + passages.length,
      deletedRows: entry.deletedRows + rows,
      deletedSentences: entry.deletedSentences + sentences,
    };
  });
  return { segments, tombstones };
}
