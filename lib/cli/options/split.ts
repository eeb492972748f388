// Option --split of the commands that read TEMPO's data.
import { tempoSplits, type TempoSplit } from '../../eval/tempo/folder.js';
import { UsageError, option, type Command, type Invocation, type OptionSpec } from '../command.js';
import { suggestion } from '../../runtime/nearestName.js';

export const splitOption: OptionSpec = {
  type: 'string',
  value: 'S',
  help:
    `of a folder with several splits: ${tempoSplits.join(', ')}; default all. Queries of test ` +
    'may lack gold documents',
};

/** @throws UsageError for an unknown split. */
export function splitOf(invocation: Invocation, { name }: Command): { split?: TempoSplit } {
  const split = option(invocation, 'split');
  if (split === undefined) return {};
  if (!(tempoSplits as readonly string[]).includes(split))
    throw new UsageError(
      `--split takes ${tempoSplits.join(', ')}, received ${JSON.stringify(split)}.` +
        suggestion(split, tempoSplits),
      name,
    );
  return { split: split as TempoSplit };
}
