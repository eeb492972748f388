// A corpus: a folder of passages, opened. This is the door of the store: it checks arguments and
// states, orders writes one after another, and hands the work to writer, snapshot and the others.
// It searches nothing.
import type { Segment } from '../../binding.js';
import { AsOfError, checkOptionNames, invalidArgument, throwIfAborted } from '../errors.js';
import type { Passage, Progress, RunOptions, StoredPassage } from '../records.js';
import { checkEncoder, type Encoder } from '../vectors/encoder.js';
import { checkDevice, requireDevice, type Device } from '../vectors/device.js';
import { staticEncoder } from '../vectors/staticEncoder.js';
import type { TimeEncoder } from '../vectors/timeEncoder.js';
import { checkRunOptions, closingController, withLinkedSignal } from '../runtime/cancellation.js';
import { Catalog } from './catalog.js';
import { deferIfDiskFull, fullMerge, tieredMerge, type MergeRange } from './compaction.js';
import { derivedColumnFiles, type DerivedColumnSpec } from './derivedColumn.js';
import { corpusFolder, prepareFolder, syncFolders, type CorpusFolder } from './folder.js';
import { corpusInfo, type CorpusInfo } from './info.js';
import { newManifest, storages, type Manifest, type Storage } from './manifest.js';
import { OpenSegments } from './openSegments.js';
import { fusedVectorColumn } from './fusedVectorColumn.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { idKey, preparePassage, readRecord, type PreparedPassage } from './passages.js';
import { pipelineNames } from './segmentBuilder.js';
import { Snapshot } from './snapshot.js';
import { verifyCorpus } from './verification.js';
import { closedError, WriterLease } from './writerLease.js';
import { Writer, type AddCounts, type CompactCounts } from './writer.js';

export interface CorpusOptions {
  /**
   * What encodes passages and questions. Default: the embedded encoder, where the corpus was made
   * with it or is new.
   */
  encoder?: Encoder;
  /** Make a corpus where there is none. Default true, and false with `readOnly`. */
  create?: boolean;
  /**
   * Refuse everything that writes. Default false; opening takes no lock either way, the first write
   * does.
   */
  readOnly?: boolean;
  /**
   * The type that vectors are stored in a second time, for scans to leave most rows unread: 'int8'
   * (a quarter more on disk), 'int4' (as much as int8, of which a search of one question reads
   * half; batches of more than eight take a third longer), 'bf16' (half more) or 'f32' (nothing
   * more). Results are the same. Default: the corpus's own, 'int8' where it has none. Another than
   * its own is for what is written from now on; compact() rewrites the rest.
   */
  storage?: Storage;
  /**
   * Where searches by vector run: 'cuda' copies each segment to the first CUDA device when it is
   * first searched (docs/cuda.md). Default 'cpu'.
   */
  device?: Device;
  signal?: AbortSignal;
}

export interface AddOptions extends RunOptions {
  /** Passages committed at once. Default 2048, or fewer of more than 4 Mi characters together. */
  batchSize?: number;
}

const defaultBatchPassages = 2048;
const batchCharacters = 4 << 20;

/**
 * Passages in a folder, searchable by meaning, words and time. One process writes at a time, any
 * number read. Close it when done.
 */
export class Corpus {
  readonly path: string;
  readonly readOnly: boolean;
  readonly device: Device;
  private readonly files: OpenSegments;
  private readonly closer = closingController();
  private readonly writes: WriterLease;
  private readonly snapshots = new Set<Snapshot>();

  private constructor(
    private readonly folder: CorpusFolder,
    private readonly catalog: Catalog,
    private readonly givenEncoder: Encoder | undefined,
    options: CorpusOptions,
    writer: Writer | undefined,
  ) {
    this.path = folder.path;
    this.readOnly = options.readOnly ?? false;
    this.device = options.device ?? 'cpu';
    this.files = new OpenSegments(folder.segments, this.device);
    this.writes = new WriterLease(catalog, folder, writer, options.storage);
  }

  /**
   * Opens a corpus, or makes an empty one. Reads the manifest only: segments are mapped by the
   * first search.
   * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_EXISTS, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER,
   * ERR_CORPUS_CORRUPT,
   * ERR_CORPUS_LOCKED (only where it has to be made while another process makes it),
   * ERR_ENCODER_MISMATCH,
   * ERR_DEVICE_UNAVAILABLE with the reason.
   * @example using corpus = await Corpus.open('wiki.asof');
   */
  static async open(path: string, options: CorpusOptions = {}): Promise<Corpus> {
    checkOptions(path, options);
    const { readOnly = false, create = !readOnly } = options;
    await requireDevice(options.device ?? 'cpu');
    const folder = corpusFolder(path);
    prepareFolder(folder, create && !readOnly);
    const given = options.encoder && checkEncoder(options.encoder);
    const catalog = await Catalog.open(folder.catalog, create && !readOnly);
    let writer: Writer | undefined;
    try {
      let manifest = storedManifest(catalog);
      if (!manifest && (readOnly || !create)) {
        throw new AsOfError(
          'ERR_NOT_FOUND',
          `Expected a corpus at ${folder.path}, found one that was never finished. Index passages into it first.`,
        );
      }
      const encoder = given ?? (await embeddedEncoder(manifest));
      if (!manifest) {
        writer = new Writer(catalog, folder, options.storage);
        manifest = storedManifest(catalog) ?? newManifest(encoder!, pipelineNames, options.storage);
        if (manifest.generation === 0)
          await catalog.commit({ manifest: { ...manifest, generation: 1 } });
        syncFolders(folder);
      }
      if (encoder) checkSameEncoder(manifest, encoder);
      throwIfAborted(options.signal);
      return new Corpus(folder, catalog, encoder, options, writer);
    } catch (error) {
      writer?.release();
      await catalog.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return !this.closer.signal.aborted;
  }

  /**
   * What encodes this corpus's passages and questions.
   * @throws AsOfError ERR_ENCODER_MISMATCH where the corpus was made with an encoder that was not
   * given to open(); ERR_CLOSED.
   */
  get encoder(): Encoder {
    this.checkOpen();
    if (this.givenEncoder) return this.givenEncoder;
    const { id, dimensions } = this.read((manifest) => manifest.encoder);
    throw new AsOfError(
      'ERR_ENCODER_MISMATCH',
      `Expected the encoder ${id} (${dimensions} dimensions) that ${this.path} was made with, received none. ` +
        'Give it to Corpus.open, or name it with --encoder.',
    );
  }

  /**
   * Adds passages, a batch at a time: each batch is on disk and visible to every process once it is
   * committed. An id that is there already is replaced where anything of it changed. Where a
   * passage cannot be taken, or the signal fires, the call rejects; batches that were committed
   * before stay, nothing of the rest is visible, and adding all of it again completes it.
   * onProgress's total is Infinity where the passages come from an iterable without a length.
   * @throws AsOfError ERR_INVALID_ARGUMENT (with details.index and details.id), ERR_CORPUS_LOCKED,
   * ERR_ENCODER_FAILED, ERR_ABORTED, ERR_CLOSED, ERR_STORAGE.
   */
  async add(
    passages: Iterable<Passage> | AsyncIterable<Passage>,
    options: AddOptions = {},
  ): Promise<AddCounts> {
    this.checkWritable();
    checkOptionNames('add', options, ['batchSize', 'signal', 'onProgress']);
    checkRunOptions(options);
    const { signal, onProgress, batchSize = defaultBatchPassages } = options;
    if (!Number.isInteger(batchSize) || batchSize < 1)
      throw invalidArgument('batchSize', 'a whole number of at least 1', batchSize);
    if (!isIterable(passages)) {
      throw invalidArgument(
        'passages',
        'an iterable of passages',
        passages,
        'Give an array, or any iterable or async iterable.',
      );
    }
    const { encoder } = this;
    const totals: AddCounts = { added: 0, replaced: 0, unchanged: 0 };
    const total = Array.isArray(passages) ? passages.length : Infinity;
    let done = 0;
    for await (const batch of batches(passages, batchSize, signal)) {
      const counts = await this.writes.write(signal, (writer, both) =>
        writer.add(batch, encoder, both),
      );
      totals.added += counts.added;
      totals.replaced += counts.replaced;
      totals.unchanged += counts.unchanged;
      done += batch.length;
      onProgress?.({ done, total });
    }
    if (done > 0) while ((await this.merge(tieredMerge, signal).catch(deferIfDiskFull)).merged > 0);
    return totals;
  }

  /**
   * Deletes passages by id and says how many there were; ids that it does not have are passed over.
   * All or none.
   */
  async delete(ids: Iterable<string>, options: { signal?: AbortSignal } = {}): Promise<number> {
    this.checkWritable();
    checkRunOptions(options);
    if (typeof ids === 'string' || !isIterable(ids))
      throw invalidArgument('ids', 'an iterable of ids', ids, 'Give an array, even for one id.');
    const list = [...(ids as Iterable<string>)];
    return this.writes.write(options.signal, (writer) => writer.delete(list));
  }

  /**
   * Merges all segments into one and drops what was deleted. Searches go on meanwhile, and
   * processes that have old segments open keep them. add() merges small segments by itself; this is
   * for after large deletions, or for the last bit of speed. Needs free disk space of the corpus's
   * size. Progress counts steps. What was computed from segments is dropped, and made again on
   * demand.
   */
  async compact(options: RunOptions = {}): Promise<CompactCounts> {
    this.checkWritable();
    checkRunOptions(options);
    const counts = await this.merge(fullMerge, options.signal, options.onProgress);
    await this.writes.write(options.signal, (writer) => writer.dropDerived());
    return counts;
  }

  /**
   * Reads everything and compares every checksum and reference; throws ERR_CORPUS_CORRUPT naming
   * the first part that is wrong.
   */
  async verify(options: RunOptions = {}): Promise<void> {
    this.checkOpen();
    checkRunOptions(options);
    const snapshot = this.snapshot();
    try {
      const { signal, onProgress } = options;
      await withLinkedSignal(signal, this.closer.signal, (either) =>
        verifyCorpus(snapshot, this.folder, { signal: either, onProgress }),
      );
    } catch (error) {
      throw this.isOpen || !AsOfError.is(error) ? error : closedError(this.path, error);
    } finally {
      snapshot.release();
    }
  }

  /**
   * Fuses the vectors of all rows with their times (Re3 section 3.3) now, rather than at the first
   * question that needs them; rows that are fused with these weights already stay. Gives how many
   * rows it fused. They are saved beside their segments where the corpus may be written and no
   * other process writes it; else they are made for this opening of the corpus alone, in the
   * system's temporary folder.
   * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ENCODER_MISMATCH, ERR_STORAGE, ERR_ABORTED,
   * ERR_CLOSED
   */
  async fuse(times: TimeEncoder, options: RunOptions = {}): Promise<number> {
    this.checkOpen();
    checkRunOptions(options);
    using snapshot = this.snapshot();
    return (await this.derive(snapshot, fusedVectorColumn(times), options)).computed;
  }

  /** The recipe's file of each of the snapshot's segments; what is missing is computed. */
  async derive(
    snapshot: Snapshot,
    recipe: DerivedColumnSpec,
    options: RunOptions = {},
  ): Promise<{ files: Segment[]; computed: number }> {
    this.checkOpen();
    const { folder, writes, readOnly } = this;
    const manifest = (): Manifest => this.read((stored) => stored);
    return derivedColumnFiles({ folder, writes, readOnly, manifest }, snapshot, recipe, options);
  }

  /** The passage of an id, undefined where there is none. */
  get(id: string): StoredPassage | undefined {
    this.checkOpen();
    const key = idKey(id, (expected, remedy) => invalidArgument('id', expected, id, remedy));
    const transaction = this.catalog.read();
    try {
      const entry = this.catalog.id(key, transaction);
      const record = entry && this.catalog.record(entry.ordinal, transaction);
      return record === undefined
        ? undefined
        : readRecord(record, `the passage ${JSON.stringify(id)} of ${this.path}`);
    } finally {
      transaction.done();
    }
  }

  has(id: string): boolean {
    this.checkOpen();
    const key = idKey(id, (expected, remedy) => invalidArgument('id', expected, id, remedy));
    const transaction = this.catalog.read();
    try {
      return this.catalog.id(key, transaction) !== undefined;
    } finally {
      transaction.done();
    }
  }

  /** What the corpus holds, as of its newest commit. */
  info(): CorpusInfo {
    using snapshot = this.snapshot();
    return corpusInfo(snapshot, this.path, this.catalog.bytes);
  }

  /**
   * A consistent view of the newest commit, by whatever process: what a search reads. Release it
   * when done.
   */
  snapshot(): Snapshot {
    this.checkOpen();
    const snapshot = Snapshot.take(this.catalog, this.files, () => this.snapshots.delete(snapshot));
    this.snapshots.add(snapshot);
    return snapshot;
  }

  /**
   * Maps the newest commit's segments now, rather than at the next search; gives its generation,
   * which rises with every commit.
   */
  refresh(): number {
    using snapshot = this.snapshot();
    return snapshot.generation;
  }

  /**
   * Closes the corpus: at once to its callers; writes that are running end with ERR_CLOSED, and
   * what they had not committed is not there. The promise resolves once files and lock are free.
   * Closing again does nothing.
   */
  async close(): Promise<void> {
    if (!this.isOpen) return this.closed;
    this.closer.abort();
    for (const snapshot of [...this.snapshots]) snapshot.release();
    this.files.closeAll();
    this.closed = this.writes.close().then(() => this.catalog.close());
    return this.closed;
  }

  [Symbol.dispose](): void {
    void this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private closed: Promise<void> = Promise.resolve();

  private merge(
    choose: (manifest: Manifest) => MergeRange | undefined,
    signal?: AbortSignal,
    onProgress?: (progress: Progress) => void,
  ): Promise<CompactCounts> {
    return this.writes.write(signal, async (writer, both) => {
      const snapshot = this.snapshot();
      try {
        return await writer.merge(choose, snapshot, both, onProgress);
      } finally {
        snapshot.release();
      }
    });
  }

  private read<Result>(use: (manifest: Manifest) => Result): Result {
    const transaction = this.catalog.read();
    try {
      return use(this.catalog.manifest(transaction));
    } finally {
      transaction.done();
    }
  }

  private checkOpen(): void {
    if (!this.isOpen) throw closedError(this.path);
  }

  private checkWritable(): void {
    this.checkOpen();
    if (this.readOnly) {
      throw new AsOfError(
        'ERR_INVALID_ARGUMENT',
        `Expected a corpus opened for writing, received ${this.path} opened with readOnly: true. Open it without.`,
      );
    }
  }
}

function checkOptions(path: unknown, options: CorpusOptions): void {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw invalidArgument('path', 'the path of a folder', path);
  checkOptionNames('Corpus.open', options, [
    'encoder',
    'create',
    'readOnly',
    'storage',
    'device',
    'signal',
  ]);
  checkRunOptions(options as RunOptions);
  for (const name of ['create', 'readOnly'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      throw invalidArgument(name, 'a boolean', options[name]);
  }
  const { storage, device } = options;
  if (storage !== undefined && !storages.includes(storage))
    throw invalidArgument('storage', `one of ${storages.join(', ')}`, storage);
  if (device !== undefined) checkDevice(device);
}

function storedManifest(catalog: Catalog): Manifest | undefined {
  const transaction = catalog.read();
  try {
    return catalog.hasManifest(transaction) ? catalog.manifest(transaction) : undefined;
  } finally {
    transaction.done();
  }
}

/**
 * The embedded encoder, where the corpus is new or was made with it: opening a corpus of another
 * needs no model of ours.
 */
async function embeddedEncoder(manifest: Manifest | undefined): Promise<Encoder | undefined> {
  const encoder = await staticEncoder();
  return !manifest || manifest.encoder.id === encoder.id ? encoder : undefined;
}

function checkSameEncoder(manifest: Manifest, encoder: Encoder): void {
  const { id, dimensions } = manifest.encoder;
  if (encoder.id === id && encoder.dimensions === dimensions) return;
  throw new AsOfError(
    'ERR_ENCODER_MISMATCH',
    `Expected the encoder ${id} (${dimensions} dimensions) that the corpus was made with, received ${encoder.id} (${encoder.dimensions} ` +
      'dimensions). Open it with that encoder, or index the passages into a new corpus.',
    { details: { expected: id, received: encoder.id } },
  );
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}

/** Checked passages in batches, bounded by count and by characters. */
async function* batches(
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  size: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreparedPassage[]> {
  let batch: PreparedPassage[] = [];
  let characters = 0;
  let index = 0;
  for await (const passage of passages) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const prepared = preparePassage(passage, index);
    index += 1;
    batch.push(prepared);
    characters += prepared.record.length;
    if (batch.length < size && characters < batchCharacters) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
