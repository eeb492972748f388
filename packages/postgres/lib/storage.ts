// The shards of a corpus as one storage: what each of them is asked, and their answers together.
import type { StoredPassage } from 'asof';
import type { PassageWriter, PreparedPassage, RemoteStorage } from 'asof/kit';
import { completeColumn } from './derivedVectors.js';
import { checkStorable } from './layout.js';
import { allPassages, listPassages } from './listing.js';
import { candidatesOf, defaultSchema, type PostgresOptions } from './options.js';
import type { PlanContext } from './querySql.js';
import { rank } from './rank.js';
import { getRecords, readPassages } from './read.js';
import type { CorpusView, PageRequest, PassageFilter, RemoteSource } from './remoteTypes.js';
import type { CorpusSettings } from './schema.js';
import type { Shard } from './connection.js';
import type { QuestionShards, Shards } from './shards.js';
import { collectionStatistics, countPassages, countValues } from './statistics.js';
import { addPassages, deletePassages, updatePassages } from './write.js';

export class PostgresStorage implements RemoteStorage {
  readonly name: string;
  readonly settings: CorpusSettings;
  private readonly candidates: number | undefined;

  constructor(
    readonly shards: Shards,
    options: PostgresOptions,
  ) {
    this.name = options.schema ?? defaultSchema;
    this.settings = shards.settings;
    this.candidates = candidatesOf(options);
  }

  source(without?: readonly string[]): RemoteSource {
    const shards = without ? this.shards.ofQuestion(without) : this.shards.whole();
    const context = (view: CorpusView, signal?: AbortSignal): PlanContext =>
      this.context(shards, view, signal);
    return {
      get missing() {
        return shards.missing;
      },
      all: (view, signal) => this.all(view, signal),
      count: (view, signal) => countPassages(context(view, signal)),
      countValues: (field, most, view, signal) => countValues(context(view, signal), field, most),
      rank: (plan, view, signal) => rank(plan, context(view, signal)),
      statistics: (terms, scope, view, signal) =>
        collectionStatistics(context(view, signal), terms, scope),
      read: (ids, signal) => shards.readIds(ids, readPassages, ({ stored }) => stored.id, signal),
      derive: async (...column) =>
        total(await shards.onAll((shard) => completeColumn(shard, ...column))),
    };
  }

  async add(
    batch: readonly PreparedPassage[],
    writer: PassageWriter,
    signal: AbortSignal | undefined,
  ) {
    for (const passage of batch) checkStorable(passage, this.settings);
    const homes = await this.shards.homesOf(batch, signal);
    const counts = await this.shards.onHomes(
      batch,
      ({ stored }) => homes.get(stored.id)!,
      (shard, own) => addPassages(shard, own, writer, signal),
    );
    return totals(counts);
  }

  async update(
    which: readonly string[] | PassageFilter,
    patch: Parameters<RemoteStorage['update']>[1],
    writer: PassageWriter,
    signal: AbortSignal | undefined,
  ) {
    const update = (shard: Shard, own: readonly string[] | PassageFilter) => {
      const changed = (stored: readonly PreparedPassage[]): PreparedPassage[] => {
        const patched = writer.patched(stored, patch);
        for (const passage of patched) {
          checkStorable(passage, this.settings);
          this.shards.checkStays(passage.stored, shard);
        }
        return patched;
      };
      return updatePassages(shard, own, changed, writer, signal);
    };
    return totals(
      await ('kind' in which
        ? this.shards.onAll((shard) => update(shard, which))
        : this.shards.onIds(which, update)),
    );
  }

  async delete(
    which: readonly string[] | PassageFilter,
    writer: PassageWriter,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    return total(
      await ('kind' in which
        ? this.shards.onAll((shard) => deletePassages(shard, which, writer, signal))
        : this.shards.onIds(which, (shard, own) => deletePassages(shard, own, writer, signal))),
    );
  }

  get(ids: readonly string[], signal: AbortSignal | undefined): Promise<StoredPassage[]> {
    return this.shards.whole().readIds(ids, getRecords, ({ id }) => id, signal);
  }

  list(page: PageRequest, view: CorpusView, signal: AbortSignal | undefined) {
    return listPassages(this.context(this.shards.whole(), view, signal), page);
  }

  close(): Promise<void> {
    return this.shards.close();
  }

  private async *all(
    view: CorpusView,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PreparedPassage> {
    const { fields } = this.settings;
    for (const shard of this.shards.all) yield* allPassages(shard, { view, fields }, signal);
  }

  private context(
    shards: QuestionShards,
    view: CorpusView,
    signal: AbortSignal | undefined,
  ): PlanContext {
    return {
      fields: this.settings.fields,
      view,
      candidates: this.candidates,
      onShards: shards.reader(signal, view.filter),
      onEveryShard: shards.reader(signal),
    };
  }
}

export const total = (counts: readonly number[]): number =>
  counts.reduce((sum, each) => sum + each, 0);

const totals = <Counts extends { added: number; replaced: number; unchanged: number }>(
  each: readonly Counts[],
) => ({
  added: total(each.map(({ added }) => added)),
  replaced: total(each.map(({ replaced }) => replaced)),
  unchanged: total(each.map(({ unchanged }) => unchanged)),
});
