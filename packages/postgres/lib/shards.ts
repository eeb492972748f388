// Shards of a corpus: work on those that it concerns, and the ones that cannot be reached.
import type { PreparedPassage } from 'asof/kit';
import { AsOfError, type StoredPassage } from 'asof';
import { Shard, type Session } from './connection.js';
import { checkSame, defaultSchema, type PostgresOptions } from './options.js';
import type { OnShards } from './querySql.js';
import type { PassageFilter } from './remoteTypes.js';
import { Routing } from './routing.js';
import { openSchema, type CorpusSettings } from './schema.js';
import { isUnreachable } from './serverErrors.js';
import { storableIds } from './sql.js';

/** Longest check of whether a shard can be reached again. */
const checkTimeoutMs = 10_000;

export class Shards {
  readonly #closer = new AbortController();
  /** Those that questions leave out until they answer again. */
  readonly #down: Set<Shard>;
  readonly #checking = new Set<Shard>();
  readonly routing: Routing;

  private constructor(
    readonly all: readonly Shard[],
    readonly settings: CorpusSettings,
    private readonly options: PostgresOptions,
    down: readonly Shard[],
  ) {
    this.#down = new Set(down);
    this.routing = new Routing(settings, all.length);
  }

  /**
   * Connects to the shards of a corpus, or creates an empty one on them as `wanted`. With
   * `allowPartialResults` some may be out of reach, but not of a new corpus.
   * @throws AsOfError as PostgresCorpus.connect
   */
  static async open(options: PostgresOptions, wanted: CorpusSettings): Promise<Shards> {
    const { shards: urls, schema = defaultSchema, readOnly = false, signal } = options;
    const { create = !readOnly, poolSize, statementTimeoutMs, allowPartialResults } = options;
    const all = urls.map(
      (url, index) => new Shard({ url, schema, poolSize, statementTimeoutMs }, index),
    );
    try {
      const down = allowPartialResults ? await unreachable(all, signal) : [];
      // A field to shard by is declared where the corpus is created.
      const isDeclared = options.shardBy === undefined || options.fields !== undefined;
      const created = create && !readOnly && isDeclared && down.length === 0 ? wanted : undefined;
      const opened = new Map<number, CorpusSettings>();
      for (const shard of all)
        if (!down.includes(shard))
          opened.set(shard.index, await openSchema(shard, { created, shards: all.length }, signal));
      checkSame(opened, wanted, options);
      const [settings] = opened.values();
      return new Shards(all, settings!, options, down);
    } catch (error) {
      await Promise.all(all.map((shard) => shard.close()));
      throw error;
    }
  }

  /** Runs work on every shard. */
  onAll<Result>(work: (shard: Shard) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.all.map(work));
  }

  /**
   * Runs work on each shard that has some of the items, with those. It ends when all have; where
   * one fails the error says which others are done.
   */
  async onHomes<Item, Result>(
    items: readonly Item[],
    homeOf: (item: Item) => number,
    work: (shard: Shard, own: Item[]) => Promise<Result>,
  ): Promise<Result[]> {
    const parts = grouped(items, (item) => this.all[homeOf(item)]!);
    // What another shard still wrote would undo the next call.
    const ends = await Promise.allSettled(
      Array.from(parts, async ([shard, own]) => work(shard, own)),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (!failed) return ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
    const done = [...parts.keys()].filter((_, at) => ends[at]!.status === 'fulfilled');
    throw partlyDone(failed.reason, done);
  }

  /** Runs work on each shard, since each may have some of the ids, as `onHomes`. */
  onIds<Result>(
    ids: readonly string[],
    work: (shard: Shard, own: string[]) => Promise<Result>,
  ): Promise<Result[]> {
    const storable = storableIds(ids);
    const each = this.all.flatMap(({ index }) => storable.map((id) => ({ id, index })));
    return this.onHomes(
      each,
      ({ index }) => index,
      (shard, own) =>
        work(
          shard,
          own.map(({ id }) => id),
        ),
    );
  }

  /**
   * Numbers of the shards that passages are to be on, by id. One that is on another shard is
   * refused, since it would be on both for a time.
   * @throws AsOfError ERR_INVALID_ARGUMENT
   */
  async homesOf(
    passages: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, number>> {
    const stored = passages.map((each) => each.stored);
    const ids = stored.flatMap(({ id, supersedes }) => [id, ...(supersedes ? [supersedes] : [])]);
    const homes = await this.#placesOf([...new Set(ids)], signal);
    for (const passage of stored) {
      const { id, supersedes } = passage;
      const own = this.routing.ofPassage(passage);
      const before = homes.get(id);
      const target = supersedes === undefined ? undefined : homes.get(supersedes);
      const home = own ?? before ?? target ?? this.routing.ofId(id);
      if (before !== undefined && before !== home) throw this.#moved(id, before);
      if (target !== undefined && target !== home) throw this.#moved(supersedes!, target);
      homes.set(id, home);
    }
    return homes;
  }

  /** @throws AsOfError ERR_INVALID_ARGUMENT for a passage that belongs on another shard */
  checkStays(passage: StoredPassage, { index }: Shard): void {
    const home = this.routing.ofPassage(passage);
    if (home !== undefined && home !== index) throw this.#moved(passage.id, index);
  }

  async #placesOf(
    ids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Map<string, number>> {
    const places = new Map<string, number>();
    if (this.all.length === 1) return places;
    await this.onAll(async (shard) => {
      const found = await shard.read(signal, (session) =>
        session.query<{ id: string }>('select id from passages where id = any($1)', [ids]),
      );
      for (const { id } of found) places.set(id, shard.index);
    });
    return places;
  }

  #moved(id: string, place: number): AsOfError {
    const { name } = this.all[place]!;
    const { shardBy } = this.settings;
    const field = shardBy === undefined ? '' : ` and the same ${shardBy}`;
    return new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected the passage ${JSON.stringify(id)} to stay on ${name}, with what it supersedes ` +
        `in the same series${field}, received another. Delete it first.`,
      { details: { argument: 'passages', id, shard: name } },
    );
  }

  /** Those that a call is to ask which has no result without any of them. */
  whole(): QuestionShards {
    return new QuestionShards(this, this.all, () => false);
  }

  /** Those that a question is to ask, without some by name. */
  ofQuestion(without: readonly string[]): QuestionShards {
    for (const shard of this.#down) this.#check(shard);
    const wanted = this.all.filter(({ name }) => !without.includes(name));
    const live = wanted.filter((shard) => !this.#down.has(shard));
    const asked = live.length > 0 ? live : wanted;
    const { allowPartialResults = false } = this.options;
    return new QuestionShards(this, asked, (shard) => {
      if (allowPartialResults) this.#down.add(shard);
      return allowPartialResults;
    });
  }

  async close(): Promise<void> {
    this.#closer.abort();
    await this.onAll((shard) => shard.close());
  }

  /** Takes a shard in again if it answers and is of this corpus. */
  #check(shard: Shard): void {
    if (this.#checking.has(shard)) return;
    this.#checking.add(shard);
    const signal = AbortSignal.any([this.#closer.signal, AbortSignal.timeout(checkTimeoutMs)]);
    void openSchema(shard, { shards: this.all.length }, signal)
      .then((found) => {
        const both = [
          [-1, this.settings],
          [shard.index, found],
        ] as const;
        checkSame(new Map(both), this.settings, { shards: [] });
        this.#down.delete(shard);
      })
      .catch(() => {})
      .finally(() => this.#checking.delete(shard));
  }
}

/** The shards that one question asks, the same in all of its rounds. */
export class QuestionShards {
  readonly #missing: Shard[];

  /** `onLost` says whether a shard may be omitted. */
  constructor(
    private readonly shards: Shards,
    private readonly live: readonly Shard[],
    private readonly onLost: (shard: Shard) => boolean,
  ) {
    this.#missing = shards.all.filter((shard) => !live.includes(shard));
  }

  /** Names of those that it lacks; once one fails, the question is to be asked again without it. */
  get missing(): string[] {
    return this.#missing.map(({ name }) => name);
  }

  /** Reads all, or those with the passages that can pass a filter. */
  reader(signal: AbortSignal | undefined, filter?: PassageFilter): OnShards {
    const numbers = this.shards.routing.ofFilter(filter);
    const some = this.live.filter(({ index }) => numbers?.has(index) ?? true);
    const asked = some.length > 0 ? some : this.live;
    return (work) =>
      Promise.all(
        asked.map((shard, at) =>
          this.#noticing(shard, () => shard.read(signal, (session) => work(session, at))),
        ),
      );
  }

  /** Runs work on all of them. */
  onAll<Result>(work: (shard: Shard) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.live.map((shard) => this.#noticing(shard, () => work(shard))));
  }

  /** What there is of ids: where they are by id, then on the others. */
  async readIds<Found>(
    ids: readonly string[],
    read: (session: Session, ids: readonly string[]) => Promise<Found[]>,
    idOf: (found: Found) => string,
    signal: AbortSignal | undefined,
  ): Promise<Found[]> {
    const { routing } = this.shards;
    const readEach = async (idsOn: (shard: Shard) => string[]): Promise<Found[]> => {
      const found = await Promise.all(
        this.live.map(async (shard) => {
          const own = idsOn(shard);
          if (own.length === 0) return [];
          return this.#noticing(shard, () => shard.read(signal, (session) => read(session, own)));
        }),
      );
      return found.flat();
    };
    const homes = new Map(storableIds(ids).map((id) => [id, routing.ofId(id)]));
    const sought = [...homes.keys()];
    const found = await readEach(({ index }) => sought.filter((id) => homes.get(id) === index));
    if (this.live.length === 1 || found.length === sought.length) return found;
    const known = new Set(found.map(idOf));
    const absent = sought.filter((id) => !known.has(id));
    const others = await readEach(({ index }) => absent.filter((id) => homes.get(id) !== index));
    return [...found, ...others];
  }

  async #noticing<Result>(shard: Shard, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const isLast = this.live.every((each) => each === shard || this.#missing.includes(each));
      if (isUnreachable(error) && !isLast && this.onLost(shard)) this.#missing.push(shard);
      throw error;
    }
  }
}

/** Those that cannot be reached. @throws what is wrong otherwise, and where none can */
async function unreachable(
  shards: readonly Shard[],
  signal: AbortSignal | undefined,
): Promise<Shard[]> {
  const lost: Shard[] = [];
  await Promise.all(
    shards.map((shard) =>
      shard
        .read(signal, (session) => session.query('select'))
        .catch((error: unknown) => {
          if (!isUnreachable(error) || lost.push(shard) === shards.length) throw error;
        }),
    ),
  );
  return lost;
}

function partlyDone(error: unknown, done: readonly Shard[]): unknown {
  if (!AsOfError.is(error) || done.length === 0) return error;
  const names = done.map(({ name }) => name);
  return new AsOfError(
    error.code,
    `${error.message} Of this batch ${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} ` +
      'its part, and batches before it are complete: repeat the call, which completes it.',
    { cause: error.cause, details: { ...error.details, done: names } },
  );
}

function grouped<Item>(items: readonly Item[], shardOf: (item: Item) => Shard): Map<Shard, Item[]> {
  const groups = new Map<Shard, Item[]>();
  for (const item of items) {
    const shard = shardOf(item);
    const group = groups.get(shard);
    if (group) group.push(item);
    else groups.set(shard, [item]);
  }
  return groups;
}
