// The language model with the answer cache of --cache and the call limit of --budget.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsOfError } from '../../errors.js';
import { budgetedModel, type BudgetedModel } from '../../eval/judges/budget.js';
import { recordReplay } from '../../models/recordReplay.js';
import type { TextModel } from '../../text/textModel.js';
import { countOption, option, type Command, type Invocation } from '../command.js';
import type { Terminal } from '../terminal.js';

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
