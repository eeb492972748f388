// Triplets mined from a corpus by the options of the train commands.
import type { Corpus, TextModel } from 'asof';
import { mineGeneralTriplets } from '../../mining/general.js';
import { mineTriplets, matchings, type MiningOptions } from '../../mining/temporal.js';
import type { Split, Triplet } from '../../mining/triplets.js';
import { countOption, type Invocation, wordOption } from 'asof/command';
import { numberOption, seedOption } from '../options/trainOptions.js';

/** Checks the options now; the generator mines when it is read. */
export function minedTriplets(
  invocation: Invocation,
  split?: Split,
): (corpus: Corpus, by: { model?: TextModel }) => AsyncGenerator<Triplet> {
  const { signal, terminal, flags } = invocation;
  const matching = wordOption(invocation, 'matching', matchings) ?? 'interval';
  const limit = countOption(invocation, 'limit');
  const margin = numberOption(invocation, 'margin', 2);
  const common: MiningOptions = {
    signal,
    seed: seedOption(invocation),
    limit,
    margin,
    split,
  };
  return async function* (corpus, by) {
    const bar = terminal.progress('mining', 'passages');
    try {
      let temporal = 0;
      for await (const triplet of mineTriplets(corpus, {
        ...common,
        ...by,
        matching,
        onProgress: bar.update,
      })) {
        temporal += 1;
        yield triplet;
      }
      if (flags.has('no-general') || temporal === 0) return;
      yield* mineGeneralTriplets(corpus, {
        ...common,
        limit: Math.min(temporal, limit ?? Infinity),
        onProgress: bar.update,
      });
    } finally {
      bar.end();
    }
  };
}
