// Options --model-for, --cache and --budget: tasks of the language model, its answer cache and
// its call limit.
import {
  UsageError,
  option,
  type Invocation,
  type OptionSpec,
  modelChoice,
  wordsOption,
} from 'asof/command';

export const cacheOptions: Readonly<Record<string, OptionSpec>> = {
  cache: {
    value: 'DIR',
    group: 'model',
    help: 'cache of the answers of the model, created if missing; default: no cache',
  },
  budget: {
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
  uses: readonly Use[],
  defaults: readonly Use[],
): Use[] {
  const named = wordsOption(invocation, 'model-for', uses);
  if (!modelChoice.isGiven(invocation)) {
    refuseWithoutModel(invocation, ['model-for', 'cache', 'budget']);
    return [];
  }
  return named ?? [...defaults];
}

/** @throws UsageError for options of a model where --model is absent. */
export function refuseWithoutModel(invocation: Invocation, names: readonly string[]): void {
  const needless = names.find((name) => option(invocation, name) !== undefined);
  if (needless)
    throw new UsageError(`--${needless} needs a model: name one with --model, or omit it.`);
}
