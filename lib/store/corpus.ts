// Corpus: an open folder of passages. Checks arguments and states, and delegates to the writer,
// snapshots, derived columns and verification.
import type { Segment } from '../../binding.js';
import { checkOptionNames, checkPath } from '../errors.js';
import type { Passage, Progress, RunOptions, StoredPassage, TimeInput } from '../records.js';
import type { NamedEncoder } from '../vectors/encoder.js';
import type { Device } from '../vectors/device.js';
import type { TimeEncoder } from '../vectors/timeEncoder.js';
import { checkRunOptions } from '../runtime/cancellation.js';
import { backUp } from './backup.js';
import { restoreFrom } from './restore.js';
import { deferIfDiskFull, fullMerge, tieredMerge, type MergeRange } from './writing/compaction.js';
import { derivedColumnFiles, type DerivedColumnSpec } from './derived/derivedColumn.js';
import { corpusFolder, type CorpusFolder } from './format/folder.js';
import { CorpusHandle } from './corpusHandle.js';
import { corpusInfo, type CorpusInfo } from './info.js';
import type { Manifest } from './format/manifest.js';
import type { ManifestFile } from './format/manifestFile.js';
import { openFolder } from './opening.js';
import { OpenSegments } from './format/openSegments.js';
import { listOptions, listPassages, type ListOptions, type ListPage } from './views/listing.js';
import type { FieldChanges, Fields } from './fields/types.js';
import type { Where } from './fields/where.js';
import { checkedPatch, type PassagePatch } from './passages/patch.js';
import { fusedVectorColumn, type FuseOptions } from './derived/fusedVectorColumn.js';
import {
  aFolder,
  checkCorpusOptions,
  defaultLockTimeout,
  keptMs,
  type AddOptions,
  type CorpusOptions,
} from './corpusOptions.js';
import { versionsOf, type PassageVersion } from './views/history.js';
import { addInBatches, checkAddArguments } from './writing/passageBatches.js';
import { checkIds, choiceOf, livePassages, passagesById } from './views/reading.js';
import type { StoredCorpus } from './storedCorpus.js';
import { Snapshot } from './views/snapshot.js';
import { verifyCorpus } from './verification.js';
import { viewOf, type ViewOptions } from './views/view.js';
import { WriterLease } from './writing/writerLease.js';
import type { AddCounts, CompactCounts, Writer } from './writing/writer.js';
import { observe } from '../runtime/telemetry.js';

/**
 * Passages in a folder, searchable by meaning, words and time. Any number of handles, threads and
 * processes may have it open; writes wait for one another, reads for nobody. Close it when done.
 */
export class Corpus extends CorpusHandle implements StoredCorpus {
  readonly path: string;
  readonly device: Device;
  private readonly files: OpenSegments;
  private readonly writes: WriterLease;
  private closed: Promise<void> = Promise.resolve();

  private constructor(
    private readonly folder: CorpusFolder,
    private readonly file: ManifestFile,
    encoder: NamedEncoder | undefined,
    options: CorpusOptions,
  ) {
    super(folder.path, encoder, options);
    this.path = folder.path;
    this.device = options.device ?? 'cpu';
    this.files = new OpenSegments(folder.segments, this.device);
    const { storage, lockTimeout = defaultLockTimeout } = options;
    const keepMs = keptMs(options.history);
    this.writes = new WriterLease(file, folder, { storage, lockTimeout, keepMs });
  }

  /**
   * Opens a corpus, or creates an empty one. Reads the manifest only; the first search maps the
   * segments.
   * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_EXISTS, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER,
   * ERR_CORPUS_CORRUPT, ERR_CORPUS_LOCKED (if another process is creating it),
   * ERR_ENCODER_MISMATCH, ERR_DEVICE_UNAVAILABLE, ERR_INVALID_ARGUMENT (also for another time
   * zone than that of the corpus)
   * @example using corpus = await Corpus.open('wiki.asof');
   */
  static async open(path: string, options: CorpusOptions = {}): Promise<Corpus> {
    checkCorpusOptions(path, options);
    const { folder, file, encoder, timeZone } = await openFolder(path, options);
    return new Corpus(folder, file, encoder, { ...options, timeZone });
  }

  /**
   * Makes what `backup` holds the newest commit of the corpus at `path`, damaged or not, or a new
   * corpus there; all of the backup is verified first. While the corpus is in use questions go on
   * with what they began with, and later calls of open handles see the restored content, if
   * encoder, time zone, rows of sentences and history are the same; otherwise they throw
   * ERR_CORPUS_REPLACED. Progress counts what is verified, then bytes.
   * @returns live passages, and whether handles that were open before go on
   * @throws AsOfError ERR_NOT_FOUND, ERR_INVALID_ARGUMENT for a folder in the backup,
   * ERR_CORPUS_CORRUPT (of the backup), ERR_CORPUS_EXISTS for a folder of other content,
   * ERR_CORPUS_LOCKED, ERR_STORAGE, ERR_ABORTED
   */
  static async restore(
    path: string,
    backup: string,
    options: RunOptions & { lockTimeout?: number | undefined } = {},
  ): Promise<{ passages: number; continued: boolean }> {
    checkPath('path', path, aFolder);
    checkPath('backup', backup, aFolder);
    checkOptionNames('restore', options, ['signal', 'onProgress', 'lockTimeout']);
    await using source = await Corpus.open(backup, { readOnly: true, signal: options.signal });
    await source.verify({ signal: options.signal, onProgress: options.onProgress });
    return await restoreFrom(() => source.snapshot(), source.folder, corpusFolder(path), options);
  }

  /**
   * Adds passages in batches, each one commit: on disk and visible to every process. A passage
   * whose id exists replaces it if its record differs, or a vector that it brings. If a passage is
   * refused (without `onRefused`) or the signal fires, the call rejects: committed batches stay,
   * the rest is not added, and adding all passages again completes it. The total of onProgress is
   * Infinity for iterables other than arrays.
   * @returns numbers of passages: with new ids, with another record of their id, with the same.
   * @throws AsOfError ERR_INVALID_ARGUMENT (with details.index and details.id), ERR_CORPUS_LOCKED,
   * ERR_ENCODER_MISMATCH (without an encoder for what brings no vector), ERR_ENCODER_FAILED,
   * ERR_ABORTED, ERR_CLOSED, ERR_STORAGE
   */
  async add(
    passages: Iterable<Passage> | AsyncIterable<Passage>,
    options: AddOptions = {},
  ): Promise<{ added: number; replaced: number; unchanged: number }> {
    this.checkWritable();
    checkAddArguments(passages, options);
    const { encoder, passageRules } = this;
    const add = (linked: AddOptions): Promise<AddCounts> =>
      addInBatches(passages, linked, passageRules, {
        commit: (batch) =>
          this.write(options.signal, (writer, snapshot, signal) =>
            writer.add(batch, encoder, snapshot, { signal, onRefused: linked.onRefused }),
          ),
        merge: () => this.mergeTiers(options.signal),
      });
    return observeWrite('add', this.questions.name, () => this.whileOpen(options, add));
  }

  /**
   * Deletes passages in one commit: by id, of which unknown ones are ignored, or all that pass a
   * filter (`{ where: {} }`: all).
   * @returns passages deleted
   */
  async delete(
    which: Iterable<string> | { where: Where },
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<number> {
    this.checkWritable();
    checkRunOptions(options);
    const [choose, { signal }] = [choiceOf(which, 'delete'), options];
    const { deleted } = await observeWrite('delete', this.questions.name, async () => {
      const counts = await this.write(signal, async (writer, snapshot, linked) =>
        writer.delete(await choose(snapshot, linked), this.encoder, snapshot, linked),
      );
      if (counts.rewritten > 0) await this.mergeTiers(signal);
      return counts;
    });
    return deleted;
  }

  /**
   * Changes times, metadata and series of passages in one commit, by their ids or all that pass a
   * filter (`{ where: {} }`: all). Their texts stay and are not encoded again. New versions
   * are in memory until the commit: divide updates of millions of passages.
   * @returns numbers of passages: with another record, with the same.
   * @throws AsOfError ERR_NOT_FOUND for ids that are unknown; ERR_INVALID_ARGUMENT (with
   * details.id where a passage does not take the patch), ERR_CORPUS_LOCKED, ERR_ABORTED,
   * ERR_CLOSED, ERR_STORAGE: nothing is changed then
   * @example await corpus.update(['lund'], { validTo: '2024-05', metadata: { state: 'closed' } });
   */
  async update(
    which: Iterable<string> | { where: Where },
    patch: PassagePatch,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<{ updated: number; unchanged: number }> {
    this.checkWritable();
    checkRunOptions(options);
    const [choose, given, { signal }] = [choiceOf(which, 'update'), checkedPatch(patch), options];
    return observeWrite('update', this.questions.name, async () => {
      const counts = await this.write(signal, async (writer, snapshot, linked) =>
        writer.update(await choose(snapshot, linked), given, this.encoder, snapshot, linked),
      );
      if (counts.replaced > 0) await this.mergeTiers(signal);
      return { updated: counts.replaced, unchanged: counts.unchanged };
    });
  }

  /**
   * Adds, renames and drops fields in one commit. All segments are written anew, without reading or
   * encoding texts again, which takes free disk space of the corpus's size. Questions in progress
   * go on with the fields that they began with. A new field has what metadata has of its name; a
   * renamed one has its name in the metadata of all passages and their earlier versions, too.
   * @returns all fields of the corpus
   * @throws AsOfError ERR_INVALID_ARGUMENT for names that are unknown, taken or reserved, and for a
   * passage whose metadata has a value of another type than a field that is added;
   * ERR_CORPUS_LOCKED, ERR_ABORTED, ERR_CLOSED, ERR_STORAGE: nothing is changed then
   * @example await corpus.alterFields({ add: { state: 'keyword' }, rename: { cost: 'price' } });
   */
  async alterFields(
    changes: FieldChanges,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Fields> {
    this.checkWritable();
    checkRunOptions(options);
    const { signal } = options;
    const { fields } = await observeWrite('alter', this.questions.name, async () => ({
      fields: await this.write(signal, (writer, snapshot, linked) =>
        writer.alter(changes, this.encoder, snapshot, linked),
      ),
    }));
    await this.mergeTiers(signal);
    return fields;
  }

  /**
   * Merges all segments into one, without the deleted passages and derived columns. Concurrent
   * searches continue on the old segments. add() merges small segments by itself; call this after
   * large deletions, or for the last few percent of speed. Needs free disk space of the corpus's
   * size. Progress counts steps.
   * @returns how many segments were merged into one, and how many deleted passages left the files.
   */
  async compact(options: RunOptions = {}): Promise<{ merged: number; dropped: number }> {
    this.checkWritable();
    checkRunOptions(options);
    const choose = (manifest: Manifest) => fullMerge(manifest, this.writes.options);
    return observeWrite('compact', this.questions.name, async () => {
      const counts = await this.merge(choose, options.signal, options.onProgress);
      await this.writes.write(options.signal, (writer) => writer.dropDerived());
      return counts;
    });
  }

  /**
   * Reads everything and compares checksums, references, counts, offsets, times and postings.
   * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first damaged part; ERR_ABORTED, ERR_CLOSED
   */
  async verify(options: RunOptions = {}): Promise<void> {
    await this.view(options, (snapshot, linked) => verifyCorpus(snapshot, this.folder, linked));
  }

  /**
   * Copies the newest commit into a new or empty folder, a corpus of its own, while writes go on.
   * Where the file system allows, its files are hard links, which take neither time nor space and
   * share the faults of their disk; elsewhere bytes are copied. Nothing is verified. Progress
   * counts bytes.
   * @returns live passages; files and bytes of the copy, and how many of its files are links
   * @throws AsOfError ERR_INVALID_ARGUMENT for a folder in the corpus, ERR_CORPUS_EXISTS for one
   * that is not empty, ERR_CORPUS_CORRUPT, ERR_STORAGE, ERR_ABORTED, ERR_CLOSED
   */
  async backup(
    folder: string,
    options: RunOptions = {},
  ): Promise<{ passages: number; files: number; linked: number; bytes: number }> {
    this.checkOpen();
    checkPath('folder', folder, aFolder);
    const to = corpusFolder(folder);
    return this.whileOpen(options, (linked) =>
      backUp(() => this.snapshot(), this.folder, to, linked),
    );
  }

  /**
   * Fuses the vectors of all rows with their content times, or those of an extractor (Re3 section
   * 3.3), now, rather than at the first question that needs them. The column is saved with the
   * segments if the corpus can be written, otherwise in a temporary file until the corpus closes.
   * @returns rows fused; 0 if the column of these weights and of the extractor's id exists
   * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ENCODER_MISMATCH, ERR_STORAGE, ERR_ABORTED,
   * ERR_CLOSED
   */
  async fuse(times: TimeEncoder, options: FuseOptions = {}): Promise<number> {
    using snapshot = this.snapshot();
    checkRunOptions(options);
    const column = fusedVectorColumn(times, { ...options, timeZone: snapshot.timeZone });
    return (await this.derive(snapshot, column, options)).computed;
  }

  /**
   * The derived column of each of the snapshot's segments; missing ones are computed.
   * @internal
   */
  async derive(
    snapshot: Snapshot,
    spec: DerivedColumnSpec,
    options: RunOptions = {},
  ): Promise<{ files: Segment[]; computed: number }> {
    this.checkOpen();
    const { folder, writes, readOnly } = this;
    const manifest = (): Manifest => this.manifest();
    return derivedColumnFiles({ folder, writes, readOnly, manifest }, snapshot, spec, options);
  }

  /** The passage of an id; undefined if there is none. As recorded at a time, if one is given. */
  get(id: string, options: { asRecorded?: TimeInput | undefined } = {}): StoredPassage | undefined {
    return this.getMany([id], options)[0];
  }

  /** The passages of ids, in their order; undefined for an id that there is none of. */
  getMany(
    ids: readonly string[],
    options: { asRecorded?: TimeInput | undefined } = {},
  ): (StoredPassage | undefined)[] {
    checkOptionNames('get', options, ['asRecorded']);
    return this.look(ids, (snapshot) => passagesById(snapshot, ids, options));
  }

  /**
   * Every version of a passage that is kept, the oldest first.
   * @throws AsOfError ERR_INVALID_ARGUMENT for a corpus without history
   */
  versions(id: string): PassageVersion[] {
    return this.look([id], (snapshot) => versionsOf(snapshot, id));
  }

  /** The number of passages that pass a filter, of all or of those recorded at a time. */
  async count(options: Pick<ListOptions, 'where' | 'asRecorded' | 'signal'> = {}): Promise<number> {
    checkOptionNames('count', options, ['where', 'asRecorded', 'signal']);
    return this.view(options, livePassages);
  }

  /**
   * A page of the passages that pass a filter, in an order. Passages that are written between pages
   * are neither repeated nor lost, unless their place in the order changes.
   * @example for (let after; ; after = page.next) {
   *   const page = await corpus.list({ where: { tenant: 'a' }, orderBy: 'publishedAt', after });
   */
  async list(options: ListOptions = {}): Promise<ListPage> {
    checkOptionNames('list', options, listOptions);
    return this.view(options, listPassages);
  }

  has(id: string): boolean {
    return this.look([id], (snapshot) => snapshot.find(id) !== undefined);
  }

  /** Counts, sizes and time spans of the newest commit. */
  info(): CorpusInfo {
    using snapshot = this.snapshot();
    return corpusInfo(snapshot, this.path, this.file.bytes);
  }

  /**
   * A consistent view of the newest commit of any process. Release it when done.
   * @internal
   */
  snapshot(): Snapshot {
    this.checkOpen();
    const snapshot = Snapshot.take(this.file, this.files, () => this.snapshots.delete(snapshot));
    this.snapshots.add(snapshot);
    return snapshot;
  }

  /**
   * Maps the newest commit's segments now, rather than at the next search.
   * @returns its generation, which rises with every commit
   */
  refresh(): number {
    return this.manifest().generation;
  }

  /**
   * Closes the corpus and frees its caches. Later calls throw ERR_CLOSED at once; running writes
   * reject with it, without their uncommitted batches. Resolves once files and lock are free.
   * Closing again does nothing.
   */
  async close(): Promise<void> {
    if (!this.isOpen) return this.closed;
    this.closer.abort();
    for (const snapshot of [...this.snapshots]) snapshot.release();
    this.files.closeAll();
    void this.questions.close();
    return (this.closed = this.writes.close());
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  private look<Result>(ids: readonly string[], work: (snapshot: Snapshot) => Result): Result {
    this.checkOpen();
    checkIds(ids);
    using snapshot = this.snapshot();
    return work(snapshot);
  }

  /** Runs work on the passages that options say, until the corpus is closed. */
  private async view<Options extends ViewOptions & RunOptions, Result>(
    options: Options,
    work: (passing: Snapshot, linked: Options) => Result | Promise<Result>,
  ): Promise<Result> {
    return this.whileOpen(options, async (linked) => {
      using snapshot = this.snapshot();
      return await work(await viewOf(snapshot, linked, linked), linked);
    });
  }

  private async mergeTiers(signal: AbortSignal | undefined): Promise<void> {
    while ((await this.merge(tieredMerge, signal).catch(deferIfDiskFull)).merged > 0);
  }

  private async merge(
    choose: (manifest: Manifest) => MergeRange | undefined,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<CompactCounts> {
    // Mostly there is nothing to merge, and no need of the lock.
    if (!choose(this.manifest())) return { merged: 0, dropped: 0 };
    return this.write(signal, (writer, snapshot, linked) =>
      writer.merge(choose, snapshot, linked, onProgress),
    );
  }

  /** Runs work under the lock, on a snapshot of the newest commit. */
  private write<Result>(
    signal: AbortSignal | undefined,
    work: (writer: Writer, snapshot: Snapshot, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.writes.write(signal, async (writer, linked) => {
      using snapshot = this.snapshot();
      return await work(writer, snapshot, linked);
    });
  }

  protected manifest(): Manifest {
    using snapshot = this.snapshot();
    return snapshot.manifest;
  }
}

/** Attributes of a write's counts. */
const countNames = {
  added: 'asof.passages.added',
  replaced: 'asof.passages.replaced',
  unchanged: 'asof.passages.unchanged',
  updated: 'asof.passages.updated',
  deleted: 'asof.passages.deleted',
  dropped: 'asof.passages.dropped',
  merged: 'asof.segments.merged',
} as const;

/** Runs a write of a corpus as a span that has the counts of its result. */
async function observeWrite<Counts extends object>(
  operation: 'add' | 'delete' | 'update' | 'alter' | 'compact',
  corpus: string,
  write: () => Promise<Counts>,
): Promise<Counts> {
  const span = {
    name: `${operation} ${corpus}`,
    attributes: { 'gen_ai.data_source.id': corpus },
    outcome: (counts: Counts & Partial<Record<keyof typeof countNames, number>>) =>
      Object.fromEntries(
        Object.entries(countNames).map(([key, name]) => [
          name,
          counts[key as keyof typeof countNames],
        ]),
      ),
  };
  return observe(span, write);
}
