// Corpus whose passages a storage back end keeps, such as a database: arguments, states, questions
// and the exact scores of what is fetched are here, the rest is the storage's.
import type { Segment } from '../../../binding.js';
import { type AsOfError, checkOptionNames } from '../../errors.js';
import type { Passage, RunOptions, StoredPassage } from '../../records.js';
import { checkRunOptions } from '../../runtime/cancellation.js';
import { checkNamedEncoder, type NamedEncoder } from '../../vectors/encoder.js';
import { CorpusHandle } from '../corpusHandle.js';
import { checkCommonOptions, type AddOptions, type CorpusOptions } from '../corpusOptions.js';
import { temporaryColumns, type DerivedColumnSpec } from '../derived/derivedColumn.js';
import {
  listOptions,
  pageRequest,
  unitCounter,
  type ListOptions,
  type ListPage,
} from '../views/listing.js';
import { declaredFields, withSeries } from '../fields/types.js';
import { compileWhere, type Where } from '../fields/where.js';
import { mapTemporaryFile } from '../format/files.js';
import { hasSentenceRows, newManifest, type Manifest } from '../format/manifest.js';
import { OpenSegments } from '../format/openSegments.js';
import { unionSpans, type StoredCorpusInfo } from '../info.js';
import { checkSameEncoder, embeddedEncoder } from '../opening.js';
import { addInBatches, checkAddArguments } from '../writing/passageBatches.js';
import { checkedPatch, type PassagePatch } from '../passages/patch.js';
import type { PreparedPassage } from '../passages/passages.js';
import type { StoredCorpus } from '../storedCorpus.js';
import type { PassageVersion } from '../views/history.js';
import { checkedChoice, checkIds, checkKnown } from '../views/reading.js';
import { sentenceRowsOf, wholeRowOf } from '../views/rowTimes.js';
import type { Snapshot } from '../views/snapshot.js';
import { recordedTime, withoutHistory, type ViewOptions } from '../views/view.js';
import { pipelineNames } from '../writing/segmentBuilder.js';
import { FetchedSnapshot, temporarySegment } from './fetchedSnapshot.js';
import { PassageWriter } from './passageWriter.js';
import { manifestOf, type RemoteSettings, type RemoteView } from './remoteSource.js';
import type { RemoteStorage } from './remoteStorage.js';

/** Options of a corpus in a storage back end, as in `CorpusOptions`. */
type RemoteOptions = Pick<
  CorpusOptions,
  'encoder' | 'sentences' | 'fields' | 'timeZone' | 'create' | 'readOnly' | 'concurrency' | 'signal'
>;

/** What a part of a storage counts, as in `StoredCorpusInfo`. */
type PartInfo = Pick<StoredCorpusInfo, 'passages' | 'rows' | 'sentences' | 'deleted' | 'spans'>;

/**
 * Passages in a storage back end, searchable by every system like those of a `Corpus`: candidates
 * are the storage's, scores are computed here. A package derives its class from it: `connect()`
 * opens by `opened`, and adds what its storage alone has. Close it when done.
 */
export abstract class RemoteCorpus<Storage extends RemoteStorage = RemoteStorage>
  extends CorpusHandle
  implements StoredCorpus
{
  private readonly settings: Manifest;
  private readonly files = new OpenSegments('', 'cpu');
  private closed: Promise<void> | undefined;

  /** Of what `opened` returned. */
  protected constructor(
    protected readonly storage: Storage,
    encoder: NamedEncoder | undefined,
    options: RemoteOptions,
  ) {
    super(storage.name, encoder, { ...options, timeZone: storage.settings.timeZone });
    this.settings = manifestOf(storage.settings);
  }

  /**
   * Checks the options that all such corpora take and opens the storage, given the settings of a
   * new corpus; the encoder is that of the corpus, undefined if there is none.
   * @throws AsOfError ERR_INVALID_ARGUMENT, ERR_ABORTED, ERR_ENCODER_MISMATCH, and what `open` does
   */
  protected static async opened<Storage extends RemoteStorage>(
    options: RemoteOptions,
    open: (created: RemoteSettings) => Promise<Storage>,
  ): Promise<{ storage: Storage; encoder: NamedEncoder | undefined }> {
    checkCommonOptions(options);
    const given = options.encoder;
    if (given !== undefined) checkNamedEncoder(given);
    const { encoder, fields, pipeline, timeZone, sentences } = newManifest(
      given ?? (await embeddedEncoder(undefined))!,
      pipelineNames,
      { ...options, fields: withSeries(options.fields ?? {}) },
    );
    const storage = await open({
      encoder,
      fields,
      pipeline,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(sentences === undefined ? {} : { sentences }),
    });
    try {
      const manifest = manifestOf(storage.settings);
      const own = given ?? (await embeddedEncoder(manifest));
      if (own) checkSameEncoder(manifest, own);
      return { storage, encoder: own };
    } catch (error) {
      await storage.close();
      throw error;
    }
  }

  /**
   * Adds passages in batches, each a write of its own. A passage whose id exists replaces it if its
   * record differs, or a vector that it brings. As `Corpus.add` otherwise.
   */
  async add(
    passages: Iterable<Passage> | AsyncIterable<Passage>,
    options: AddOptions = {},
  ): Promise<{ added: number; replaced: number; unchanged: number }> {
    this.checkWritable();
    checkAddArguments(passages, options);
    const writer = this.writer(options.onRefused);
    return this.whileOpen(options, (linked) =>
      addInBatches(passages, linked, this.passageRules, {
        commit: (batch) => this.storage.add(batch, writer, linked.signal),
      }),
    );
  }

  /**
   * Deletes passages by id, of which unknown ones are ignored, or all that pass a filter
   * (`{ where: {} }`: all).
   * @returns passages deleted
   */
  async delete(
    which: Iterable<string> | { where: Where },
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<number> {
    this.checkWritable();
    checkRunOptions(options);
    const choice = checkedChoice(which, 'delete');
    const writer = this.writer();
    return this.whileOpen(options, ({ signal }) => {
      const filter = 'where' in choice ? compileWhere(choice.where, this.settings) : undefined;
      return this.storage.delete('ids' in choice ? choice.ids : filter!, writer, signal);
    });
  }

  /**
   * Changes times, metadata and series of passages by their ids, which have to be there, or all
   * that pass a filter, as `Corpus.update`: one write, or one in each part of the storage.
   */
  async update(
    which: Iterable<string> | { where: Where },
    patch: PassagePatch,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<{ updated: number; unchanged: number }> {
    this.checkWritable();
    checkRunOptions(options);
    const [choice, given] = [checkedChoice(which, 'update'), checkedPatch(patch)];
    const writer = this.writer();
    return this.whileOpen(options, async ({ signal }) => {
      if ('ids' in choice) {
        const known = new Set((await this.storage.get(choice.ids, signal)).map(({ id }) => id));
        checkKnown(choice.ids.filter((id) => !known.has(id)));
      }
      const chosen = 'ids' in choice ? choice.ids : compileWhere(choice.where, this.settings);
      const { replaced, unchanged } = await this.storage.update(chosen, given, writer, signal);
      return { updated: replaced, unchanged };
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
    return this.whileOpen(options, async ({ signal }) => {
      const found = await this.storage.get(ids, signal);
      const passages = new Map(found.map((passage) => [passage.id, passage]));
      return ids.map((id) => passages.get(id));
    });
  }

  async has(id: string): Promise<boolean> {
    return (await this.get(id)) !== undefined;
  }

  /** @throws AsOfError ERR_INVALID_ARGUMENT: such a corpus has no history */
  versions(_id: string): Promise<PassageVersion[]> {
    return Promise.reject(withoutHistory());
  }

  /** The number of passages that pass a filter. */
  async count(options: ViewOptions & { signal?: AbortSignal | undefined } = {}): Promise<number> {
    checkOptionNames('count', options, ['where', 'asRecorded', 'signal']);
    const view = this.viewOf(options);
    return this.whileOpen(options, ({ signal }) => this.storage.source().count(view, signal));
  }

  /** A page of the passages that pass a filter, in an order, as `Corpus.list`. */
  async list(options: ListOptions = {}): Promise<ListPage> {
    checkOptionNames('list', options, listOptions);
    const view = this.viewOf(options);
    return this.whileOpen(options, async ({ signal }) => {
      const { next, limit, ...page } = pageRequest(options, this.settings.fields);
      const found = await this.storage.list({ ...page, limit: limit + 1 }, view, signal);
      const listed = found.slice(0, limit);
      const passages = listed.map(({ passage }) => passage);
      passages.forEach(unitCounter(options.mostUnits));
      const last = listed.at(-1);
      if (!last || found.length === listed.length) return { passages };
      return { passages, next: next({ value: last.value, id: last.passage.id }) };
    });
  }

  abstract info(options?: RunOptions): Promise<StoredCorpusInfo>;
  abstract verify(options?: RunOptions): Promise<void>;
  abstract compact(options?: RunOptions): Promise<void>;

  /** @internal */
  snapshot(without: readonly string[] = []): Snapshot {
    this.checkOpen();
    const { settings: manifest, files } = this;
    const snapshot: Snapshot = FetchedSnapshot.of(
      { source: this.storage.source(without), manifest, files },
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
    const { signal } = options;
    const computed = await source.derive(
      spec.key,
      (passages) => derivedVectors(passages, spec, this.storage.settings, signal),
      signal,
    );
    const { files } = await temporaryColumns(snapshot, spec, options);
    return { files, computed };
  }

  /** Ends questions and writes in progress, and the storage. Later calls throw ERR_CLOSED. */
  close(): Promise<void> {
    this.closed ??= (async () => {
      this.closer.abort();
      await this.questions.close();
      for (const snapshot of [...this.snapshots]) snapshot.release();
      this.files.closeAll();
      await this.storage.close();
    })();
    return this.closed;
  }

  protected manifest(): Manifest {
    return this.settings;
  }

  /** What parts of the storage count as one, with what is set. */
  protected infoOf(parts: readonly PartInfo[]): Omit<StoredCorpusInfo, 'bytes'> {
    const { encoder, pipeline, fields, timeZone } = this.settings;
    const sum = (name: Exclude<keyof PartInfo, 'spans'>): number =>
      parts.reduce((total, part) => total + part[name], 0);
    return {
      passages: sum('passages'),
      rows: sum('rows'),
      sentences: sum('sentences'),
      sentenceRows: hasSentenceRows(this.settings),
      deleted: sum('deleted'),
      encoder,
      pipeline,
      fields: declaredFields(fields),
      timeZone: timeZone ?? 'UTC',
      spans: unionSpans(parts.map(({ spans }) => spans)),
    };
  }

  private viewOf({ where, asRecorded }: ViewOptions): RemoteView {
    recordedTime(this.settings, asRecorded); // refuses it: there is no history
    return where === undefined ? {} : { filter: compileWhere(where, this.settings) };
  }

  /** A transaction that is tried again refuses the same passage again, which is reported once. */
  private writer(onRefused?: AddOptions['onRefused']): PassageWriter {
    const refused = new Set<unknown>();
    const once = (error: AsOfError): void => {
      const { index } = error.details;
      if (!refused.has(index)) onRefused!(error);
      refused.add(index);
    };
    return new PassageWriter(this.storage.settings, this.encoder, onRefused && once);
  }
}

/** Of each passage the vectors of the whole and its sentences. */
async function derivedVectors(
  unordered: readonly PreparedPassage[],
  spec: DerivedColumnSpec,
  settings: RemoteSettings,
  signal: AbortSignal = new AbortController().signal,
): Promise<Map<string, Float32Array[]>> {
  const { native: segment, entry, passages } = await temporarySegment(unordered, settings, signal);
  const stored = { ...entry, segment };
  let column: Segment | undefined;
  try {
    column = await mapTemporaryFile((output) => spec.write(segment, output, [], signal));
    const { dimensions } = settings.encoder;
    const vectorOf = (row: number): Float32Array =>
      column!.read('vectors.f32', row * dimensions, dimensions) as Float32Array;
    return new Map(
      passages.map(({ stored: { id } }, passage) => {
        const [from, to] = sentenceRowsOf(stored, passage);
        const sentences = Array.from({ length: to - from }, (_, at) => from + at);
        return [id, [wholeRowOf(stored, passage), ...sentences].map(vectorOf)];
      }),
    );
  } finally {
    column?.close();
    segment.close();
  }
}
