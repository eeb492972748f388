// Query reformulation by a model: its reasoning appended to the query (TEMPO section 6, appendix
// F.3).
import { throwIfAborted, checkTextModel, askText } from 'asof/kit';
import type { RunOptions, TextModel } from 'asof';
import {
  reformulationPrompt,
  reformulationSystem,
  reformulationTokens,
} from './prompts/reformulation.js';
import type { TempoQuery } from './data.js';

/**
 * The queries' texts by id, each with the model's reasoning after a blank line; unchanged for an
 * empty answer. Temperature 0. Errors: ERR_MODEL_FAILED, ERR_ABORTED.
 * @example const texts = await reformulate(model, domain.queries); await scoreDocuments(system,
 * domain, { metrics, texts });
 */
export async function reformulate(
  model: TextModel,
  queries: readonly Pick<TempoQuery, 'id' | 'text'>[],
  options: RunOptions = {},
): Promise<Map<string, string>> {
  checkTextModel(model);
  const { signal, onProgress } = options;
  const texts = new Map<string, string>();
  for (const { id, text } of queries) {
    throwIfAborted(signal);
    const request = {
      system: reformulationSystem,
      prompt: reformulationPrompt(text),
      maxTokens: reformulationTokens,
      temperature: 0,
    };
    const reasoning = await askText(model, { ...request, signal });
    texts.set(id, reasoning === '' ? text : `${text.trimEnd()}\n\n${reasoning}`);
    onProgress?.({ done: texts.size, total: queries.length });
  }
  return texts;
}
