// A corpus with passages of its own, in a folder or in a database: what commands, servers and
// frameworks ask of it, without knowing which.
import type { Passage, RunOptions, StoredPassage, TimeInput } from '../records.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import type { AddOptions } from './corpusOptions.js';
import type { ListOptions, ListPage } from './views/listing.js';
import type { FieldChanges, Fields } from './fields/types.js';
import type { Where } from './fields/where.js';
import type { StoredCorpusInfo } from './info.js';
import type { SearchableCorpus } from './searchableCorpus.js';
import type { PassageRules, PreparedPassage } from './passages/passages.js';
import type { PassagePatch } from './passages/patch.js';
import { storedVectors } from './views/storedVersion.js';
import type { PassageVersion } from './views/history.js';

/** At once from a folder, a promise where a server is asked: await it. */
type Awaitable<T> = T | Promise<T>;

/** Members of `Corpus` that every kind of corpus has, with the same meaning. */
export interface StoredCorpus extends SearchableCorpus {
  readonly isOpen: boolean;
  readonly readOnly: boolean;
  /** @internal */
  readonly passageRules: PassageRules;
  add(
    passages: Iterable<Passage> | AsyncIterable<Passage>,
    options?: AddOptions,
  ): Promise<{ added: number; replaced: number; unchanged: number }>;
  delete(
    which: Iterable<string> | { where: Where },
    options?: { signal?: AbortSignal | undefined },
  ): Promise<number>;
  update(
    which: Iterable<string> | { where: Where },
    patch: PassagePatch,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<{ updated: number; unchanged: number }>;
  /** Absent where fields stay as the corpus was created with, as in PostgreSQL. */
  readonly alterFields?:
    | ((changes: FieldChanges, options?: { signal?: AbortSignal | undefined }) => Promise<Fields>)
    | undefined;
  get(
    id: string,
    options?: { asRecorded?: TimeInput | undefined },
  ): Awaitable<StoredPassage | undefined>;
  getMany(
    ids: readonly string[],
    options?: { asRecorded?: TimeInput | undefined },
  ): Awaitable<(StoredPassage | undefined)[]>;
  has(id: string): Awaitable<boolean>;
  versions(id: string): Awaitable<PassageVersion[]>;
  count(options?: Pick<ListOptions, 'where' | 'asRecorded' | 'signal'>): Promise<number>;
  list(options?: ListOptions): Promise<ListPage>;
  info(): Awaitable<StoredCorpusInfo>;
  /** Counts what was merged, where the corpus is in segments. */
  compact(options?: RunOptions): Promise<{ merged: number; dropped: number } | void>;
  verify(options?: RunOptions): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Vectors of passages by their ids; undefined of an id that there is none of. */
export async function vectorsOfPassages(
  corpus: SearchableCorpus,
  ids: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  using snapshot = corpus.snapshot();
  await snapshot.remote?.fetchIds(ids);
  return snapshot.findEach(ids).map((place) => place && storedVectors(snapshot, place).vector);
}

/** What is stored of a passage; no vectors of sentences where there is but one. */
export type StoredContent = Pick<PreparedPassage, 'stored' | 'hash' | 'vector' | 'sentenceVectors'>;

/** All passages of a corpus, as one commit or, of a server's, while others write. */
export async function* storedContents(
  corpus: SearchableCorpus,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredContent> {
  using snapshot = corpus.snapshot();
  if (snapshot.remote) {
    yield* snapshot.remote.all(signal);
    return;
  }
  for (const place of snapshot.livePassages()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    yield {
      stored: snapshot.passage(place.segment, place.passage),
      hash: snapshot.hash(place),
      ...storedVectors(snapshot, place),
    };
  }
}
