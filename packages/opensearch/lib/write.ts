// Upserts, updates and deletions: each document by the version that was read, and again from the
// start where another write came between; those of series under a lease.
import { AsOfError, type StoredPassage } from 'asof';
import { rejectOnAbort, type PassageWriter, type PreparedPassage } from 'asof/kit';
import { bulk, type Operation, type Version } from './bulk.js';
import type { Cluster } from './cluster.js';
import { documentJson, passageOf, recordOf } from './documents.js';
import { filterQuery } from './filter.js';
import {
  chunksOf,
  getDocuments,
  scanDocuments,
  seriesMembers,
  type StoredDocument,
} from './read.js';
import { Reader } from './reader.js';
import type { Counts, PassageFilter, StoredPassages } from './remoteTypes.js';
import { withSeriesLock } from './seriesLock.js';

type Signal = AbortSignal | undefined;

/** Documents of one update or deletion. */
const batchDocuments = 500;
/** Times that a write is tried where others change the same passages. */
const mostTries = 8;

/** What an attempt writes. */
interface Changes {
  fresh: readonly PreparedPassage[];
  /** Ids of passages to delete, unless they are among the fresh ones. */
  gone: readonly string[];
}

/** What this process has written, which searches are to see. */
export class Written {
  #isDirty = false;
  #refreshing: Promise<void> | undefined;
  /** Whether some are of series. */
  hasSeries = false;

  constructor(private readonly cluster: Cluster) {}

  add(): void {
    this.#isDirty = true;
  }

  /** Makes it visible to searches; those that ask meanwhile wait for the same. */
  async refresh(signal: Signal): Promise<void> {
    if (this.#isDirty) {
      this.#isDirty = false;
      const refreshing = this.cluster.refresh(undefined).catch((error: unknown) => {
        this.#isDirty = true;
        throw error;
      });
      this.#refreshing = refreshing;
      const end = (): void => {
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
      };
      void refreshing.then(end, end);
    }
    if (this.#refreshing) await rejectOnAbort(this.#refreshing, signal);
  }
}

/** Writes of one call. */
export class Writes {
  constructor(
    private readonly cluster: Cluster,
    private readonly written: Written,
    private readonly writer: PassageWriter,
  ) {}

  /** Adds passages. @throws AsOfError as PassageWriter.added, ERR_STORAGE */
  async add(batch: readonly PreparedPassage[], signal: Signal): Promise<Counts> {
    const all = batch.map(({ stored }) => stored);
    const ids = all.flatMap(({ id, supersedes }) => [id, ...(supersedes ? [supersedes] : [])]);
    const isOfSeries = all.some(({ series, supersedes }) => series ?? supersedes);
    let rest = batch;
    let first: Counts | undefined;
    const total = { added: 0, replaced: 0, unchanged: 0 };
    await this.#tried(isOfSeries, ids, signal, async (attempt) => {
      const { counts, ...changes } = await this.writer.added(rest, attempt.stored, signal);
      const conflicts = await attempt.write(changes);
      if (attempt.isOfSeries) {
        // The next attempt finds what was written unchanged.
        first ??= counts;
        Object.assign(total, first);
        return conflicts.size === 0;
      }
      add(total, counts);
      for (const id of conflicts)
        total[attempt.versionOf(id) === undefined ? 'added' : 'replaced'] -= 1;
      rest = rest.filter(({ stored }) => conflicts.has(stored.id));
      return conflicts.size === 0;
    });
    return total;
  }

  /** Changes passages of ids or of a filter. @returns of those `replaced` and `unchanged` */
  async update(
    which: readonly string[] | PassageFilter,
    changed: (stored: readonly PreparedPassage[]) => PreparedPassage[],
    signal: Signal,
  ): Promise<Counts> {
    const total = { added: 0, replaced: 0, unchanged: 0 };
    for await (const ids of this.#batches(which, signal)) {
      let rest = ids;
      await this.#tried(false, ids, signal, async (attempt) => {
        const next = changed(await attempt.read(rest));
        if (!attempt.isOfSeries && next.some(({ stored }) => stored.series !== undefined))
          return 'needs the lease';
        const { counts, ...changes } = await this.writer.added(next, attempt.stored, signal);
        const conflicts = await attempt.write(changes);
        add(total, counts);
        total.replaced -= conflicts.size;
        rest = rest.filter((id) => conflicts.has(id));
        return conflicts.size === 0;
      });
    }
    return total;
  }

  /** Deletes passages of ids or of a filter. @returns how many there were */
  async delete(which: readonly string[] | PassageFilter, signal: Signal): Promise<number> {
    let deleted = 0;
    for await (const ids of this.#batches(which, signal)) {
      let rest = ids;
      await this.#tried(false, ids, signal, async (attempt) => {
        const found = await attempt.find(rest);
        const members = found.filter(({ series }) => series !== undefined).map(({ id }) => id);
        const { fresh, gone } = attempt.isOfSeries
          ? await this.writer.reopened(members, attempt.stored, signal)
          : { fresh: [], gone: [] };
        const doomed = found.map(({ id }) => id);
        const conflicts = await attempt.write({ fresh, gone: [...gone, ...doomed] });
        deleted += doomed.filter((id) => !conflicts.has(id)).length;
        rest = rest.filter((id) => conflicts.has(id));
        return conflicts.size === 0;
      });
    }
    return deleted;
  }

  /** Attempts until one says that it is done, each with what it reads anew. */
  async #tried(
    isNamed: boolean,
    ids: readonly string[],
    signal: Signal,
    work: (attempt: Attempt) => Promise<boolean | 'needs the lease'>,
  ): Promise<void> {
    let isOfSeries = isNamed;
    for (let tries = 0; tries < mostTries; tries += 1) {
      if (isOfSeries || (await this.#hasSeries(ids, signal))) {
        this.written.hasSeries = true;
        const isDone = await withSeriesLock(this.cluster, signal, async (extend) => {
          await this.cluster.refresh(signal);
          return work(
            new Attempt(this.cluster, this.writer, signal, { written: this.written, extend }),
          );
        });
        if (isDone === true) return;
      } else {
        const end = await work(
          new Attempt(this.cluster, this.writer, signal, { written: this.written }),
        );
        if (end === true) return;
        isOfSeries = end === 'needs the lease';
      }
    }
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to write to the ${this.cluster.name}, other writers changed the same passages ` +
        'again and again. Write passages of an id from one process at a time.',
    );
  }

  /** Whether passages of the ids are of series, or series have them for names. */
  async #hasSeries(ids: readonly string[], signal: Signal): Promise<boolean> {
    if (this.written.hasSeries) await this.written.refresh(signal);
    const found = await getDocuments(this.cluster, ids, false, signal);
    if (found.some((each) => recordOf(each).series !== undefined)) return true;
    const members = await seriesMembers(new Reader(this.cluster), ids, signal, 1);
    return members.length > 0;
  }

  async *#batches(
    which: readonly string[] | PassageFilter,
    signal: Signal,
  ): AsyncGenerator<readonly string[]> {
    if (!('kind' in which)) {
      yield* chunksOf([...new Set(which)], batchDocuments);
      return;
    }
    await this.written.refresh(signal);
    const query = filterQuery(which, this.writer.settings.fields);
    for await (const found of scanDocuments(this.cluster, query, ['id'], signal))
      yield found.map(({ id }) => id);
  }
}

/** One attempt at a write: what it has read, and the operations that hold for that alone. */
class Attempt {
  readonly #versions = new Map<string, Version>();
  readonly stored: StoredPassages;
  readonly isOfSeries: boolean;

  constructor(
    private readonly cluster: Cluster,
    private readonly writer: PassageWriter,
    private readonly signal: Signal,
    private readonly of: { written: Written; extend?: () => Promise<void> },
  ) {
    this.isOfSeries = of.extend !== undefined;
    this.stored = {
      versions: (batch) => this.#versionsOf(batch),
      hasSeries: () => Promise.resolve(this.isOfSeries),
      withSeries: (ids, names) => this.#withSeries(ids, names),
    };
  }

  versionOf(id: string): Version {
    return this.#versions.get(id);
  }

  /** Passages of the ids, with their vectors. */
  async read(ids: readonly string[]): Promise<PreparedPassage[]> {
    const found = await this.#get(ids, true);
    return found.map((each) => passageOf(each, this.writer.settings));
  }

  /** Stored passages of the ids. */
  async find(ids: readonly string[]): Promise<StoredPassage[]> {
    return (await this.#get(ids, false)).map(recordOf);
  }

  /** @returns ids of passages that others changed meanwhile */
  async write({ fresh, gone }: Changes): Promise<Set<string>> {
    const indexed = await this.writer.index(fresh, this.signal);
    const written = new Set(fresh.map(({ stored }) => stored.id));
    const recorded = Date.now();
    const operations: Operation[] = [
      ...[...new Set(gone)]
        .filter((id) => !written.has(id))
        .map((id) => ({ id, version: this.#versions.get(id) })),
      ...indexed.map((each) => {
        const { id } = each.passage.stored;
        const body = documentJson(each, this.writer.settings, recorded);
        return { id, version: this.#versions.get(id), body };
      }),
    ];
    if (operations.length === 0) return new Set();
    await this.of.extend?.();
    try {
      return await bulk(this.cluster, operations, this.signal);
    } finally {
      this.of.written.add(); // at its end: a refresh meanwhile shows but a part
    }
  }

  async #get(ids: readonly string[], withVectors: boolean): Promise<StoredDocument[]> {
    const found = await getDocuments(this.cluster, ids, withVectors, this.signal);
    for (const { id, seq, term } of found) this.#versions.set(id, { seq, term });
    return found;
  }

  async #versionsOf(batch: readonly PreparedPassage[]) {
    const ids = batch.map(({ stored }) => stored.id);
    const brings = new Set(batch.flatMap(({ stored, vector }) => (vector ? [stored.id] : [])));
    const plain = await this.#get(
      ids.filter((id) => !brings.has(id)),
      false,
    );
    const full = await this.#get([...brings], true);
    type Known = Pick<PreparedPassage, 'hash' | 'vector' | 'sentenceVectors'>;
    return new Map<string, Known>([
      ...plain.map(({ id, stored }) => [id, { hash: Buffer.from(stored.hash, 'base64') }] as const),
      ...full.map((each) => [each.id, passageOf(each, this.writer.settings)] as const),
    ]);
  }

  /** Searches see all writes of before, since the index was refreshed under the lease. */
  async #withSeries(ids: readonly string[], names: readonly string[]): Promise<PreparedPassage[]> {
    const all = new Set([...names]);
    const known = new Map<string, PreparedPassage>();
    for (let sought: readonly string[] = ids; ; ) {
      const found = await this.read(sought.filter((id) => !known.has(id)));
      for (const passage of found) {
        known.set(passage.stored.id, passage);
        if (passage.stored.series !== undefined) all.add(passage.stored.series);
      }
      const members = await seriesMembers(new Reader(this.cluster), [...all], this.signal);
      sought = members.filter((id) => !known.has(id));
      if (sought.length === 0) return [...known.values()];
    }
  }
}

function add(total: Counts, counts: Counts): void {
  total.added += counts.added;
  total.replaced += counts.replaced;
  total.unchanged += counts.unchanged;
}
