// Options --model-for, --cache and --budget: tasks of the language model, its answer cache and
// its call limit.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsOfError } from '../../errors.js';
import { budgetedModel, type BudgetedModel } from '../../eval/judges/budget.js';
import type { TextModel } from '../../text/textModel.js';
import { recordReplay } from '../../models/recordReplay.js';
import {
  UsageError,
  countOption,
  listOption,
  option,
  suggestion,
  type Command,
  type Invocation,
  type OptionSpec,
} from '../command.js';
import type { Terminal } from '../terminal.js';
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

/**
 * The model with its calls limited and its answers kept, one file a model; damaged lines are said,
 * passed over and asked again.
 */
export async function keptModel(
  model: TextModel,
  invocation: Invocation,
  command: Command,
): Promise<{ model: TextModel; asked: BudgetedModel }> {
  const asked = budgetedModel(model, countOption(invocation, command, 'budget'));
  const folder = option(invocation, 'cache');
  if (folder === undefined) return { model: asked, asked };
  return {
    model: await kept(asked, folder, invocation.terminal, invocation.signal),
    asked,
  };
}

async function kept(
  model: BudgetedModel,
  folder: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<TextModel> {
  await mkdir(folder, { recursive: true });
  const path = join(
    folder,
    `${createHash('sha256').update(model.id).digest('hex').slice(0, 16)}.jsonl`,
  );
  const onFault = (fault: AsOfError): void =>
    terminal.say(`asof: skipped in the cache: ${fault.message}`);
  return recordReplay({ path, mode: 'replayOrRecord', model, onFault, signal });
}
