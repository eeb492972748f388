// Snapshot of a corpus whose rows are elsewhere: what a plan can rank is fetched into segments in
// temporary files, over which every stage runs as over those of a folder.
import {
  type PassageFilter,
  type Manifest,
  type OpenSegments,
  type PreparedPassage,
  type CollectionStatistics,
  type PlanStatistics,
  type RemoteRows,
  type ScorePlan,
  type Scope,
  Snapshot,
} from 'asof/kit';
import { temporarySegment } from './temporarySegment.js';

/** The passages that a question sees. Default: all. */
export interface RemoteView {
  filter?: PassageFilter;
  /** Whether BM25's statistics count those alone that pass the filter. Default false. */
  countsPassing?: boolean;
  ids?: readonly string[];
  /** As recorded at this time, in UTC epoch milliseconds. */
  recordedAt?: number;
}

/** Where the rows are. */
export interface RemoteSource {
  /** Names of shards that it lacks, more of them once one fails. */
  readonly missing?: readonly string[] | undefined;
  /** Passages in the view. */
  count(view: RemoteView, signal?: AbortSignal): Promise<number>;
  /** Ids of passages with the rows that can be among the plan's results, and of others. */
  rank(
    plan: ScorePlan,
    view: RemoteView,
    signal?: AbortSignal,
  ): Promise<{ ids: readonly string[]; statistics: PlanStatistics }>;
  statistics(
    terms: readonly string[],
    scope: Scope,
    view: RemoteView,
    signal?: AbortSignal,
  ): Promise<CollectionStatistics>;
  /** All passages of the view. */
  all(view: RemoteView, signal?: AbortSignal): AsyncIterable<PreparedPassage>;
  /** Passages with their vectors and content times; those that are gone are not among them. */
  read(ids: readonly string[], signal?: AbortSignal): Promise<PreparedPassage[]>;
}

/** What the views of one question share. */
interface Fetched {
  source: RemoteSource;
  manifest: Manifest;
  files: OpenSegments;
  /** By id of each passage that was asked for: stages that run at a time may want the same. */
  reads: Map<string, Promise<void>>;
}

export class FetchedSnapshot extends Snapshot {
  private constructor(
    private readonly fetched: Fetched,
    onRelease: () => void,
    private readonly view: RemoteView = {},
  ) {
    const { manifest, files } = fetched;
    super({ ...manifest, segments: [] }, { files, opened: [] }, onRelease);
  }

  static of(corpus: Omit<Fetched, 'reads'>, onRelease: () => void): FetchedSnapshot {
    return new FetchedSnapshot({ ...corpus, reads: new Map() }, onRelease);
  }

  get source(): RemoteSource {
    return this.fetched.source;
  }

  override get missingShards(): readonly string[] {
    return this.source.missing ?? [];
  }

  override get remote(): RemoteRows {
    const { source } = this;
    return {
      count: (signal) => source.count(this.view, signal),
      fetch: async (plan, signal) => {
        const { ids, statistics } = await source.rank(plan, this.view, signal);
        await this.fetchIds(ids, signal);
        return statistics;
      },
      statistics: (terms, scope, signal) => source.statistics(terms, scope, this.view, signal),
      all: (signal) => source.all(this.view, signal),
      fetchIds: (ids, signal) => this.fetchIds(ids, signal),
    };
  }

  override filteredBy(
    filter: PassageFilter,
    { countsPassing = false }: { countsPassing?: boolean },
  ): Promise<Snapshot> {
    return Promise.resolve(this.ofView({ filter, countsPassing }));
  }

  override restrictedToIds(ids: readonly string[]): Snapshot {
    return this.ofView({ ids });
  }

  override asRecordedAt(time: number): Promise<Snapshot> {
    return Promise.resolve(this.ofView({ recordedAt: time }));
  }

  /** This question's view of fewer passages; none has been fetched yet. */
  private ofView(more: RemoteView): Snapshot {
    return Object.create(this, {
      view: { value: { ...this.view, ...more } },
      release: { value: () => {} },
    }) as Snapshot; // inherits all else
  }

  private async fetchIds(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const { reads } = this.fetched;
    const wanted = [...new Set(ids)].filter((id) => !reads.has(id));
    if (wanted.length > 0) {
      const read = this.read(wanted, signal);
      for (const id of wanted) reads.set(id, read);
    }
    await Promise.all(new Set(ids.map((id) => reads.get(id)!)));
  }

  private async read(ids: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const { source, reads } = this.fetched;
    try {
      const passages = await source.read(ids, signal);
      if (passages.length > 0) await this.append(passages, signal);
    } catch (error) {
      for (const id of ids) reads.delete(id);
      throw error;
    }
  }

  /** Appends a segment of passages. */
  private async append(
    passages: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { manifest } = this.fetched;
    const { native, entry } = await temporarySegment(passages, manifest, signal);
    this.addSegment(native, entry);
  }
}
