// Options shared by the train commands.
import {
  UsageError,
  countOption,
  option,
  type Invocation,
  type OptionSpec,
  modelChoice,
} from 'asof/command';
import type { CheckpointOptions } from '../../trainingLoop.js';

export const miningOptions: Readonly<Record<string, OptionSpec>> = {
  ...modelChoice.options,
  matching: {
    value: 'M',
    group: 'mining',
    help:
      "negatives: interval (default) outside the question's window, year without a common year, " +
      'none at any time',
  },
  limit: {
    value: 'N',
    group: 'mining',
    help: 'at most N temporal and N general triplets, default 100,000',
  },
  margin: { value: 'X', group: 'mining', help: 'margin of the ranking loss, up to 2, default 1' },
  seed: { value: 'N', group: 'mining', help: 'random seed, default 1' },
  'no-general': {
    group: 'mining',
    help:
      'omit general triplets (title to passage, first sentence to the rest), which prevent ' +
      'forgetting',
  },
};

export const checkpointOptions: Readonly<Record<string, OptionSpec>> = {
  checkpoint: {
    value: 'FILE',
    group: 'checkpoint',
    help: 'state of the training, written periodically and on interruption',
  },
  'checkpoint-every': {
    value: 'N',
    group: 'checkpoint',
    help: 'steps between checkpoints, default 500',
  },
  resume: {
    group: 'checkpoint',
    help: 'continue from the checkpoint, with the same other options',
  },
};

export function checkpointOf(invocation: Invocation): CheckpointOptions | undefined {
  const file = option(invocation, 'checkpoint');
  const everySteps = countOption(invocation, 'checkpoint-every');
  const resume = invocation.flags.has('resume');
  if (file !== undefined) return { file, resume, everySteps };
  if (resume || everySteps !== undefined)
    throw new UsageError('--resume and --checkpoint-every need --checkpoint FILE.');
  return undefined;
}

/** A number in (0, most]. */
export function numberOption(
  invocation: Invocation,
  name: string,
  most: number,
): number | undefined {
  const text = option(invocation, name);
  if (text === undefined) return undefined;
  const value = /^\d*\.?\d+(?:e-?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!(value > 0 && value <= most)) {
    throw new UsageError(
      `--${name} must be a number above 0, up to ${most}, received ${JSON.stringify(text)}.`,
    );
  }
  return value;
}

export function seedOption(invocation: Invocation): number {
  const seed = option(invocation, 'seed') ?? '1';
  if (!/^\d{1,15}$/.test(seed))
    throw new UsageError(`--seed must be a whole number from 0, received ${JSON.stringify(seed)}.`);
  return Number(seed);
}
