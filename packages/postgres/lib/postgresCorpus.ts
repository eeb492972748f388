// Corpus in PostgreSQL: passages on one server or several, by the hash of their ids. Every system
// runs on it: the first stage in SQL, the others over the passages that it fetched.
import {
  AsOfError,
  type Passage,
  type RunOptions,
  type StoredPassage,
  type AddOptions,
  type ListOptions,
  type ListPage,
  type Where,
  type StoredCorpus,
  type PassageVersion,
  type Encoder,
} from 'asof';
import {
  checkOptionNames,
  type Segment,
  checkRunOptions,
  closingController,
  withLinkedSignal,
  temporaryColumns,
  type DerivedColumnSpec,
  listOptions,
  withSeries,
  compileWhere,
  newManifest,
  type Manifest,
  OpenSegments,
  checkSameEncoder,
  embeddedEncoder,
  addInBatches,
  checkAddArguments,
  passageRules,
  type PassageRules,
  type PreparedPassage,
  QuestionQueue,
  checkedChoice,
  checkIds,
  type Snapshot,
  recordedTime,
  withoutHistory,
  type ViewOptions,
  pipelineNames,
  closedError,
  readOnlyError,
  englishAnalyzer,
  canEncode,
  withEncode,
  type NamedEncoder,
} from 'asof/kit';
import type { Session } from './connection.js';
import { completeColumn } from './derivedVectors.js';
import { FetchedSnapshot, type RemoteSource, type RemoteView } from './fetchedSnapshot.js';
import { postgresInfo, type PostgresInfo } from './info.js';
import { checkStorable, type RowMakers } from './layout.js';
import { allPassages, listPassages } from './listing.js';
import {
  candidatesOf,
  checkOptions,
  defaultSchema,
  settingsOf,
  type PostgresOptions,
} from './options.js';
import type { PlanContext } from './querySql.js';
import { rankPlan } from './rank.js';
import { collectionStatistics, countPassages } from './statistics.js';
import { getRecords, readPassages } from './read.js';
import { Shards, type QuestionShards } from './shards.js';
import { buildVectorIndexes, type VectorIndexOptions } from './vectorIndex.js';
import { verifyShards } from './verification.js';
import { addPassages, compactShard, deletePassages } from './write.js';

/**
 * Passages in PostgreSQL with pgvector, searchable by every system like those of a `Corpus`: same
 * results, scores within 1e-6. Close it when done.
 */
export class PostgresCorpus implements StoredCorpus {
  /** @internal */
  readonly questions: QuestionQueue;
  readonly timeZone: string;
  readonly readOnly: boolean;
  private readonly files = new OpenSegments('', 'cpu');
  private readonly closer = closingController();
  private readonly snapshots = new Set<Snapshot>();
  private readonly candidates: number | undefined;
  private closed: Promise<void> | undefined;

  private constructor(
    private readonly shards: Shards,
    private readonly manifest: Manifest,
    private readonly givenEncoder: NamedEncoder | undefined,
    options: PostgresOptions,
  ) {
    this.timeZone = manifest.timeZone ?? 'UTC';
    this.readOnly = options.readOnly ?? false;
    this.candidates = candidatesOf(options);
    this.questions = new QuestionQueue(options.schema ?? defaultSchema, options.concurrency);
  }

  /**
   * Connects to the servers of a corpus, or creates an empty one on them.
   * @throws AsOfError ERR_NATIVE_UNAVAILABLE without the package pg; ERR_STORAGE where a server
   * cannot be reached or lacks pgvector; ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER,
   * ERR_ENCODER_MISMATCH, ERR_INVALID_ARGUMENT
   */
  static async connect(options: PostgresOptions): Promise<PostgresCorpus> {
    checkOptions(options);
    const first = options.encoder ?? (await embeddedEncoder(undefined))!;
    const fields = withSeries(options.fields ?? {});
    const wanted = settingsOf(
      newManifest(first, pipelineNames, { ...options, fields }),
      options.shardBy,
    );
    const shards = await Shards.open(options, wanted);
    try {
      const manifest: Manifest = { ...newManifest(first, pipelineNames), ...shards.settings };
      const encoder = options.encoder ?? (await embeddedEncoder(manifest));
      if (encoder) checkSameEncoder(manifest, encoder);
      return new PostgresCorpus(shards, manifest, encoder, options);
    } catch (error) {
      await shards.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.closed === undefined;
  }

  /** As `Corpus.encoder`. */
  get encoder(): Encoder {
    this.checkOpen();
    return withEncode(this.givenEncoder ?? this.manifest.encoder, this.questions.name);
  }

  /** @internal */
  get passageRules(): PassageRules {
    return passageRules(this.manifest, !this.givenEncoder || canEncode(this.givenEncoder));
  }

  /**
   * Adds passages in batches; each is one transaction a server. A passage whose id exists replaces
   * it if its record differs, or a vector that it brings. As `Corpus.add` otherwise.
   */
  async add(
    passages: Iterable<Passage> | AsyncIterable<Passage>,
    options: AddOptions = {},
  ): Promise<{ added: number; replaced: number; unchanged: number }> {
    this.checkWritable();
    checkAddArguments(passages, options);
    const makers = this.makers();
    return this.linked(options.signal, (signal) =>
      addInBatches(passages, { ...options, signal }, this.passageRules, {
        commit: async (batch) => {
          for (const passage of batch) checkStorable(passage, this.manifest);
          const homes = await this.shards.homesOf(batch, signal);
          const counts = await this.shards.onHomes(
            batch,
            ({ stored }) => homes.get(stored.id)!,
            (shard, own) => addPassages(shard, own, makers, signal),
          );
          return {
            added: total(counts.map(({ added }) => added)),
            replaced: total(counts.map(({ replaced }) => replaced)),
            unchanged: total(counts.map(({ unchanged }) => unchanged)),
          };
        },
      }),
    );
  }

  /**
   * Deletes passages by id, of which unknown ones are ignored, or all that pass a filter
   * (`{ where: {} }`: all); one transaction a server.
   * @returns passages deleted
   */
  async delete(
    which: Iterable<string> | { where: Where },
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<number> {
    this.checkWritable();
    checkRunOptions(options);
    const choice = checkedChoice(which);
    const makers = this.makers();
    return this.linked(options.signal, async (signal) => {
      const { filter } = this.viewOf('where' in choice ? choice : {});
      const counts = await ('where' in choice
        ? this.shards.onAll((shard) => deletePassages(shard, filter!, makers, signal))
        : this.shards.onIds(choice.ids, (shard, own) =>
            deletePassages(shard, own, makers, signal),
          ));
      return total(counts.map(({ deleted }) => deleted));
    });
  }

  /** The passage of an id; undefined if there is none. */
  async get(
    id: string,
    options: Omit<ViewOptions, 'where'> & { signal?: AbortSignal | undefined } = {},
  ): Promise<StoredPassage | undefined> {
    return (await this.getMany([id], options))[0];
  }

  /** The passages of ids, in their order; undefined for an id that there is none of. */
  async getMany(
    ids: readonly string[],
    options: Omit<ViewOptions, 'where'> & { signal?: AbortSignal | undefined } = {},
  ): Promise<(StoredPassage | undefined)[]> {
    checkOptionNames('get', options, ['asRecorded', 'signal']);
    checkIds(ids);
    this.viewOf(options);
    return this.linked(options.signal, async (signal) => {
      const read = async (session: Session, own: readonly string[]) =>
        (await getRecords(session, own)).filter((record) => record !== undefined);
      const found = await this.shards.whole().readIds(ids, read, ({ id }) => id, signal);
      const records = new Map(found.map((record) => [record.id, record]));
      return ids.map((id) => records.get(id));
    });
  }

  async has(id: string): Promise<boolean> {
    return (await this.get(id)) !== undefined;
  }

  /** @throws AsOfError ERR_INVALID_ARGUMENT: a corpus in PostgreSQL has no history */
  versions(_id: string): Promise<PassageVersion[]> {
    return Promise.reject(withoutHistory());
  }

  /** The number of passages that pass a filter. */
  async count(options: ViewOptions & { signal?: AbortSignal | undefined } = {}): Promise<number> {
    checkOptionNames('count', options, ['where', 'asRecorded', 'signal']);
    const view = this.viewOf(options);
    return this.linked(options.signal, (signal) =>
      countPassages(this.context(this.shards.whole(), view, signal)),
    );
  }

  /**
   * A page of the passages that pass a filter, in an order, as `Corpus.list`; but ids are in the
   * order of their code points rather than UTF-16 units.
   */
  async list(options: ListOptions = {}): Promise<ListPage> {
    checkOptionNames('list', options, listOptions);
    checkRunOptions(options);
    const view = this.viewOf(options);
    return this.linked(options.signal, (signal) =>
      listPassages(this.context(this.shards.whole(), view, signal), options),
    );
  }

  /** Counts, sizes and time spans. The spans of content times take a scan of all rows. */
  async info(options: RunOptions = {}): Promise<PostgresInfo> {
    checkRunOptions(options);
    return this.linked(options.signal, (signal) =>
      postgresInfo(this.shards.all, this.manifest, signal),
    );
  }

  /**
   * Reads all tables but vectors, and compares counts, sums, postings, records, hashes and times.
   * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first fault; ERR_STORAGE, ERR_ABORTED,
   * ERR_CLOSED
   */
  async verify(options: RunOptions = {}): Promise<void> {
    checkRunOptions(options);
    await this.linked(options.signal, (signal) =>
      verifyShards(this.shards.all, { ...options, signal }),
    );
  }

  /** Merges what writes left apart in the index of words; questions are faster afterwards. */
  async compact(options: RunOptions = {}): Promise<void> {
    this.checkWritable();
    checkRunOptions(options);
    await this.linked(options.signal, (signal) =>
      this.shards.onAll((shard) => compactShard(shard, signal)),
    );
  }

  /**
   * Builds the indexes of vectors for approximate search that are missing (HNSW, half precision):
   * of the passages, and of the vectors that systems derived from them (`re3`), whose first
   * question comes before. Writes go on and keep them up to date; maintenance_work_mem of the
   * server decides how fast they are built.
   * @returns indexes built, over all shards
   * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_STORAGE, ERR_ABORTED, ERR_CLOSED
   */
  async buildVectorIndex(options: VectorIndexOptions = {}): Promise<number> {
    this.checkWritable();
    checkOptionNames('buildVectorIndex', options, ['m', 'efConstruction', 'signal']);
    const { dimensions } = this.manifest.encoder;
    return this.linked(options.signal, async (signal) =>
      total(
        await this.shards.onAll((shard) =>
          buildVectorIndexes(shard, dimensions, { ...options, signal }),
        ),
      ),
    );
  }

  /** @internal */
  snapshot(without: readonly string[] = []): Snapshot {
    this.checkOpen();
    const { manifest, files } = this;
    const snapshot: Snapshot = FetchedSnapshot.of(
      { source: this.source(this.shards.ofQuestion(without)), manifest, files },
      () => this.snapshots.delete(snapshot),
    );
    this.snapshots.add(snapshot);
    return snapshot;
  }

  /** @internal */
  async derive(
    snapshot: Snapshot,
    spec: DerivedColumnSpec,
    options: RunOptions = {},
  ): Promise<{ files: Segment[]; computed: number }> {
    const { source } = snapshot as FetchedSnapshot;
    const counts = await (source as PostgresSource).shards.onAll((shard) =>
      completeColumn(shard, spec, this.manifest, options.signal),
    );
    const { files } = await temporaryColumns(snapshot, spec, options);
    return { files, computed: total(counts) };
  }

  /** Ends questions and writes in progress, and the connections. Later calls throw ERR_CLOSED. */
  close(): Promise<void> {
    this.closed ??= (async () => {
      this.closer.abort();
      await this.questions.close();
      for (const snapshot of [...this.snapshots]) snapshot.release();
      this.files.closeAll();
      await this.shards.close();
    })();
    return this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private source(shards: QuestionShards): PostgresSource {
    const context = (view: RemoteView, signal?: AbortSignal): PlanContext =>
      this.context(shards, view, signal);
    return {
      shards,
      get missing() {
        return shards.missing;
      },
      all: (view, signal) => this.all(view, signal),
      count: (view, signal) => countPassages(context(view, signal)),
      rank: (plan, view, signal) => rankPlan(plan, context(view, signal)),
      statistics: (terms, scope, view, signal) =>
        collectionStatistics(context(view, signal), terms, scope),
      read: (ids, signal) => shards.readIds(ids, readPassages, ({ stored }) => stored.id, signal),
    };
  }

  private async *all(
    view: RemoteView,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PreparedPassage> {
    const { fields } = this.manifest;
    for (const shard of this.shards.all) yield* allPassages(shard, { view, fields }, signal);
  }

  private viewOf({ where, asRecorded }: ViewOptions): Pick<RemoteView, 'filter'> {
    recordedTime(this.manifest, asRecorded); // refuses it: there is no history
    return where === undefined ? {} : { filter: compileWhere(where, this.manifest) };
  }

  private context(
    shards: QuestionShards,
    view: RemoteView,
    signal: AbortSignal | undefined,
  ): PlanContext {
    return {
      fields: this.manifest.fields,
      view,
      candidates: this.candidates,
      onShards: shards.reader(signal, view.filter),
      onEveryShard: shards.reader(signal),
    };
  }

  private makers(): RowMakers {
    return { schema: this.manifest, encoder: this.encoder, analyzer: englishAnalyzer() };
  }

  private async linked<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    this.checkOpen();
    try {
      return await withLinkedSignal(signal, this.closer.signal, work);
    } catch (error) {
      throw this.isOpen || !AsOfError.is(error) ? error : closedError(this.questions.name, error);
    }
  }

  private checkOpen(): void {
    if (!this.isOpen) throw closedError(this.questions.name);
  }

  private checkWritable(): void {
    this.checkOpen();
    if (this.readOnly) throw readOnlyError(this.questions.name);
  }
}

interface PostgresSource extends RemoteSource {
  readonly shards: QuestionShards;
}

const total = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);
