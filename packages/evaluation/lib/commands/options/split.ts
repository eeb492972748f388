// Option --split of the commands that read TEMPO's data.
import type { TempoSplit } from '../../tempo/folder.js';
import { type Invocation, type OptionSpec, wordOption } from 'asof/command';

// Not the library's list, which help would load.
const splits = ['train', 'dev', 'validation', 'test'] as const satisfies readonly TempoSplit[];

export const splitOption: OptionSpec = {
  value: 'S',
  help:
    `of a folder with several splits: ${splits.join(', ')}; default all. Queries of test ` +
    'may lack gold documents',
};

/** @throws UsageError for an unknown split. */
export function splitOf(invocation: Invocation): { split?: TempoSplit } {
  const split = wordOption(invocation, 'split', splits);
  return split === undefined ? {} : { split };
}
