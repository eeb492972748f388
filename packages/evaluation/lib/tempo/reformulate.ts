// Query reformulation by a model: its reasoning appended to the query (TEMPO section 6, appendix
// F.3).
import { throwIfAborted, checkTextModel, askText } from 'asof/kit';
import type { TextModel } from 'asof';
import type { TempoQuery } from './data.js';

const reformulationSystem = `You help a search engine. You are given a question that turns on time. Do not answer it.
Say in plain sentences, in at most 150 words: what is really asked; which periods, dates and events evidence is needed of, early and late ones \
alike; and which names, terms and figures a document that helps would contain. Use the words that such documents use. No headings and no lists.`;

const reformulationPrompt = (query: string): string =>
  `Question:\n${query.trim()}\n\nWhat would help:`;

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
    const request = {
      system: reformulationSystem,
      prompt: reformulationPrompt(text),
      maxTokens: reformulationTokens,
      temperature: 0,
    };
    const reasoning = await askText(model, { ...request, signal });
    texts.set(id, reasoning === '' ? text : `${text.trimEnd()}\n\n${reasoning}`);
  }
  return texts;
}
