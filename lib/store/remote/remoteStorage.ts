// What keeps the passages of a corpus that is not in a folder: the interface of storage back ends,
// which a RemoteCorpus makes a corpus of.
import type { PassageFilter } from '../../../binding.js';
import type { StoredPassage } from '../../records.js';
import type { PageRequest } from '../views/listing.js';
import type { PassagePatch } from '../passages/patch.js';
import type { PreparedPassage } from '../passages/passages.js';
import type { AddCounts } from '../writing/writer.js';
import type { PassageWriter } from './passageWriter.js';
import type { RemoteSettings, RemoteSource, RemoteView } from './remoteSource.js';

/** A passage with the value of the order's field, negated where it descends; null without one. */
export interface ListedPassage {
  value: number | null;
  passage: StoredPassage;
}

/**
 * Storage of a corpus: writes and lookups; ranking is a source's. Errors are AsOfErrors:
 * ERR_STORAGE where the system cannot be reached or refuses, ERR_ABORTED on the signal.
 */
export interface RemoteStorage {
  /** Of the corpus, in errors and traces. */
  readonly name: string;
  readonly settings: RemoteSettings;
  /** Reads of all passages; of a question without the parts of those names. */
  source(without?: readonly string[]): RemoteSource;
  /**
   * Writes one batch: what the writer says that it changes, whole, or in parts that a repetition
   * completes.
   */
  add(
    batch: readonly PreparedPassage[],
    writer: PassageWriter,
    signal: AbortSignal | undefined,
  ): Promise<AddCounts>;
  /** Deletes the passages of ids or of a filter. @returns how many there were */
  delete(
    which: readonly string[] | PassageFilter,
    writer: PassageWriter,
    signal: AbortSignal | undefined,
  ): Promise<number>;
  /** Changes the passages of ids or of a filter, as `writer.patched` says, as `add` writes. */
  update(
    which: readonly string[] | PassageFilter,
    patch: PassagePatch,
    writer: PassageWriter,
    signal: AbortSignal | undefined,
  ): Promise<AddCounts>;
  /** Those of the ids that there are, in any order. */
  get(ids: readonly string[], signal: AbortSignal | undefined): Promise<StoredPassage[]>;
  /**
   * The first `limit` passages of the view behind the cursor, in the order: those without a value
   * last, equal ones by id.
   */
  list(
    page: PageRequest,
    view: RemoteView,
    signal: AbortSignal | undefined,
  ): Promise<ListedPassage[]>;
  /** Called once, when nothing runs any more. */
  close(): Promise<void>;
}
