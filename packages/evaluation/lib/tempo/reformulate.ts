// Query reformulation by a model: its reasoning appended to the query (TEMPO section 6, appendix
// F.3).
import { throwIfAborted, checkTextModel, askTemplateText } from 'asof/kit';
import type { TextModel } from 'asof';
import type { TempoQuery } from './data.js';

/** Maximum number of generated tokens. */
const reformulationTokens = 400;

/**
 * The queries' texts by id, each with the model's reasoning after a blank line; unchanged for an
 * empty answer. Temperature 0. Errors: ERR_MODEL_FAILED, ERR_ABORTED.
 */
export async function reformulate(
  model: TextModel,
  queries: readonly Pick<TempoQuery, 'id' | 'text'>[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  checkTextModel(model);
  const texts = new Map<string, string>();
  for (const { id, text } of queries) {
    throwIfAborted(signal);
    const request = { slots: { question: text.trim() }, maxTokens: reformulationTokens };
    const reasoning = await askTemplateText(model, 'tempoReformulation', request, signal);
    texts.set(id, reasoning === '' ? text : `${text.trimEnd()}\n\n${reasoning}`);
  }
  return texts;
}
