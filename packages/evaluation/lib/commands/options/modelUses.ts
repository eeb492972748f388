// Options --model-for, --cache and --budget: tasks of the language model, its answer cache and
// its call limit.
import {
  UsageError,
  listOption,
  option,
  type Command,
  type Invocation,
  type OptionSpec,
  namesModel,
} from 'asof/command';
import { suggestion } from 'asof/kit';

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
 * The tasks of --model-for.
 * @throws UsageError for an unknown task, and for options of a model without --model.
 */
export function modelUses<Use extends string>(
  invocation: Invocation,
  command: Command,
  uses: readonly Use[],
  defaults: readonly Use[],
): Use[] {
  const named = listOption(invocation, 'model-for');
  const unknown = named?.find((each) => !uses.includes(each as Use));
  if (unknown !== undefined) {
    throw new UsageError(
      `--model-for takes ${uses.join(', ')}, received ${JSON.stringify(unknown)}.${suggestion(unknown, uses)}`,
      command.name,
    );
  }
  if (!namesModel(invocation)) {
    refuseWithoutModel(invocation, command, ['model-for', 'cache', 'budget']);
    return [];
  }
  return (named as Use[] | undefined) ?? [...defaults];
}

/** @throws UsageError for options of a model where --model is absent. */
export function refuseWithoutModel(
  invocation: Invocation,
  command: Command,
  names: readonly string[],
): void {
  const needless = names.find((name) => option(invocation, name) !== undefined);
  if (needless)
    throw new UsageError(
      `--${needless} needs a model: name one with --model, or omit it.`,
      command.name,
    );
}
