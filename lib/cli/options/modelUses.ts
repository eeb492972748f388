// Options --model-for, --cache and --budget: tasks of the language model, its answer cache and
// its call limit.
import { UsageError, listOption, option, suggestion, type Command, type Invocation, type OptionSpec } from '../command.js';
import { namesModel } from './model.js';

export const cacheOptions: Readonly<Record<string, OptionSpec>> = {
  cache: {
    type: 'string',
    value: 'DIR',
    group: 'model',
    help: 'cache of the answers of the model, created if missing; default: no cache',
  },
  budget: {
    type: 'string',
    value: 'N',
    group: 'model',
    help: 'at most N calls of the model; cached answers are free',
  },
};

/**
 * What --model-for says the model is for. Errors: UsageError for another work, and for one without
 * the other.
 */
export function modelUses<Use extends string>(
  invocation: Invocation,
  command: Command,
  uses: readonly Use[],
  usual: readonly Use[],
): Use[] {
  const named = listOption(invocation, 'model-for');
  const wrong = named?.find((each) => !uses.includes(each as Use));
  if (wrong !== undefined) {
    throw new UsageError(
      `--model-for takes ${uses.join(', ')}, received ${JSON.stringify(wrong)}.${suggestion(wrong, uses)}`,
      command.name,
    );
  }
  if (!namesModel(invocation)) {
    const needless = ['model-for', 'cache', 'budget'].find(
      (name) => option(invocation, name) !== undefined,
    );
    if (needless)
      throw new UsageError(
        `--${needless} is about a model: name one with --model, or leave it out.`,
        command.name,
      );
    return [];
  }
  return (named as Use[] | undefined) ?? [...usual];
}
