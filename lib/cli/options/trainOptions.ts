// Options shared by the train commands; mining of triplets.
import type { Corpus } from '../../store/corpus.js';
import type { TextModel } from '../../text/textModel.js';
import { mineGeneralTriplets } from '../../train/mining/general.js';
import { mineTriplets, type Matching, type MiningOptions } from '../../train/mining/temporal.js';
import type { Split, Triplet } from '../../train/mining/triplets.js';
import {
  UsageError,
  countOption,
  option,
  type Command,
  type Invocation,
  type OptionSpec,
} from '../command.js';
import { modelOptions } from './model.js';

export const miningOptions: Readonly<Record<string, OptionSpec>> = {
  ...modelOptions,
  matching: {
    type: 'string',
    value: 'M',
    group: 'mining',
    help:
      "negatives: interval (default) outside the question's window, year without a common year, " +
      'none at any time',
  },
  limit: {
    type: 'string',
    value: 'N',
    group: 'mining',
    help: 'at most N temporal and N general triplets, default 100,000',
  },
  margin: {
    type: 'string',
    value: 'X',
    group: 'mining',
    help: 'margin of the ranking loss, up to 2, default 1',
  },
  seed: { type: 'string', value: 'N', group: 'mining', help: 'random seed, default 1' },
  'no-general': {
    type: 'boolean',
    group: 'mining',
    help:
      'omit general triplets (title to passage, first sentence to the rest), which prevent ' +
      'forgetting',
  },
};

/** A number in (0, most]. */
export function numberOption(
  invocation: Invocation,
  command: Command,
  name: string,
  most: number,
): number | undefined {
  const given = option(invocation, name);
  if (given === undefined) return undefined;
  const value = /^\d*\.?\d+(?:e-?\d+)?$/i.test(given) ? Number(given) : NaN;
  if (!(value > 0 && value <= most)) {
    throw new UsageError(
      `--${name} must be a number above 0, up to ${most}, received ${JSON.stringify(given)}.`,
      command.name,
    );
  }
  return value;
}

export function seedOption(invocation: Invocation, command: Command): number {
  const seed = option(invocation, 'seed') ?? '1';
  if (!/^\d{1,15}$/.test(seed))
    throw new UsageError(
      `--seed must be a whole number from 0, received ${JSON.stringify(seed)}.`,
      command.name,
    );
  return Number(seed);
}

/** Checks the options now; the generator mines when it is read. */
export function minedTriplets(
  invocation: Invocation,
  command: Command,
  split?: Split,
): (corpus: Corpus, by: { model?: TextModel }) => AsyncGenerator<Triplet> {
  const { signal, terminal, flags } = invocation;
  const matching = (option(invocation, 'matching') ?? 'interval') as Matching;
  if (!['interval', 'year', 'none'].includes(matching)) {
    throw new UsageError(
      `--matching must be interval, year or none, received ${JSON.stringify(matching)}.`,
      command.name,
    );
  }
  const limit = countOption(invocation, command, 'limit');
  const margin = numberOption(invocation, command, 'margin', 2);
  const common: MiningOptions = {
    signal,
    seed: seedOption(invocation, command),
    ...(limit === undefined ? {} : { limit }),
    ...(margin === undefined ? {} : { margin }),
    ...(split === undefined ? {} : { split }),
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
