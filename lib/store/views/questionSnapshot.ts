// Snapshot of one question, which is asked again of the rest where a part of the corpus goes
// missing meanwhile: all that it reads is then of the same parts.
import { AsOfError } from '../../errors.js';
import type { SearchableCorpus } from '../joinedCorpora.js';
import type { Snapshot } from './snapshot.js';

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

export const missingText = (shards: readonly string[]): string =>
  `Incomplete: without the passages of ${shards.join(', ')}, which could not be reached.`;
