// Option --split of the commands that read TEMPO's data.
import type { TempoSplit } from '../../tempo/folder.js';
import { UsageError, option, type Command, type Invocation, type OptionSpec } from 'asof/command';
import { suggestion } from 'asof/kit';

// Not the library's list, which help would load.
const splits = ['train', 'dev', 'validation', 'test'] as const satisfies readonly TempoSplit[];

export const splitOption: OptionSpec = {
  type: 'string',
  value: 'S',
  help:
    `of a folder with several splits: ${splits.join(', ')}; default all. Queries of test ` +
    'may lack gold documents',
};

/** @throws UsageError for an unknown split. */
export function splitOf(invocation: Invocation, { name }: Command): { split?: TempoSplit } {
  const split = option(invocation, 'split');
  if (split === undefined) return {};
  if (!(splits as readonly string[]).includes(split))
    throw new UsageError(
      `--split takes ${splits.join(', ')}, received ${JSON.stringify(split)}.` +
        suggestion(split, splits),
      name,
    );
  return { split: split as TempoSplit };
}
