// What systems ask of a corpus, and the snapshot of one question: it is asked again of the rest
// where a part of the corpus goes missing, so that all that it reads is of the same parts.
import type { Segment } from '../../binding.js';
import { AsOfError, invalidArgument } from '../errors.js';
import type { RunOptions } from '../records.js';
import type { Encoder } from '../vectors/encoder.js';
import type { DerivedColumnSpec } from './derived/derivedColumn.js';
import type { QuestionQueue } from './questionQueue.js';
import type { Snapshot } from './views/snapshot.js';

/** What systems ask of a corpus, or of several as one (`joinCorpora`). */
export interface SearchableCorpus {
  readonly encoder: Encoder;
  readonly timeZone: string;
  /** @internal */
  readonly questions: QuestionQueue;
  /** @internal `without`: names of shards to leave out. */
  snapshot(without?: readonly string[]): Snapshot;
  /** @internal */
  derive(
    snapshot: Snapshot,
    spec: DerivedColumnSpec,
    options?: RunOptions,
  ): Promise<{ files: Segment[]; computed: number }>;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT; not by its class: two copies of asof may be loaded */
export function checkCorpus(corpus: Pick<SearchableCorpus, 'snapshot'>): void {
  if (typeof corpus?.snapshot === 'function') return;
  throw invalidArgument('corpus', 'a Corpus', corpus, "Open one: await Corpus.open('wiki.asof').");
}

export async function withSnapshot<Result>(
  corpus: Pick<SearchableCorpus, 'snapshot'>,
  ask: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  for (let without: readonly string[] = []; ; ) {
    using snapshot = corpus.snapshot(without);
    const missing = snapshot.missingShards.length;
    try {
      return await ask(snapshot);
    } catch (error) {
      without = [...snapshot.missingShards];
      const isLost = AsOfError.is(error) && error.code === 'ERR_STORAGE';
      if (!isLost || without.length === missing) throw error;
    }
  }
}

/** The field of a result that says which shards it lacks, if there are any. */
export const missingOf = ({ missingShards }: Snapshot): { missingShards?: string[] | undefined } =>
  missingShards.length === 0 ? {} : { missingShards: [...missingShards] };

/** The field of a result that says that its first stage did not rank all rows of a server. */
export const exactOf = ({ ranksAll }: Snapshot): { exact?: false } =>
  ranksAll === false ? { exact: false } : {};

export const missingText = (shards: readonly string[]): string =>
  `Incomplete: without the passages of ${shards.join(', ')}, which could not be reached.`;
