// An index of OpenSearch as the storage of a corpus.
import type { StoredPassage } from 'asof';
import type { PassageWriter, PreparedPassage, RemoteStorage } from 'asof/kit';
import type { Cluster } from './cluster.js';
import { passageOf, recordOf } from './documents.js';
import { defaultCandidates, type OpenSearchOptions, type Settings } from './options.js';
import { rank, type RankContext } from './rank.js';
import { getDocuments, listPassages, readPassages, scanDocuments } from './read.js';
import { Reader } from './reader.js';
import type { Counts, CorpusView, PageRequest, PassageFilter, Source } from './remoteTypes.js';
import { collectionStatistics, countPassages, countValues, passagesQuery } from './statistics.js';
import { Writes, Written } from './write.js';

type Signal = AbortSignal | undefined;

export class OpenSearchStorage implements RemoteStorage {
  readonly name: string;
  readonly written: Written;

  constructor(
    readonly cluster: Cluster,
    readonly settings: Settings,
    private readonly options: OpenSearchOptions,
  ) {
    this.name = cluster.index;
    this.written = new Written(cluster);
  }

  source(): Source {
    const { allowPartialResults = false, requestTimeoutMs = 30_000 } = this.options;
    // Before the request itself is out of time.
    const partialAfterMs = allowPartialResults ? Math.ceil(0.8 * requestTimeoutMs) : undefined;
    const reader = new Reader(this.cluster, partialAfterMs);
    const { cluster, settings } = this;
    const context = async (view: CorpusView, signal: Signal): Promise<RankContext> => {
      await this.written.refresh(signal);
      return this.#context(reader, view, signal);
    };
    return {
      get missing() {
        return reader.missing;
      },
      all: (view, signal) => this.#all(view, signal),
      count: async (view, signal) => countPassages(await context(view, signal)),
      countValues: async (field, most, view, signal) =>
        countValues(field, most, await context(view, signal)),
      rank: async (plan, view, signal) => rank(plan, await context(view, signal)),
      statistics: async (terms, scope, view, signal) =>
        collectionStatistics(terms, scope, await context(view, signal)),
      read: (ids, signal) => readPassages(cluster, ids, settings, signal),
      // Plans that name one get candidates by the vectors of the rows.
      derive: () => Promise.resolve(0),
    };
  }

  add(batch: readonly PreparedPassage[], writer: PassageWriter, signal: Signal): Promise<Counts> {
    return this.#writes(writer).add(batch, signal);
  }

  update(
    which: readonly string[] | PassageFilter,
    patch: Parameters<RemoteStorage['update']>[1],
    writer: PassageWriter,
    signal: Signal,
  ): Promise<Counts> {
    return this.#writes(writer).update(which, (stored) => writer.patched(stored, patch), signal);
  }

  delete(
    which: readonly string[] | PassageFilter,
    writer: PassageWriter,
    signal: Signal,
  ): Promise<number> {
    return this.#writes(writer).delete(which, signal);
  }

  async get(ids: readonly string[], signal: Signal): Promise<StoredPassage[]> {
    return (await getDocuments(this.cluster, ids, false, signal)).map(recordOf);
  }

  async list(page: PageRequest, view: CorpusView, signal: Signal) {
    await this.written.refresh(signal);
    return listPassages(this.#context(new Reader(this.cluster), view, signal), page);
  }

  close(): Promise<void> {
    return this.cluster.close();
  }

  #context(reader: Reader, view: CorpusView, signal: Signal): RankContext {
    const { candidates = defaultCandidates, exact = false, timeInQuery = true } = this.options;
    return { reader, settings: this.settings, view, candidates, exact, timeInQuery, signal };
  }

  async *#all(view: CorpusView, signal: Signal): AsyncGenerator<PreparedPassage> {
    await this.written.refresh(signal);
    const query = passagesQuery(view, this.settings);
    for await (const batch of scanDocuments(this.cluster, query, ['id', 'stored'], signal))
      for (const each of batch) yield passageOf(each, this.settings);
  }

  #writes(writer: PassageWriter): Writes {
    return new Writes(this.cluster, this.written, writer);
  }
}
