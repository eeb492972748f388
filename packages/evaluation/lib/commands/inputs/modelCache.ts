// The language model with the answer cache of --cache and the call limit of --budget.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsOfError, TextModel } from 'asof';
import { budgetedModel } from '../../judges/budget.js';
import { recordReplay } from '../../judges/recordReplay.js';
import { counted, countOption, modelChoice, option, type Invocation } from 'asof/command';

export interface CachedModel {
  model: TextModel;
  /** The model behind the cache, which counts its calls. */
  budgeted: ReturnType<typeof budgetedModel>;
}

/**
 * The model of --model with a limit of its calls and a cache of its answers, whose invalid lines
 * are skipped; undefined without a model.
 */
export async function cachedModel(invocation: Invocation): Promise<CachedModel | undefined> {
  const { model } = modelChoice.open(invocation).options;
  if (model === undefined) return undefined;
  const { terminal, signal } = invocation;
  const budgeted = budgetedModel(model, countOption(invocation, 'budget'));
  const folder = option(invocation, 'cache');
  if (folder === undefined) return { model: budgeted, budgeted };
  await mkdir(folder, { recursive: true });
  // One file for each model.
  const name = createHash('sha256').update(model.id).digest('hex').slice(0, 16);
  const path = join(folder, `${name}.jsonl`);
  const onFault = (fault: AsOfError): void =>
    terminal.say(`asof: skipped in the cache: ${fault.message}`);
  const mode = 'replayOrRecord';
  const replayed = await recordReplay({ path, mode, model: budgeted, onFault, signal });
  return { model: replayed, budgeted };
}

/** Says how many are left where --budget was exhausted. */
export function sayLeft(
  { terminal }: Pick<Invocation, 'terminal'>,
  left: number,
  of: [one: string, many: string],
): void {
  if (left === 0) return;
  terminal.say(
    `asof: --budget exhausted with ${counted(left, ...of)} left; repeat with --cache to continue`,
  );
}
