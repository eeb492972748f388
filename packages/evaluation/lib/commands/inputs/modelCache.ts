// The language model with the answer cache of --cache and the call limit of --budget.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsOfError, TextModel } from 'asof';
import { budgetedModel } from '../../judges/budget.js';
import { recordReplay } from '../../judges/recordReplay.js';
import { countOption, option, type Invocation } from 'asof/command';

export interface CachedModel {
  model: TextModel;
  /** The model behind the cache, which counts its calls. */
  budgeted: ReturnType<typeof budgetedModel>;
}

/** Limits the calls of a model and caches its answers; invalid lines of the cache are skipped. */
export async function cachedModel(model: TextModel, invocation: Invocation): Promise<CachedModel> {
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
